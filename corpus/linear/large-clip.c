/* Readings above a limit are cut off, and none is left. The array is too large to be read as a word:
 * what holds is learned with small ones and proved of this one. */
extern void __VERIFIER_error(void) __attribute__((noreturn));
enum { READINGS = 20000 };

int main(void) {
    int reading[READINGS];
    int limit;
    for (int i = 0; i < READINGS; i++) {
        if (reading[i] > limit)
            reading[i] = limit;
    }
    for (int k = 0; k < READINGS; k++) {
        if (!(reading[k] <= limit))
            __VERIFIER_error();
    }
    return 0;
}
