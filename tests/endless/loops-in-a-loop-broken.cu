// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 3
// gridlock: why = the loops inside end each time, the one around them never does

__global__ void nested(int *a)
{
    int n = 0, m = 0;
    while (true) { // <-- guilty
        for (int j = 0; j < 3; j++)
            n += j;
        if (threadIdx.x == 1)
            for (int j = 0; j < 2; j++)
                m = n + j / 2;
        else
            m -= 5;
        a[threadIdx.x] = n + m % 7;
    }
}
