// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: arg = which=2
// gridlock: why = one of the two functions is chosen

typedef int (*step)(int);

__device__ int up(int x)
{
    return x + 1;
}

__device__ int down(int x)
{
    return x - 1;
}

__global__ void apply(int *a, int which)
{
    step f = 0;
    switch (which) {
    case 1:
        f = up;
        break;
    case 2:
        f = down;
    }
    a[threadIdx.x] = f(a[threadIdx.x]);
}
