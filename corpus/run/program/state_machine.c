/* Table-driven state machine: a number recognizer over characters with function-pointer actions. */
#include <ctype.h>
#include <stdio.h>

enum st { START, SIGN, INT, DOT, FRAC, EXP, ESIGN, EINT, FAIL, NST };
enum cl { DIG, SGN, PNT, EEE, OTH, NCL };
static const unsigned char next[NST][NCL] = {
    [START] = { INT, SIGN, DOT, FAIL, FAIL }, [SIGN] = { INT, FAIL, DOT, FAIL, FAIL },
    [INT] = { INT, FAIL, FRAC, EXP, FAIL }, [DOT] = { FRAC, FAIL, FAIL, FAIL, FAIL },
    [FRAC] = { FRAC, FAIL, FAIL, EXP, FAIL }, [EXP] = { EINT, ESIGN, FAIL, FAIL, FAIL },
    [ESIGN] = { EINT, FAIL, FAIL, FAIL, FAIL }, [EINT] = { EINT, FAIL, FAIL, FAIL, FAIL },
    [FAIL] = { FAIL, FAIL, FAIL, FAIL, FAIL },
};
static int visits[NST];
static enum cl classify(int c) { return isdigit(c) ? DIG : c == '+' || c == '-' ? SGN : c == '.' ? PNT : c == 'e' || c == 'E' ? EEE : OTH; }
static const char *as_int(void) { return "integer"; }
static const char *as_real(void) { return "real"; }
static const char *as_exp(void) { return "scientific"; }
static const char *(*const accept[NST])(void) = { [INT] = as_int, [FRAC] = as_real, [EINT] = as_exp };

int main(void)
{
    static const char *const in[] = { "42", "-7", "3.14", ".5", "5.", "1e9", "-2.5E-3", "1e", "+", ".", "", "12a", "1.2.3", "--1", "6e+06" };
    unsigned i;
    for (i = 0; i < sizeof in / sizeof *in; i++) {
        enum st s = START;
        const char *p;
        for (p = in[i]; *p; p++) { s = next[s][classify((unsigned char)*p)]; visits[s]++; }
        printf("%-8s %s\n", in[i], accept[s] ? accept[s]() : "rejected");
    }
    for (i = 0; i < NST; i++) printf("%d ", visits[i]);
    printf("\n");
    return 0;
}
