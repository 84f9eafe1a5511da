// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence, uninitialised-read
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: extent = how=8
// gridlock: extent = out=8
// gridlock: why = two cases, two barriers; where all threads meet at the first of them, nobody wrote what is read

__global__ void k(const int *in, const int *how, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = in[t];
    switch (how[t] & 3) {
    case 0:
        v += 1;
    case 1:
        v += 2;
        __syncthreads(); // <-- guilty
        break;
    default:
        s[t] = v;
        __syncthreads(); // <-- guilty
    }
    out[t] = s[blockDim.x - 1 - t]; // <-- guilty
}
