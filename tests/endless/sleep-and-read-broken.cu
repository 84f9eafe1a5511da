// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 2
// gridlock: extent = a=2
// gridlock: why = a thread that has slept again and again has waited for nobody

__global__ void sleep(int *a)
{
    __shared__ int cell;
    if (threadIdx.x == 0)
        cell = 1;
    for (unsigned int ns = 8; ns < 256; ns *= 2)
        __nanosleep(ns);
    a[threadIdx.x] = cell; // <-- guilty
}
