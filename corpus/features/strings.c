/* the string library */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <string.h>
static int f(int x) { char a[16] = "abc", b[16]; strcpy(b, a); strcat(b, "d"); return strcmp(a, b) < 0 && strlen(b) == 4 && strchr(b, 'd') == b + 3 ? x : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
