/* Mutual exclusion by compare-and-swap: N threads, K critical sections each.
 * -DBUG: looking at the lock and taking it are two steps. */
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

byte lock, counter;

active [N] proctype thread()
{
  byte v, k;
again:
#ifdef BUG
  lock == 0;
  lock = 1;
#else
  if
  :: d_step { lock == 0 -> lock = 1 }
  fi;
#endif
  v = counter;
  counter = v + 1;
  d_step { assert(counter == v + 1); v = 0 };
  if
  :: d_step { k + 1 < K -> lock = 0; k++ }; goto again
  :: d_step { k + 1 == K -> lock = 0; k++ }
  fi;
end:
  false
}
