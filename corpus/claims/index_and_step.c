// Which comes first, the index or the step, is left to the compiler.
void reach_error(void);

int main(void)
{
    int i = 0;
    int list[2] = {5, 5};
    list[i] = i++;
    if (list[0] != 0)
        reach_error();
    return 0;
}
