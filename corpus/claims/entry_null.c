extern void reach_error(void);

/* A contract by default; looked at where nothing is to be assumed. */
void step(int *a) {
    if (a == 0)
        reach_error();
}
