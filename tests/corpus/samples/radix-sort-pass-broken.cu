// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8
// gridlock: few-block = 2
// gridlock: why = keys move to their places while others still read theirs

// Sorts the keys of a block by BITS bits, one stable split a bit.

#define BLOCK_SIZE 64
#define BITS 3

__device__ int exclusive_scan(int *cell, int value)
{
    int tid = threadIdx.x;
    cell[tid] = value;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int other = tid >= offset ? cell[tid - offset] : 0;
        __syncthreads();
        cell[tid] += other;
        __syncthreads();
    }
    return cell[tid] - value;
}

__global__ void radix_sort_block(unsigned int *keys)
{
    __shared__ unsigned int s_keys[BLOCK_SIZE];
    __shared__ int s_scan[BLOCK_SIZE];
    __shared__ int s_zeros;
    int tid = threadIdx.x;

    s_keys[tid] = keys[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int bit = 0; bit < BITS; bit++) {
        unsigned int key = s_keys[tid];
        int is_zero = ((key >> bit) & 1u) == 0;
        int zeros_before = exclusive_scan(s_scan, is_zero);
        if (tid == blockDim.x - 1)
            s_zeros = zeros_before + is_zero;
        __syncthreads();
        int dest = is_zero ? zeros_before : s_zeros + tid - zeros_before;
        s_keys[dest] = s_keys[tid]; // <-- guilty
        __syncthreads();
    }
    keys[blockIdx.x * blockDim.x + tid] = s_keys[tid];
}
