// No function of it can be read.
#include "not_there.h"
__device__ int helper(int x) {
    asm volatile("bar.warp.sync 1;");
    return x;
}
__global__ void one(Unknown *a) { a[threadIdx.x] = 1; }
__global__ void two(int *a) { a[threadIdx.x] = helper(1); }
template <class T> __global__ void three(T *a) {
    asm volatile("bar.warp.sync 1;");
    a[threadIdx.x] = 1;
}
template __global__ void three<int>(int *a);
template __global__ void three<float>(float *a);
int main() {
    return not_there(1);
}
