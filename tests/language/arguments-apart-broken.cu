// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = arguments that are only assumed to differ may lie next to each other

__global__ void turn(int a, int b, int c)
{
    __requires(a < b);
    __requires(b < c);
    for (int i = 0; i < 9; i++) {
        int kept = a;
        a = b;
        b = c;
        c = kept;
    }
    __assert(b - a > 1); // <-- guilty
}
