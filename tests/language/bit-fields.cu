// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = cells=128
// gridlock: why = bit-fields hold what fits their width, and each thread writes the fields of its own struct

struct Cell {
    unsigned kind : 3;
    int step : 5;
    bool seen : 1;
};

__global__ void walk(Cell *cells, Cell first)
{
    Cell &mine = cells[threadIdx.x];
    mine.kind = mine.step + first.kind;
    mine.step = 15;
    mine.step += 2;
    mine.seen |= mine.kind == 9u;
    int given = mine.kind = 12;
    assert(given == 4 && mine.kind == 4);
    assert(mine.step == -15 && first.kind < 8);
    assert(-mine.kind < 0 && sizeof(Cell) == 4);
}
