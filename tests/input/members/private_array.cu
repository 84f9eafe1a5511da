struct Pair { int first, second; };

__global__ void private_array(int *out)
{
    int t = threadIdx.x;
    Pair mine[4];
    for (int i = 0; i < 4; i++)
        mine[i].first = i;
    out[t] = mine[t].second;
}
