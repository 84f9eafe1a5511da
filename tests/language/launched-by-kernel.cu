// gridlock: verdict = passed
// gridlock: kernel = doubled
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: why = a kernel that launches another one is not read, and the others of its file are

__global__ void doubled(int *a) { a[threadIdx.x] *= 2; }

__global__ void parent(int *a)
{
    if (threadIdx.x == 0)
        doubled<<<1, 32>>>(a);
}
