// An enumerator that does not fit into an int has the type of its enumeration, which is unsigned here.
extern void reach_error(void);

enum { small = 1, huge = 0x100000000 };

int main(void) {
    if (-huge > 0 && -small < 0)
        reach_error();
    return 0;
}
