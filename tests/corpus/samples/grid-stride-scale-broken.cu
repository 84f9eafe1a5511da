// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = n=50
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: few-block = 1
// gridlock: few-arg = n=5
// gridlock: why = a thread goes on by the size of its block, so that blocks overlap

__global__ void scale_inplace(float *__restrict__ a, const float *__restrict__ b, float alpha, int n)
{
    const int stride = blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        a[i] = alpha * a[i] + b[i]; // <-- guilty
}
