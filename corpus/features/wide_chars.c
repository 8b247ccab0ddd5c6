/* wide characters */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <wchar.h>
static int f(int x) { wchar_t w[4] = L"abc"; w[1] = (wchar_t)x; return wcslen(w) == 3 ? (int)w[1] : 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
