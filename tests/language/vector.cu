// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = a vector's elements are memory of the host that goes with it

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
    host.resize(10, 2.0f);
    if (host.size() != 10)
        throw std::runtime_error("size");
    float *device;
    cudaMalloc(&device, host.size() * sizeof(float));
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    square<<<1, 32>>>(device, host.size());
    cudaMemcpy(host.data(), device, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    assert(std::accumulate(host.begin(), host.end(), 0.0f) == 71.0f);
    assert(*std::max_element(host.begin(), host.end()) == 25.0f);
    cudaFree(device);
    return 0;
}
