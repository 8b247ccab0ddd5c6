//! What other people's programs may name in the crates that are published, a line for each promise.
//!
//! `crates/NAME/surface.txt` has these lines, and a test compares them with the source. A line that is there at one revision
//! and not at a later one is a promise that was broken: somebody may have to change their program. Then semantic
//! versioning asks for another version (`cargo xtask publish --since REVISION`, and a test, since the last release).
//!
//! The source alone is read, so nothing has to be built. What macros make is not seen, and `pub` items of private
//! modules count although nobody may reach them: `cargo-semver-checks` knows better, where it is installed.

use crate::root;
use quote::ToTokens;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::{Attribute, Field, Fields, ImplItem, Item, TraitItem, Type, Visibility};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Where the lines of a crate are.
pub fn file(package: &str) -> PathBuf {
    folder(package).join("surface.txt")
}

fn folder(package: &str) -> PathBuf {
    let name = package.strip_prefix("idiolect-").unwrap_or(package);
    root().join("crates").join(name)
}

/// The lines of a crate as its source is now, after one with its version.
pub fn now(package: &str) -> Outcome<String> {
    let mut surface = Surface::default();
    let mut items = Vec::new();
    let source = folder(package).join("src");
    read(&source.join("lib.rs"), &source, "", &mut items)?;
    for (_, item) in &items {
        surface.note_type(item);
    }
    for (path, item) in &items {
        surface.add(path, item);
    }
    let lines: Vec<String> = surface.lines.into_iter().collect();
    Ok(format!("version {}\n{}\n", version()?, lines.join("\n")))
}

/// The version that all crates have.
fn version() -> Outcome<String> {
    let text = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let table: toml::Table = toml::from_str(&text)?;
    let version = table["workspace"]["package"]["version"].as_str();
    Ok(version.ok_or("the workspace has no version")?.to_owned())
}

/// The lines of a crate at a revision; `None` if it had none then.
pub fn at(package: &str, revision: &str) -> Option<String> {
    let path = file(package).strip_prefix(root()).ok()?.to_owned();
    let output = Command::new("git")
        .args(["show", &format!("{revision}:{}", path.display())])
        .current_dir(root())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// The last release, if there is one.
pub fn last_release() -> Option<String> {
    let output = Command::new("git")
        .args(["describe", "--tags", "--abbrev=0", "--match", "v*"])
        .current_dir(root())
        .output()
        .ok()?;
    let tag = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !tag.is_empty()).then_some(tag)
}

/// The promises of `old` that `new` does not keep although its version says that it does.
pub fn broken(old: &str, new: &str) -> Vec<String> {
    let split = |text: &str| -> (Vec<u64>, BTreeSet<String>) {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let version = first.trim_start_matches("version ").split('.');
        let version = version.map(|part| part.parse().unwrap_or(0)).collect();
        (version, lines.map(str::to_owned).collect())
    };
    let ((old_version, old), (new_version, new)) = (split(old), split(new));
    // The first number that is not 0 may change what it likes.
    let compatible = |version: &[u64]| {
        let upto = version.iter().position(|n| *n != 0).unwrap_or(0);
        version.iter().take(upto + 1).copied().collect::<Vec<_>>()
    };
    if compatible(&old_version) != compatible(&new_version) {
        return Vec::new();
    }
    old.difference(&new).cloned().collect()
}

/// Every item of a file and of the modules in it, with the public modules that lead there.
fn read(file: &Path, modules: &Path, path: &str, items: &mut Vec<(String, Item)>) -> Outcome<()> {
    let text = std::fs::read_to_string(file)?;
    let parsed = syn::parse_file(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    walk(parsed.items, modules, path, items)
}

fn walk(
    from: Vec<Item>,
    modules: &Path,
    path: &str,
    items: &mut Vec<(String, Item)>,
) -> Outcome<()> {
    for item in from {
        let Item::Mod(module) = item else {
            items.push((path.to_owned(), item));
            continue;
        };
        if is_hidden(&module.attrs) {
            continue;
        }
        let name = module.ident.to_string();
        let inner = match &module.vis {
            Visibility::Public(_) => format!("{path}{name}::"),
            _ => path.to_owned(),
        };
        let below = modules.join(&name);
        if let Some((_, content)) = module.content {
            walk(content, &below, &inner, items)?;
            continue;
        }
        let flat = modules.join(format!("{name}.rs"));
        let file = if flat.exists() {
            flat
        } else {
            below.join("mod.rs")
        };
        read(&file, &below, &inner, items)?;
    }
    Ok(())
}

/// Tests, and what is not for others.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        text.contains("cfg (test)") || text.contains("doc (hidden)")
    })
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

#[derive(Default)]
struct Surface {
    /// Names of public types and traits.
    types: BTreeSet<String>,
    lines: BTreeSet<String>,
}

/// As text, with single spaces.
fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

fn list<T: ToTokens>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| text(&item)).collect();
    items.join(", ")
}

impl Surface {
    fn line(&mut self, line: String) {
        self.lines.insert(line);
    }

    fn note_type(&mut self, item: &Item) {
        let (visibility, name) = match item {
            Item::Struct(one) => (&one.vis, &one.ident),
            Item::Enum(one) => (&one.vis, &one.ident),
            Item::Trait(one) => (&one.vis, &one.ident),
            Item::Type(one) => (&one.vis, &one.ident),
            _ => return,
        };
        if is_public(visibility) {
            self.types.insert(name.to_string());
        }
    }

    fn add(&mut self, path: &str, item: &Item) {
        match item {
            Item::Struct(one) if is_public(&one.vis) => {
                let fields = fields(&one.fields);
                let (name, generics) = (&one.ident, text(&one.generics));
                self.line(format!("struct {path}{name} {generics} {fields}"));
                self.add_derives(name, &one.attrs);
            }
            Item::Enum(one) if is_public(&one.vis) => {
                let name = &one.ident;
                let is_open = one
                    .attrs
                    .iter()
                    .any(|a| a.path().is_ident("non_exhaustive"));
                let variants = one.variants.iter().map(|variant| {
                    let mut variant = variant.clone();
                    variant.attrs.clear();
                    variant
                        .fields
                        .iter_mut()
                        .for_each(|field| field.attrs.clear());
                    text(&variant)
                });
                if is_open {
                    self.line(format!("enum {path}{name} {} ..", text(&one.generics)));
                    for variant in variants {
                        self.line(format!("variant {name}::{variant}"));
                    }
                } else {
                    // A new variant breaks programs that list all.
                    let variants: Vec<String> = variants.collect();
                    let (generics, all) = (text(&one.generics), variants.join(", "));
                    self.line(format!("enum {path}{name} {generics} {{ {all} }}"));
                }
                self.add_derives(name, &one.attrs);
            }
            Item::Trait(one) if is_public(&one.vis) => self.add_trait(path, one),
            Item::Fn(one) if is_public(&one.vis) => self.line(format!("{path}{}", text(&one.sig))),
            Item::Const(one) if is_public(&one.vis) => {
                self.line(format!("const {path}{}: {}", one.ident, text(&one.ty)));
            }
            Item::Type(one) if is_public(&one.vis) => {
                let (name, generics) = (&one.ident, text(&one.generics));
                self.line(format!("type {path}{name} {generics} = {}", text(&one.ty)));
            }
            Item::Use(one) if is_public(&one.vis) => self.add_names(path, "", &one.tree),
            Item::Macro(one) if one.attrs.iter().any(|a| a.path().is_ident("macro_export")) => {
                let name = one.ident.as_ref().map(ToString::to_string);
                self.line(format!("macro {}", name.unwrap_or_default()));
            }
            Item::Impl(one) => self.add_impl(one),
            _ => {}
        }
    }

    fn add_derives(&mut self, name: &syn::Ident, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
            let _ = attribute.parse_nested_meta(|derived| {
                self.line(format!("derive {} for {name}", text(&derived.path)));
                Ok(())
            });
        }
    }

    /// What has to be implemented is one promise; what is provided may become more.
    fn add_trait(&mut self, path: &str, one: &syn::ItemTrait) {
        let name = &one.ident;
        let mut required = Vec::new();
        for item in &one.items {
            match item {
                TraitItem::Fn(own) if own.default.is_some() => {
                    self.line(format!("provided {name}::{}", text(&own.sig)));
                }
                TraitItem::Fn(own) => required.push(text(&own.sig)),
                TraitItem::Type(own) => {
                    required.push(format!("type {}: {}", own.ident, list(&own.bounds)));
                }
                other => required.push(text(other)),
            }
        }
        let (generics, above) = (text(&one.generics), list(&one.supertraits));
        let required = required.join("; ");
        self.line(format!(
            "trait {path}{name} {generics}: {above} {{ {required} }}"
        ));
    }

    fn add_impl(&mut self, one: &syn::ItemImpl) {
        let Type::Path(of) = &*one.self_ty else {
            return;
        };
        let last = of.path.segments.last();
        if is_hidden(&one.attrs) || !last.is_some_and(|s| self.types.contains(&s.ident.to_string()))
        {
            return;
        }
        let (generics, of) = (text(&one.generics), text(of));
        let limits = text(&one.generics.where_clause);
        if let Some((_, of_trait, _)) = &one.trait_ {
            let of_trait = text(of_trait);
            self.line(format!("impl {generics} {of_trait} for {of} {limits}"));
            return;
        }
        for item in &one.items {
            match item {
                ImplItem::Fn(own) if is_public(&own.vis) && !is_hidden(&own.attrs) => {
                    let signature = text(&own.sig);
                    self.line(format!("{generics} {of}::{signature} {limits}"));
                }
                ImplItem::Const(own) if is_public(&own.vis) => {
                    self.line(format!("{of}::const {}: {}", own.ident, text(&own.ty)));
                }
                _ => {}
            }
        }
    }

    /// Where a name is found does not depend on the private module that it comes from.
    fn add_names(&mut self, path: &str, from: &str, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(next) => {
                let from = format!("{from}{}::", next.ident);
                self.add_names(path, &from, &next.tree);
            }
            syn::UseTree::Group(group) => {
                for next in &group.items {
                    self.add_names(path, from, next);
                }
            }
            syn::UseTree::Name(name) => self.line(format!("use {path}{}", name.ident)),
            syn::UseTree::Rename(name) => self.line(format!("use {path}{}", name.rename)),
            syn::UseTree::Glob(_) => self.line(format!("use {path}{from}*")),
        }
    }
}

/// Public fields; `..` stands for those that others cannot name.
fn fields(fields: &Fields) -> String {
    let shown = |(at, field): (usize, &Field)| {
        let name = field
            .ident
            .as_ref()
            .map_or(at.to_string(), ToString::to_string);
        is_public(&field.vis).then(|| format!("{name}: {}", text(&field.ty)))
    };
    let public: Vec<String> = fields.iter().enumerate().filter_map(shown).collect();
    let hidden = if public.len() < fields.len() {
        " .."
    } else {
        ""
    };
    format!("{{ {}{hidden} }}", public.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{at, broken, file, last_release, now};
    use crate::publish::CRATES;

    #[test]
    fn surfaces_are_written_down() {
        for package in CRATES {
            let (now, written) = (
                now(package).expect("it parses"),
                std::fs::read_to_string(file(package)).unwrap_or_default(),
            );
            assert!(
                now == written,
                "`{package}` has another surface: see what changed with `cargo xtask publish --write-surface` and git"
            );
        }
    }

    #[test]
    fn promises_of_the_last_release_are_kept() {
        let Some(release) = last_release() else {
            return;
        };
        for package in CRATES {
            let old = at(package, &release).unwrap_or_default();
            let broken = broken(&old, &now(package).expect("it parses"));
            assert!(broken.is_empty(), "{package} since {release}: {broken:#?}");
        }
    }

    #[test]
    fn a_line_that_is_gone_needs_another_version() {
        let old = "version 0.1.3\nfn a ()\nfn b ()\n";
        assert!(broken(old, "version 0.1.4\nfn a ()\nfn b ()\nfn c ()\n").is_empty());
        assert_eq!(broken(old, "version 0.1.4\nfn a ()\n"), ["fn b ()"]);
        assert!(broken(old, "version 0.2.0\nfn a ()\n").is_empty());
        assert_eq!(
            broken("version 1.2.0\nfn b ()\n", "version 1.3.0\n"),
            ["fn b ()"]
        );
        assert!(broken("version 1.2.0\nfn b ()\n", "version 2.0.0\n").is_empty());
    }
}
