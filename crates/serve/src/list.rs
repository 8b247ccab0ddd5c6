//! The list of reports: what came out of each at a glance, with a filter and in any order.

use super::rerun::{self, Recipe};
use super::{LARGEST_FILE, Site};
use crate::live::{self, Status};
use idiolect_report::{PageSummary, escape, read_summary};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// More reports are not listed.
const MOST_REPORTS: usize = 500;
const DEEPEST: usize = 4;
/// So many questions, and so many answers of each, are shown over time.
const MOST_TRENDS: usize = 20;
const MOST_SIGNS: usize = 40;

/// What reports say, read once for each version of a file.
#[derive(Default)]
pub struct ReportSummaries(Mutex<BTreeMap<PathBuf, Read>>);

/// When a file was written, and what it said then.
type Read = (Option<SystemTime>, Option<PageSummary>);

impl ReportSummaries {
    fn of(&self, report: &ListedReport) -> Option<PageSummary> {
        let known = |map: &BTreeMap<_, Read>| {
            let (written, summary) = map.get(&report.path)?;
            (*written == report.written && written.is_some()).then(|| summary.clone())
        };
        if let Some(summary) = known(&self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return summary;
        }
        let text = report
            .is_small
            .then(|| std::fs::read_to_string(&report.path).ok());
        let summary = text.flatten().and_then(|text| read_summary(&text));
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if map.len() > 2 * MOST_REPORTS {
            map.clear();
        }
        map.insert(report.path.clone(), (report.written, summary.clone()));
        summary
    }
}

impl Site {
    /// The reports, the newest first. The page asks again by itself, so that new ones appear.
    pub(super) fn list(&self) -> String {
        let mut reports = FolderContents::below(&self.root).reports;
        reports.sort_by(|a, b| b.written.cmp(&a.written).then(a.path.cmp(&b.path)));
        let mut rows = String::new();
        for report in &reports {
            let inner = report.path.strip_prefix(&self.root).unwrap_or(&report.path);
            rows.push_str(&self.row(report, &inner.to_string_lossy()));
        }
        let head = ["report", "verdict", "guarantee", "written"].map(|name| {
            format!("<th aria-sort=\"none\"><button type=\"button\">{name}</button></th>")
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>idiolect reports</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{} in {}</h1>\n<div id=\"running\" aria-live=\"polite\">\n{}</div>\n\
             <p class=\"tools\"><label>filter <input id=\"filter\" type=\"search\" \
             placeholder=\"name, verdict or text\"></label> <span id=\"shown\" role=\"status\"></span></p>\n\
             {}<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n\
             </main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            crate::output::counted(reports.len(), "report"),
            escape(&self.root.to_string_lossy()),
            self.running(),
            self.trends(&reports),
            head.concat(),
        )
    }

    /// What came of the same question before: a sign for each report, the oldest first.
    fn trends(&self, newest_first: &[ListedReport]) -> String {
        let mut asked: Vec<(String, Vec<(&ListedReport, PageSummary)>)> = Vec::new();
        for report in newest_first {
            let Some(summary) = self.summaries.of(report) else {
                continue;
            };
            match asked.iter_mut().find(|(title, _)| *title == summary.title) {
                Some((_, all)) => all.push((report, summary)),
                None => asked.push((summary.title.clone(), vec![(report, summary)])),
            }
        }
        asked.retain(|(_, all)| all.len() > 1);
        if asked.is_empty() {
            return String::new();
        }
        let mut text = "<h2>Over time</h2>\n<ul class=\"trends\">\n".to_owned();
        for (title, all) in asked.iter().take(MOST_TRENDS) {
            let _ = write!(text, "<li>{}: ", escape(title));
            for (report, summary) in all.iter().take(MOST_SIGNS).rev() {
                let inner = report.path.strip_prefix(&self.root).unwrap_or(&report.path);
                let name = inner.to_string_lossy();
                let _ = write!(
                    text,
                    "<a rel=\"noreferrer\" class=\"{}\" href=\"/{}/{}\" title=\"{}: {}\">{}</a> ",
                    escape(class_of(summary)),
                    self.key(&name),
                    escape(&encode(&name)),
                    escape(&name),
                    escape(&summary.verdict),
                    sign(class_of(summary)),
                );
            }
            if all[0].1.verdict != all[1].1.verdict {
                let (new, old) = (escape(&all[0].1.verdict), escape(&all[1].1.verdict));
                let _ = write!(text, "<small>was {old}, is {new}</small>");
            }
            text.push_str("</li>\n");
        }
        text.push_str("</ul>\n");
        text
    }

    fn row(&self, report: &ListedReport, name: &str) -> String {
        let summary = self.summaries.of(report);
        let title = summary.as_ref().map_or(name, |s| s.title.as_str());
        let (class, verdict, guarantee, again) = match &summary {
            Some(s) => (
                class_of(s),
                s.verdict.as_str(),
                s.guarantee.as_str(),
                form(name, &s.command),
            ),
            None => ("other", "not a report of idiolect", "", String::new()),
        };
        let seconds = report
            .written
            .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        let seconds = seconds.map_or(0, |at| at.as_secs());
        let sign = match sign(class) {
            "·" => String::new(),
            sign => format!("{sign} "),
        };
        let assumed = match summary.as_ref().map_or(0, |s| s.assumptions) {
            0 => String::new(),
            n => format!(
                " <small>({})</small>",
                crate::output::counted(n, "assumption")
            ),
        };
        // The page that is opened does not learn the address of the list.
        format!(
            "<tr><td><a rel=\"noreferrer\" href=\"/{}/{}\">{}</a><br><small>{}</small></td>\
             <td><span class=\"verdict {}\">{sign}{}</span></td><td>{}{assumed}{again}</td>\
             <td data-time=\"{seconds}\"><time>{seconds}</time></td></tr>\n",
            self.key(name),
            escape(&encode(name)),
            escape(title),
            escape(name),
            escape(class),
            escape(&verdict.replace('-', " ")),
            quoted_as_code(guarantee),
        )
    }
}

/// Messages have names of the program between backticks.
fn quoted_as_code(text: &str) -> String {
    let escaped = escape(text);
    let parts = escaped.split('`').enumerate();
    parts
        .map(|(index, part)| match index % 2 {
            1 => format!("<code>{part}</code>"),
            _ => part.to_owned(),
        })
        .collect()
}

/// A repair is a finding, and no bad news.
fn class_of(summary: &PageSummary) -> &str {
    match summary.verdict.as_str() {
        "repaired" => "mended",
        _ => &summary.class,
    }
}

/// Not by colour alone.
fn sign(class: &str) -> &'static str {
    match class {
        "mended" => "✎",
        "finding" => "✖",
        "promise" => "✔",
        "bet" => "≈",
        "nothing" => "?",
        _ => "·",
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --soft: #5a6276; --good: #146c34; --bad: #b01f19; --open: #7d5200; }
@media (prefers-color-scheme: dark) { :root { --soft: #a0a8bc; --good: #6fd494; --bad: #ff8d85; --open: #edbd69; } }
body { background: Canvas; color: CanvasText; font: 14px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 20px auto; padding: 0 16px; }
h1 { font-size: 1.1rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 14px 0 2px; } .trends { margin: 0 0 14px; padding-left: 1.2em; overflow-wrap: anywhere; }
.trends a { font-weight: 600; text-decoration: none; padding: 0 2px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--line); padding: 6px 14px 6px 0; vertical-align: top; }
th { text-align: left; }
th button { font: inherit; font-weight: 600; border: 0; background: none; padding: 2px 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: ' ▲'; } th[aria-sort=descending] button::after { content: ' ▼'; }
time { white-space: nowrap; color: var(--soft); }
.verdict { font-weight: 600; white-space: nowrap; border-left: 4px solid var(--soft); padding-left: 8px; }
.finding { color: var(--bad); border-color: var(--bad); } .promise { color: var(--good); border-color: var(--good); }
.bet { color: var(--open); border-color: var(--open); } .other, .nothing { color: var(--soft); }
.other { font-weight: 400; white-space: normal; }
small { color: var(--soft); overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
.run { border-left: 4px solid #37b; padding-left: 10px; }
summary { cursor: pointer; }
form { display: flex; flex-wrap: wrap; gap: 8px 14px; padding: 8px 0; align-items: end; }
form label { display: grid; font-size: 12px; }
input { font: inherit; width: 9em; } #filter { width: 20em; max-width: 60vw; }
@media (max-width: 700px) { table, tbody, tr, td { display: block; } thead { display: none; } td { border: 0; padding: 1px 0; }
  tr { border-top: 1px solid var(--line); padding: 6px 0; } }
";

/// Looks at what is running; when reports have come or gone and nobody is filling in a form, the
/// whole list is asked for again.
const SCRIPT: &str = "\
const place = document.getElementById('running');
const mark = () => document.getElementById('mark')?.textContent;
const first = mark();
for (const time of document.querySelectorAll('time')) {
  time.textContent = new Date(1000 * time.textContent).toLocaleString();
}
const filter = document.getElementById('filter');
const rows = [...document.querySelectorAll('tbody tr')];
const narrow = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let n = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    n += row.hidden ? 0 : 1;
  }
  document.getElementById('shown').textContent = words.length ? `${n} of ${rows.length}` : '';
  history.replaceState(null, '', '#' + encodeURIComponent(filter.value));
};
try { filter.value = decodeURIComponent(location.hash.slice(1)); } catch { filter.value = ''; }
filter.addEventListener('input', narrow);
narrow();
const heads = [...document.querySelectorAll('th')];
heads.forEach((head, column) => head.firstChild.addEventListener('click', () => {
  const up = head.getAttribute('aria-sort') !== 'ascending';
  for (const other of heads) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const value = (row) => { const cell = row.cells[column]; return cell.dataset.time ? Number(cell.dataset.time) : cell.textContent; };
  const order = (a, b) => typeof a === 'number' ? a - b : a.localeCompare(b);
  rows.sort((a, b) => (up ? 1 : -1) * order(value(a), value(b)));
  rows[0]?.parentNode.append(...rows);
}));
setInterval(async () => {
  try {
    const answer = await fetch('running');
    if (!answer.ok) return;
    place.innerHTML = await answer.text();
  } catch { return; }
  if (mark() !== first && !document.querySelector('details[open]')) location.reload();
}, 1000);
";

/// The options of a report that can be changed.
fn form(name: &str, command: &str) -> String {
    let Ok(recipe) = Recipe::read(command) else {
        return String::new();
    };
    let fields = rerun::fields(&recipe.command).iter().map(|option| {
        format!(
            "<label>{}<input name=\"{option}\" value=\"{}\"></label>",
            option.trim_start_matches('-'),
            escape(recipe.value(option))
        )
    });
    format!(
        "<details><summary>again, with other options</summary>\
         <form method=\"post\" action=\"again\"><input type=\"hidden\" name=\"report\" value=\"{}\">\
         {}<button>run</button></form><small>{}</small></details>",
        escape(name),
        fields.collect::<String>(),
        escape(command)
    )
}

/// A report below the folder.
pub struct ListedReport {
    path: PathBuf,
    pub written: Option<std::time::SystemTime>,
    is_small: bool,
}

/// What there is below a folder.
#[derive(Default)]
pub struct FolderContents {
    pub reports: Vec<ListedReport>,
    pub running: Vec<Status>,
}

impl FolderContents {
    /// Everything below a folder.
    pub fn below(root: &Path) -> Self {
        let mut found = Self::default();
        collect(root, DEEPEST, &mut found);
        found
    }
}

fn collect(folder: &Path, depth: usize, found: &mut FolderContents) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        // The type of the entry itself: links are not followed.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if is_hidden && kind.is_file() && found.running.len() < MOST_REPORTS {
            found.running.extend(live::read(&path));
        }
        if is_hidden || found.reports.len() >= MOST_REPORTS {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            collect(&path, depth - 1, found);
        }
        let is_page = path.extension().is_some_and(|e| e == "html");
        if kind.is_file() && is_page {
            let data = entry.metadata().ok();
            found.reports.push(ListedReport {
                is_small: data.as_ref().is_some_and(|d| d.len() <= LARGEST_FILE),
                written: data.and_then(|d| d.modified().ok()),
                path,
            });
        }
    }
}

fn encode(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
