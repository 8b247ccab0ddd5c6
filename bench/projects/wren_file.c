/* Runs one Wren file, whose name is the argument, and prints what it writes. */
#include "wren.h"
#include <stdio.h>
#include <stdlib.h>

static void written(WrenVM *vm, const char *text)
{
    (void)vm;
    fputs(text, stdout);
}

static void failed(WrenVM *vm, WrenErrorType type, const char *module, int line, const char *message)
{
    (void)vm;
    fprintf(stderr, "%d: %s:%d: %s\n", type, module ? module : "", line, message);
}

int main(int argc, char **argv)
{
    static char text[1 << 16];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    WrenConfiguration configuration;
    WrenVM *vm;
    WrenInterpretResult result;
    if (!file)
        return 2;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    wrenInitConfiguration(&configuration);
    configuration.writeFn = written;
    configuration.errorFn = failed;
    vm = wrenNewVM(&configuration);
    result = wrenInterpret(vm, "main", text);
    wrenFreeVM(vm);
    return result == WREN_RESULT_SUCCESS ? 0 : 1;
}
