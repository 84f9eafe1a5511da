// Breadth-first search over 1,000 nodes: a launch for each level, until nothing changes.
#include "check.h"
#include <utility>
#include <vector>

__global__ void visit(const int *first, const int *edges, const int *level, int *next, int now,
                      int *changed, int n)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= n)
        return;
    int own = level[node];
    if (own < 0)
        for (int e = first[node]; e < first[node + 1]; e++)
            if (level[edges[e]] == now)
                own = now + 1;
    next[node] = own;
    if (own == now + 1)
        atomicOr(changed, 1);
}

int main()
{
    const int n = 1000, degree = 4;
    std::vector<int> first(n + 1), edges(n * degree), level(n, -1);
    for (int i = 0; i < n; i++) {
        first[i] = i * degree;
        for (int k = 0; k < degree; k++)
            edges[i * degree + k] = (i * (k + 2) + 1) % n;
    }
    first[n] = n * degree;
    level[0] = 0;
    int *dfirst, *dedges, *dlevel, *dnext, *dchanged;
    CHECK(cudaMalloc(&dfirst, first.size() * sizeof(int)));
    CHECK(cudaMalloc(&dedges, edges.size() * sizeof(int)));
    CHECK(cudaMalloc(&dlevel, level.size() * sizeof(int)));
    CHECK(cudaMalloc(&dnext, level.size() * sizeof(int)));
    CHECK(cudaMalloc(&dchanged, sizeof(int)));
    CHECK(cudaMemcpy(dfirst, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dedges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dlevel, level.data(), level.size() * sizeof(int), cudaMemcpyHostToDevice));
    int changed = 1;
    for (int now = 0; changed; now++) {
        changed = 0;
        CHECK(cudaMemcpy(dchanged, &changed, sizeof(int), cudaMemcpyHostToDevice));
        visit<<<(n + 127) / 128, 128>>>(dfirst, dedges, dlevel, dnext, now, dchanged, n);
        CHECK(cudaGetLastError());
        std::swap(dlevel, dnext);
        CHECK(cudaMemcpy(&changed, dchanged, sizeof(int), cudaMemcpyDeviceToHost));
    }
    CHECK(cudaMemcpy(level.data(), dlevel, level.size() * sizeof(int), cudaMemcpyDeviceToHost));
    int reached = 0;
    for (int i = 0; i < n; i++)
        reached += level[i] >= 0;
    std::printf("%d of %d nodes are reached\n", reached, n);
    CHECK(cudaFree(dfirst));
    CHECK(cudaFree(dedges));
    CHECK(cudaFree(dlevel));
    CHECK(cudaFree(dnext));
    CHECK(cudaFree(dchanged));
    return 0;
}
