// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = a launch of the size that the kernel requires

kernel __attribute__((reqd_work_group_size(8, 1, 1))) void copy(global int *a)
{
    a[get_global_id(0)] = get_local_id(0);
}
