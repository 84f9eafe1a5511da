// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = p=1
// gridlock: extent = out=64
// gridlock: why = the name of a result stands for 0, not for the variable declared after it: all threads write p[0]

__device__ int same(int a) { return a; }

__global__ void k(int *p, int *out)
{
    int first = 0, second = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            int l = same(0);
            first = l;
            second = l;
        }
        int z = threadIdx.x;
        out[threadIdx.x * 2 + i] = first + z;
    }
    if (second == 0)
        p[second] = 1;
}
