/* Right for callers that give it an array. */
int first_or(const int *cells, int n, int otherwise) {
    return n > 0 ? cells[0] : otherwise;
}
