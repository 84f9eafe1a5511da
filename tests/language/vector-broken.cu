// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: kernel = main
// gridlock: why = six elements are in the vector, and ten are copied

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

__global__ void square(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * a[i];
}

int main()
{
    std::vector<float> host;
    for (int i = 0; i < 6; i++)
        host.push_back(i);
    const int n = 10;
    float *device;
    cudaMalloc(&device, n * sizeof(float));
    cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice); // <-- guilty
    square<<<1, 32>>>(device, host.size());
    cudaMemcpy(host.data(), device, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    assert(std::accumulate(host.begin(), host.end(), 0.0f) == 71.0f);
    assert(*std::max_element(host.begin(), host.end()) == 25.0f);
    cudaFree(device);
    return 0;
}
