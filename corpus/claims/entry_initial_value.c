// A caller may have changed what the function looks at.
void reach_error(void);

int mode;

void set(int x)
{
    if (mode == 3 && x == 7)
        reach_error();
}
