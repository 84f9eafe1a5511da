// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: why = a byte that wraps around is 0, which ends the loop

__global__ void bytes(int *a)
{
    for (unsigned char i = 1; i != 0; i++)
        a[i & 1] = i;
}
