//! The text at an edge: its letters, in few short lines.

use crate::graph::{EdgeLetter, GroupedEdge};
use crate::layout::Size;

/// Letters are set in a monospaced face, whose width is known without measuring: all common ones
/// are at most 0.602 of their size wide.
const ADVANCE: f64 = 0.602;
pub const LETTER_SIZE: f64 = 12.0;
pub const LINE: f64 = 15.0;
const LONGEST_LINE: usize = 24;
const LONGEST_LETTER: usize = 32;
const MOST_LINES: usize = 4;

/// Width of monospaced text. Characters beyond Latin may be twice as wide.
pub fn text_width(text: &str, size: f64) -> f64 {
    columns(text) as f64 * ADVANCE * size
}

fn columns(text: &str) -> usize {
    text.chars()
        .map(|c| if (c as u32) < 0x1100 { 1 } else { 2 })
        .sum()
}

/// A letter as it stands at an edge.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelPiece {
    /// `None` is a λ-move, or the note that there are more.
    pub letter: Option<usize>,
    pub text: String,
    pub dominating: bool,
    pub heat: Option<f64>,
}

/// The letters of an edge, in lines.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeLabel {
    pub lines: Vec<Vec<LabelPiece>>,
    pub size: Size,
}

impl EdgeLabel {
    /// The label of an edge.
    pub fn new(edge: &GroupedEdge, alphabet: &[String]) -> Self {
        let pieces = edge.letters.iter().map(|letter| piece(letter, alphabet));
        let mut lines: Vec<Vec<LabelPiece>> = vec![Vec::new()];
        let mut used = 0;
        let mut left_out = 0;
        for piece in pieces {
            let width = columns(&piece.text) + 1;
            if used > 0 && used + width > LONGEST_LINE {
                if lines.len() == MOST_LINES {
                    left_out += 1;
                    continue;
                }
                lines.push(Vec::new());
                used = 0;
            }
            if left_out > 0 {
                left_out += 1;
                continue;
            }
            used += width;
            if let Some(line) = lines.last_mut() {
                line.push(piece);
            }
        }
        if left_out > 0
            && let Some(line) = lines.last_mut()
        {
            line.push(LabelPiece {
                letter: None,
                text: format!("+{left_out}"),
                dominating: false,
                heat: None,
            });
        }
        let widest = lines.iter().map(|line| line_text(line));
        let widest = widest.map(|text| text_width(&text, LETTER_SIZE));
        let size = Size {
            width: widest.fold(0.0, f64::max) + 6.0,
            height: lines.len() as f64 * LINE + 2.0,
        };
        Self { lines, size }
    }
}

/// Pieces are set apart by one space.
pub fn line_text(line: &[LabelPiece]) -> String {
    let texts: Vec<&str> = line.iter().map(|piece| piece.text.as_str()).collect();
    texts.join(" ")
}

fn piece(letter: &EdgeLetter, alphabet: &[String]) -> LabelPiece {
    let name = letter.letter.map_or("λ", |index| alphabet[index].as_str());
    let mut text = shorten(name, LONGEST_LETTER);
    if letter.dominating {
        text = format!("◆{text}");
    }
    if let Some(weight) = letter.weight {
        text = format!("{text}·{}", number(weight));
    }
    LabelPiece {
        letter: letter.letter,
        text,
        dominating: letter.dominating,
        heat: letter.heat.or(letter.weight),
    }
}

/// The beginning and the end tell long names apart better than the beginning alone.
pub fn shorten(text: &str, most: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= most {
        return text.to_owned();
    }
    let tail = most / 3;
    let head: String = characters[..most - tail - 1].iter().collect();
    let tail: String = characters[characters.len() - tail..].iter().collect();
    format!("{head}…{tail}")
}

/// Three digits are enough for a weight.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        return format!("{value}");
    }
    let digits = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(names: &[&str]) -> Vec<String> {
        let alphabet: Vec<String> = names.iter().map(|&n| n.to_owned()).collect();
        let letters = (0..names.len()).map(|index| EdgeLetter {
            letter: Some(index),
            dominating: index == 0,
            weight: None,
            heat: None,
        });
        let edge = GroupedEdge {
            from: 0,
            to: 1,
            letters: letters.collect(),
        };
        let label = EdgeLabel::new(&edge, &alphabet);
        label.lines.iter().map(|line| line_text(line)).collect()
    }

    #[test]
    fn letters_wrap_and_what_is_left_out_is_counted() {
        assert_eq!(label(&["open", "close"]), ["◆open close"]);
        let many = vec!["twelve_chars"; 9];
        assert_eq!(
            label(&many),
            [
                "◆twelve_chars",
                "twelve_chars",
                "twelve_chars",
                "twelve_chars +5"
            ]
        );
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shorten("abcdefghij", 10), "abcdefghij");
        assert_eq!(shorten("abcdefghijkl", 9), "abcde…jkl");
        assert_eq!(number(0.123_45), "0.123");
        assert_eq!(number(12.0), "12");
    }
}
