/* strtod and atof: signs, exponents, rest of the string, hexadecimal floats, inf and nan. */
#include <stdio.h>
#include <stdlib.h>

static void t(const char *s)
{
    char *end;
    double d = strtod(s, &end);
    printf("'%s' = %.17g rest '%s'\n", s, d, end);
}

int main(void)
{
    t("3.25"); t("  -1e3x"); t("+.5e-2"); t("5."); t("1e"); t("1e+"); t("abc"); t("0x1.8p3"); t("1e400"); t("-1e-400");
    t("inf"); t("-Infinity!"); t("0.1"); t("123456789012345678901234567890"); t("4.9e-324"); t("1.7976931348623157e308"); t("."); t("1.2.3");
    printf("%g %g %g\n", atof("2.5kg"), atof(""), atof("-0.0"));
    printf("%.9g %d\n", strtof("0.1", NULL), strtof("16777217", NULL) == 16777216.0f);
    return 0;
}
