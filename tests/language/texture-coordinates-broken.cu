// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: why = what a texture holds decides who writes the first element

struct Weight {
    float by;
    __device__ ~Weight() {}
};

__global__ void blend(cudaTextureObject_t from, float *out, const float *at)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Weight weight = {at[i]};
    if (tex2D<int>(from, at[i], 0.5f) > 0)
        out[0] = weight.by * tex2D<float>(from, at[i] + 1.0f, 0.5f); // <-- guilty
}
