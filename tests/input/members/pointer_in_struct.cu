struct P { int x, y; };
struct Args { P *p; int *out; int n; };

__global__ void pointer_in_struct(Args args)
{
    int t = threadIdx.x;
    args.p[t / 2].y = t;
    args.out[0] = t;
}
