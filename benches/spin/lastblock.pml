/* N blocks, each with a partial sum of two elements; the block that finishes last adds them up.
 * -DBUG: the last but one does. */
#ifndef N
#define N 4
#endif
#ifdef BUG
#define MISSING 1
#else
#define MISSING 0
#endif

byte in[2 * N] = 1;
byte partial[N];
byte finished;

active [N] proctype block()
{
  byte a, i;
  a = in[2 * _pid];
  a = a + in[2 * _pid + 1];
  d_step { partial[_pid] = a; a = 0 };
  if
  :: d_step { finished == N - 1 - MISSING -> finished++ };
again:
     if
     :: d_step { i + 1 < N -> a = a + partial[i]; i++ }; goto again
     :: d_step { i + 1 == N -> assert(a + partial[i] == 2 * N); a = 0; i = 0 }
     fi
  :: d_step { finished != N - 1 - MISSING -> finished++ }
  fi;
end:
  false
}
