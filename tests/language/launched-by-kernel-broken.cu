// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: kernel = doubled
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: why = two threads of the child write each element

__global__ void doubled(int *a) { a[threadIdx.x / 2] = (int)threadIdx.x; }

__global__ void parent(int *a)
{
    if (threadIdx.x == 0)
        doubled<<<1, 32>>>(a);
}
