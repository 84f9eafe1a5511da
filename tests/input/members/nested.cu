struct V { int x, y, z; };
struct Body { V pos, vel; int hits[2]; };

__global__ void nested(int *out)
{
    __shared__ Body b[4];
    int t = threadIdx.x;
    b[t].pos.x = t;
    b[t & 2].vel.z = t;
    __syncthreads();
    out[t] = b[t].hits[1];
}
