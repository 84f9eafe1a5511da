// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: kernel = scaled
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: why = two threads write each element

#include <torch/not_here.h>
#include "project/not_here_either.cuh"

__global__ void scaled(float *a, float by) { a[threadIdx.x / 2] = by * threadIdx.x; }

void launch(at::Tensor a, float by)
{
    scaled<<<1, (int)a.numel(), 0, at::cuda::getCurrentCUDAStream()>>>(a.data_ptr<float>(), by);
}
