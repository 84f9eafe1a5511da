// The product of two square matrices, by tiles: a grid and blocks of two dimensions.

#include <cuda_runtime.h>

#define TILE 2

__global__ void product(const int *a, const int *b, int *c, int n)
{
    __shared__ int left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    int sum = 0;
    for (int tile = 0; tile < n / TILE; tile++) {
        left[threadIdx.y][threadIdx.x] = a[row * n + tile * TILE + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

void multiply(const int *a, const int *b, int *c, int n)
{
    int bytes = n * n * sizeof(int);
    int *d_a, *d_b, *d_c;
    cudaMalloc((void **)&d_a, bytes);
    cudaMalloc((void **)&d_b, bytes);
    cudaMalloc((void **)&d_c, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    dim3 grid(n / TILE, n / TILE), block(TILE, TILE);
    product<<<grid, block>>>(d_a, d_b, d_c, n);
    cudaDeviceSynchronize();
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
