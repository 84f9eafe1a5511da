/* Ticket lock: N threads, K critical sections each.
 * -DBUG: drawing a ticket is a read and a write. */
#ifndef N
#define N 3
#endif
#ifndef K
#define K 3
#endif

byte next, serving, counter;

active [N] proctype thread()
{
  byte my, v, k;
again:
#ifdef BUG
  my = next;
  next = my + 1;
#else
  if
  :: d_step { my = next; next++ }
  fi;
#endif
  serving == my;
  d_step { v = counter; assert(v == my) };
  d_step { counter = v + 1; v = 0 };
  if
  :: d_step { k + 1 < K -> serving = my + 1; my = 0; k++ }; goto again
  :: d_step { k + 1 == K -> serving = my + 1; my = 0; k++ }
  fi;
end:
  false
}
