//! API files: which calls there are, which of their attributes define objects and which use them.
//!
//! ```toml
//! seeds = ["accept(so, return)"]
//! include = ["<sys/socket.h>"]
//! null = ["-1"]                          # values that name no object
//! [calls.accept]
//! declare = "int accept(int so, struct sockaddr *addr, socklen_t *addr_len)"
//! extra = { port = "ntohs(((struct sockaddr_in *)addr)->sin_port)" }
//! defines = ["return"]
//! uses = ["so"]
//! ```
//!
//! `declare` names the arguments of calls that a tracer wrote by position, and is what a recorder
//! compiles, together with `include` and `extra`. With `callback_of = ["XtAddEventHandler(handler,
//! closure)"]` the declared function is one of the program's, which the API calls. With `order =
//! "return"` a recorded call stands where it returned, such as `lock`, which may wait. A definer
//! changes the state of its object, a user depends on it; an attribute may do both. With `ends =
//! ["fd"]` there is no such object after the call, and long after it nothing is remembered of it.
//!
//! Objects have kinds, and live from the call that makes them (one that defines them and uses nothing
//! of them) to the one that ends them:
//!
//! ```toml
//! [kinds.descriptor]
//! null = ["-1"]                          # instead of the file's own `null`
//! validated = true                       # a call on a descriptor that is not there fails
//! [calls.accept4]
//! declare = "int accept4(int so, struct sockaddr *addr, socklen_t *addr_len, int flags)"
//! like = "accept"                        # the same event by another name
//! success = "return >= 0"                # otherwise nothing was made
//! kinds = { so = "descriptor", return = "descriptor" }
//! ```
//!
//! `hands_over = ["fd"]` says that another object owns it now, as `fdopen` does; `stays = ["to <= 2"]`, that what the
//! call makes may be there at the end of the run if its number is one of these (any without a comparison), as what `dup2`
//! puts in the place of standard output; `each = "by"` of a
//! kind, that an object has one life for each value of that attribute, as a mutex has for each thread.

pub use crate::condition::{NumberComparison, Stay, Success};
use crate::declaration;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use toml::Spanned;

/// What an API file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Api {
    pub seeds: Vec<Seed>,
    pub include: Vec<String>,
    /// Values that name no object, such as the `-1` of a failed call.
    pub null: Vec<String>,
    /// By name.
    pub kinds: Vec<Kind>,
    /// By name.
    pub calls: Vec<Call>,
    /// Whose calls `trace` records unless it is told otherwise: `program`, `all` or a library.
    pub from: Option<String>,
}

/// A kind of objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kind {
    pub name: String,
    /// Values that name no object of this kind; if there are none, those of the file.
    pub null: Vec<String>,
    /// Whether calls on an object that is not there, or that it is not ready for, fail.
    pub validated: bool,
    /// The attribute that tells the lives of one object apart, such as the thread that calls.
    pub each: Option<String>,
}

/// A call around which scenarios are extracted: its name and attributes that it has to have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed {
    pub call: String,
    pub attributes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Call {
    pub name: String,
    pub declare: Option<String>,
    /// More attributes, as C expressions over the arguments, read after the call.
    pub extra: Vec<(String, String)>,
    /// The names of the arguments, if they are declared.
    pub parameters: Vec<String>,
    /// The attributes that define or use objects: arguments as declared, then extra ones, `return`
    /// last.
    pub attributes: Vec<ApiAttribute>,
    /// It is not a function of the API, but one of the program that the API calls.
    pub callback_of: Vec<Registration>,
    /// Where it stands among calls of other threads; otherwise that is decided by what it defines.
    pub order: Option<CallOrder>,
    /// When it has succeeded; without it, every call counts as a success.
    pub success: Option<Success>,
    /// The call that does the same to its objects.
    pub like: Option<String>,
}

/// When a call takes effect, for the order of calls that are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallOrder {
    /// As soon as it begins, such as `unlock`.
    Entry,
    /// Not before it has returned, such as `lock`, which may have to wait.
    Return,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiAttribute {
    pub name: String,
    pub defines: bool,
    pub uses: bool,
    /// After the call there is no such object any more.
    pub ends: bool,
    /// After the call the object belongs to another one.
    pub hands_over: bool,
    /// Nobody need end what the call makes, or some of it.
    pub stays: Option<Stay>,
    pub kind: Option<String>,
}

impl ApiAttribute {
    /// Whether the call makes the object: it changes what was not there before.
    pub fn creates(&self) -> bool {
        self.defines && !self.uses
    }
}

/// Where functions of the program are handed to the API, to be called by it: `call(function,
/// closure)`, the names of a call and of two of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    pub call: String,
    pub function: String,
    pub closure: String,
}

/// What is wrong with an API file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    pub code: &'static str,
    pub message: String,
    /// Line and column, from 1.
    pub place: Option<(u32, u32)>,
    pub help: String,
}

/// The names of the API files that come with the program, and their text.
pub const SHIPPED: [(&str, &str); 7] = [
    ("socket", include_str!("../api/socket.toml")),
    ("stdio", include_str!("../api/stdio.toml")),
    ("malloc", include_str!("../api/malloc.toml")),
    ("string", include_str!("../api/string.toml")),
    ("files", include_str!("../api/files.toml")),
    ("pthread", include_str!("../api/pthread.toml")),
    ("x11", include_str!("../api/x11.toml")),
];

/// More attributes of one call that carry dependences would not fit a skeleton.
pub const MOST_ATTRIBUTES: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    seeds: Vec<Spanned<String>>,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    null: Vec<String>,
    #[serde(default)]
    kinds: BTreeMap<String, KindInFile>,
    #[serde(default)]
    calls: BTreeMap<String, Spanned<CallInFile>>,
    from: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindInFile {
    #[serde(default)]
    null: Vec<String>,
    #[serde(default)]
    validated: bool,
    each: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallInFile {
    declare: Option<Spanned<String>>,
    #[serde(default)]
    extra: BTreeMap<String, String>,
    #[serde(default)]
    defines: Vec<Spanned<String>>,
    #[serde(default)]
    uses: Vec<Spanned<String>>,
    #[serde(default)]
    ends: Vec<Spanned<String>>,
    #[serde(default)]
    callback_of: Vec<Spanned<String>>,
    order: Option<CallOrder>,
    success: Option<Spanned<String>>,
    like: Option<Spanned<String>>,
    #[serde(default)]
    kinds: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    hands_over: Vec<Spanned<String>>,
    #[serde(default)]
    stays: Vec<Spanned<String>>,
}

/// The text of an API file, for complaints that name a place in it.
struct Complaints<'t>(&'t str);

impl Complaints<'_> {
    fn error(
        &self,
        code: &'static str,
        span: Option<Range<usize>>,
        message: String,
        help: &str,
    ) -> ApiError {
        ApiError {
            code,
            message,
            place: span.map(|span| place(self.0, span.start)),
            help: help.to_owned(),
        }
    }

    /// One call of the file.
    fn call(
        &self,
        name: String,
        call: CallInFile,
        span: Range<usize>,
        kinds: &[Kind],
    ) -> Result<Call, ApiError> {
        let parameters = match &call.declare {
            None => Vec::new(),
            Some(declare) => {
                declaration::parameters(declare.get_ref(), &name).ok_or_else(|| {
                    let message = format!("this does not declare a function `{name}`");
                    let help = "write a prototype, such as `int close(int fd)`";
                    self.error("api::bad-declaration", Some(declare.span()), message, help)
                })?
            }
        };
        let mut attributes = self.attributes(&name, &call, &parameters, kinds)?;
        let success = match &call.success {
            None => None,
            Some(text) => Some(Success::parse(text.get_ref()).ok_or_else(|| {
                let message = format!("`{}` does not say when a call succeeds", text.get_ref());
                let help = "compare what it returns with a number, such as `return >= 0`";
                self.error("api::bad-success", Some(text.span()), message, help)
            })?),
        };
        sort_attributes(&mut attributes, &parameters);
        if attributes.len() > MOST_ATTRIBUTES {
            let message = format!("`{name}` has more than {MOST_ATTRIBUTES} attributes here");
            let help = "leave out those that carry no state";
            return Err(self.error("api::too-many-attributes", Some(span), message, help));
        }
        let callback_of = self.callbacks(&call, &parameters)?;
        Ok(Call {
            name,
            callback_of,
            order: call.order,
            success,
            like: None,
            declare: call.declare.map(Spanned::into_inner),
            extra: call.extra.into_iter().collect(),
            parameters,
            attributes,
        })
    }

    /// What a call does to its objects.
    fn attributes(
        &self,
        name: &str,
        call: &CallInFile,
        parameters: &[String],
        kinds: &[Kind],
    ) -> Result<Vec<ApiAttribute>, ApiError> {
        let mut attributes: Vec<ApiAttribute> = Vec::new();
        let mut add = |attribute: &Spanned<String>, defines: bool| {
            let name_of = attribute.get_ref();
            let known = call.declare.is_none()
                || parameters.contains(name_of)
                || call.extra.contains_key(name_of)
                || name_of == "return";
            if !known {
                let message = format!("`{name}` has no attribute `{name_of}`");
                let help = "attributes are the declared parameters, those in `extra`, and \
                            `return`";
                let span = Some(attribute.span());
                return Err(self.error("api::unknown-attribute", span, message, help));
            }
            match attributes.iter_mut().find(|a| a.name == *name_of) {
                Some(there) if defines => there.defines = true,
                Some(there) => there.uses = true,
                None => attributes.push(ApiAttribute {
                    name: name_of.clone(),
                    defines,
                    uses: !defines,
                    ends: false,
                    hands_over: false,
                    stays: None,
                    kind: None,
                }),
            }
            Ok(())
        };
        (call.uses.iter()).try_for_each(|attribute| add(attribute, false))?;
        (call.defines.iter()).try_for_each(|attribute| add(attribute, true))?;
        for attribute in &call.ends {
            let name_of = attribute.get_ref();
            let Some(there) = attributes.iter_mut().find(|a| a.name == *name_of) else {
                let message = format!("`{name}.{name_of}` ends an object that it does not use");
                let help = "name attributes that are in `defines` or `uses`";
                let span = Some(attribute.span());
                return Err(self.error("api::unknown-attribute", span, message, help));
            };
            there.ends = true;
        }
        let missing = |attribute: &str, span: Range<usize>, what: &str| {
            let message = format!("`{name}.{attribute}` {what}");
            let help = "name attributes that are in `defines` or `uses`";
            self.error("api::unknown-attribute", Some(span), message, help)
        };
        let find = |attribute: &Spanned<String>, what: &str| {
            let there = (attributes.iter()).position(|a| a.name == *attribute.get_ref());
            there.ok_or_else(|| missing(attribute.get_ref(), attribute.span(), what))
        };
        let over = "hands over an object that it does not use";
        let over = call.hands_over.iter().map(|a| find(a, over));
        let over = over.collect::<Result<Vec<usize>, _>>()?;
        over.into_iter()
            .for_each(|at| attributes[at].hands_over = true);
        for text in &call.stays {
            let (name, stay) = Stay::parse(text.get_ref()).ok_or_else(|| {
                let message = format!("`{}` does not say what stays", text.get_ref());
                let help = "name an object that the call makes; a comparison with a number, such as \
                            `to <= 2`, says which ones";
                self.error("api::bad-stays", Some(text.span()), message, help)
            })?;
            let there = attributes.iter_mut().find(|a| a.name == name);
            let what = "is said to stay, and is no object of this call";
            there.ok_or_else(|| missing(name, text.span(), what))?.stays = Some(stay);
        }
        for (attribute, kind) in &call.kinds {
            if !kinds.iter().any(|k| k.name == *kind.get_ref()) {
                let message = format!("there is no kind `{}`", kind.get_ref());
                let help = "declare it: `[kinds.NAME]`";
                return Err(self.error("api::unknown-kind", Some(kind.span()), message, help));
            }
            let there = attributes.iter_mut().find(|a| a.name == *attribute);
            let what = "has a kind, but neither defines nor uses an object";
            there
                .ok_or_else(|| missing(attribute, kind.span(), what))?
                .kind = Some(kind.get_ref().clone());
        }
        Ok(attributes)
    }

    /// The calls that register it as a callback.
    fn callbacks(
        &self,
        call: &CallInFile,
        parameters: &[String],
    ) -> Result<Vec<Registration>, ApiError> {
        let mut callback_of = Vec::new();
        for text in &call.callback_of {
            let registration = Seed::parse(text.get_ref()).ok();
            let registration = registration.and_then(|seed| match &seed.attributes[..] {
                [function, closure] if parameters.contains(closure) => Some(Registration {
                    call: seed.call,
                    function: function.clone(),
                    closure: closure.clone(),
                }),
                _ => None,
            });
            callback_of.push(registration.ok_or_else(|| {
                let message = format!("`{}` does not register a callback", text.get_ref());
                let help = "write `CALL(FUNCTION, CLOSURE)`: a call of the API and two of its \
                            parameters, the second one a parameter of the callback, too";
                self.error("api::bad-callback", Some(text.span()), message, help)
            })?);
        }
        Ok(callback_of)
    }

    /// Who registers a callback has to be a call with these parameters.
    fn check_callbacks(&self, api: &Api) -> Result<(), ApiError> {
        for call in &api.calls {
            for registration in &call.callback_of {
                let known = api.call(&registration.call).is_some_and(|by| {
                    by.parameters.contains(&registration.function)
                        && by.parameters.contains(&registration.closure)
                });
                if !known {
                    let message = format!(
                        "`{}` has no parameters `{}` and `{}`",
                        registration.call, registration.function, registration.closure
                    );
                    let help = "declare the call that registers the callback";
                    return Err(self.error("api::bad-callback", None, message, help));
                }
            }
        }
        Ok(())
    }
}

impl Api {
    /// The API of this name that comes with the program.
    pub fn shipped(name: &str) -> Option<Self> {
        let (_, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
        Self::parse(text).ok()
    }

    /// Reads an API file.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let complaints = Complaints(text);
        let file: File = toml::from_str(text).map_err(|e| {
            let help = "an API file has `seeds`, `include`, `null`, `from`, `[kinds.NAME]` tables \
                        with `null`, `validated` and `each`, and `[calls.NAME]` tables with \
                        `declare`, `extra`, `defines`, `uses`, `ends`, `order`, `callback_of`, \
                        `kinds`, `success`, `like`, `hands_over` and `stays`";
            let message = e.message().trim().to_owned();
            complaints.error("api::bad-file", e.span(), message, help)
        })?;
        let mut api = Self {
            include: file.include,
            null: file.null,
            from: file.from,
            kinds: (file.kinds.into_iter())
                .map(|(name, kind)| Kind {
                    name,
                    null: kind.null,
                    validated: kind.validated,
                    each: kind.each,
                })
                .collect(),
            ..Self::default()
        };
        let mut likes: Vec<(String, Spanned<String>)> = Vec::new();
        for (name, call) in file.calls {
            let span = call.span();
            let mut call = call.into_inner();
            likes.extend(call.like.take().map(|like| (name.clone(), like)));
            let call = complaints.call(name, call, span, &api.kinds)?;
            api.calls.push(call);
        }
        complaints.check_callbacks(&api)?;
        for (name, like) in likes {
            let known = api.call(like.get_ref()).is_some() && *like.get_ref() != name;
            if !known {
                let message = format!("the API has no other call `{}`", like.get_ref());
                let help = "name a call of this file that does the same to its objects";
                return Err(complaints.error("api::bad-like", Some(like.span()), message, help));
            }
            if let Some(call) = api.calls.iter_mut().find(|call| call.name == name) {
                call.like = Some(like.into_inner());
            }
        }
        for seed in file.seeds {
            let parsed = Seed::parse(seed.get_ref()).and_then(|s| api.check_seed(&s).map(|()| s));
            let place = Some(place(text, seed.span().start));
            api.seeds.push(parsed.map_err(|e| ApiError { place, ..e })?);
        }
        Ok(api)
    }

    /// Adds another API, whose objects may be the same: `read` of files and `read` of sockets are one
    /// call. Where both describe a call, this one's declaration is kept, and what either says of its
    /// attributes holds.
    pub fn join(&mut self, other: Self) {
        let add = |to: &mut Vec<String>, from: Vec<String>| {
            for text in from {
                if !to.contains(&text) {
                    to.push(text);
                }
            }
        };
        add(&mut self.include, other.include);
        add(&mut self.null, other.null);
        for seed in other.seeds {
            if !self.seeds.contains(&seed) {
                self.seeds.push(seed);
            }
        }
        for kind in other.kinds {
            match self.kinds.iter_mut().find(|k| k.name == kind.name) {
                None => self.kinds.push(kind),
                Some(own) => {
                    add(&mut own.null, kind.null);
                    own.validated |= kind.validated;
                    own.each = own.each.take().or(kind.each);
                }
            }
        }
        self.kinds.sort_by(|a, b| a.name.cmp(&b.name));
        for call in other.calls {
            let Some(own) = self.calls.iter_mut().find(|c| c.name == call.name) else {
                self.calls.push(call);
                continue;
            };
            if own.declare.is_none() {
                own.declare = call.declare;
                own.parameters = call.parameters;
            }
            for attribute in call.attributes {
                let has_room = own.attributes.len() < MOST_ATTRIBUTES;
                match own.attributes.iter_mut().find(|a| a.name == attribute.name) {
                    None if has_room => own.attributes.push(attribute),
                    None => {}
                    Some(there) => {
                        there.defines |= attribute.defines;
                        there.uses |= attribute.uses;
                        there.ends |= attribute.ends;
                        there.hands_over |= attribute.hands_over;
                        there.stays = there.stays.or(attribute.stays);
                        there.kind = there.kind.take().or(attribute.kind);
                    }
                }
            }
            for extra in call.extra {
                if !own.extra.iter().any(|(name, _)| *name == extra.0) {
                    own.extra.push(extra);
                }
            }
            own.success = own.success.or(call.success);
            own.like = own.like.take().or(call.like);
            own.order = own.order.or(call.order);
            for registration in call.callback_of {
                if !own.callback_of.contains(&registration) {
                    own.callback_of.push(registration);
                }
            }
            let parameters = own.parameters.clone();
            sort_attributes(&mut own.attributes, &parameters);
            own.extra.sort();
        }
        self.calls.sort_by(|a, b| a.name.cmp(&b.name));
        // Objects of any part may be made and ended by calls from anywhere.
        let all = |from: &Option<String>| from.as_deref() == Some("all");
        if all(&other.from) && !all(&self.from) {
            self.from = other.from;
        }
    }

    pub fn call(&self, name: &str) -> Option<&Call> {
        let at = self.calls.binary_search_by(|c| c.name.as_str().cmp(name));
        at.ok().map(|at| &self.calls[at])
    }

    /// Whether the seed is a call of this API with attributes that carry dependences.
    pub fn check_seed(&self, seed: &Seed) -> Result<(), ApiError> {
        let bad = |message: String, help: String| ApiError {
            code: "api::bad-seed",
            message,
            place: None,
            help,
        };
        let Some(call) = self.call(&seed.call) else {
            let names: Vec<&str> = self.calls.iter().map(|c| c.name.as_str()).collect();
            let near = idiolect_base::nearest(&seed.call, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            let help = format!("{near}the API has {}", names.join(", "));
            return Err(bad(format!("the API has no call `{}`", seed.call), help));
        };
        for wanted in &seed.attributes {
            if !call.attributes.iter().any(|a| a.name == *wanted) {
                return Err(bad(
                    format!(
                        "`{}.{wanted}` neither defines nor uses an object",
                        seed.call
                    ),
                    "name attributes that are in `defines` or `uses`, or none".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// The same as a file.
    pub fn to_toml(&self) -> String {
        let list = |items: &mut dyn Iterator<Item = String>| {
            let items: Vec<String> = items.map(|item| quote(&item)).collect();
            format!("[{}]", items.join(", "))
        };
        let mut text = String::new();
        if !self.seeds.is_empty() {
            let seeds = list(&mut self.seeds.iter().map(Seed::to_string));
            let _ = writeln!(text, "seeds = {seeds}");
        }
        if !self.include.is_empty() {
            let _ = writeln!(
                text,
                "include = {}",
                list(&mut self.include.iter().cloned())
            );
        }
        if !self.null.is_empty() {
            let _ = writeln!(text, "null = {}", list(&mut self.null.iter().cloned()));
        }
        if let Some(from) = &self.from {
            let _ = writeln!(text, "from = {}", quote(from));
        }
        for kind in &self.kinds {
            let _ = writeln!(text, "\n[kinds.{}]", key(&kind.name));
            if !kind.null.is_empty() {
                let _ = writeln!(text, "null = {}", list(&mut kind.null.iter().cloned()));
            }
            if kind.validated {
                text.push_str("validated = true\n");
            }
            if let Some(each) = &kind.each {
                let _ = writeln!(text, "each = {}", quote(each));
            }
        }
        for call in &self.calls {
            let _ = writeln!(text, "\n[calls.{}]", key(&call.name));
            if let Some(declare) = &call.declare {
                let _ = writeln!(text, "declare = {}", quote(declare));
            }
            if !call.extra.is_empty() {
                let pairs: Vec<String> = (call.extra.iter())
                    .map(|(name, c)| format!("{} = {}", key(name), quote(c)))
                    .collect();
                let _ = writeln!(text, "extra = {{ {} }}", pairs.join(", "));
            }
            let mut attributes = |word: &str, keep: fn(&ApiAttribute) -> bool| {
                let kept = call.attributes.iter().filter(|a| keep(a));
                let names = list(&mut kept.map(|a| a.name.clone()));
                if names != "[]" {
                    let _ = writeln!(text, "{word} = {names}");
                }
            };
            attributes("defines", |a| a.defines);
            attributes("uses", |a| a.uses);
            attributes("ends", |a| a.ends);
            attributes("hands_over", |a| a.hands_over);
            let mut stays = call.attributes.iter().filter_map(|a| match a.stays? {
                Stay::All => Some(a.name.clone()),
                Stay::Some(which) => Some(format!("{} {which}", a.name)),
            });
            let stays = list(&mut stays);
            if stays != "[]" {
                let _ = writeln!(text, "stays = {stays}");
            }
            let kinds: Vec<String> = (call.attributes.iter())
                .filter_map(|a| Some(format!("{} = {}", key(&a.name), quote(a.kind.as_ref()?))))
                .collect();
            if !kinds.is_empty() {
                let _ = writeln!(text, "kinds = {{ {} }}", kinds.join(", "));
            }
            if let Some(success) = &call.success {
                let _ = writeln!(text, "success = {}", quote(&success.to_string()));
            }
            if let Some(like) = &call.like {
                let _ = writeln!(text, "like = {}", quote(like));
            }
            if let Some(order) = call.order {
                let word = match order {
                    CallOrder::Entry => "entry",
                    CallOrder::Return => "return",
                };
                let _ = writeln!(text, "order = \"{word}\"");
            }
            if !call.callback_of.is_empty() {
                let registrations = list(&mut call.callback_of.iter().map(|r| {
                    let Registration {
                        call,
                        function,
                        closure,
                    } = r;
                    format!("{call}({function}, {closure})")
                }));
                let _ = writeln!(text, "callback_of = {registrations}");
            }
        }
        text
    }
}

impl Seed {
    /// Reads `accept(so, return)` or `accept`.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let bad = || ApiError {
            code: "api::bad-seed",
            message: format!("`{text}` is not a skeleton"),
            place: None,
            help: "write a call with attributes, such as `accept(so, return)`".to_owned(),
        };
        let text = text.trim();
        let (call, attributes) = match text.split_once('(') {
            None => (text, ""),
            Some((call, rest)) => (call.trim_end(), rest.strip_suffix(')').ok_or_else(bad)?),
        };
        let attributes: Vec<String> = (attributes.split(','))
            .map(|a| a.trim().to_owned())
            .filter(|a| !a.is_empty())
            .collect();
        let is_name = |name: &str| {
            !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "(),=".contains(c))
        };
        if !is_name(call) || !attributes.iter().all(|a| is_name(a)) {
            return Err(bad());
        }
        Ok(Self {
            call: call.to_owned(),
            attributes,
        })
    }
}

impl std::fmt::Display for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.attributes.is_empty() {
            f.write_str(&self.call)
        } else {
            write!(f, "{}({})", self.call, self.attributes.join(", "))
        }
    }
}

/// Arguments as declared, then extra ones, `return` last.
fn sort_attributes(attributes: &mut [ApiAttribute], parameters: &[String]) {
    // The sort is stable, so undeclared attributes stay as they are written.
    attributes.sort_by_key(|a| {
        if a.name == "return" {
            return (2, 0);
        }
        match parameters.iter().position(|p| *p == a.name) {
            Some(at) => (0, at),
            None => (1, 0),
        }
    });
}

fn place(text: &str, at: usize) -> (u32, u32) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count();
    let start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |i| i + 1);
    (line as u32 + 1, (before.len() - start) as u32 + 1)
}

/// A TOML basic string.
fn quote(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        quote(name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Api, SHIPPED, Seed};

    fn error(text: &str) -> (Option<(u32, u32)>, String) {
        let error = Api::parse(text).expect_err("this is not an API file");
        assert!(!error.help.is_empty());
        (error.place, format!("{}: {error}", error.code))
    }

    #[test]
    fn shipped_files_are_sound_and_survive_being_written() {
        for (name, text) in SHIPPED {
            let api = Api::parse(text).unwrap_or_else(|e| panic!("{name}: {e} at {:?}", e.place));
            // Blocks are made by `malloc`.
            assert_eq!(api.seeds.is_empty(), name == "string", "{name} has a seed");
            assert!(!api.include.is_empty(), "{name} has headers");
            for call in &api.calls {
                assert!(call.declare.is_some(), "{name}: {} is declared", call.name);
            }
            assert_eq!(Api::parse(&api.to_toml()), Ok(api), "{name}");
        }
    }

    #[test]
    fn the_socket_api_has_the_table_of_the_paper() {
        let api = Api::shipped("socket").expect("it is shipped");
        let table = |keep: fn(&super::ApiAttribute) -> bool| {
            let calls = [
                "socket", "bind", "listen", "accept", "read", "write", "close",
            ];
            let calls = calls.map(|name| api.call(name).expect("it is there"));
            let pairs = calls
                .iter()
                .flat_map(|c| c.attributes.iter().map(move |a| (c, a)));
            let kept = pairs.filter(|(_, a)| keep(a));
            let names: Vec<String> = kept
                .map(|(c, a)| format!("{}.{}", c.name, a.name))
                .collect();
            names.join(" ")
        };
        // Figure 7.
        let definers = "socket.return bind.so listen.so accept.return close.fd";
        let users = "bind.so listen.so accept.so read.fd write.fd close.fd";
        assert_eq!(table(|a| a.defines), definers);
        assert_eq!(table(|a| a.uses), users);
    }

    #[test]
    fn mistakes_have_a_place() {
        assert_eq!(
            error("[calls.f]\ndeclare = \"int f(int a)\"\nuses = [\"b\"]\n"),
            (
                Some((3, 9)),
                "api::unknown-attribute: `f` has no attribute `b`".to_owned()
            )
        );
        assert_eq!(
            error("seeds = [\"g\"]\n[calls.f]\nuses = [\"b\"]\n"),
            (
                Some((1, 10)),
                "api::bad-seed: the API has no call `g`".to_owned()
            )
        );
        assert_eq!(
            error("[calls.f]\ndeclare = \"int g(int a)\"\n").1,
            "api::bad-declaration: this does not declare a function `f`"
        );
        assert_eq!(error("[calls.f]\nuse = []\n").0, Some((2, 1)));
        assert_eq!(error("[calls.f").0, Some((1, 9)));
    }

    #[test]
    fn seeds_are_skeletons() {
        let seed = Seed::parse(" accept ( so ,return)").map(|s| s.to_string());
        assert_eq!(seed.as_deref(), Ok("accept(so, return)"));
        assert_eq!(
            Seed::parse("accept").map(|s| s.to_string()).as_deref(),
            Ok("accept")
        );
        for bad in ["", "(so)", "accept(so", "a b", "f(x = 1)"] {
            assert!(Seed::parse(bad).is_err(), "{bad}");
        }
    }
}
