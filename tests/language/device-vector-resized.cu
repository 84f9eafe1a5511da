// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = a vector of Thrust keeps its memory where it shrinks, and its elements where it grows

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
__global__ void k(int *a, int n) { int i = threadIdx.x; if (i < n) a[i] = i + 1; }
int main()
{
    thrust::device_vector<int> d, e(3, 7);
    d = e;
    d.resize(10);
    int *raw = thrust::raw_pointer_cast(d.data());
    d.resize(5);
    k<<<1, 32>>>(raw, 5);
    thrust::host_vector<int> h = d;
    d[0] = 9;
    d.push_back(3);
    int sum = 0;
    for (size_t i = 0; i < h.size(); i++) sum += h[i];
    assert(sum == 15 && d[0] == 9 && d.size() == 6 && d[5] == 3 && d.back() == 3 && e[2] == 7);
    d.clear();
    return d.empty() ? 0 : 1;
}
