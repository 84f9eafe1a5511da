//! Enumerations with a list of all their values, which is made from the declaration and is always complete.

/// Declares an enumeration and `ALL`, every value of it in the order written.
#[macro_export]
macro_rules! closed {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $( $(#[$meaning:meta])* $value:ident, )*
        }
    ) => {
        $(#[$about])*
        pub enum $name {
            $( $(#[$meaning])* $value, )*
        }

        impl $name {
            /// Every value, in the order of the declaration.
            pub const ALL: &'static [$name] = &[ $( $name::$value, )* ];
        }
    };
}
