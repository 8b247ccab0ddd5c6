/* JSON parser into a tree and pretty printer: strings with escapes, nesting, numbers, errors, free. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct v { enum { NUL, BOOL, NUM, STR, ARR, OBJ } t; union { int b; double n; char *s; struct { struct v **e; char **k; int len; } c; } u; } v;
static const char *p, *err;
static v *value(void);
static void ws(void) { while (isspace((unsigned char)*p)) p++; }
static v *mk(int t) { v *x = calloc(1, sizeof *x); x->t = t; return x; }
static char *string(void)
{
    char *s = malloc(strlen(p) + 1), *o = s;
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\') switch (*++p) { case 'n': *o++ = '\n'; break; case 't': *o++ = '\t'; break; default: *o++ = *p; }
        else *o++ = *p;
    if (*p == '"') p++; else err = "unterminated string";
    *o = 0;
    return s;
}
static v *list(char close)
{
    v *x = mk(close == ']' ? ARR : OBJ);
    p++; ws();
    if (*p == close) { p++; return x; }
    for (;;) {
        int n = x->u.c.len++;
        x->u.c.e = realloc(x->u.c.e, (n + 1) * sizeof *x->u.c.e);
        x->u.c.k = realloc(x->u.c.k, (n + 1) * sizeof *x->u.c.k);
        x->u.c.k[n] = NULL;
        ws();
        if (close == '}') { if (*p != '"') { err = "key expected"; x->u.c.len--; return x; } x->u.c.k[n] = string(); ws(); if (*p == ':') p++; else err = "colon expected"; }
        x->u.c.e[n] = value(); ws();
        if (err) return x;
        if (*p == ',') { p++; continue; }
        if (*p == close) { p++; return x; }
        err = "comma expected";
        return x;
    }
}
static v *value(void)
{
    v *x; char *e;
    ws();
    switch (*p) {
    case '"': x = mk(STR); x->u.s = string(); return x;
    case '[': return list(']');
    case '{': return list('}');
    case 't': if (!strncmp(p, "true", 4)) { p += 4; x = mk(BOOL); x->u.b = 1; return x; } break;
    case 'f': if (!strncmp(p, "false", 5)) { p += 5; return mk(BOOL); } break;
    case 'n': if (!strncmp(p, "null", 4)) { p += 4; return mk(NUL); } break;
    case '-': case '0' ... '9': x = mk(NUM); x->u.n = strtod(p, &e); p = e; return x;
    }
    err = "value expected";
    return mk(NUL);
}
static void show(const v *x, int in)
{
    int i;
    switch (x->t) {
    case NUL: printf("null"); break;
    case BOOL: printf(x->u.b ? "true" : "false"); break;
    case NUM: printf("%g", x->u.n); break;
    case STR: { const char *s; putchar('"'); for (s = x->u.s; *s; s++) if (*s == '\n') printf("\\n"); else if (*s == '"') printf("\\\""); else putchar(*s); putchar('"'); break; }
    default:
        putchar("[{"[x->t == OBJ]);
        for (i = 0; i < x->u.c.len; i++) { printf("%s\n%*s", i ? "," : "", in + 2, ""); if (x->u.c.k[i]) printf("\"%s\": ", x->u.c.k[i]); show(x->u.c.e[i], in + 2); }
        if (x->u.c.len) printf("\n%*s", in, "");
        putchar("]}"[x->t == OBJ]);
    }
}
static void drop(v *x)
{
    int i;
    if (x->t == STR) free(x->u.s);
    if (x->t >= ARR) { for (i = 0; i < x->u.c.len; i++) { free(x->u.c.k[i]); drop(x->u.c.e[i]); } free(x->u.c.k); free(x->u.c.e); }
    free(x);
}

int main(void)
{
    static const char *const in[] = { "{\"name\": \"box\", \"dims\": [1, 2.5, -3e2], \"ok\": true, \"none\": null, \"in\": {\"a\": [], \"b\": {}, \"c\": [[false]]}}",
        "\"esc \\\"q\\\" \\n \\\\\"", " 42 ", "[1, 2", "{\"a\" 1}", "[1 2]", "tru", "{1:2}", "\"open" };
    unsigned i;
    for (i = 0; i < sizeof in / sizeof *in; i++) {
        v *x;
        p = in[i]; err = NULL; x = value(); ws();
        if (!err && *p) err = "trailing text";
        if (err) printf("error at %td: %s\n", p - in[i], err); else { show(x, 0); printf("\n"); }
        drop(x);
    }
    return 0;
}
