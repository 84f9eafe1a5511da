/* Tree sum in place of M elements by N threads (M is N or 2N), a barrier after each level.
 * The barrier is a counter of arrivals and a generation; arriving and leaving are steps.
 * -DBUG: no barrier. */
#ifndef N
#define N 4
#endif
#ifndef M
#define M N
#endif

byte s[M] = 1;
byte arrivals;
bit gen;

#ifdef BUG
#define ARRIVE  skip
#define OPEN    true
#else
#define ARRIVE  g = gen; arrivals++; if :: arrivals == N -> arrivals = 0; gen = 1 - gen :: else fi
#define OPEN    gen != g
#endif

active [N] proctype thread()
{
  byte h = M / 2;
  byte a;
  bit g;
again:
  if
  :: d_step { _pid < h -> a = s[_pid] };
     d_step { a = a + s[_pid + h] };
     d_step { s[_pid] = a; a = 0 };
     d_step { ARRIVE }
  :: d_step { _pid >= h -> ARRIVE }
  fi;
  if
  :: d_step { h > 1 && OPEN -> g = 0; h = h / 2 }; goto again
  :: d_step { h == 1 && OPEN -> g = 0; h = 0 }
  fi;
  if
  :: _pid == 0 -> assert(s[0] == M)
  :: _pid > 0
  fi;
end:
  false
}
