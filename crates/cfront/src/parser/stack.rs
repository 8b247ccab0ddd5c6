//! Room for recursion.
//!
//! Parsing, lowering and dropping a tree recurse as deep as the tree is. The parser limits that
//! depth, and a thread with a large stack makes the limit a generous one.

use idiolect_base::{deep_stack, is_deep};

/// How deep a tree may get.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Parentheses, braces, brackets, declarators within each other.
    pub(super) nesting: u32,
    /// Links of operator, `else if` and postfix chains on one path beyond [`Self::free_chain`]
    /// for each chain. Such chains are parsed in a loop, but their trees are deep.
    pub(super) chain: u32,
    pub(super) free_chain: u32,
}

impl Limits {
    /// What this thread's stack can bear.
    ///
    /// A level of nesting takes the parser 3 to 7 KB, in release and in test builds. The deepest
    /// tree that the limits let through, `nesting * free_chain + chain`, has 214,000 levels, for
    /// each of which a later pass may use 5 KB of the big stack.
    pub(super) fn of_this_thread() -> Self {
        if is_deep() {
            Limits {
                nesting: 1000,
                chain: 150_000,
                free_chain: 64,
            }
        } else {
            Limits {
                nesting: 100,
                chain: 1000,
                free_chain: 8,
            }
        }
    }
}

/// Runs `f` on a thread whose stack is large enough for every tree that the parser builds.
///
/// Parse, lower and drop the tree all in one call of this: outside of it the parser accepts only
/// nesting that an ordinary thread can bear. Calls within each other share one thread.
pub fn with_big_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    deep_stack(f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_big_stack_is_there_and_shared() {
        let outer = with_big_stack(|| {
            let id = std::thread::current().id();
            (id == with_big_stack(|| std::thread::current().id())).then_some(id)
        });
        assert!(outer.is_some_and(|id| id != std::thread::current().id()));
        assert_eq!(with_big_stack(|| Limits::of_this_thread().nesting), 1000);
        assert_eq!(Limits::of_this_thread().nesting, 100);
    }
}
