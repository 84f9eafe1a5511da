// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = no two of the arguments are equal, and that stays so whatever places they change

__global__ void turn(int a, int b, int c)
{
    __requires(a != b);
    __requires(b != c);
    __requires(a != c);
    for (int i = 0; i < 9; i++) {
        int kept = a;
        a = b;
        b = c;
        c = kept;
    }
    __assert(a != b);
}
