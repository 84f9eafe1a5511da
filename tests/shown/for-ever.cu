__global__ void for_ever(int *a) {
  while (1) a[0]++;
}
