// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = cuda, lockstep-warp
// gridlock: block = 64
// gridlock: few-block = 2
// gridlock: why = without the barrier a thread may read its neighbour's cell before it is stored

__global__ void smooth(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t]; // <-- guilty
    int left = t > 0 ? tile[t - 1] : 0; // <-- guilty
    out[t] = left + tile[t];
}
