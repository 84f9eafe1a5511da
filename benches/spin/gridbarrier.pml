/* N blocks, R rounds: each writes its cell, all meet at a barrier that counts arrivals and spins,
 * each reads its neighbour's cell. Rounds alternate between two rows of cells.
 * -DBUG: the barrier lets go when one block is still missing. */
#ifndef N
#define N 4
#endif
#ifndef R
#define R 2
#endif
#ifdef BUG
#define MISSING 1
#else
#define MISSING 0
#endif

byte cell[2 * N];
byte arrived;

#define CELL(b)  cell[(r % 2) * N + (b)]

active [N] proctype block()
{
  byte r;
again:
  CELL(_pid) = r + 1;
  arrived++;
  arrived >= N * (r + 1) - MISSING;
  if
  :: d_step { r + 1 < R -> assert(CELL((_pid + 1) % N) == r + 1); r++ }; goto again
  :: d_step { r + 1 == R -> assert(CELL((_pid + 1) % N) == r + 1); r++ }
  fi;
end:
  false
}
