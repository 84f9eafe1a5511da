// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = n=3
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: why = the whole block decides alike

__global__ void steps(const int *in, int *out, int n)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    int half = n / 2;
    cell[t] = 0;
    for (int k = 0; k < n; k++) {
        int left = n - k;
        if (left > half) {
            cell[t] += in[blockIdx.x * 8 + t];
            __syncthreads();
            out[blockIdx.x * 8 + t] = cell[7 - t];
        }
        __syncthreads();
    }
}
