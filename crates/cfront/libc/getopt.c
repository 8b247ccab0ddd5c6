// Model of `getopt` with glibc's permutation: options are taken wherever they stand and moved before the operands,
// unless the list of options begins with '+'. `getopt_long` and the mode '-' are not modelled.

struct _IO_FILE;

extern struct _IO_FILE *stderr;
int __model_fprintf(struct _IO_FILE *stream, const char *format, ...);

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

// What is left of a group of options such as -abc, and the index of the argument after that group before it was moved.
static char *__model_option_rest;
static int __model_option_follower;

// Moves the argument at `from` down to `to`, and those between up by one.
static void __model_option_move(char **arguments, int from, int to)
{
    char *moved = arguments[from];
    while (from > to) {
        arguments[from] = arguments[from - 1];
        from--;
    }
    arguments[to] = moved;
}

int getopt(int n_arguments, char *const *arguments, const char *options)
{
    char **movable = (char **)arguments;
    int in_order = options[0] == '+';
    const char *entry = options + in_order;
    int quiet = *entry == ':';
    int option;

    optarg = 0;
    if (optind == 0) {
        optind = 1;
        __model_option_rest = 0;
    }
    if (!__model_option_rest || !*__model_option_rest) {
        int at = optind;
        while (at < n_arguments && !in_order && (arguments[at][0] != '-' || arguments[at][1] == 0))
            at++;
        if (at >= n_arguments || arguments[at][0] != '-' || arguments[at][1] == 0)
            return -1;
        __model_option_move(movable, at, optind);
        if (arguments[optind][1] == '-' && arguments[optind][2] == 0) {
            optind++;
            return -1;
        }
        __model_option_rest = arguments[optind] + 1;
        __model_option_follower = at + 1;
    }
    option = (unsigned char)*__model_option_rest;
    __model_option_rest++;
    if (!*__model_option_rest)
        optind++;
    while (*entry && (*entry == ':' || (unsigned char)*entry != option))
        entry++;
    if (!*entry || option == ';') {
        optopt = option;
        if (opterr && !quiet)
            __model_fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], option);
        return '?';
    }
    if (entry[1] != ':')
        return option;
    if (*__model_option_rest) {
        optarg = __model_option_rest;
        optind++;
    } else if (entry[2] != ':') {
        if (__model_option_follower >= n_arguments) {
            optopt = option;
            if (opterr && !quiet)
                __model_fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], option);
            __model_option_rest = 0;
            return quiet ? ':' : '?';
        }
        __model_option_move(movable, __model_option_follower, optind);
        optarg = arguments[optind];
        optind++;
    }
    __model_option_rest = 0;
    return option;
}
