// Who counts second may be the reader; its return completes the barrier, and orders nothing.
__global__ void read_and_write(int *x, int *count, int *seen) {
    int turn = atomicAdd(count, 1);
    if (threadIdx.x == 0) {
        int found = 0;
        if (turn == 1)
            found = x[0];
        if (found == 12345) seen[0] = found;
        return;
    }
    __syncthreads(); x[0] = 1;
}
