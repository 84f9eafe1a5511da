// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: grid = 2
// gridlock: why = a static variable of a kernel is one for all threads, so that they race on it

struct pair { int first, second; };

__global__ void count(int *out, int n)
{
    static int total = 3;
    static __device__ const int step[2] = {1, 2};
    pair p = (pair){1, 2};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    total += step[i % 2] + p.first; // <-- guilty
    out[i] = p.second;
}
