/* A pointer that is used before it was set. */
struct config { int level, size; };
static struct config defaults = {1, 64};
static int requests;
static int size_of(struct config *c) {
  requests++;
  return c->size;
}
int main(void) {
  struct config *config = 0;
  int used = 0, free_bytes = 1000;
  for (int i = 0; i < 3; i++) {
    used += 10 * i;
    free_bytes -= 10;
  }
  int size = size_of(config);
  return size + used + free_bytes + defaults.level;
}
