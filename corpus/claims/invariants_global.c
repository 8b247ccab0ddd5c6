// An array that a function is given may be a global variable that it uses.
extern void reach_error(void);
int limit;

void fill(int *a, int n) {
    int i;
    for (i = 0; i < n; i++) {
        limit = 5;
        a[i] = 7;
        if (limit != 5)
            reach_error();
    }
}
