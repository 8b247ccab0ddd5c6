//! Freeing what is large, away from whoever waits for an answer.

/// Drops a value in a thread of its own.
///
/// To free a gigabyte of small pieces takes more than a tenth of a second, and a user who has
/// interrupted an analysis wants the answer before that. Where no thread can be had, the value is
/// dropped here.
pub fn drop_aside<T: Send + 'static>(value: T) {
    let thread = std::thread::Builder::new().name("drop".to_owned());
    let _ = thread.spawn(move || drop(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    struct Says(mpsc::Sender<std::thread::ThreadId>);

    impl Drop for Says {
        fn drop(&mut self) {
            let _ = self.0.send(std::thread::current().id());
        }
    }

    #[test]
    fn a_value_is_dropped_elsewhere() {
        let (sender, receiver) = mpsc::channel();
        drop_aside(Says(sender));
        let by = receiver.recv();
        assert!(by.is_ok_and(|id| id != std::thread::current().id()));
    }
}
