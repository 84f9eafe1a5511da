// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = the same counter without an atomic

unsigned counter;

__global__ void count()
{
    counter = counter + 1; // <-- guilty
}
