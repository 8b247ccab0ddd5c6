/* Puts an element on a stack that has room. Expected: it is where the top was, and there is one more. */
struct stack { int cap; int len; int *data; };

int push(struct stack *s, int x)
{
    if (s->len < 0 || s->len >= s->cap)
        return 0;
    s->data[s->len] = x;
    s->len = s->len + 1;
    return 1;
}
