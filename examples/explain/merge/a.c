/* Figure 12 (b): one of them moves the call of funcB into a function of its own. */
void funcA(void) {}
void funcB(void) {}

void funcZ(void) {
    funcB();
}

int main(void) {
    funcA();
    funcZ();
}
