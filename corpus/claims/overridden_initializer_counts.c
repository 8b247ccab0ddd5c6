// The same the other way round: what is proved rests on the convention that both are evaluated.
extern void reach_error(void);

static int calls;

static int side(void) { return ++calls; }

int main(void) {
    int a[2] = {[0] = side(), [0] = side(), [1] = 5};
    if (a[0] == 3 || calls > 2)
        reach_error();
    return 0;
}
