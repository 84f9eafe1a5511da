//xfail:NOT_ALL_VERIFIED
//--blockDim=2048 --gridDim=1 --no-inline
//kernel.cu:error: possible write-write race

__global__ void foo(int *p)
{
  p[threadIdx.x / 2] = threadIdx.x;
}
