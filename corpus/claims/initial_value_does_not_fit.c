// The initial value of a static object is a floating-point number that does not fit: what is computed before the program
// starts rests on a convention, too.
extern void reach_error(void);

static unsigned char low = (unsigned char)300.0;
static int high = (int)3e9;

int main(void) {
    if (low == 44 || high < 0)
        reach_error();
    return 0;
}
