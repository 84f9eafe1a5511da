// Shared memory of all sorts, blocks of two dimensions, device functions over different spaces.

__constant__ int weights[4] = {1, -2, 3};

__device__ int at_or_zero(const int *cells, int i, int n)
{
    if (i < 0)
        return 0;
    if (i >= n)
        return 0;
    return cells[i];
}

__device__ int biggest(const int *cells, int n)
{
    int best = cells[0];
    for (int i = 1; i < n; i++)
        if (cells[i] > best)
            best = cells[i];
    return best;
}

__global__ void stencil(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    __shared__ int most;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t] = at_or_zero(in, i, n);
    __syncthreads();
    if (t == 0)
        most = biggest(tile, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int k = -1; k <= 1; k++)
        sum += weights[k + 1] * at_or_zero(tile, t + k, blockDim.x);
    if (i < n)
        out[i] = sum + most;
}

__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[8][9];
    int x = blockIdx.x * 8 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 8 + threadIdx.x;
    y = blockIdx.x * 8 + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
