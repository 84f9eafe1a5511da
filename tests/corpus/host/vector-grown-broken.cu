// gridlock: verdict = refuted
// gridlock: kind = use-after-free
// gridlock: kernel = run
// gridlock: arg = n=4
// gridlock: why = the elements moved when the vector grew

#include <cuda_runtime.h>
#include <vector>

int run(int n)
{
    std::vector<int> v(n);
    int *first = v.data();
    for (int i = 0; i < n; i++)
        first[i] = i;
    v.push_back(1);
    return first[n - 1]; // <-- guilty
}
