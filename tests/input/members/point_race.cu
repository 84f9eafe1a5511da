struct P { float x, y; };

__global__ void point_race(float *out)
{
    __shared__ P s[32];
    int t = threadIdx.x;
    s[t].x = t;
    s[t / 2].y = t;
    __syncthreads();
    out[t] = s[t].x;
}
