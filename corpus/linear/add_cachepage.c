/* Adds a page to a cache, a list sorted by priority: behind all pages that are more urgent. */
void *malloc(unsigned long size);

struct page {
    int priority;
    int number;
    struct page *next;
};

struct page *add_cachepage(struct page *cache, int priority, int number)
{
    struct page *cur = cache;
    struct page *prev = 0;
    struct page *page = malloc(sizeof *page);
    page->priority = priority;
    page->number = number;
    page->next = 0;
    while (cur != 0 && cur->priority <= page->priority) {
        prev = cur;
        cur = cur->next;
    }
    page->next = cur;
    if (prev == 0)
        return page;
    prev->next = page;
    return cache;
}
