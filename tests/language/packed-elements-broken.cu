// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: why = the last of the four elements is never computed

struct alignas(16) Pack {
    float value[4];
    __device__ float &operator[](int place) { return value[place]; }
    __device__ const float &operator[](int place) const { return value[place]; }
};

__global__ void twice(float *out, const float *in, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first < n) {
        Pack from = *(const Pack *)(in + first), to;
        for (int place = 0; place < 3; place++) to[place] = from[place] * 2.0f;
        *(Pack *)(out + first) = to; // <-- guilty
    }
}
