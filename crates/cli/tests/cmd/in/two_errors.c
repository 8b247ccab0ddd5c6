struct point { int width; };
int main(void)
{
    struct point p = { 1 };
    p.widht = 2;
    return countr;
}
