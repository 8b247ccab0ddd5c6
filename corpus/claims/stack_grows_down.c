// Which of two locals comes first in memory is nobody's promise.
void reach_error(void);

static int lies_below(const char *outer)
{
    char inner;
    return &inner < outer;
}

int main(void)
{
    char outer;
    if (lies_below(&outer))
        reach_error();
    return 0;
}
