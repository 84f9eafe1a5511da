// gridlock: verdict = passed
// gridlock: block = 40
// gridlock: extent = a=40
// gridlock: few-block = 2
// gridlock: why = all have read before anybody writes

__global__ void shift_left(int *a)
{
    int t = threadIdx.x;
    int next = 0;
    if (t + 1 < blockDim.x)
        next = a[t + 1];
    __syncthreads();
    a[t] = next;
}
