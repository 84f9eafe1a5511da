// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8
// gridlock: why = with other offsets than those of the file two threads write one element

__constant__ int offsets[8] = {0, 1, 2, 3, 4, 5, 6, 7};

__global__ void scatter(const int *in, int *out)
{
    if (offsets[threadIdx.x] != threadIdx.x)
        out[0] = in[threadIdx.x]; // <-- guilty
}
