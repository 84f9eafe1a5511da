struct P { int x, y; };

__global__ void seen_as_bytes(int *out)
{
    __shared__ P s[8];
    int t = threadIdx.x;
    s[t].x = 0;
    unsigned char *bytes = (unsigned char *)s;
    bytes[t / 2] = t;
    __syncthreads();
    out[t] = s[t].x;
}
