// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: why = whatever a texture holds, each thread writes its own element

struct Weight {
    float by;
    __device__ ~Weight() {}
};

__global__ void blend(cudaTextureObject_t from, float *out, const float *at)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Weight weight = {at[i]};
    if (tex2D<float>(from, at[i], 0.5f) > 0.0f)
        out[i] = weight.by * tex2D<float>(from, at[i] + 1.0f, 0.5f);
}
