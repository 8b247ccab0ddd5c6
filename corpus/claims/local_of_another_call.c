// Two calls have their locals at the same place, one after the other.
void reach_error(void);

static int *kept;

static int is_where_it_was(void)
{
    int here;
    int same = &here == kept;
    kept = &here;
    return same;
}

int main(void)
{
    is_where_it_was();
    if (is_where_it_was())
        reach_error();
    return 0;
}
