// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = p=1
// gridlock: extent = out=64
// gridlock: why = the result of a call keeps its name when it is assigned on: thread 0 alone writes p[0]

__device__ int same(int a) { return a; }

__global__ void k(int *p, int *out)
{
    int first = 0, second = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            int l = same(threadIdx.x);
            first = l;
            second = l;
        }
        int z = 0;
        out[threadIdx.x * 2 + i] = first + z;
    }
    if (second == 0)
        p[second] = 1;
}
