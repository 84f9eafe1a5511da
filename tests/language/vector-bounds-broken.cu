// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 32
// gridlock: extent = out=126
// gridlock: why = the last pair ends two words past the array

__global__ void words(int *out)
{
    double2 *pairs = (double2 *)out;
    pairs[threadIdx.x] = make_double2(1.0, 2.0); // <-- guilty
}
