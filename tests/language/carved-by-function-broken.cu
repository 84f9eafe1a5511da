// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: shared-bytes = 128
// gridlock: why = the first part is taken for half as many as use it: the second lies over its upper half

template <class T>
__device__ T *part(char *&at, int n)
{
    T *found = (T *)at;
    at += n * sizeof(T);
    return found;
}

__global__ void parts(int *out)
{
    extern __shared__ char room[];
    char *at = room;
    float *values = part<float>(at, blockDim.x / 2);
    int *order = part<int>(at, blockDim.x);
    int t = threadIdx.x;
    values[t] = 1.0f; // <-- guilty
    order[t] = t; // <-- guilty
    __syncthreads();
    out[t] = order[t ^ 1] + (int)values[t ^ 1];
}
