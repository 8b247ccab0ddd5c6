/* Functions that are called when the life of a variable ends. */
#include <stdio.h>

#define CLEAN(f) __attribute__((cleanup(f)))

static int total;

static void tell(int *p) {
    printf("end of %d\n", *p);
    total += *p;
    *p = -1;
}

static void tell_text(const char **p) { printf("end of %s\n", *p); }

struct pair {
    int a, b;
};

static int value(int n) {
    CLEAN(tell) int x = n;
    CLEAN(tell) int y = n * 10;
    if (n == 3) {
        CLEAN(tell_text) const char *t = "inner";
        return x + y;
    }
    if (n > 5)
        return x;
    return y;
}

static struct pair both(int n) {
    CLEAN(tell) int x = n;
    struct pair p = {x, x + 1};
    return p;
}

static void loops(void) {
    for (int i = 0; i < 4; i++) {
        CLEAN(tell) int x = 100 + i;
        if (i == 1)
            continue;
        if (i == 3)
            break;
        {
            CLEAN(tell) int y = 200 + i;
        }
        printf("round %d\n", i);
    }
}

static int jumps(int n) {
    int rounds = 0;
again:
    rounds++;
    {
        CLEAN(tell) int x = 300 + rounds;
        if (rounds < n)
            goto again;
        if (n == 1)
            goto out;
    }
    printf("no way out\n");
out:
    return rounds;
}

static void nothing(int n) {
    CLEAN(tell) int x = n;
    if (n)
        return;
    printf("falls off\n");
}

static int chosen(int n) {
    switch (n) {
    case 1: {
        CLEAN(tell) int x = 401;
        break;
    }
    default: {
        CLEAN(tell) int x = 402;
    }
    }
    return 0;
}

int main(void) {
    printf("%d %d %d\n", value(1), value(3), value(7));
    struct pair p = both(5);
    printf("%d %d\n", p.a, p.b);
    loops();
    printf("%d %d\n", jumps(1), jumps(3));
    nothing(0);
    nothing(1);
    chosen(1);
    chosen(2);
    CLEAN(tell) int last = 500;
    printf("%d\n", total);
    return 0;
}
