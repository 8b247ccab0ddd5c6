/* Where a number is on a shelf of any length, or its length. */
int search(const int shelf[], int length, int number)
{
    int place = 0;
    while (place < length && shelf[place] != number)
        place++;
    return place;
}
