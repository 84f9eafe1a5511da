/* A pipeline of N stages that hand on R messages through slots of one place.
 * -DBUG: a stage says that a slot is empty before it has read it. */
#ifndef N
#define N 4
#endif
#ifndef R
#define R 3
#endif

byte data[N], busy[N];    /* slot i leads from stage i to stage i + 1 */

#ifdef BUG
#define RECEIVE  d_step { busy[_pid - 1] = 0 }; d_step { v = data[_pid - 1] }
#else
#define RECEIVE  d_step { v = data[_pid - 1] }; d_step { busy[_pid - 1] = 0 }
#endif

active proctype first()
{
  byte k;
again:
  busy[0] == 0;
  data[0] = k + 1;
  if
  :: d_step { k + 1 < R -> busy[0] = 1; k++ }; goto again
  :: d_step { k + 1 == R -> busy[0] = 1; k++ }
  fi;
end:
  false
}

active [N - 2] proctype middle()
{
  byte k, v;
again:
  busy[_pid - 1] == 1;
  RECEIVE;
  busy[_pid] == 0;
  d_step { data[_pid] = v; v = 0 };
  if
  :: d_step { k + 1 < R -> busy[_pid] = 1; k++ }; goto again
  :: d_step { k + 1 == R -> busy[_pid] = 1; k++ }
  fi;
end:
  false
}

active proctype last()
{
  byte k;
again:
  busy[N - 2] == 1;
#ifdef BUG
  busy[N - 2] = 0;
  if
  :: d_step { k + 1 < R -> assert(data[N - 2] == k + 1); k++ }; goto again
  :: d_step { k + 1 == R -> assert(data[N - 2] == k + 1); k++ }
  fi;
#else
  assert(data[N - 2] == k + 1);
  if
  :: d_step { k + 1 < R -> busy[N - 2] = 0; k++ }; goto again
  :: d_step { k + 1 == R -> busy[N - 2] = 0; k++ }
  fi;
#endif
end:
  false
}
