/* bzip2: lengths of the Huffman codes of N symbols. */
#ifndef N
#define N 4
#endif
#include "bytes.h"
#define BZ_NO_STDIO
#include "huffman.c"
#include <assert.h>

void bz_internal_error(int code) { assert(code == 0); }

int main(void) {
  UChar length[N], bytes[N];
  Int32 frequency[N];
  free_bytes(bytes, N);
  for (int i = 0; i < N; i++)
    frequency[i] = bytes[i];
  BZ2_hbMakeCodeLengths(length, frequency, N, 17);
  for (int i = 0; i < N; i++)
    assert(length[i] >= 1 && length[i] < N);
  return 0;
}
