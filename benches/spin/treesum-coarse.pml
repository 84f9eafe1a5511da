/* As treesum.pml with the fewest steps we could give SPIN: arriving is part of the last access
 * before the barrier, leaving part of the first step behind it. Idle threads still arrive, each in
 * a step of its own.
 * -DBUG: no barrier. */
#ifndef N
#define N 4
#endif
#ifndef M
#define M N
#endif

byte s[M] = 1;
byte arrivals;
byte level;          /* barriers passed by all */

#define HALF  ((M / 2) >> l)
#ifdef BUG
#define ARRIVE  l++
#define OPEN    true
#else
#define ARRIVE  l++; arrivals++; if :: arrivals == N -> arrivals = 0; level++ :: else fi
#define OPEN    level == l
#endif

active [N] proctype thread()
{
  byte l, a;
again:
  if
  :: d_step { OPEN && _pid < HALF -> a = s[_pid] };
     d_step { a = a + s[_pid + HALF] };
     if
     :: d_step { HALF > 1 -> s[_pid] = a; a = 0; ARRIVE }; goto again
     :: d_step { HALF == 1 -> s[_pid] = a; a = 0; ARRIVE }
     fi
  :: d_step { OPEN && _pid >= HALF && HALF > 1 -> ARRIVE }; goto again
  :: d_step { OPEN && _pid >= HALF && HALF == 1 -> ARRIVE }
  fi;
  if
  :: d_step { OPEN && _pid == 0 -> assert(s[0] == M) }
  :: _pid > 0
  fi;
end:
  false
}
