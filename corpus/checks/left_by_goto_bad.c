// property: valid-deref
extern int __VERIFIER_nondet_int(void);

static const char *text;

static void name(const char *words)
{
    text = words;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    name("none");
    {
        char own[4] = "own";
        if (n > 5) {
            name(own);
            goto done;
        }
    }
done:
    return text[0];
}
