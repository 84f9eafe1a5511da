// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: shared-bytes = 128
// gridlock: why = halves of one array change places each round

__global__ void scan(float *out, const float *in)
{
    extern __shared__ float room[];
    int t = threadIdx.x, n = blockDim.x;
    float *from = room, *to = room + n;
    from[t] = in[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        to[t] = t >= d ? from[t] + from[t - d] : from[t];
        __syncthreads();
        float *swapped = from;
        from = to;
        to = swapped;
    }
    out[t] = from[t];
}
