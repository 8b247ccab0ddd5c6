//! What is special about some functions of the C library when a wrapper stands in for them.

/// Functions that no wrapper can stand in for: they return twice, or never to their caller.
pub(super) const UNWRAPPABLE: [&str; 9] = [
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
    "vfork",
    "getcontext",
    "swapcontext",
];

/// Variadic functions that have a sibling with a `va_list`.
pub(super) const WITH_LIST: [&str; 9] = [
    "printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf", "scanf", "fscanf", "sscanf",
];

/// Other names by which compiled programs call a function, with the same parameters.
pub(super) const SAME: &[(&str, &[&str])] = &[
    ("open", &["open64"]),
    ("openat", &["openat64"]),
    ("creat", &["creat64"]),
    ("pread", &["pread64"]),
    ("pwrite", &["pwrite64"]),
    ("lseek", &["lseek64"]),
    ("ftruncate", &["ftruncate64"]),
    ("mmap", &["mmap64"]),
    ("fstat", &["fstat64"]),
    ("readdir", &["readdir64"]),
    ("fopen", &["fopen64"]),
    ("freopen", &["freopen64"]),
    ("tmpfile", &["tmpfile64"]),
    (
        "fgetc",
        &["getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked"],
    ),
    (
        "fputc",
        &["putc", "_IO_putc", "fputc_unlocked", "putc_unlocked"],
    ),
    ("fgets", &["fgets_unlocked"]),
    ("fputs", &["fputs_unlocked"]),
    ("fread", &["fread_unlocked"]),
    ("fwrite", &["fwrite_unlocked"]),
    ("fflush", &["fflush_unlocked"]),
    ("feof", &["feof_unlocked"]),
    ("ferror", &["ferror_unlocked"]),
    ("fileno", &["fileno_unlocked"]),
    ("fcntl", &["fcntl64"]),
];

/// What `_FORTIFY_SOURCE` makes of a function: one more parameter at this position.
pub(super) const FORTIFIED: &[(&str, &str, usize, &str)] = &[
    ("read", "__read_chk", 3, "size_t"),
    ("pread", "__pread_chk", 4, "size_t"),
    ("pread", "__pread64_chk", 4, "size_t"),
    ("recv", "__recv_chk", 3, "size_t"),
    ("recvfrom", "__recvfrom_chk", 3, "size_t"),
    ("fgets", "__fgets_chk", 1, "size_t"),
    ("fgets", "__fgets_unlocked_chk", 1, "size_t"),
    ("fread", "__fread_chk", 1, "size_t"),
    ("fread", "__fread_unlocked_chk", 1, "size_t"),
    ("fprintf", "__fprintf_chk", 1, "int"),
    ("printf", "__printf_chk", 0, "int"),
    ("dprintf", "__dprintf_chk", 1, "int"),
];

/// What `_FORTIFY_SOURCE` makes of a call without its optional argument.
pub(super) const WITHOUT_REST: &[(&str, &str)] = &[
    ("open", "__open_2"),
    ("open", "__open64_2"),
    ("openat", "__openat_2"),
    ("openat", "__openat64_2"),
];
