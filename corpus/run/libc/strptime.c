/* Dates from text. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void try(const char *text, const char *format)
{
    struct tm date;
    const char *end;
    memset(&date, 0, sizeof date);
    end = strptime(text, format, &date);
    if (!end) {
        printf("%s: none\n", text);
        return;
    }
    printf("%s: %d-%02d-%02d %02d:%02d:%02d %d %d %ld, left `%s'\n", text, date.tm_year + 1900, date.tm_mon + 1,
           date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec, date.tm_wday, date.tm_yday, date.tm_gmtoff, end);
}

int main(void)
{
    try("2015-03-05T23:51:47Z", "%Y-%m-%dT%H:%M:%SZ");
    try("Thu, 05 Mar 2015 23:51:47 +0130", "%a, %d %b %Y %H:%M:%S %z");
    try("Thursday 5 march 15", "%A %d %B %y");
    try("12:34:56 rest", "%T");
    try("2024-02-29", "%F");
    try("1/2/70", "%D");
    try("2024-13-01", "%Y-%m-%d");
    try("24:00", "%R");
    try("  7%", "%d%%");
    try("2020 366", "%Y");
    try("10:11 CEST", "%H:%M %Z");
    try("-07:30x", "%z");
    try("abc", "abd");
    return 0;
}
