/* A cache of pages as a list sorted by page number: the page before which a number belongs. */
struct page {
    int number;
    struct page *next;
};

struct page *lookup_prev(struct page *cache, int number)
{
    struct page *prev = 0;
    struct page *cur = cache;
    while (cur != 0 && cur->number < number) {
        prev = cur;
        cur = cur->next;
    }
    return prev;
}
