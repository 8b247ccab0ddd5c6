//! Source texts and places in them.
//!
//! A [`Source`] is the text that the parser saw, which for C is usually the output of the
//! preprocessor. Its line table says from which line of which original file each line came, and
//! [`SourceMap::place`] answers in terms of those, because they are what a user can open. A text that
//! is a file itself may name originals that are not there: then the place is in the text.

use crate::index_type;
use std::fmt;

index_type!(
    /// One text in a [`SourceMap`].
    SourceId
);

/// A range of bytes of one source text. The empty span at 0 of source 0 stands for "nowhere".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The place of things that no source text shows.
    pub const NOWHERE: Span = Span {
        source: SourceId(0),
        start: 0,
        end: 0,
    };

    /// The bytes of a source from `start` up to `end`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span {
            source,
            start: start as u32,
            end: end as u32,
        }
    }

    /// From the start of this span to the end of `last`, if both are of one text.
    #[must_use]
    pub fn to(self, last: Span) -> Span {
        if self.source != last.source || last == Span::NOWHERE {
            return self;
        }
        Span {
            source: self.source,
            start: self.start,
            end: last.end.max(self.start),
        }
    }

    /// Whether it belongs to no source.
    pub fn is_nowhere(self) -> bool {
        self == Span::NOWHERE
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

/// A place as a user names it: original file, line and column, both from 1.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// From this line of the text on, lines count from `line` of original file number `file`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Marker {
    text_line: u32,
    file: u32,
    line: u32,
    system_header: bool,
}

impl Marker {
    /// Compilers write `# 0 "<built-in>"`, but no line has the number 0.
    fn original_line(self, text_line: usize) -> u32 {
        let after = text_line as u32 - self.text_line;
        self.line.saturating_add(after).max(1)
    }
}

/// One text that was parsed.
#[derive(Clone, Debug)]
pub struct Source {
    text: String,
    /// Byte offset of the start of each line.
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
    /// The file that has just this text, if there is one, by its number.
    file: Option<u32>,
}

impl Source {
    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of the text (from 0) that holds this byte.
    fn text_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&s| s <= offset).max(1) - 1
    }

    fn line_text(&self, text_line: usize) -> &str {
        let start = self.line_starts[text_line] as usize;
        let end = self
            .line_starts
            .get(text_line + 1)
            .map_or(self.text.len(), |&e| e as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// An original file: its name, and its lines if it could be read.
#[derive(Clone, Debug)]
struct Original {
    name: String,
    lines: Option<Vec<String>>,
}

/// All texts of one program and where their lines came from.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
    originals: Vec<Original>,
}

impl SourceMap {
    /// No sources yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text. Lines of the form `# 12 "file.c" 1 3` are the preprocessor's line markers
    /// (`#line 12 "file.c"` too); `name` is the file of everything before the first one.
    pub fn add(&mut self, name: &str, text: String) -> SourceId {
        let id = SourceId::new(self.sources.len());
        let mut line_starts = vec![0u32];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        let mut markers = vec![Marker {
            text_line: 0,
            file: self.original(name),
            line: 1,
            system_header: false,
        }];
        for (i, line) in text.split('\n').enumerate() {
            if let Some((number, file, system_header)) = parse_line_marker(line) {
                let file = match file {
                    Some(name) => self.original(&name),
                    None => markers.last().map_or(0, |m| m.file),
                };
                markers.push(Marker {
                    text_line: i as u32 + 1,
                    file,
                    line: number,
                    system_header,
                });
            }
        }
        self.sources.push(Source {
            text,
            line_starts,
            markers,
            file: None,
        });
        id
    }

    /// The same for a file that was preprocessed by somebody else. Where its markers name files that
    /// cannot be read, places are its own lines.
    pub fn add_file(&mut self, name: &str, text: String) -> SourceId {
        let id = self.add(name, text);
        let file = self.original(name);
        self.sources[id.index()].file = Some(file);
        id
    }

    /// All texts of another map beside these; how far their numbers are moved.
    pub fn append(&mut self, other: &SourceMap) -> usize {
        let moved = self.sources.len();
        let mut files = Vec::with_capacity(other.originals.len());
        for original in &other.originals {
            let id = self.original(&original.name);
            if self.originals[id as usize].lines.is_none() {
                self.originals[id as usize]
                    .lines
                    .clone_from(&original.lines);
            }
            files.push(id);
        }
        for source in &other.sources {
            let mut own = source.clone();
            for marker in &mut own.markers {
                marker.file = files[marker.file as usize];
            }
            own.file = own.file.map(|file| files[file as usize]);
            self.sources.push(own);
        }
        moved
    }

    /// Gives the lines of an original file, so that snippets and statements show what the user
    /// wrote and not what the preprocessor made of it.
    pub fn set_original(&mut self, name: &str, text: &str) {
        let id = self.original(name) as usize;
        self.originals[id].lines = Some(text.lines().map(str::to_owned).collect());
    }

    /// The names of all original files, in the order in which they were first mentioned.
    pub fn original_names(&self) -> impl Iterator<Item = &str> {
        self.originals.iter().map(|o| o.name.as_str())
    }

    /// The text of an original file, if it was given or was itself what the parser saw.
    pub fn original_text(&self, name: &str) -> Option<String> {
        let index = self.originals.iter().position(|o| o.name == name)?;
        if let Some(lines) = &self.originals[index].lines {
            return Some(lines.join("\n"));
        }
        // A file is its own original, and so is a text without markers.
        let is_own = |s: &&Source| match s.file {
            Some(file) => file as usize == index,
            None => s.markers.len() == 1 && s.markers[0].file as usize == index,
        };
        self.sources.iter().find(is_own).map(|s| s.text.clone())
    }

    /// The source with this number.
    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.index()]
    }

    /// The bytes of a span, as the parser saw them.
    pub fn slice(&self, span: Span) -> &str {
        self.sources
            .get(span.source.index())
            .and_then(|s| s.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// Where a span starts, for a user. `None` if it is nowhere.
    pub fn place(&self, span: Span) -> Option<Place> {
        if span.is_nowhere() {
            return None;
        }
        let source = self.sources.get(span.source.index())?;
        let text_line = source.text_line(span.start);
        let marker = source.marker(text_line);
        let column_in_text = span.start - source.line_starts[text_line] + 1;
        let original = &self.originals[marker.file as usize];
        if let Some(file) = source.file
            && original.lines.is_none()
        {
            return Some(Place {
                file: self.originals[file as usize].name.clone(),
                line: text_line as u32 + 1,
                column: column_in_text,
            });
        }
        let line = marker.original_line(text_line);
        Some(Place {
            file: original.name.clone(),
            line,
            column: self.original_column(original, line, source, span, column_in_text),
        })
    }

    /// The line of the original file that a place is on, if that file could be read; else the
    /// line as the parser saw it.
    pub fn line_text(&self, span: Span) -> Option<&str> {
        if span.is_nowhere() {
            return None;
        }
        let source = self.sources.get(span.source.index())?;
        let text_line = source.text_line(span.start);
        let marker = source.marker(text_line);
        let line = marker.original_line(text_line);
        let original = self.originals[marker.file as usize]
            .lines
            .as_ref()
            .and_then(|lines| lines.get(line as usize - 1));
        Some(original.map_or_else(|| source.line_text(text_line), String::as_str))
    }

    /// A statement as the user wrote it: its own text if it is on one line of the original file,
    /// else that line. Macros stay unexpanded.
    pub fn statement_text(&self, span: Span) -> String {
        let slice = self.slice(span).trim();
        let line = self.line_text(span).unwrap_or("").trim();
        if !slice.is_empty() && line.contains(slice) {
            slice.to_owned()
        } else if line.is_empty() {
            slice.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            line.to_owned()
        }
    }

    /// Whether the span is in a header that the preprocessor calls a system header.
    pub fn in_system_header(&self, span: Span) -> bool {
        !span.is_nowhere()
            && self
                .sources
                .get(span.source.index())
                .is_some_and(|s| s.marker(s.text_line(span.start)).system_header)
    }

    /// Macro expansion moves columns: if the original line does not have the token at the column
    /// of the expanded line, look for it, and fall back on the start of the line.
    fn original_column(
        &self,
        original: &Original,
        line: u32,
        source: &Source,
        span: Span,
        column: u32,
    ) -> u32 {
        let Some(lines) = &original.lines else {
            return column;
        };
        let Some(text) = lines.get((line as usize).wrapping_sub(1)) else {
            return column;
        };
        let token: String = source.text[span.start as usize..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let at = column as usize - 1;
        if text
            .get(at..)
            .is_some_and(|rest| !token.is_empty() && rest.starts_with(&token))
        {
            return column;
        }
        let found = if token.is_empty() {
            None
        } else {
            text.find(&token)
        };
        match found {
            Some(i) => i as u32 + 1,
            None if at <= text.len() && token.is_empty() => column,
            None => (text.len() - text.trim_start().len()) as u32 + 1,
        }
    }

    fn original(&mut self, name: &str) -> u32 {
        let known = self.originals.iter().position(|o| o.name == name);
        known.unwrap_or_else(|| {
            self.originals.push(Original {
                name: name.to_owned(),
                lines: None,
            });
            self.originals.len() - 1
        }) as u32
    }
}

impl Source {
    fn marker(&self, text_line: usize) -> Marker {
        let after = self
            .markers
            .partition_point(|m| m.text_line as usize <= text_line);
        self.markers[after.max(1) - 1]
    }
}

/// Reads `# 12 "file.c" 1 3` or `#line 12 "file.c"`: line number, file, whether flag 3 is set.
pub fn parse_line_marker(line: &str) -> Option<(u32, Option<String>, bool)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    if rest[digits..].starts_with(|c: char| !c.is_whitespace() && c != '"') {
        return None;
    }
    let rest = rest[digits..].trim();
    let Some(quoted) = rest.strip_prefix('"') else {
        return Some((number, None, false));
    };
    let mut name = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => name.extend(chars.next()),
            c => name.push(c),
        }
    }
    let system_header = chars.as_str().split_whitespace().any(|flag| flag == "3");
    Some((number, Some(name), system_header))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place_of(map: &SourceMap, id: SourceId, needle: &str) -> String {
        let at = map.source(id).text().find(needle).unwrap();
        map.place(Span::new(id, at, at + needle.len()))
            .unwrap()
            .to_string()
    }

    #[test]
    fn line_markers_lead_back_to_the_original_file() {
        let mut map = SourceMap::new();
        let id = map.add(
            "main.c",
            "int a;\n# 40 \"lib \\\"x\\\".h\" 1 3\nint b;\nint c;\n# 2 \"main.c\" 2\nint d;\n"
                .into(),
        );
        assert_eq!(place_of(&map, id, "a;"), "main.c:1:5");
        assert_eq!(place_of(&map, id, "c;"), "lib \"x\".h:41:5");
        assert_eq!(place_of(&map, id, "d;"), "main.c:2:5");
        let b = map.source(id).text().find("b;").unwrap();
        assert!(map.in_system_header(Span::new(id, b, b + 1)));
    }

    #[test]
    fn a_file_stands_for_originals_that_are_not_there() {
        let text = "# 1 \"gone.c\"\nint a;\n# 7 \"here.c\"\nint b;\n";
        let mut map = SourceMap::new();
        let id = map.add_file("x.i", text.into());
        map.set_original("here.c", "\n\n\n\n\n\nint b;\n");
        assert_eq!(place_of(&map, id, "a;"), "x.i:2:5");
        assert_eq!(place_of(&map, id, "b;"), "here.c:7:5");
        assert_eq!(map.original_text("x.i").as_deref(), Some(text));
        let at = text.find("a;").unwrap();
        assert_eq!(map.line_text(Span::new(id, at, at + 1)), Some("int a;"));
        // What a preprocessor made of a file has no lines that anybody could look up.
        let id = map.add("y.c", text.into());
        assert_eq!(place_of(&map, id, "a;"), "gone.c:1:5");
    }

    #[test]
    fn odd_markers_give_lines_all_the_same() {
        let mut map = SourceMap::new();
        let text = "# 0 \"a.c\"\nint a;\n# 4294967295\nint b;\nint c;\n# 7x\nint d;\n";
        let id = map.add("a.c", text.into());
        map.set_original("a.c", "int a;\n");
        assert_eq!(place_of(&map, id, "a;"), "a.c:1:5");
        assert_eq!(place_of(&map, id, "c;"), "a.c:4294967295:5");
        assert_eq!(place_of(&map, id, "d;"), "a.c:4294967295:5");
        let at = text.find("a;").unwrap();
        assert_eq!(map.line_text(Span::new(id, at, at + 1)), Some("int a;"));
    }

    #[test]
    fn columns_follow_the_original_line_when_a_macro_moved_them() {
        let mut map = SourceMap::new();
        let id = map.add("m.c", "  ((void)(0)); y = 1;\n".into());
        map.set_original("m.c", "  NOTHING; y = 1;\n");
        assert_eq!(place_of(&map, id, "y"), "m.c:1:12");
        let span = Span::new(id, 2, 3);
        assert_eq!(map.line_text(span), Some("  NOTHING; y = 1;"));
    }

    #[test]
    fn nowhere_has_no_place() {
        let map = SourceMap::new();
        assert_eq!(map.place(Span::NOWHERE), None);
        assert_eq!(map.slice(Span::NOWHERE), "");
    }
}
