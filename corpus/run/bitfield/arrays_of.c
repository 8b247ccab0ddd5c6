/* Arrays of structs with bit-fields, nested structs with bit-fields, copies and pointers to them. */
#include <stdio.h>

struct cell { unsigned alive : 1, age : 3; signed delta : 4; };
struct row { struct cell c[4]; unsigned sum : 10; };

static unsigned total(const struct row *r)
{
    unsigned s = 0;
    int i;
    for (i = 0; i < 4; i++)
        s += r->c[i].alive * 100 + r->c[i].age * 10 + r->c[i].delta;
    return s;
}

static struct cell make(int i)
{
    struct cell c = { .alive = i, .delta = -i, .age = i + 2 };
    return c;
}

int main(void)
{
    struct row rows[3] = { { { { 1, 2, 3 }, { .age = 7 } }, 1000 }, [2] = { .sum = 1025 } };
    struct row copy;
    int i, j;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 4; j++)
            printf("%d%d%+d ", rows[i].c[j].alive, rows[i].c[j].age, rows[i].c[j].delta);
        printf("= %u %u\n", rows[i].sum, total(&rows[i]));
    }
    for (i = 0; i < 12; i++)
        rows[i / 4].c[i % 4] = make(i);
    copy = rows[1];
    copy.c[2] = rows[2].c[3];
    for (i = 0; i < 3; i++)
        printf("%u ", rows[i].sum = total(&rows[i]));
    printf("%u\n", total(&copy));
    return 0;
}
