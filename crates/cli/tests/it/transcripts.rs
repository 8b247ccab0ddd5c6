//! What the documentation shows is what happens: every transcript is run, from the root of the
//! repository.

#[test]
fn transcripts_are_true() {
    std::env::set_current_dir(xtask::root()).expect("the repository's root exists");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("README.md")
        .case("docs/book/src/*.md")
        .case("crates/cli/tests/cmd/*.md");
}
