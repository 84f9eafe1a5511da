// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=4
// gridlock: why = the elements are asked for again after the vector has grown

#include <cuda_runtime.h>
#include <vector>

int run(int n)
{
    std::vector<int> v(n);
    int *first = v.data();
    for (int i = 0; i < n; i++)
        first[i] = i;
    v.push_back(1);
    first = v.data();
    return first[n - 1];
}
