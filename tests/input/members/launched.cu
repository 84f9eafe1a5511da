#include <cstdlib>

struct P { int x, y; };

__global__ void move(P *q, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t <= n)
        q[t].y = q[t].x;
}

int main()
{
    int n = 32;
    P *h = (P *)malloc(n * sizeof(P)), *d;
    for (int i = 0; i < n; i++)
        h[i].x = h[i].y = i;
    cudaMalloc(&d, n * sizeof(P));
    cudaMemcpy(d, h, n * sizeof(P), cudaMemcpyHostToDevice);
    move<<<2, 32>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(P), cudaMemcpyDeviceToHost);
    cudaFree(d);
    free(h);
    return 0;
}
