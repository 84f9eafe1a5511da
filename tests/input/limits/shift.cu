__global__ void k(int *a) { a[threadIdx.x] = a[threadIdx.x+1] + 1; }
