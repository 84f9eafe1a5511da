// gridlock: verdict = passed
// gridlock: instantiate = sum<float, 64>
// gridlock: block = 64
// gridlock: grid = 2
// gridlock: why = a barrier stands between the steps of the reduction, whose number the template fixes

template <class T, int SIZE>
__global__ void sum(const T *in, T *out)
{
    __shared__ T s[SIZE];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * SIZE + t];
    __syncthreads();
    for (int half = SIZE / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
