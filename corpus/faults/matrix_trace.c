/* The trace of a matrix. */
#include <assert.h>
int main(void) {
  int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  int rows[3] = {0, 0, 0}, all = 0;
  int trace = m[0][0];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      rows[i] += m[i][j];
      all += m[i][j];
    }
    trace += m[i][i];
  }
  assert(trace == 15);
  return rows[0] + all;
}
