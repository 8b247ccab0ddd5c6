// Models of <time.h> and <sys/time.h>. The clocks are inputs; nothing says that they advance. The time zone is UTC.

typedef unsigned long size_t;

// As glibc lays it out.
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct timeval {
    long tv_sec;
    long tv_usec;
};

struct timespec {
    long tv_sec;
    long tv_nsec;
};

int __idiolect_env_int(const char *name);
long __idiolect_env_long(const char *name);
int *__errno_location(void);
int __idiolect_vsprintf(char *to, const char *format, __builtin_va_list arguments);

// --- clocks ---

// A number of seconds that is not negative; an input that is not is cut, not assumed away.
static long __model_now(const char *input_name)
{
    return __idiolect_env_long(input_name) & (long)(~0ul >> 1);
}

long time(long *out)
{
    long now = __model_now("time");
    if (out)
        *out = now;
    return now;
}

long clock(void)
{
    return __model_now("clock");
}

int gettimeofday(struct timeval *out, void *zone)
{
    out->tv_sec = __model_now("gettimeofday");
    out->tv_usec = (__idiolect_env_int("gettimeofday") & 0x7fffffff) % 1000000;
    return 0;
}

int clock_gettime(int which, struct timespec *out)
{
    out->tv_sec = __model_now("clock_gettime");
    out->tv_nsec = (__idiolect_env_int("clock_gettime") & 0x7fffffff) % 1000000000;
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    return 0;
}

double difftime(long later, long earlier)
{
    return (double)later - (double)earlier;
}

// --- the calendar: days are counted from 1970-01-01, years from March so that the leap day comes last ---

static long long __model_floor_div(long long x, long long y)
{
    return x / y - (x % y < 0);
}

static int __model_is_leap(long long year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// `month` is 0 for January to 11.
static long long __model_days(long long year, int month, long long day)
{
    long long y = year - (month < 2);
    long long era = __model_floor_div(y, 400);
    long long year_of_era = y - era * 400;
    long long month_from_march = month + (month < 2 ? 10 : -2);
    long long day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    long long day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static struct tm *__model_gmtime(long when, struct tm *out, const char *zone)
{
    long long days = __model_floor_div(when, 86400);
    long long seconds = (long long)when - days * 86400;
    long long shifted = days + 719468;
    long long era = __model_floor_div(shifted, 146097);
    long long day_of_era = shifted - era * 146097;
    long long year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    long long day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long long month_from_march = (5 * day_of_year + 2) / 153;
    int month = (int)(month_from_march + (month_from_march < 10 ? 2 : -10));
    long long year = year_of_era + era * 400 + (month < 2);
    if (year - 1900 > 2147483647ll || year - 1900 < -2147483648ll) {
        *__errno_location() = 75;
        return 0;
    }
    out->tm_sec = (int)(seconds % 60);
    out->tm_min = (int)(seconds / 60 % 60);
    out->tm_hour = (int)(seconds / 3600);
    out->tm_mday = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    out->tm_mon = month;
    out->tm_year = (int)(year - 1900);
    out->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    out->tm_yday = (int)(days - __model_days(year, 0, 1));
    out->tm_isdst = 0;
    out->tm_gmtoff = 0;
    out->tm_zone = zone;
    return out;
}

// One object for both functions, as in glibc.
static struct tm __model_broken_down;

struct tm *gmtime(const long *when)
{
    return __model_gmtime(*when, &__model_broken_down, "GMT");
}

struct tm *localtime(const long *when)
{
    return __model_gmtime(*when, &__model_broken_down, "UTC");
}

struct tm *gmtime_r(const long *when, struct tm *out)
{
    return __model_gmtime(*when, out, "GMT");
}

struct tm *localtime_r(const long *when, struct tm *out)
{
    return __model_gmtime(*when, out, "UTC");
}

static long __model_mktime(struct tm *date, const char *zone)
{
    long long year = (long long)date->tm_year + 1900 + __model_floor_div(date->tm_mon, 12);
    int month = (int)(date->tm_mon - __model_floor_div(date->tm_mon, 12) * 12);
    long long days = __model_days(year, month, 1) + date->tm_mday - 1;
    long long seconds = days * 86400 + date->tm_hour * 3600ll + date->tm_min * 60ll + date->tm_sec;
    if ((long)seconds != seconds || !__model_gmtime((long)seconds, date, zone)) {
        *__errno_location() = 75;
        return -1;
    }
    return (long)seconds;
}

long mktime(struct tm *date)
{
    return __model_mktime(date, "UTC");
}

long timegm(struct tm *date)
{
    return __model_mktime(date, "GMT");
}

void tzset(void)
{
}

// --- text ---

static const char *const __model_day_names[7] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};

static const char *const __model_month_names[12] = {
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
};

static int __model_time_sprintf(char *to, const char *format, ...)
{
    int n;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    n = __idiolect_vsprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

static const char *__model_day_name(int day)
{
    return (unsigned)day < 7u ? __model_day_names[day] : "?";
}

static const char *__model_month_name(int month)
{
    return (unsigned)month < 12u ? __model_month_names[month] : "?";
}

static char *__model_asctime(const struct tm *date, char *to)
{
    __model_time_sprintf(to, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
                         (unsigned)date->tm_wday < 7u ? __model_day_names[date->tm_wday] : "???",
                         (unsigned)date->tm_mon < 12u ? __model_month_names[date->tm_mon] : "???",
                         date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec, 1900 + date->tm_year);
    return to;
}

static char __model_asctime_text[128];

char *asctime(const struct tm *date)
{
    return __model_asctime(date, __model_asctime_text);
}

char *asctime_r(const struct tm *date, char *to)
{
    return __model_asctime(date, to);
}

char *ctime(const long *when)
{
    struct tm *date = __model_gmtime(*when, &__model_broken_down, "UTC");
    return date ? __model_asctime(date, __model_asctime_text) : (char *)0;
}

char *ctime_r(const long *when, char *to)
{
    struct tm date;
    return __model_gmtime(*when, &date, "UTC") ? __model_asctime(&date, to) : (char *)0;
}

// The year and week of ISO 8601: the week belongs to the year of its Thursday.
static int __model_iso_week(const struct tm *date, long long *iso_year)
{
    long long year = 1900ll + date->tm_year;
    int from_monday = (date->tm_wday + 6) % 7;
    int thursday = date->tm_yday - from_monday + 3;
    if (thursday < 0) {
        year = year - 1;
        thursday += 365 + __model_is_leap(year);
    } else if (thursday >= 365 + __model_is_leap(year)) {
        thursday -= 365 + __model_is_leap(year);
        year = year + 1;
    }
    *iso_year = year;
    return thursday / 7 + 1;
}

// The text of one directive; returns its length, or -1 for a directive that is not modelled.
static int __model_strftime_one(char *to, int directive, const struct tm *date)
{
    int hour_12 = date->tm_hour % 12 == 0 ? 12 : date->tm_hour % 12;
    long long year = 1900ll + date->tm_year;
    long long iso_year;
    int week = __model_iso_week(date, &iso_year);
    struct tm copy;
    switch (directive) {
    case '%': return __model_time_sprintf(to, "%%");
    case 'n': return __model_time_sprintf(to, "\n");
    case 't': return __model_time_sprintf(to, "\t");
    case 'a': return __model_time_sprintf(to, "%.3s", __model_day_name(date->tm_wday));
    case 'A': return __model_time_sprintf(to, "%s", __model_day_name(date->tm_wday));
    case 'b': return __model_time_sprintf(to, "%.3s", __model_month_name(date->tm_mon));
    case 'h': return __model_time_sprintf(to, "%.3s", __model_month_name(date->tm_mon));
    case 'B': return __model_time_sprintf(to, "%s", __model_month_name(date->tm_mon));
    case 'c': return __model_time_sprintf(to, "%.3s %.3s %2d %02d:%02d:%02d %lld",
                                          __model_day_name(date->tm_wday), __model_month_name(date->tm_mon),
                                          date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec, year);
    case 'C': return __model_time_sprintf(to, "%02lld", __model_floor_div(year, 100));
    case 'd': return __model_time_sprintf(to, "%02d", date->tm_mday);
    case 'D': return __model_time_sprintf(to, "%02d/%02d/%02d", date->tm_mon + 1, date->tm_mday,
                                          (int)((year % 100 + 100) % 100));
    case 'x': return __model_time_sprintf(to, "%02d/%02d/%02d", date->tm_mon + 1, date->tm_mday,
                                          (int)((year % 100 + 100) % 100));
    case 'e': return __model_time_sprintf(to, "%2d", date->tm_mday);
    case 'F': return __model_time_sprintf(to, "%lld-%02d-%02d", year, date->tm_mon + 1, date->tm_mday);
    case 'g': return __model_time_sprintf(to, "%02d", (int)((iso_year % 100 + 100) % 100));
    case 'G': return __model_time_sprintf(to, "%lld", iso_year);
    case 'H': return __model_time_sprintf(to, "%02d", date->tm_hour);
    case 'I': return __model_time_sprintf(to, "%02d", hour_12);
    case 'j': return __model_time_sprintf(to, "%03d", date->tm_yday + 1);
    case 'k': return __model_time_sprintf(to, "%2d", date->tm_hour);
    case 'l': return __model_time_sprintf(to, "%2d", hour_12);
    case 'm': return __model_time_sprintf(to, "%02d", date->tm_mon + 1);
    case 'M': return __model_time_sprintf(to, "%02d", date->tm_min);
    case 'p': return __model_time_sprintf(to, date->tm_hour >= 12 ? "PM" : "AM");
    case 'P': return __model_time_sprintf(to, date->tm_hour >= 12 ? "pm" : "am");
    case 'r': return __model_time_sprintf(to, "%02d:%02d:%02d %s", hour_12, date->tm_min, date->tm_sec,
                                          date->tm_hour >= 12 ? "PM" : "AM");
    case 'R': return __model_time_sprintf(to, "%02d:%02d", date->tm_hour, date->tm_min);
    case 's':
        copy = *date;
        return __model_time_sprintf(to, "%ld", __model_mktime(&copy, "UTC"));
    case 'S': return __model_time_sprintf(to, "%02d", date->tm_sec);
    case 'T': return __model_time_sprintf(to, "%02d:%02d:%02d", date->tm_hour, date->tm_min, date->tm_sec);
    case 'X': return __model_time_sprintf(to, "%02d:%02d:%02d", date->tm_hour, date->tm_min, date->tm_sec);
    case 'u': return __model_time_sprintf(to, "%d", date->tm_wday == 0 ? 7 : date->tm_wday);
    case 'w': return __model_time_sprintf(to, "%d", date->tm_wday);
    case 'U': return __model_time_sprintf(to, "%02d", (date->tm_yday + 7 - date->tm_wday) / 7);
    case 'W': return __model_time_sprintf(to, "%02d", (date->tm_yday + 7 - (date->tm_wday + 6) % 7) / 7);
    case 'V': return __model_time_sprintf(to, "%02d", week);
    case 'y': return __model_time_sprintf(to, "%02d", (int)((year % 100 + 100) % 100));
    case 'Y': return __model_time_sprintf(to, "%lld", year);
    case 'z': return __model_time_sprintf(to, "+0000");
    case 'Z': return __model_time_sprintf(to, "%s", date->tm_zone ? date->tm_zone : "");
    default: return -1;
    }
}

// Without the flags and widths of GNU (%-d, %5Y) and the modifiers E and O: such a directive is copied as it stands.
size_t strftime(char *to, size_t size, const char *format, const struct tm *date)
{
    char piece[128];
    size_t n = 0;
    const char *p = format;
    while (*p) {
        int length = -1;
        int i = 0;
        if (*p == '%' && p[1]) {
            length = __model_strftime_one(piece, p[1], date);
            p += length >= 0 ? 2 : 0;
        }
        if (length < 0) {
            piece[0] = *p;
            length = 1;
            p++;
        }
        if (n + (size_t)length >= size)
            return 0;
        while (i < length) {
            to[n] = piece[i];
            n++;
            i++;
        }
    }
    if (n >= size)
        return 0;
    to[n] = 0;
    return n;
}

// --- text to dates ---

// A number of at most so many digits; null where there is none or it is too large.
static const char *__model_parse_number(const char *text, int n_digits, int low, int high, int *out)
{
    int value = 0;
    int n = 0;
    while (*text == ' ')
        text++;
    while (n < n_digits && text[n] >= '0' && text[n] <= '9') {
        value = value * 10 + (text[n] - '0');
        n++;
    }
    if (n == 0 || value < low || value > high)
        return 0;
    *out = value;
    return text + n;
}

// The first of the names, in full or its first three letters, that the text begins with.
static const char *__model_parse_name(const char *text, const char *const *names, int n_names, int *out)
{
    int k;
    for (k = 0; k < n_names; k++) {
        int n = 0;
        while (names[k][n] && (text[n] | 32) == (names[k][n] | 32))
            n++;
        if (!names[k][n] || n >= 3) {
            *out = k;
            return text + (names[k][n] ? 3 : n);
        }
    }
    return 0;
}

static const char *__model_strptime(const char *text, const char *format, struct tm *date);

// One directive. What is not modelled matches nothing.
static const char *__model_strptime_one(const char *text, int directive, struct tm *date)
{
    int number = 0;
    switch (directive) {
    case 'Y':
        text = __model_parse_number(text, 4, 0, 9999, &number);
        date->tm_year = text ? number - 1900 : date->tm_year;
        return text;
    case 'y':
        text = __model_parse_number(text, 2, 0, 99, &number);
        date->tm_year = text ? number + (number < 69 ? 100 : 0) : date->tm_year;
        return text;
    case 'm':
        text = __model_parse_number(text, 2, 1, 12, &number);
        date->tm_mon = text ? number - 1 : date->tm_mon;
        return text;
    case 'd':
    case 'e':
        return __model_parse_number(text, 2, 1, 31, &date->tm_mday);
    case 'H':
    case 'k':
        return __model_parse_number(text, 2, 0, 23, &date->tm_hour);
    case 'M':
        return __model_parse_number(text, 2, 0, 59, &date->tm_min);
    case 'S':
        return __model_parse_number(text, 2, 0, 61, &date->tm_sec);
    case 'j':
        text = __model_parse_number(text, 3, 1, 366, &number);
        date->tm_yday = text ? number - 1 : date->tm_yday;
        return text;
    case 'u':
        text = __model_parse_number(text, 1, 1, 7, &number);
        date->tm_wday = text ? number % 7 : date->tm_wday;
        return text;
    case 'w':
        return __model_parse_number(text, 1, 0, 6, &date->tm_wday);
    case 'a':
    case 'A':
        return __model_parse_name(text, __model_day_names, 7, &date->tm_wday);
    case 'b':
    case 'B':
    case 'h':
        return __model_parse_name(text, __model_month_names, 12, &date->tm_mon);
    case 'T':
        return __model_strptime(text, "%H:%M:%S", date);
    case 'R':
        return __model_strptime(text, "%H:%M", date);
    case 'D':
        return __model_strptime(text, "%m/%d/%y", date);
    case 'F':
        return __model_strptime(text, "%Y-%m-%d", date);
    case 'Z':
        // As glibc does it: read over, whatever it says.
        while (*text >= 'A' && *text <= 'Z' || *text >= 'a' && *text <= 'z')
            text++;
        return text;
    case 'z': {
        int sign = *text == '-' ? -1 : 1;
        int hours = 0;
        int minutes = 0;
        if (*text == 'Z') {
            date->tm_gmtoff = 0;
            return text + 1;
        }
        if (*text != '+' && *text != '-')
            return 0;
        text = __model_parse_number(text + 1, 2, 0, 99, &hours);
        if (!text)
            return 0;
        if (*text == ':')
            text++;
        if (*text >= '0' && *text <= '9')
            text = __model_parse_number(text, 2, 0, 59, &minutes);
        date->tm_gmtoff = sign * (hours * 3600 + minutes * 60);
        return text;
    }
    case 'n':
    case 't':
        while (*text == ' ' || *text >= 9 && *text <= 13)
            text++;
        return text;
    case '%':
        return *text == '%' ? text + 1 : (const char *)0;
    default:
        return 0;
    }
}

static const char *__model_strptime(const char *text, const char *format, struct tm *date)
{
    while (text && *format) {
        if (*format == ' ' || *format >= 9 && *format <= 13) {
            while (*text == ' ' || *text >= 9 && *text <= 13)
                text++;
            format++;
        } else if (*format == '%') {
            text = __model_strptime_one(text, format[1], date);
            format = format + (format[1] ? 2 : 1);
        } else {
            text = *text == *format ? text + 1 : (const char *)0;
            format++;
        }
    }
    return text;
}

// The day of the week and of the year follow from the date, as glibc has it.
char *strptime(const char *text, const char *format, struct tm *date)
{
    int year = date->tm_year;
    int month = date->tm_mon;
    int day = date->tm_mday;
    const char *end = __model_strptime(text, format, date);
    if (end && (date->tm_year != year || date->tm_mon != month || date->tm_mday != day)) {
        struct tm copy = *date;
        copy.tm_mday = 1;
        __model_mktime(&copy, "UTC");
        date->tm_wday = ((copy.tm_wday + date->tm_mday - 1) % 7 + 7) % 7;
        date->tm_yday = copy.tm_yday + date->tm_mday - 1;
    }
    return (char *)end;
}
