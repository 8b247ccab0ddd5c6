/* Not what it should be: the first slot is never given out, so it need not be 7. Nothing that holds
 * here is enough for the assertion, however the array is made small. */
extern void __VERIFIER_error(void) __attribute__((noreturn));
enum { SLOTS = 3000 };

int main(void) {
    int slot[SLOTS];
    for (int i = 1; i < SLOTS; i++)
        slot[i] = 7;
    for (int k = 0; k < SLOTS; k++) {
        if (slot[k] != 7)
            __VERIFIER_error();
    }
    return 0;
}
