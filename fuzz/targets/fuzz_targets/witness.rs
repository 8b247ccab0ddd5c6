#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idiolect_fuzz_checks::witness(bytes));
