// An output of an empty `asm` that no input shares its register with: whatever is in the register.
extern void reach_error(void);

int main(void) {
    int x = 1, y = 2;
    __asm__("" : "=r"(x) : "r"(y), "r"(3));
    if (x != 1)
        reach_error();
    return 0;
}
