// gridlock: verdict = unknown
// gridlock: kind = limit
// gridlock: block = 1
// gridlock: why = the count ends the loop when it has wrapped around, after two thousand million rounds

__global__ void cells()
{
    __shared__ int cell[2];
    cell[0] = 0;
    cell[1] = 0;
    while (cell[0] >= 0)
        cell[0] += 1;
}
