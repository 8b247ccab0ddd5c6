// The array is a member: its length is no length of what the pointer points to.
struct record
{
    int count;
    int list[2];
};

void clear(struct record *r)
{
    for (int i = 0; i < r->count; i++)
        r->list[i] = 0;
}
