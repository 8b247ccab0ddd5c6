/* A table in global variables, used up to a count. */
int table[6];
int count;

int find(int key)
{
    int i = 0;
    while (i < count && table[i] != key)
        i++;
    return i;
}

void fill(int value)
{
    int i;
    for (i = 0; i < 6; i++)
        table[i] = value;
}
