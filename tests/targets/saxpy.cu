// y = a * x + y, for every type of elements that BLAS and its users ask for.

#include <cuda_runtime.h>

__global__ void scale_float(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void scale_double(double a, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void scale_unsigned(unsigned a, const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

void of_float(float a, const float *x, float *y, int n)
{
    float *d_x, *d_y;
    cudaMalloc((void **)&d_x, n * sizeof(float));
    cudaMalloc((void **)&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, n * sizeof(float), cudaMemcpyHostToDevice);
    scale_float<<<(n + 7) / 8, 8>>>(a, d_x, d_y, n);
    cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
}

void of_double(double a, const double *x, double *y, int n)
{
    double *d_x, *d_y;
    cudaMalloc((void **)&d_x, n * sizeof(double));
    cudaMalloc((void **)&d_y, n * sizeof(double));
    cudaMemcpy(d_x, x, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, n * sizeof(double), cudaMemcpyHostToDevice);
    scale_double<<<(n + 7) / 8, 8>>>(a, d_x, d_y, n);
    cudaMemcpy(y, d_y, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
}

void of_unsigned(unsigned a, const unsigned *x, unsigned *y, int n)
{
    unsigned *d_x, *d_y;
    cudaMalloc((void **)&d_x, n * sizeof(unsigned));
    cudaMalloc((void **)&d_y, n * sizeof(unsigned));
    cudaMemcpy(d_x, x, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    scale_unsigned<<<(n + 7) / 8, 8>>>(a, d_x, d_y, n);
    cudaMemcpy(y, d_y, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
}
