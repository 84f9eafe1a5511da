// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = out=8
// gridlock: why = a list through shared memory: every thread links its own node, and walks the list once all have

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
    nodes[t].next = t + 1 < blockDim.x ? &nodes[t + 1] : nullptr;
    if (t == 0)
        head = nodes;
    __syncthreads();
    int sum = 0;
    for (node *at = head; at != nullptr; at = at->next)
        sum += at->value;
    __assert(sum == 28);
    out[t] = sum;
}
