//! A program that runs as a process does what the compiled one does: the same bytes, the same exit code.

use idiolect_base::Rng;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

/// How both are started.
#[derive(Default)]
struct Process<'a> {
    arguments: &'a [&'a str],
    stdin: &'a [u8],
    variables: &'a [(&'a str, &'a str)],
}

fn output_of(command: &mut Command, stdin: &[u8]) -> Output {
    use std::io::Write as _;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("it has an input");
    // A program may end before it has read everything.
    let _ = input.write_all(stdin);
    drop(input);
    child.wait_with_output().expect("it ends")
}

/// Runs a text both ways, each in an empty folder, and compares.
fn same(name: &str, text: &str, process: &Process<'_>) {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("program.c");
    std::fs::write(&source, text).expect("the source is written");
    let binary = scratch.path().join("program");
    let built = Command::new("cc")
        .args(["-O0", "-w", "-fwrapv", "-o"])
        .arg(&binary)
        .arg(&source)
        .status()
        .expect("cc starts");
    assert!(built.success(), "cc refuses {name}:\n{text}");
    let folder = scratch.path().join("empty");
    std::fs::create_dir(&folder).expect("a folder");
    let mut real = Command::new(&binary);
    real.current_dir(&folder)
        .args(process.arguments)
        .env_clear();
    real.envs(process.variables.iter().copied());
    let theirs = output_of(&mut real, process.stdin);
    let mut run = Command::new(IDIOLECT);
    run.arg("run")
        .arg(&source)
        .args(["--stdin", "-", "--pass-exit-code", "-q"]);
    for (name, value) in process.variables {
        run.arg("--env").arg(format!("{name}={value}"));
    }
    let ours = output_of(run.arg("--").args(process.arguments), process.stdin);
    let shown = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(shown(&ours), shown(&theirs), "{name}: output\n{text}");
    assert_eq!(ours.stdout, theirs.stdout, "{name}: bytes");
    assert_eq!(
        ours.status.code(),
        theirs.status.code(),
        "{name}: status\n{text}"
    );
    let errors = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors(&ours), errors(&theirs), "{name}: standard error");
    let left = std::fs::read_dir(scratch.path())
        .expect("the folder is there")
        .count();
    assert_eq!(left, 3, "{name}: nothing is written to disk");
}

const JUMPS: &str = r#"
#include <setjmp.h>
#include <stdio.h>
static jmp_buf outer, inner;
static int depth;
static void down(int n) {
    char pad[64];
    pad[n % 64] = (char)n;
    depth = n;
    if (n == 0) longjmp(outer, 7);
    if (n == 5 && setjmp(inner) == 0) longjmp(inner, 3);
    down(n - 1);
    printf("never %d\n", pad[0]);
}
int main(void) {
    volatile int tries = 0;
    int plain = 1;
    int result = setjmp(outer);
    printf("%d after %d, depth %d\n", result, tries, depth);
    tries++;
    plain += 2;
    if (tries < 4) down(tries * 10);
    for (int i = 0; i < 3; i++) {
        jmp_buf each;
        switch (setjmp(each)) {
        case 0: printf("first\n"); longjmp(each, 0);
        case 1: printf("one\n"); longjmp(each, 5);
        case 5: printf("five %d %d\n", plain, i); break;
        default: return 1;
        }
    }
    return 42;
}
"#;

#[test]
fn jumps_between_functions_go_where_they_should() {
    if !available_or_skip("cc", "process") {
        return;
    }
    same("jumps", JUMPS, &Process::default());
}

#[test]
fn a_jump_to_a_function_that_has_returned_is_a_fault() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("late.c");
    let text = "#include <setjmp.h>\nstatic jmp_buf b;\nstatic int set(void) { return setjmp(b); }\n\
                int main(void) { if (set() == 0) longjmp(b, 1); return 0; }\n";
    std::fs::write(&source, text).expect("the source is written");
    let run = Command::new(IDIOLECT)
        .arg("run")
        .arg(&source)
        .output()
        .expect("it starts");
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    // A proof follows the first return only, and says so.
    let verify = Command::new(IDIOLECT)
        .arg("verify")
        .arg(&source)
        .output()
        .expect("it starts");
    assert_ne!(verify.status.code(), Some(0), "{verify:?}");
}

#[test]
fn arguments_environment_and_bytes_arrive_as_they_are() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <locale.h>
        #include <signal.h>
        static int caught;
        static void handler(int n) { caught = n; }
        int main(int argc, char **argv) {
            int c;
            for (int i = 1; i < argc; i++) printf("%d [%s]\n", i, argv[i]);
            const char *names[] = { "A", "B", "LONG" };
            for (int i = 0; i < 3; i++) {
                const char *value = getenv(names[i]);
                printf("%s=%s\n", names[i], value ? value : "(none)");
            }
            setenv("B", "new", 1);
            printf("%s %s\n", getenv("B"), getenv("NOT"));
            signal(SIGUSR1, handler);
            raise(SIGUSR1);
            printf("%d %s\n", caught, localeconv()->decimal_point);
            srand(7);
            printf("%d %d %ld\n", rand(), rand() % 10, random());
            fwrite("\0\1\377", 1, 3, stdout);
            while ((c = getchar()) != EOF) putchar(c ^ 1);
            fputs("beside\n", stderr);
            return argc;
        }
    "#;
    let process = Process {
        arguments: &[
            "-l",
            "two words",
            "",
            "ä",
            "a long argument with more than eight letters",
        ],
        stdin: b"ab\xff\0c\n",
        variables: &[
            ("A", "1"),
            ("LONG", "a value that is longer than eight letters"),
        ],
    };
    same("arguments", text, &process);
}

/// A program that does so many random things to a few files and prints what it sees.
fn file_program(rng: &mut Rng, n: usize) -> String {
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <unistd.h>\n#include <errno.h>\n\
         #include <fcntl.h>\n\
         static FILE *f[3];\nstatic char b[64];\nstatic struct stat s;\n\
         static const char *names[] = { \"a\", \"b\", \"d/c\", \"d\", \"none/x\" };\n\
         static const char *paths[] = { \"a\", \"b\", \"d/c\", \"d\", \"none/x\", \"./a\", \"d/../b\", \"d/\", \"a/\", \"d/.\", \"d/..\", \"a/c\" };\n\
         static const char *modes[] = { \"r\", \"w\", \"a\", \"r+\", \"w+\", \"a+\" };\n\
         int main(void) {\n  int k, e;\n  size_t m;\n",
    );
    for step in 0..n {
        let (i, name) = (rng.below(3), rng.below(5));
        let (mode, small) = (rng.below(6), rng.below(40));
        let path = rng.below(12);
        // A folder can be opened as a stream that cannot be read; here it cannot be opened.
        let opened = [0, 1, 2, 4][name as usize % 4];
        let _ = match rng.below(14) {
            0 => writeln!(
                text,
                "  errno = 0; k = open(paths[{path}], {}, 0644); e = errno; printf(\"{step} open %d %d\\n\", k >= 0, k < 0 ? e : 0); \
                 if (k >= 0) close(k);",
                [
                    "O_RDONLY",
                    "O_RDWR",
                    "O_WRONLY | O_CREAT",
                    "O_RDWR | O_CREAT | O_EXCL"
                ][small as usize % 4]
            ),
            1..4 => writeln!(
                text,
                "  if (f[{i}]) fclose(f[{i}]); errno = 0; f[{i}] = fopen(names[{opened}], modes[{mode}]); e = errno; \
                 printf(\"{step} open %d %d\\n\", f[{i}] != 0, f[{i}] ? 0 : e);"
            ),
            4 | 5 => writeln!(
                text,
                "  if (f[{i}]) {{ fseek(f[{i}], 0, SEEK_CUR); k = fprintf(f[{i}], \"%d-%s\\n\", {step}, \"text\"); \
                 fflush(f[{i}]); printf(\"{step} print %d\\n\", k > 0); clearerr(f[{i}]); }}"
            ),
            6 | 7 => writeln!(
                text,
                "  if (f[{i}]) {{ fseek(f[{i}], 0, SEEK_CUR); m = fread(b, 1, {small}, f[{i}]); b[m] = 0; \
                 printf(\"{step} read %zu [%s] %d\\n\", m, b, feof(f[{i}]) != 0); clearerr(f[{i}]); }}"
            ),
            8 => writeln!(
                text,
                "  if (f[{i}]) {{ k = fseek(f[{i}], {} , {}); printf(\"{step} seek %d %ld\\n\", k, ftell(f[{i}])); }}",
                small as i64 - 10,
                rng.below(3)
            ),
            9 => writeln!(
                text,
                "  if (f[{i}]) {{ fseek(f[{i}], 0, SEEK_CUR); k = fgetc(f[{i}]); e = k < 0 ? 0 : ungetc(k, f[{i}]); \
                 printf(\"{step} peek %d %d %d\\n\", k, e == k, fgetc(f[{i}]) == k); clearerr(f[{i}]); }}"
            ),
            10 => writeln!(
                text,
                "  errno = 0; k = stat(paths[{path}], &s); e = errno; printf(\"{step} stat %d %d %ld\\n\", k, k ? e : S_ISDIR(s.st_mode), \
                 k || S_ISDIR(s.st_mode) ? 0L : (long)s.st_size);"
            ),
            11 => writeln!(
                text,
                "  errno = 0; k = rename(paths[{path}], paths[{}]); e = errno; printf(\"{step} rename %d %d\\n\", k, k ? e : 0);",
                rng.below(12)
            ),
            12 => writeln!(
                text,
                "  errno = 0; k = remove(paths[{path}]); e = errno; printf(\"{step} remove %d %d\\n\", k, k ? e : 0);"
            ),
            _ => writeln!(
                text,
                "  errno = 0; k = mkdir({}, 0755); e = errno; printf(\"{step} mkdir %d %d\\n\", k, k ? e : 0);",
                if small < 20 {
                    "\"d\"".to_owned()
                } else {
                    format!("paths[{path}]")
                }
            ),
        };
    }
    text.push_str("  return 0;\n}\n");
    text
}

#[test]
fn files_are_cut_and_made_longer_by_their_names() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #define _GNU_SOURCE
        #include <errno.h>
        #include <stdio.h>
        #include <sys/stat.h>
        #include <unistd.h>
        int main(void) {
            FILE *f = fopen("x.txt", "w");
            fputs("0123456789", f);
            fclose(f);
            mkdir("d", 0755);
            const char *paths[] = {"x.txt", "x.txt", "d", "no"};
            long sizes[] = {4, 7, 1, 1};
            for (int i = 0; i < 4; i++) {
                errno = 0;
                int result = truncate(paths[i], sizes[i]);
                printf("%d %d\n", result, errno);
            }
            f = fopen("x.txt", "r");
            for (int c; (c = fgetc(f)) != EOF;) printf("%d ", c);
            return 0;
        }
    "#;
    same("truncate", text, &Process::default());
}

#[test]
fn files_are_what_they_are_for_the_compiled_program() {
    if !available_or_skip("cc", "process") {
        return;
    }
    for seed in 0..12 {
        let text = file_program(&mut Rng::new(2026, seed), 60);
        same(&format!("files {seed}"), &text, &Process::default());
    }
}

#[test]
fn files_of_a_folder_are_copied_on_write() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let folder = scratch.path().join("data");
    std::fs::create_dir_all(folder.join("sub")).expect("folders");
    std::fs::write(folder.join("x.txt"), "from disk\n").expect("a file");
    std::fs::write(scratch.path().join("secret"), "outside\n").expect("a file");
    let source = scratch.path().join("p.c");
    let text = r#"
        #include <stdio.h>
        #include <dirent.h>
        static void show(const char *path) {
            char b[64];
            FILE *f = fopen(path, "r");
            if (!f) { printf("no %s\n", path); return; }
            while (fgets(b, 64, f)) printf("%s: %s", path, b);
            fclose(f);
        }
        int main(void) {
            show("x.txt");
            FILE *f = fopen("x.txt", "a");
            fputs("and more\n", f);
            fclose(f);
            show("./sub/../x.txt");
            show("../secret");
            rename("x.txt", "sub/y.txt");
            show("x.txt");
            DIR *d = opendir(".");
            for (struct dirent *e; (e = readdir(d)) != 0;) if (e->d_name[0] != '.') printf("%s\n", e->d_name);
            closedir(d);
            return 0;
        }
    "#;
    std::fs::write(&source, text).expect("the source is written");
    let output = Command::new(IDIOLECT)
        .arg("run")
        .arg(&source)
        .arg("--files")
        .arg(&folder)
        .args(["-q"])
        .output()
        .expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        printed,
        "x.txt: from disk\n./sub/../x.txt: from disk\n./sub/../x.txt: and more\nno ../secret\nno x.txt\nsub\n"
    );
    let kept = std::fs::read_to_string(folder.join("x.txt")).expect("it is still there");
    assert_eq!(kept, "from disk\n");
    assert!(!Path::new(&folder).join("sub/y.txt").exists());
}

#[test]
fn integers_made_from_pointers_have_47_bits() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        struct pair { int a; char b; double c; };
        int main(void) {
            uint64_t sum = 0;
            for (int i = 0; i < 1000; i++) {
                int *p = malloc(40);
                p[3] = i;
                uint64_t boxed = (uint64_t)(uintptr_t)p | UINT64_C(0xfffc) << 48 | 1;
                int *q = (int *)(uintptr_t)(boxed & ((UINT64_C(1) << 48) - 2));
                if (((uintptr_t)p >> 47) != 0 || ((uintptr_t)p & 7) != 0 || q != p) return 1;
                sum += q[3];
                if (i % 3) free(p);
            }
            struct pair x, y;
            x.a = 1;
            x.c = 2;
            y = x;
            printf("%llu %d\n", (unsigned long long)sum, memcmp(&x, &y, sizeof x));
            return 0;
        }
    "#;
    same("addresses", text, &Process::default());
}

#[test]
fn a_large_switch_goes_where_the_tests_would() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let mut text = String::from("#include <stdio.h>\nstatic int f(int x) {\n switch (x) {\n");
    for i in 0..200 {
        let number = if i % 7 == 0 { -i } else { 3 * i };
        let _ = writeln!(text, " case {number}: return {};", i * i);
    }
    text.push_str(
        " default: return -1;\n }\n}\nstatic int g(unsigned long x) {\n switch (x) {\n case 0: case 1: return 1;\n \
         case 5: x++; case 6: return (int)x;\n case 0xfffffffffffffffful: return 9;\n case 9 ... 12: return 12;\n \
         default: return 0; }\n}\nint main(void) {\n unsigned sum = 0;\n \
         for (int i = -300; i < 700; i++) sum = sum * 31 + (unsigned)f(i);\n \
         printf(\"%u %d\\n\", sum, f(-2147483647 - 1));\n \
         for (unsigned long i = 0; i < 15; i++) printf(\"%d \", g(i));\n printf(\"%d\\n\", g(-1ul));\n return 0;\n}\n",
    );
    same("switch", &text, &Process::default());
}

#[test]
fn a_computed_goto_goes_through_a_table() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #include <stdio.h>
        static unsigned interpret(const unsigned char *code) {
            static const void *const table[] = { &&add, &&twice, &&minus, &&jump, &&end, &&add };
            unsigned value = 1, n = 0;
            #define NEXT goto *table[*code++]
            NEXT;
            add: value += 7; NEXT;
            twice: value *= 2; NEXT;
            minus: value -= 3; NEXT;
            jump: if (n++ < 5) code -= 4; NEXT;
            end: return value + n;
        }
        int main(void) {
            const unsigned char code[] = { 5, 0, 1, 2, 3, 0, 4 };
            printf("%u\n", interpret(code));
            return 0;
        }
    "#;
    same("computed goto", text, &Process::default());
}

#[test]
fn the_system_around_a_process_answers() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <pwd.h>
        #include <signal.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/resource.h>
        #include <sys/time.h>
        #include <unistd.h>
        static int seen;
        static void note(int number) { seen = number; }
        struct wide { _Alignas(64) char bytes[3]; };
        int main(void) {
            int d = open("data", O_RDWR | O_CREAT, 0600);
            struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10 };
            printf("%zd %d", write(d, "hello, world", 12), fcntl(d, F_SETLK, &lock));
            printf(" %d %d\n", fcntl(d, F_GETLK, &lock), lock.l_type == F_UNLCK);
            printf("%d %d\n", fcntl(99, F_GETLK, &lock), errno == EBADF);
            char *text = mmap(0, 12, PROT_READ, MAP_PRIVATE, d, 0);
            printf("%.5s", text);
            printf(" %d\n", munmap(text, 12));
            char *page = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            page[4999] = 1;
            printf("%d %d %d\n", page[0], page[4999], (int)((uintptr_t)page % sysconf(_SC_PAGESIZE)));
            printf("%d %d\n", getpwuid(54321) == 0, getpwnam("no such user") == 0);
            struct rusage usage;
            printf("%d %d\n", getrusage(RUSAGE_SELF, &usage), usage.ru_utime.tv_sec >= 0);
            printf("%d %d\n", utimes("data", 0), utimes("none", 0));
            signal(SIGUSR1, note);
            printf("%d %d", kill(getpid(), 0), kill(getpid(), SIGUSR1));
            printf(" %d\n", seen == SIGUSR1);
            void *round = 0, *block = aligned_alloc(256, 512);
            int failed = posix_memalign(&round, 4096, 10);
            struct wide wide;
            printf("%d %d %d %d\n", failed, (int)((uintptr_t)round % 4096), (int)((uintptr_t)block % 256),
                   (int)((uintptr_t)&wide % 64));
            return 0;
        }
    "#;
    same("system", text, &Process::default());
}

/// A shell shows a process that a signal ended by 128 and the signal's number.
#[test]
fn signals_that_nobody_handles_end_a_process() {
    let text = "#include <signal.h>\n#include <stdlib.h>\nint main(int n, char **a) { raise(atoi(a[1])); return 5; }\n";
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("program.c");
    std::fs::write(&source, text).expect("the source is written");
    for (number, expected) in [(15, 143), (10, 138), (6, 134), (17, 5)] {
        let status = Command::new(IDIOLECT)
            .arg("run")
            .arg(&source)
            .args(["--pass-exit-code", "-q", "--", &number.to_string()])
            .output()
            .expect("it starts")
            .status;
        assert_eq!(status.code(), Some(expected), "signal {number}");
    }
}

#[test]
fn time_passes_while_a_process_sleeps() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #include <stdio.h>
        #include <time.h>
        #include <unistd.h>
        static long since(const struct timespec *t) {
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            return (now.tv_sec - t->tv_sec) * 1000 + (now.tv_nsec - t->tv_nsec) / 1000000;
        }
        int main(void) {
            struct timespec start, nap = { 0, 20000000 }, wrong = { 0, -1 };
            clock_gettime(CLOCK_MONOTONIC, &start);
            int slept = nanosleep(&nap, 0), failed = nanosleep(&wrong, 0);
            printf("%d %d %d", slept, failed, since(&start) >= 20);
            usleep(5000);
            printf(" %d %d\n", since(&start) >= 25, clock() < CLOCKS_PER_SEC);
            return 0;
        }
    "#;
    same("sleep", text, &Process::default());
}

#[test]
fn a_pointer_is_an_argument_of_a_transparent_union() {
    if !available_or_skip("cc", "process") {
        return;
    }
    let text = r#"
        #define _GNU_SOURCE
        #include <sys/socket.h>
        struct a { int value; };
        struct b { char value; };
        typedef union { struct a *x; struct b *y; } either __attribute__((__transparent_union__));
        static int take(either u) { return u.x ? u.x->value : -1; }
        static int take_byte(either u) { return u.y->value; }
        int listener(int s) { return accept(s, 0, 0) + bind(s, (void *)0, 0); }
        int main(void) {
            struct a a = { 5 };
            struct b b = { 7 };
            return take(&a) * 10 + take_byte(&b) + take((void *)0);
        }
    "#;
    same("transparent union", text, &Process::default());
}
