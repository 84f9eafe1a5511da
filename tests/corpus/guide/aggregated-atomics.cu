// gridlock: verdict = passed
// gridlock: block = 3
// gridlock: extent = counter=1
// gridlock: extent = out=8
// gridlock: extent = in=8
// gridlock: contents = counter=zero
// gridlock: why = lanes hand on what they have not set, and nobody looks at it: only the value of the leader is read

__global__ void filter(int *counter, int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        unsigned mask = __activemask();
        int lane = threadIdx.x % 32;
        int leader = __ffs(mask) - 1;
        int res;
        if (lane == leader)
            res = atomicAdd(counter, __popc(mask));
        res = __shfl_sync(mask, res, leader);
        out[res + __popc(mask & ((1 << lane) - 1))] = in[i];
    }
}
