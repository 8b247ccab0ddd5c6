//! A small HTTP server for the machine it runs on: [`http`] reads requests and writes answers, [`connections`] holds all
//! connections in one thread, each with a deadline.
//!
//! It never looks at a file, and knows nothing of reports or programs: who serves says what is answered.
//!
//! ```
//! assert_eq!(idiolect_web::http::decode("/a%20page").as_deref(), Some("/a page"));
//! ```

pub mod connections;
pub mod http;
