// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: instantiate = sum<float, 64>
// gridlock: block = 64
// gridlock: grid = 2
// gridlock: why = no barrier between the steps: a thread reads what another is about to write

template <class T, int SIZE>
__global__ void sum(const T *in, T *out)
{
    __shared__ T s[SIZE];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * SIZE + t];
    __syncthreads();
    for (int half = SIZE / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // <-- guilty
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = s[0];
}
