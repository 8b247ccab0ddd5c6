extern void reach_error(void);

/* That it may be null is no error of the program. */
int *unknown(void);
int main(void) {
    if (*unknown() == 3)
        reach_error();
    return 0;
}
