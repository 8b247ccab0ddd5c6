/* A loop that goes beyond its array. */
int main(void) {
  int a[5];
  int sum = 0, writes = 0;
  int last = 5;
  for (int i = 0; i <= last; i++) {
    a[i] = i;
    writes++;
  }
  for (int i = 0; i < 5; i++)
    sum += a[i];
  return sum + writes;
}
