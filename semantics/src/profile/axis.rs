//! What an axis of a profile is: its values, each with the name that files and reports know it by and with what it
//! means, declared in one place.

/// Declares an axis. Of the declaration come the type, `ALL` (where values have no number), `name`, `meaning`, and
/// reading and writing with serde. Where values have numbers, `{n}` in a text is the number.
macro_rules! axis {
    (
        $(#[$about:meta])*
        pub enum $axis:ident {
            $( $(#[$more:meta])* $value:ident = $name:literal, $meaning:literal; )*
        }
    ) => {
        $crate::closed! {
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
            pub enum $axis {
                $(
                    #[doc = $meaning]
                    $(#[$more])*
                    #[serde(rename = $name)]
                    $value,
                )*
            }
        }

        impl $axis {
            /// The value's name in files and reports.
            pub const fn name(self) -> &'static str {
                match self { $( $axis::$value => $name, )* }
            }

            /// What the value means, as a part of a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $( $axis::$value => $meaning, )* }
            }
        }
    };
    (
        $(#[$about:meta])*
        pub enum $axis:ident with numbers {
            $( $(#[$more:meta])* $value:ident $(($n:ident))? = $name:literal, $meaning:literal; )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $axis {
            $(
                #[doc = $meaning]
                $(#[$more])*
                #[serde(rename = $name)]
                $value $((axis!(@number $n)))?,
            )*
        }

        impl $axis {
            /// The value's name in reports; in files the number stands beside it.
            pub fn name(self) -> String {
                match self {
                    $( $axis::$value $(($n))? => concat!($name, $(axis!(@shown $n),)?).to_owned()
                        $(.replace("{n}", &$n.to_string()))?, )*
                }
            }

            /// What the value means, as a part of a sentence.
            pub fn meaning(self) -> String {
                match self {
                    $( $axis::$value $(($n))? => $meaning.to_owned()
                        $(.replace("{n}", &$n.to_string()))?, )*
                }
            }
        }
    };
    (@number $n:ident) => { u32 };
    (@shown $n:ident) => { "({n})" };
}

pub(super) use axis;
