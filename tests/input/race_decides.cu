__global__ void race_decides(int *b)
{
    __shared__ int s;
    int t = threadIdx.x;
    s = 0;
    if (t == 0) {
        s = 3;
        s = 0;
    }
    b[s] = 0;
}
