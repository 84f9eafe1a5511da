// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: why = the cell that is asked about is not the one that is counted in

__global__ void cells()
{
    __shared__ int cell[2];
    cell[0] = 0;
    cell[1] = 0;
    while (cell[1] >= 0) // <-- guilty
        cell[0] += 1;
}
