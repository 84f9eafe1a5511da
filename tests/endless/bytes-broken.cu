// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: why = a byte is never above 255

__global__ void bytes(int *a)
{
    for (unsigned char i = 1; i <= 255; i++) // <-- guilty
        a[i & 1] = i;
}
