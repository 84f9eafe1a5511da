// gridlock: verdict = unknown
// gridlock: kind = vacuous
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: why = the kernel cannot be launched like this, so that there is nothing to judge

kernel __attribute__((reqd_work_group_size(8, 1, 1))) void copy(global int *a)
{
    a[get_global_id(0)] = get_local_id(0);
}
