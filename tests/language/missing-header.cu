// gridlock: verdict = passed
// gridlock: kernel = scaled
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: why = what a header that is not there declares takes away the functions that use it, and no others

#include <torch/not_here.h>
#include "project/not_here_either.cuh"

__global__ void scaled(float *a, float by) { a[threadIdx.x] *= by; }

void launch(at::Tensor a, float by)
{
    scaled<<<1, (int)a.numel(), 0, at::cuda::getCurrentCUDAStream()>>>(a.data_ptr<float>(), by);
}
