// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 2
// gridlock: why = one thread writes a member, the other the whole struct around it

struct pair {
    int first, second;
};

__global__ void members(pair *p)
{
    pair both = {1, 2};
    if (threadIdx.x == 0)
        p->second = 3;
    else
        *p = both; // <-- guilty
}
