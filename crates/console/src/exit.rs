//! How the process ends: decided with everything else that is claimed, in `idiolect_outcome`.

pub use idiolect_outcome::Exit;
