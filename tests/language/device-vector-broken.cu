// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: kernel = main
// gridlock: why = the grid has more threads than the vector elements

#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

__global__ void square(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
        a[i] *= a[i];
}

int main()
{
    thrust::host_vector<int> h(100);
    for (int i = 0; i < 100; i++)
        h[i] = i;
    thrust::device_vector<int> d = h;
    square<<<4, 32>>>(thrust::raw_pointer_cast(d.data()), (int)d.size());
    h = d;
    int wrong = 0;
    for (int i = 0; i < 100; i++)
        wrong += h[i] != i * i;
    printf("%d wrong\n", wrong);
    return wrong;
}
