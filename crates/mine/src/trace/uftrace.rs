//! What `uftrace replay` writes of a recording with arguments (`uftrace record -a`):
//!
//! ```text
//! # DURATION     TID     FUNCTION
//!   12.614 us [  5004] |   fopen("words", "r") = 0x557ccb287130;
//!             [  5004] |   qsort(0x7ffe, 3, 4, &cmp) {
//!    0.241 us [  5004] |     cmp(0x7ffe, 0x7fff) = -1;
//!    2.274 us [  5004] |   } /* qsort */
//! ```
//!
//! A call with others inside it is written in two lines, which are joined.

use super::tracer::parse_call;
use super::{Bad, TraceRecord};
use std::collections::BTreeMap;

/// The calls that have not returned, by thread, innermost last.
#[derive(Default, Debug)]
pub(super) struct Nested(BTreeMap<u64, Vec<(u64, Vec<u8>)>>);

/// Calls deeper than this are the recursion of some function that no API has.
const DEEPEST: usize = 100_000;

/// The thread, and what is written behind the bar.
pub(super) fn split(line: &[u8]) -> Option<(u64, &[u8])> {
    let bar = line.iter().position(|&b| b == b'|')?;
    let (front, rest) = (&line[..bar], line[bar + 1..].trim_ascii());
    // A bar in a text comes behind the name of a call.
    if front.contains(&b'(') || front.contains(&b'"') {
        return None;
    }
    let open = front.iter().rposition(|&b| b == b'[');
    let thread = open.and_then(|open| {
        let close = front[open..].iter().position(|&b| b == b']')? + open;
        std::str::from_utf8(front[open + 1..close].trim_ascii())
            .ok()?
            .parse()
            .ok()
    });
    Some((thread.unwrap_or(0), rest))
}

/// Whether a line is one of `uftrace replay`.
pub(super) fn is_line(line: &[u8]) -> bool {
    split(line).is_some_and(|(_, rest)| {
        rest.ends_with(b";") || rest.ends_with(b"{") || rest.starts_with(b"}")
    })
}

impl Nested {
    /// Reads a line; `Ok(false)` if it is none that ends a call.
    pub(super) fn parse(&mut self, line: &[u8], record: &mut TraceRecord) -> Result<bool, Bad> {
        let (thread, rest) = split(line).ok_or("the line has no `|`")?;
        if rest.is_empty() || rest.starts_with(b"/*") {
            return Ok(false);
        }
        let open = self.0.entry(thread).or_default();
        if let Some(front) = rest.strip_suffix(b"{") {
            if open.len() >= DEEPEST {
                open.remove(0);
            }
            open.push((record.line, front.trim_ascii_end().to_vec()));
            return Ok(false);
        }
        if let Some(after) = rest.strip_prefix(b"}") {
            let (line, mut whole) = open.pop().ok_or("a call returns that never began")?;
            let comment = after.windows(2).rposition(|w| w == b"/*");
            let result = &after[..comment.unwrap_or(after.len())];
            let result = result.trim_ascii();
            whole.extend_from_slice(result.strip_suffix(b";").unwrap_or(result));
            record.line = line;
            return parse_call(&whole, record).map(|()| true);
        }
        // Behind the semicolon there may be a comment.
        let end = (rest.iter().rposition(|&b| b == b';')).ok_or("the line has no `;`")?;
        parse_call(&rest[..end], record).map(|()| true)
    }

    /// Forgets the open calls; the lines where they began.
    pub(super) fn drain(&mut self) -> Vec<u64> {
        let open = std::mem::take(&mut self.0).into_values().flatten();
        let mut lines: Vec<u64> = open.map(|(line, _)| line).collect();
        lines.sort_unstable();
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TraceFormat, tests::read_all};

    #[test]
    fn replayed_lines() {
        let text = b"# DURATION     TID     FUNCTION
            [  5004] | main() {
 136.614 us [  5004] |   fopen(\"a | b;\", \"r\") = 0x557ccb287130;
   7.371 us [  5005] |   fgets(0x7ffe, 50, 0x557ccb287130) = \"root:x\\n\";
            [  5004] |   qsort(0x7ffea1d2d0e4, 3, 4, &cmp) {
   0.241 us [  5004] |     cmp(0x7ffea1d2d0e8, 0x7ffea1d2d0ec) = -1;
   2.274 us [  5004] |   } /* qsort */
            [  5004] |   fclose(0x557ccb287130) {
            [  5004] |   } = 0; /* fclose */
   0.981 us [  5004] |   free(0x557ccb2d4f10);
 152.347 us [  5004] | } /* nothing began */
   1.000 us [  5004] | } /* nothing began */
";
        let (found, skipped) = read_all(text, TraceFormat::Auto);
        assert_eq!(
            found,
            [
                "3: fopen arg0=\"a | b;\" arg1=\"r\" return=0x557ccb287130",
                "4: fgets arg0=0x7ffe arg1=50 arg2=0x557ccb287130 return=\"root:x\\n\"",
                "6: cmp arg0=0x7ffea1d2d0e8 arg1=0x7ffea1d2d0ec return=-1",
                "5: qsort arg0=0x7ffea1d2d0e4 arg1=3 arg2=4 arg3=&cmp",
                "8: fclose arg0=0x557ccb287130 return=0",
                "10: free arg0=0x557ccb2d4f10",
                "2: main",
            ]
        );
        let lines: Vec<u64> = skipped.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [12]);
    }
}
