extern void reach_error(void);

struct box { int *p; } box;
static int x;
void unknown(struct box *b);
int main(void) {
    box.p = &x;
    unknown(&box);
    if (box.p == 0)
        reach_error();
    return 0;
}
