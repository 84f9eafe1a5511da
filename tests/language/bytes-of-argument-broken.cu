// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: extent = words=132
// gridlock: why = the fifth byte is another thread's word

__global__ void turn(unsigned *words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char *bytes = (unsigned char *)&words[i];
    unsigned char first = bytes[0];
    bytes[0] = bytes[3];
    bytes[4] = first; // <-- guilty
    words[i] += 1;
}
