// gridlock: verdict = unknown
// gridlock: block = 1
// gridlock: why = the loop ends after two thousand million rounds: a store to b writes a back as it is, and a decides

struct pair { unsigned a : 31; unsigned b : 1; };

__global__ void count(int *o)
{
    __shared__ pair s;
    s.a = 0;
    s.b = 0;
    while (true) {
        s.a = s.a + 1;
        s.b = 1;
        if (s.a == 2000000000)
            break;
    }
    o[0] = s.a;
}
