/* Figure 12 (a): where two developers start from. */
void funcA(void) {}
void funcB(void) {}

int main(void) {
    funcA();
    funcB();
}
