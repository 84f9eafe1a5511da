// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = in=128
// gridlock: extent = out=128
// gridlock: contents = in=range:0:1
// gridlock: why = the group is waited for, and what lies beyond the end is zero

__device__ __forceinline__ void copy(unsigned to, const float *from, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(from), "r"(there ? 16 : 0));
}

__global__ void turned(const float *in, float *out)
{
    __shared__ float s[128];
    unsigned to = __cvta_generic_to_shared(&s[threadIdx.x * 4]);
    copy(to, in + threadIdx.x * 4, threadIdx.x < 16);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        int at = threadIdx.x * 4 + i;
        out[at] = s[127 - at];
        assert(out[at] == (127 - at < 64 ? 127 - at : 0));
    }
}
