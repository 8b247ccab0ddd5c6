//! What the documentation shows is what happens: every transcript is run.

#[test]
fn transcripts_are_true() {
    trycmd::TestCases::new()
        .case("../../README.md")
        .case("tests/cmd/*.md");
}
