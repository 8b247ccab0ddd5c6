extern void reach_error(void);

struct point { int x; short y[3]; };
void move(struct point *p);
int main(void) {
    struct point p = {1, {2, 3, 4}};
    move(&p);
    if (p.y[2] == 9)
        reach_error();
    return 0;
}
