//! The headers of this very system, which use most of what GNU C has.

use crate::support;

use idiolect_cfront::preprocess::{PreprocessError, PreprocessOptions, preprocess_text};
use idiolect_ir::ctype::DataModel;
use std::io::Write as _;

const HEADERS: &[&str] = &[
    "aio.h",
    "arpa/inet.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "elf.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "fnmatch.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "inttypes.h",
    "iso646.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "link.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mqueue.h",
    "net/if.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "nl_types.h",
    "obstack.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/epoll.h",
    "sys/inotify.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/mount.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/ptrace.h",
    "sys/queue.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/shm.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statvfs.h",
    "sys/syscall.h",
    "sys/time.h",
    "sys/times.h",
    "sys/types.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syslog.h",
    "tar.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "ucontext.h",
    "unistd.h",
    "utime.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "x86intrin.h",
];

#[test]
fn system_headers_parse_without_complaint() {
    // What another system lacks is left out by its own preprocessor.
    let text: String = std::iter::once("#define _GNU_SOURCE 1\n".to_owned())
        .chain(
            HEADERS
                .iter()
                .map(|h| format!("#if __has_include(<{h}>)\n#include <{h}>\n#endif\n")),
        )
        .collect();
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let options = PreprocessOptions {
            data_model,
            ..PreprocessOptions::new(std::env::temp_dir())
        };
        let preprocessed = match preprocess_text("headers.c", text.as_bytes(), &options) {
            Ok(preprocessed) => preprocessed,
            Err(error @ PreprocessError::NoCompiler { .. }) => {
                let mut stderr = std::io::stderr().lock();
                let _ = writeln!(stderr, "skipped: {error}");
                return;
            }
            Err(error) => panic!("the headers should be there: {error}"),
        };
        assert!(
            preprocessed.lines().count() > 5000,
            "hardly any header was read"
        );
        let (_, complaints) = support::parsed(&preprocessed);
        assert_eq!(complaints, Vec::<String>::new());
    }
}
