// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: why = nothing hangs on what a holds

struct pair { unsigned a : 31; unsigned b : 1; };

__global__ void count(int *o)
{
    __shared__ pair s;
    s.a = 0;
    s.b = 0;
    while (true) {
        s.a = s.a + 1;
        s.b = 1;
        if (s.b == 0) // <-- guilty
            break;
    }
    o[0] = s.a;
}
