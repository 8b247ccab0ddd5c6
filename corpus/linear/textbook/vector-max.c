/* The greatest element of a vector. Expected: no element is greater, and one is equal. */
struct vector { int len; int *data; };

int vector_max(const struct vector *v)
{
    int i, max;
    if (v == 0 || v->len <= 0)
        return 0;
    max = v->data[0];
    for (i = 1; i < v->len; i++)
        if (v->data[i] > max)
            max = v->data[i];
    return max;
}
