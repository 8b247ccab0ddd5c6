//! Typed indices: an id of one table cannot be used with another.

/// Defines a `u32` newtype that indexes one kind of table.
///
/// ```
/// idiolect_base::index_type!(
///     /// A room of the house.
///     RoomId
/// );
/// assert_eq!(RoomId::new(3).index(), 3);
/// ```
#[macro_export]
macro_rules! index_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the `index`-th entry. Tables here stay far below 2^32 entries.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok(), "table too large");
                Self(index as u32)
            }

            /// The position in the table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
