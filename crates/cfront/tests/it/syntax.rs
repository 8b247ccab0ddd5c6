//! What the parser makes of correct programs.

use crate::support;

/// Parses without complaint to the given tree; blanks at the margins do not count.
fn check(text: &str, expected: &str) {
    let (tree, complaints) = support::parsed(text);
    assert_eq!(complaints, Vec::<String>::new(), "for {text}");
    let lines = |s: &str| {
        let lines = s.trim().lines().map(|l| l.trim().to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(lines(&tree), lines(expected), "for {text}");
}

/// Checks statements within a function that has some typedefs in scope.
fn check_body(text: &str, expected: &str) {
    check(
        &format!("typedef int T; void f(void) {{ {text} }}"),
        &format!("(declare (typedef int) (T))\n(function (void) (f (fn))\n{expected})"),
    );
}

#[test]
fn declarators_read_from_the_name_outward() {
    check(
        "int *a[3], (*b)[3], (*c)(void), *(*d)(int, char *), (*(*e)(void))[5], f();",
        "(declare (int) (a [3] *) (b * [3]) (c * (fn)) (d * (fn (int)(_) (char)(_ *)) *) \
         (e * (fn) * [5]) (f (fn ?)))",
    );
    check(
        "void (*signal(int sig, void (*func)(int)))(int);",
        "(declare (void) (signal (fn (int)(sig) (void)(func * (fn (int)(_)))) * (fn (int)(_))))",
    );
    check(
        "void *const volatile *p; char *(*(*x[2])())[5];",
        "(declare (void) (p * *const volatile))\n(declare (char) (x [2] * (fn ?) * [5] *))",
    );
    check(
        "int f(int a[static const 3], int n, int b[n], int c[*], int d[], ...);",
        "(declare (int) (f (fn (int)(a [const 3]) (int)(n) (int)(b [n]) (int)(c [*]) (int)(d []) \
         ...)))",
    );
}

#[test]
fn words_of_a_type_come_in_any_order() {
    check(
        "long unsigned int long a; short b; char signed c; long double d; int unsigned e;",
        "(declare (unsigned-long-long) (a))\n(declare (short) (b))\n(declare (signed-char) (c))\n\
         (declare (long-double) (d))\n(declare (unsigned) (e))",
    );
    check(
        "unsigned __int128 a; __uint128_t b; _Float32 c; __float128 d; double _Complex e; \
         __builtin_va_list f; int typedef g; g const h;",
        "(declare (unsigned-int128) (a))\n(declare (unsigned-int128) (b))\n(declare (float) (c))\n\
         (declare (float128) (d))\n(declare (complex) (e))\n(declare (va-list) (f))\n\
         (declare (typedef int) (g))\n(declare (const g) (h))",
    );
    check(
        "static __inline__ __const__ int a(void); extern __thread int b; _Noreturn void c(void); \
         _Atomic(int) d; _Atomic int e; int *_Atomic f; _Alignas(8) _Alignas(double) char g;",
        "(declare (static inline const int) (a (fn)))\n(declare (extern thread-local int) (b))\n\
         (declare (noreturn void) (c (fn)))\n(declare ((atomic (int))) (d))\n\
         (declare (atomic int) (e))\n(declare (int) (f *atomic))\n\
         (declare ((alignas 8) (alignas (double)) char) (g))",
    );
    check(
        "int x; typeof(x) a; __typeof__(int *) b; __auto_type c = 1;",
        "(declare (int) (x))\n(declare ((typeof x)) (a))\n(declare ((typeof-type (int) *)) (b))\n\
         (declare (auto-type) (c) = 1)",
    );
}

#[test]
fn typedef_names_are_hidden_and_come_back() {
    check_body("T T = 3; T * 2;", "(declare (T) (T) = 3)\n(* T 2)");
    check_body(
        "{ int T; T * 2; } T * x;",
        "(block\n(declare (int) (T))\n(* T 2))\n(declare (T) (x *))",
    );
    check_body(
        "goto T; T: ; T y;",
        "(goto T)\n(labeled T\n(empty))\n(declare (T) (y))",
    );
    check_body(
        "(T) -1; (T)(1); sizeof(T);",
        "(cast (T) (- 1))\n(cast (T) 1)\n(sizeof-type (T))",
    );
    check_body("enum { T } x; T + 1;", "(declare (enum {T}) (x))\n(+ T 1)");
    check_body(
        "for (int T = 0; T < 1; ) ; T z;",
        "(for (declare (int) (T) = 0) (< T 1) -\n(empty))\n(declare (T) (z))",
    );
    check(
        "typedef int T; int f(int T) { return T * T; } T g(T), h(int (T)), k(T T); struct T { T T; unsigned T2; };",
        "(declare (typedef int) (T))\n(function (int) (f (fn (int)(T)))\n(return (* T T)))\n\
         (declare (T) (g (fn (T)(_))) (h (fn (int)(_ (fn (T)(_))))) (k (fn (T)(T))))\n\
         (declare (struct T {((T) (T)) ((unsigned) (T2))}))",
    );
    check(
        "typedef int T; typedef int T; typedef T U; void f(void) { typedef char T; T x; } T y;",
        "(declare (typedef int) (T))\n(declare (typedef int) (T))\n(declare (typedef T) (U))\n\
         (function (void) (f (fn))\n(declare (typedef char) (T))\n(declare (T) (x)))\n\
         (declare (T) (y))",
    );
}

#[test]
fn c89_has_implicit_int_and_old_definitions() {
    check(
        "main() { return 0; } static x; const y = 1; *g() { } extern h();",
        "(function (implicit-int) (main (fn ?))\n(return 0))\n(declare (static implicit-int) (x))\n\
         (declare (const implicit-int) (y) = 1)\n(function (implicit-int) (g (fn ?) *))\n\
         (declare (extern implicit-int) (h (fn ?)))",
    );
    check(
        "f(a, b, c) char *b; register c; { auto d = a; register e; }",
        "(function (implicit-int) (f (fn a b c))\nparameter (declare (char) (b *))\n\
         parameter (declare (register implicit-int) (c))\n\
         (declare (auto implicit-int) (d) = a)\n(declare (register implicit-int) (e)))",
    );
    check(
        "int (*f(a))(int) int a; { }",
        "(function (int) (f (fn a) * (fn (int)(_)))\nparameter (declare (int) (a)))",
    );
}

#[test]
fn records_and_enumerations() {
    check(
        "struct __attribute__((packed)) s { int a : 3, : 2, b; union { int c; float d; }; \
         _Static_assert(1, \"\"); char e[]; } __attribute__((aligned(8))) x, *y;",
        "(declare (struct s {((int) (a):3 (_):2 (b)) ((union {((int) (c)) ((float) (d))})) \
         (static-assert 1 \"\") ((char) (e []))} @packed @aligned:8) (x) (y *))",
    );
    check(
        "enum e : unsigned char { A [[deprecated]], B __attribute__((x)) = 3, }; struct { enum e : 3; enum e f : 2; };",
        "(declare (enum e : (unsigned-char) {A B=3}))\n(declare (struct {((enum e) (_):3) ((enum e) (f):2)}))",
    );
}

#[test]
fn initializers_have_designators() {
    check(
        "int a[] = { [0 ... 3] = 1, [5] 7, 8, }; struct p b = { x: 1, .y.z[2] = { 2 }, {} };",
        "(declare (int) (a []) = {[0 ... 3]=1 [5]=7 8})\n(declare (struct p) (b) = {.x=1 .y.z[2]={2} {}})",
    );
}

#[test]
fn attributes_stand_everywhere() {
    check(
        "int a __attribute__((unused)) = 1, __attribute__((x)) b; \
         extern int f(int c __attribute__((y))) __asm__(\"g\") __attribute__((__format__(__printf__, 1, 2), , noreturn)); \
         typedef int v4 __attribute__((vector_size(sizeof(int) * 4))), t __attribute__((mode(DI))); \
         [[gnu::const, nodiscard]] int h(void); int __attribute__((cdecl)) (*i)(void);",
        "(declare (int) (a @unused) = 1 (b @x))\n\
         (declare (extern int) (f (fn (int)(c @y)) @asm:\"g\" @format:__printf__:1:2 @noreturn))\n\
         (declare (typedef int) (v4 @vector_size:(* (sizeof-type (int)) 4)) (t @mode:DI))\n\
         (declare (int @const @nodiscard) (h (fn)))\n(declare (int @cdecl) (i * (fn)))",
    );
    check_body(
        "L: __attribute__((unused)); __attribute__((fallthrough)); [[fallthrough]]; \
         __attribute__((unused)) int x; switch (1) { case 1: [[likely]] x = 1; }",
        "(labeled L\n(empty))\n(empty)\n(empty)\n(declare (int @unused) (x))\n\
         (switch 1\n(block\n(labeled (case 1)\n(= x 1))))",
    );
}

#[test]
fn operators_bind_as_they_should() {
    check_body(
        "a = b = c += d; a - b - c * d / e % f; a < b && b | c ^ d & e == f != g << 1; a, b, c;",
        "(= a (= b (+= c d)))\n(- (- a b) (% (/ (* c d) e) f))\n\
         (&& (< a b) (| b (^ c (& d (!= (== e f) (<< g 1))))))\n(, (, a b) c)",
    );
    check_body(
        "a ? b : c ? d : e; a ?: b; a ? b, c : d; x->y.z[3](1, 2)++; *p++; !~-+x; - -x; &*--p;",
        "(? a b (? c d e))\n(?: a b)\n(? a (, b c) d)\n(post++ (call (index (. (-> x y) z) 3) 1 2))\n\
         (* (post++ p))\n(! (~ (- (+ x))))\n(- (- x))\n(& (* (-- p)))",
    );
    check_body(
        "sizeof (int) * 3; sizeof a * 3; sizeof (int) { 3 }; -sizeof(T) + 1; (int) { 3 } + 1; \
         (T[]) { 1, 2 }[0]; (T)(long)x; _Alignof(int); __alignof__ a; (x)(y);",
        "(* (sizeof-type (int)) 3)\n(* (sizeof a) 3)\n(sizeof (compound (int) {3}))\n\
         (+ (- (sizeof-type (T))) 1)\n(+ (compound (int) {3}) 1)\n\
         (index (compound (T) [] {1 2}) 0)\n(cast (T) (cast (long) x))\n(alignof-type (int))\n\
         (alignof a)\n(call x y)",
    );
}

#[test]
fn gnu_and_c11_expressions() {
    check_body(
        "x = ({ int t = 1; t; }); _Generic(x, int: 1, T *: 2, default: 3); \
         __builtin_va_arg(ap, int *); __builtin_offsetof(struct s, a.b[3].c); \
         __builtin_types_compatible_p(int, T); __builtin_choose_expr(1, a, b); \
         __extension__ ({ 1; }); __real__ z + __imag__ z;",
        "(= x (block\n(declare (int) (t) = 1)\nt))\n(generic x [(int) 1] [(T) * 2] [default 3])\n\
         (va-arg ap (int) *)\n(offsetof (struct s) .a.b[3].c)\n(types-compatible (int) (T))\n\
         (choose 1 a b)\n(block\n1)\n(+ (real z) (imag z))",
    );
}

#[test]
fn literals() {
    check_body(
        "\"abc\" \"d\\n\" L\"x\"; \"\\x41\\377\"; 'a'; L'b'; '\\377'; 0x1fUL; 017; 0b11; 1.5f; 1e3; 0x1p3; 1'000; 1.i;",
        "L\"abcd\\nx\"\n\"A\\xff\"\n'97'\nL'98'\n'-1'\n0x1ful\n0xf\n0x3\n1.5f\n1e3\n0x1p3\n1000\n1.i",
    );
}

#[test]
fn statements() {
    check_body(
        "if (a) if (b) c; else d; if (a) ; else if (b) c; else d;",
        "(if a\n(if b\nc\nelse\nd))\n(if a\n(empty)\nelse-if b\nc\nelse\nd)",
    );
    check_body(
        "switch (n) { case 1: case 2 ... 5: a; break; default: { b; } case 9: int q = 3; M: } \
         switch (n) case 1: a; do a; while (b); while (0) ; for (;;) continue; return; { L: }",
        "(switch n\n(block\n(labeled (case 1) (case 2 ... 5)\na)\n(break)\n(labeled default\n(block\nb))\n\
         (labeled (case 9)\n(empty))\n(declare (int) (q) = 3)\n(labeled M\n(empty))))\n\
         (switch n\n(labeled (case 1)\na))\n(do-while b\na)\n(while 0\n(empty))\n\
         (for - - -\n(continue))\n(return)\n(block\n(labeled L\n(empty)))",
    );
    check_body(
        "__label__ p, q; void *l[] = { &&p, &&q }; goto *l[0]; p: q: ; \
         asm volatile goto (\"nop %0\" : \"=r\"(a), [n] \"=m\" (b) : \"r\"(c) : \"memory\" : p); asm(\"\"); \
         int g(int x) { return x; } register int r asm(\"eax\");",
        "(declare (void) (l [] *) = {(&& p) (&& q)})\n(goto* (index l 0))\n(labeled p q\n(empty))\n\
         (asm \"nop %0\" (out a b) (in c))\n(asm \"\" (out) (in))\n\
         (nested-function (int) (g (fn (int)(x)))\n(return x))\n(declare (register int) (r @asm:\"eax\"))",
    );
    check("asm(\".globl x\"); ;;", "(asm)");
}

#[test]
fn words_of_c23_mean_something_unless_declared() {
    check(
        "bool a = true; void *p = nullptr; static_assert(1); thread_local int t; alignas(8) char c;",
        "(declare (bool) (a) = 1)\n(declare (void) (p *) = (cast (void) * 0))\n(static-assert 1)\n\
         (declare (thread-local int) (t))\n(declare ((alignas 8) char) (c))",
    );
    check(
        "typedef enum { false, true } bool; bool a = true; int static_assert(int); int nullptr; \
         int f(void) { static_assert(1); return nullptr; }",
        "(declare (typedef enum {false true}) (bool))\n(declare (bool) (a) = true)\n\
         (declare (int) (static_assert (fn (int)(_))))\n(declare (int) (nullptr))\n\
         (function (int) (f (fn))\n(call static_assert 1)\nreturn_)"
            .replace("return_", "(return nullptr)")
            .as_str(),
    );
}

#[test]
fn what_a_preprocessor_may_leave_is_skipped() {
    check(
        "# 1 \"a.c\"\n#pragma once\n#ident \"x\"\r\nint /* a */ x; // b\n_Pragma(\"pack\") int y;\n  #line 3\n",
        "(declare (int) (x))\n(declare (int) (y))",
    );
    check(
        "int \\\nx\\\n = 1\\  \n2; char*s=\"a\\\r\nb\"; int a$b, \u{e9}t\u{e9}, \\u00e9t\u{e9}; int z<:1:> = <% 1 %>;",
        "(declare (int) (x) = 12)\n(declare (char) (s *) = \"ab\")\n\
         (declare (int) (a$b) (\u{e9}t\u{e9}) (\u{e9}t\u{e9}))\n(declare (int) (z [1]) = {1})",
    );
    check("", "");
    check("\u{feff}int x;", "(declare (int) (x))");
}
