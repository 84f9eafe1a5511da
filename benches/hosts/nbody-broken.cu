// One step of 4096 bodies, tile by tile.
#include "check.h"
#include <vector>

struct Body {
    float x, y, z, mass;
};

__global__ void accelerate(const Body *bodies, float3 *out, int n)
{
    extern __shared__ Body tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body own = bodies[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            float f = tile[j].mass * r * r * r;
            sum.x += f * dx;
            sum.y += f * dy;
            sum.z += f * dz;
        }
        __syncthreads();
    }
    out[i] = sum;
}

int main()
{
    const int n = 4096, threads = 128;
    std::vector<Body> bodies(n);
    for (int i = 0; i < n; i++)
        bodies[i] = {std::rand() / (float)RAND_MAX, std::rand() / (float)RAND_MAX,
                     std::rand() / (float)RAND_MAX, 1.0f};
    std::vector<float3> forces(n);
    Body *dbodies;
    float3 *dforces;
    CHECK(cudaMalloc(&dbodies, n * sizeof(Body)));
    CHECK(cudaMalloc(&dforces, n * sizeof(float3)));
    CHECK(cudaMemcpy(dbodies, bodies.data(), n * sizeof(Body), cudaMemcpyHostToDevice));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    accelerate<<<n / threads, threads, threads / 2 * sizeof(Body)>>>(dbodies, dforces, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaMemcpy(forces.data(), dforces, n * sizeof(float3), cudaMemcpyDeviceToHost));
    std::printf("%f ms, first force %f %f %f\n", ms, forces[0].x, forces[0].y, forces[0].z);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaFree(dbodies));
    CHECK(cudaFree(dforces));
    return 0;
}
