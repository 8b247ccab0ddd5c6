/* A function says whether all prices of a table are covered by a budget, which matters only if they are.
 * Both the answer and the function's loop have to be understood. */
extern void __VERIFIER_error(void) __attribute__((noreturn));
enum { PRICES = 1000 };

static int all_covered(const int *price, int budget) {
    int covered = 1;
    for (int i = 0; i < PRICES; i++) {
        if (price[i] > budget)
            covered = 0;
    }
    return covered;
}

int main(void) {
    int price[PRICES];
    int budget;
    if (all_covered(price, budget)) {
        for (int k = 0; k < PRICES; k++) {
            if (price[k] > budget)
                __VERIFIER_error();
        }
    }
    return 0;
}
