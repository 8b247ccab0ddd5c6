/* Fills an array inside of a record. Expected: all of its elements are that value. */
struct buffer { int len; int data[6]; };

void buffer_fill(struct buffer *b, int x)
{
    int i;
    for (i = 0; i < b->len; i++)
        b->data[i] = x;
}
