// SAXPY over managed memory.
#include "check.h"
#include <cmath>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

int main()
{
    const int n = 1 << 20;
    float *x, *y;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
    saxpy<<<64, 256>>>(n, 2.0f, x, y);
    CHECK(cudaGetLastError());
    float worst = 0.0f;
    for (int i = 0; i < n; i++)
        worst = std::fmax(worst, std::fabs(y[i] - 4.0f));
    std::printf("largest error: %f\n", worst);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    return 0;
}
