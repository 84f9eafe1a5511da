// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 32
// gridlock: extent = cells=128
// gridlock: why = 17 does not fit five bits with a sign

struct Cell {
    unsigned kind : 3;
    int step : 5;
    bool seen : 1;
};

__global__ void walk(Cell *cells)
{
    Cell &mine = cells[threadIdx.x];
    mine.step = 15;
    mine.step += 2;
    assert(mine.step == 17); // <-- guilty
}
