// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: why = two threads write two members of one struct: no cell has two writers

struct pair {
    int first, second;
};

__global__ void members(pair *p)
{
    if (threadIdx.x == 0)
        p->first = 1;
    else
        p->second = 2;
}
