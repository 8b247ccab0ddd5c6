/* strtol, strtoul, strtoll: bases, prefixes, endptr, signs, overflow and errno. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void t(const char *s, int base)
{
    char *end;
    long v;
    unsigned long u;
    errno = 0;
    v = strtol(s, &end, base);
    printf("'%s' base %d: %ld rest '%s' %d", s, base, v, end, errno == ERANGE);
    errno = 0;
    u = strtoul(s, &end, base);
    printf(" / %lu %d\n", u, errno == ERANGE);
}

int main(void)
{
    t("42", 10); t("  -17abc", 10); t("+0x1f", 16); t("0x1F", 0); t("0755", 0); t("0789", 0); t("zz", 36);
    t("1010102", 2); t("", 10); t("abc", 10); t("-", 10); t("0x", 16); t("0xg", 0); t("\t\n 12 13", 10);
    t("9223372036854775807", 10); t("9223372036854775808", 10); t("-9223372036854775808", 10); t("-9223372036854775809", 10);
    t("18446744073709551615", 10); t("18446744073709551616", 10); t("-1", 10); t("7fffffffffffffff", 16); t("  +", 0);
    printf("%lld %llu\n", strtoll("-5000000000", NULL, 10), strtoull("0xffffffffffffffff", NULL, 16));
    printf("%d %ld %lld\n", atoi("  12 monkeys"), atol("-99999999999"), atoll("123456789012"));
    printf("%d %d %d\n", atoi(""), atoi("x1"), atoi("-0"));
    return 0;
}
