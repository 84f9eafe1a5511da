// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = a counter declared without __device__, which no host code names, is taken for the device's

unsigned counter;

__global__ void count()
{
    atomicAdd(&counter, 1u);
}
