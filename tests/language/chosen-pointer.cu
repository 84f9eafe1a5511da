// gridlock: verdict = proved
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = each thread's reference stands for a cell of its own, whatever the subscript is later

__global__ void store(int *s)
{
    int *q[2] = {s, s + 1};
    int i = threadIdx.x;
    int *&r = q[i];
    i = 0;
    *r = 1;
}
