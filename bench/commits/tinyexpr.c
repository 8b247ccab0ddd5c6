/* Whether te_compile takes a text of N bytes with a variable `aB`, and where it says that an error is. */
#include "bytes.h"
#include "tinyexpr.h"

int error;

int main(void) {
  char text[N + 1];
  double x = 1;
  free_bytes(text, N);
  text[N] = 0;
  te_variable variables[] = {{"aB", &x, 0, 0}};
  te_expr *compiled = te_compile(text, variables, 1, &error);
  int is_right = compiled != 0;
  te_free(compiled);
  return is_right;
}
