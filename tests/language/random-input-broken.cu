// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: kernel = main
// gridlock: why = what rand gives is no number of a bin

#include <cstdlib>
#include <ctime>
#include <vector>

__global__ void count(const int *values, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[values[i]], 1); // <-- guilty
}

void draw(int *values, int n)
{
    for (int i = 0; i < n; i++)
        values[i] = rand();
}

int main()
{
    const int n = 40;
    srand(time(NULL));
    std::vector<int> values(n), bins(8, 0);
    draw(values.data(), n);
    int *d_values, *d_bins;
    cudaMalloc(&d_values, n * sizeof(int));
    cudaMalloc(&d_bins, bins.size() * sizeof(int));
    cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, bins.size() * sizeof(int));
    count<<<2, 32>>>(d_values, d_bins, n);
    cudaMemcpy(bins.data(), d_bins, bins.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < bins.size(); i++)
        sum += bins[i];
    assert(sum == n);
    cudaFree(d_values);
    cudaFree(d_bins);
    return 0;
}
