/* __func__, __FUNCTION__, __LINE__ and macros that stringize, paste and take variable arguments. */
#include <stdio.h>
#include <string.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define LOG(fmt, ...) printf("%s: " fmt "\n", __func__, ##__VA_ARGS__)
#define VERSION 3
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define REPEAT(x) x x x
#define FIELDS X(alpha, 1) X(beta, 2) X(gamma, 3)

static const char *who(void) { return __func__; }
static void nested(void) { LOG("plain"); LOG("%d %s", 5, "args"); { LOG("%zu", sizeof __func__); } }
enum fields {
#define X(n, v) F_##n = v,
    FIELDS
#undef X
};
static const char *const fnames[] = { "",
#define X(n, v) #n,
    FIELDS
#undef X
};

int main(void)
{
    int CAT(va, lue) = 4, l1 = __LINE__, l2 = __LINE__;
    puts(who());
    nested();
    LOG("in main %d", value);
    printf("%s %s\n", STR(VERSION), XSTR(VERSION));
    printf("%s\n", STR("quoted \n" and 'c'));
    printf("%d %d\n", l1 == l2, __STDC__);
    printf("%d\n", MAX(3, 2 + 5) * 2);
    puts(REPEAT("ab" "-"));
    printf("%d %s\n", F_beta, fnames[F_gamma]);
    printf("%d\n", strcmp(__FUNCTION__, __func__));
#if VERSION > 2 && defined(STR) && !defined(NOPE)
    puts("yes");
#elif 1
    puts("no");
#endif
#line 500 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return 0;
}
