// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: shared-bytes = 128
// gridlock: why = the halves do not change places: from the second round on one is read while it is written

__global__ void scan(float *out, const float *in)
{
    extern __shared__ float room[];
    int t = threadIdx.x, n = blockDim.x;
    float *from = room, *to = room + n;
    from[t] = in[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        to[t] = t >= d ? from[t] + from[t - d] : from[t]; // <-- guilty
        __syncthreads();
        from = to;
    }
    out[t] = from[t];
}
