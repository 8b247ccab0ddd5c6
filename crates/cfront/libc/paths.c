// Models of <libgen.h>, and of `basename` as <string.h> has it.

// Where a path ends without its trailing slashes; what is only slashes keeps one.
static char *__model_path_end(char *path)
{
    char *end = path;
    while (*end)
        end++;
    while (end > path + 1 && end[-1] == '/')
        end--;
    return end;
}

// The first character behind the last slash before `end`.
static char *__model_last_part(char *path, char *end)
{
    char *at = end;
    while (at > path && at[-1] != '/')
        at--;
    return at;
}

static char __model_dot[2];

// Cuts trailing slashes off the path that it is given, as POSIX allows it.
char *__xpg_basename(char *path)
{
    char *end;
    if (!path || !*path) {
        __model_dot[0] = '.';
        return __model_dot;
    }
    end = __model_path_end(path);
    if (end == path + 1 && *path == '/') {
        while (*end)
            end++;
        return end - 1;
    }
    if (*end)
        *end = 0;
    return __model_last_part(path, end);
}

// As GNU has it: what is behind the last slash, which may be nothing.
char *basename(const char *path)
{
    char *end = (char *)path;
    while (*end)
        end++;
    return __model_last_part((char *)path, end);
}

char *dirname(char *path)
{
    char *end;
    char *last;
    if (!path || !*path) {
        __model_dot[0] = '.';
        return __model_dot;
    }
    end = __model_path_end(path);
    last = __model_last_part(path, end);
    if (last == path && *path != '/') {
        __model_dot[0] = '.';
        return __model_dot;
    }
    while (last > path && last[-1] == '/')
        last--;
    // At the root, two slashes are not the same as one or three.
    if (last == path)
        last = path + (path[1] == '/' && path[2] != '/' ? 2 : 1);
    *last = 0;
    return path;
}
