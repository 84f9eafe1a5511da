// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: kernel = scale
// gridlock: block = 64
// gridlock: grid = 2
// gridlock: why = a mistake in what host code needs hides no race of the kernel

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

struct options {
    std::string name;
    std::vector<int> sizes;
};

__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i + 1]; // <-- guilty
}

int main(int argc, char **argv)
{
    std::vector<float> host(128);
    std::vector<float> other = no_such_function(host);
    auto start = std::chrono::steady_clock::now();
    float *device;
    cudaMalloc(&device, host.size() * sizeof(float));
    scale<<<2, 64>>>(device, 128);
    std::cout << "done" << std::endl;
    return 0;
}
