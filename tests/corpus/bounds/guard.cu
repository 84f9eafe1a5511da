// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: arg = n=40
// gridlock: extent = a=n
// gridlock: few-grid = 2
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = the guard keeps threads beyond the end away

__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2.0f * a[i];
}
