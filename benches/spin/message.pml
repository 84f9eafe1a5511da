/* Message passing: P pairs of a producer and a consumer, R messages each, a flag for "here it is"
 * and one for "taken".
 * -DBUG: the producer raises the flag before it writes the message. */
#ifndef P
#define P 1
#endif
#ifndef R
#define R 4
#endif

byte data[P], flag[P], taken[P];

active [P] proctype producer()
{
  byte k;
again:
#ifdef BUG
  flag[_pid] = 1;
  data[_pid] = k + 1;
#else
  data[_pid] = k + 1;
  flag[_pid] = 1;
#endif
  taken[_pid] == 1;
  if
  :: d_step { k + 1 < R -> taken[_pid] = 0; k++ }; goto again
  :: d_step { k + 1 == R -> taken[_pid] = 0; k++ }
  fi;
end:
  false
}

active [P] proctype consumer()
{
  byte k;
again:
  flag[_pid - P] == 1;
  assert(data[_pid - P] == k + 1);
  flag[_pid - P] = 0;
  if
  :: d_step { k + 1 < R -> taken[_pid - P] = 1; k++ }; goto again
  :: d_step { k + 1 == R -> taken[_pid - P] = 1; k++ }
  fi;
end:
  false
}
