/* Tokenizer and recursive-descent evaluator: precedence, unary minus, parentheses, variables, errors. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *src;
static enum tok { NUM, VAR, OP, END, BAD } tok;
static long num; static char op; static const char *err;
static long vars[26];

static void next(void)
{
    while (isspace((unsigned char)*src)) src++;
    if (!*src) { tok = END; return; }
    if (isdigit((unsigned char)*src)) { char *e; num = strtol(src, &e, 0); src = e; tok = NUM; return; }
    if (islower((unsigned char)*src)) { op = *src++; tok = VAR; return; }
    op = *src++;
    tok = strchr("+-*/%()=^", op) ? OP : BAD;
}
static int is(char c) { return tok == OP && op == c; }
static long expr(void);
static long primary(void)
{
    long v = 0;
    if (tok == NUM) { v = num; next(); }
    else if (tok == VAR) { int k = op - 'a'; next(); if (is('=')) { next(); vars[k] = expr(); } v = vars[k]; }
    else if (is('(')) { next(); v = expr(); if (is(')')) next(); else err = err ? err : "missing )"; }
    else if (is('-')) { next(); v = -primary(); }
    else { err = err ? err : "unexpected"; next(); }
    return v;
}
static long power(void) { long b = primary(); if (is('^')) { long e, r = 1; next(); e = power(); while (e-- > 0) r *= b; return r; } return b; }
static long term(void)
{
    long v = power(), w;
    while (is('*') || is('/') || is('%')) {
        char o = op;
        next(); w = power();
        if (o == '*') v *= w;
        else if (!w) err = err ? err : "zero divide";
        else v = o == '/' ? v / w : v % w;
    }
    return v;
}
static long expr(void) { long v = term(); while (is('+') || is('-')) { char o = op; next(); if (o == '+') v += term(); else v -= term(); } return v; }

int main(void)
{
    static const char *const in[] = { "1 + 2 * 3", "(1+2)*3", "-4 - -5", "10 / 3 * 3 + 10 % 3", "2^3^2", "x = 6", "y = x * (x + 1)", "y % 10 + x",
        "a = b = 3", "a*b", "1 / 0", "(2 + 3", "4 $ 5", "", "0x1F + 010", "-(3)^2", "((((7))))", "8 - 3 - 2" };
    unsigned i;
    for (i = 0; i < sizeof in / sizeof *in; i++) {
        long v;
        src = in[i]; err = NULL; next(); v = expr();
        if (!err && tok != END) err = "trailing";
        if (err) printf("%-22s error: %s\n", in[i], err); else printf("%-22s %ld\n", in[i], v);
    }
    return (int)vars['y' - 'a'];
}
