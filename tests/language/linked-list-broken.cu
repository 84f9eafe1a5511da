// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 8
// gridlock: extent = out=8
// gridlock: why = the last node points behind the others instead of nowhere

struct node {
    int value;
    node *next;
};

__global__ void sum_of_list(int *out)
{
    __shared__ node nodes[8];
    __shared__ node *head;
    int t = threadIdx.x;
    nodes[t].value = t;
    nodes[t].next = &nodes[t + 1];
    if (t == 0)
        head = nodes;
    __syncthreads();
    int sum = 0;
    for (node *at = head; at != nullptr; at = at->next)
        sum += at->value; // <-- guilty
    out[t] = sum;
}
