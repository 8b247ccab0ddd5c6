/* miniz' adler32 of N bytes: both halves are below 65521. */
#ifndef N
#define N 20
#endif
#include "bytes.h"
#define MINIZ_NO_STDIO
#define MINIZ_NO_ARCHIVE_APIS
#define MINIZ_NO_DEFLATE_APIS
#include "miniz.c"

int main(void) {
  unsigned char text[N];
  free_bytes(text, N);
  mz_ulong sum = mz_adler32(MZ_ADLER32_INIT, text, N);
  MZ_ASSERT((sum & 0xffff) < 65521 && (sum >> 16) < 65521);
  return 0;
}
