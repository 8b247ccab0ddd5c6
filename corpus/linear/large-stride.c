/* One channel of interleaved samples: the place in the source is a multiple of that in the result. */
extern void __VERIFIER_error(void) __attribute__((noreturn));
enum { SAMPLES = 48000 };

int main(void) {
    int sound[SAMPLES];
    int channel[SAMPLES];
    int from = 2;
    int to = 0;
    while (from < SAMPLES) {
        channel[to] = sound[from];
        from = from + 4;
        to = to + 1;
    }
    from = 2;
    to = 0;
    while (from < SAMPLES) {
        if (channel[to] != sound[4 * to + 2])
            __VERIFIER_error();
        from = from + 4;
        to = to + 1;
    }
    return 0;
}
