/* What optparse makes of one argument of N bytes, with or without a program's name before it. */
#define OPTPARSE_IMPLEMENTATION
#include "bytes.h"
#include "optparse.h"

int first, second, index_after;

int main(void) {
  char text[N + 1];
  free_bytes(text, N);
  text[N] = 0;
  char name[] = "p";
  char *with[] = {name, text, 0}, *without[] = {0};
  struct optparse options;
  optparse_init(&options, __VERIFIER_nondet_uchar() ? with : without);
  first = optparse(&options, "ab:");
  second = first == -1 ? -1 : optparse(&options, "ab:");
  index_after = options.optind;
  return 0;
}
