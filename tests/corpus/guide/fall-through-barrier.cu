// gridlock: verdict = proved
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: extent = how=8
// gridlock: extent = out=8
// gridlock: why = every case falls through into one barrier

__global__ void k(const int *in, const int *how, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = in[t];
    switch (how[t] & 3) {
    case 0:
        v += 1;
    case 1:
        v += 2;
    default:
        s[t] = v;
        __syncthreads();
    }
    out[t] = s[blockDim.x - 1 - t];
}
