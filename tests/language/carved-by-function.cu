// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: shared-bytes = 128
// gridlock: why = a function hands out parts of shared memory one after another, each as large as it is used

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
    float *values = part<float>(at, blockDim.x);
    int *order = part<int>(at, blockDim.x);
    int t = threadIdx.x;
    values[t] = 1.0f;
    order[t] = t;
    __syncthreads();
    out[t] = order[t ^ 1] + (int)values[t ^ 1];
}
