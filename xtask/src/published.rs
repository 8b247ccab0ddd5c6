//! What the papers print in their tables (`xtask/published/`), to stand beside ours. Their programs and
//! machines are others, so times are no comparison; counts and shares are.

use std::fmt::Write as _;
use std::io;

/// A table: the names of its columns, and its rows.
#[derive(Default)]
pub struct Published {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Published {
    /// The table of this name.
    pub fn read(name: &str) -> io::Result<Self> {
        let path = crate::root().join("xtask/published").join(name);
        let text = std::fs::read_to_string(path.with_extension("csv"))?;
        let mut lines = text
            .lines()
            .map(|line| line.split(',').map(str::to_owned).collect());
        let columns: Vec<String> = lines.next().unwrap_or_default();
        let rows: Vec<Vec<String>> = lines.collect();
        if rows.iter().all(|row| row.len() == columns.len()) {
            Ok(Self { columns, rows })
        } else {
            Err(io::Error::other(format!(
                "{name}: rows of different length"
            )))
        }
    }

    /// What it says of the program in this column, to stand behind our own figure.
    pub fn beside(&self, program: &str, column: &str) -> String {
        let cell = (self.rows.iter().find(|row| row[0] == program))
            .zip(self.columns.iter().position(|c| c == column));
        cell.map_or_else(String::new, |(row, i)| format!(" [{}]", row[i]))
    }

    /// All of it, under a title.
    pub fn text(&self, title: &str) -> String {
        let all = || std::iter::once(&self.columns).chain(&self.rows);
        let width = |i: usize| all().map(|row| row[i].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = format!("{title}\n");
        for row in all() {
            for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let _ = match i {
                    0 => write!(text, "{cell:<width$}"),
                    _ => write!(text, "  {cell:>width$}"),
                };
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_can_be_read() {
        let folder = crate::root().join("xtask/published");
        let mut n_tables = 0;
        for entry in std::fs::read_dir(folder).expect("it is part of the repository") {
            let path = entry.expect("readable").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let table = Published::read(&name).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(!table.rows.is_empty(), "{name}");
            n_tables += 1;
        }
        assert!(n_tables >= 8, "{n_tables}");
    }

    #[test]
    fn columns_stand_under_each_other() {
        let table = Published {
            columns: vec!["program".into(), "n".into()],
            rows: vec![vec!["é".into(), "10".into()]],
        };
        assert_eq!(table.text("Title"), "Title\nprogram   n\né        10\n");
        assert_eq!(table.beside("é", "n"), " [10]");
        assert_eq!(table.beside("e", "n"), "");
    }
}
