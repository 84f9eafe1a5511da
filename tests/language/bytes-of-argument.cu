// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: extent = words=128
// gridlock: why = words of an argument turned round through a byte view, by whoever owns the word

__global__ void turn(unsigned *words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char *bytes = (unsigned char *)&words[i];
    unsigned char first = bytes[0];
    bytes[0] = bytes[3];
    bytes[3] = first;
    words[i] += 1;
}
