//! How the table of basic operators in [`super::basic`] is read: what follows from a row.
//!
//! A row is
//!
//! ```text
//! /// What it does.
//! Name {
//!     [attribute: Type, …]
//!     /// Meaning.
//!     operand: Type = Expects,
//! } => Side, Effect, "word";
//! ```
//!
//! *Attributes* are what is no expression and no variable: a function, a scope, a kind of memory. *Operands* stand in
//! evaluation order; the type of the field says whether it is an expression, several, or the variable of the result
//! ([`super::signature::Form`]), and [`super::signature::Expects`] of which type it is. The *word* is the operator's
//! in programs' texts; an operator with attributes, or with a notation of its own, has none.

/// Makes [`super::Basic`], [`super::Head`] and what is known of them of the rows.
macro_rules! operators {
    ($(
        $(#[$about:meta])*
        $name:ident $({
            $([ $( $(#[$attribute_about:meta])* $attribute:ident : $attribute_type:ty ),+ $(,)? ])?
            $( $(#[$operand_about:meta])* $operand:ident : $operand_type:ty = $expects:expr ),* $(,)?
        })? => $side:ident, $effect:ident $(, $word:literal)?;
    )+) => {
        /// Basic operators.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Basic {$(
            $(#[$about])*
            $name $({
                $($( $(#[$attribute_about])* $attribute: $attribute_type, )+)?
                $( $(#[$operand_about])* $operand: $operand_type, )*
            })?,
        )+}

        /// A basic operator without its operands: which it is, and its attributes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Head {$(
            $(#[$about])*
            $name $($( ( $($attribute_type),+ ) )?)?,
        )+}

        impl Head {
            /// Names of the rows.
            pub const ROWS: &'static [&'static str] = &[ $( stringify!($name), )+ ];

            /// Name of its row.
            pub const fn row(self) -> &'static str {
                match self { $( Head::$name { .. } => stringify!($name), )+ }
            }

            /// Its operands, in evaluation order.
            pub const fn slots(self) -> &'static [Slot] {
                match self {$(
                    Head::$name { .. } => const { &[$($( Slot {
                        name: stringify!($operand),
                        form: <$operand_type as Field>::FORM,
                        expects: $expects,
                    } ),*)?] },
                )+}
            }

            /// Which procedures may have it.
            pub const fn side(self) -> Side {
                match self { $( Head::$name { .. } => Side::$side, )+ }
            }

            /// What it does beyond the private state of its thread.
            pub const fn effect(self) -> Effect {
                match self { $( Head::$name { .. } => Effect::$effect, )+ }
            }

            /// The operators with a word of their own, with their words.
            pub const NAMED: &'static [(&'static str, Head)] = &[ $($( ($word, Head::$name), )?)+ ];
        }

        impl Basic {
            /// Which operator it is, and its attributes.
            pub const fn head(&self) -> Head {
                match self {$(
                    Basic::$name $({ $($($attribute,)+)? .. })? =>
                        Head::$name $($( ( $(*$attribute),+ ) )?)?,
                )+}
            }

            /// Its operands, one for each of [`Head::slots`].
            pub fn parts(&self) -> Vec<Part> {
                match self {$(
                    Basic::$name $({ $($operand,)* .. })? => vec![$($( $operand.to_part() ),*)?],
                )+}
            }

            /// Put together again: `from_parts(basic.head(), basic.parts())` is `basic`. `None` where the parts do
            /// not have the forms of [`Head::slots`].
            pub fn from_parts(head: Head, parts: Vec<Part>) -> Option<Basic> {
                let mut parts = parts.into_iter();
                let made = match head {$(
                    Head::$name $($( ( $($attribute),+ ) )?)? => Basic::$name $({
                        $($($attribute,)+)?
                        $( $operand: Field::from_part(parts.next()?)?, )*
                    })?,
                )+};
                parts.next().is_none().then_some(made)
            }

            /// The expressions of the operator, in evaluation order.
            pub fn expressions(&self) -> Vec<&Expr> {
                match self {$(
                    Basic::$name $({ $($operand,)* .. })? => {
                        joined([$($( $operand.expressions() ),*)?])
                    }
                )+}
            }

            /// The same, to be changed.
            pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
                match self {$(
                    Basic::$name $({ $($operand,)* .. })? => {
                        joined_mut([$($( $operand.expressions_mut() ),*)?])
                    }
                )+}
            }

            /// The variable the operator assigns, where it assigns one.
            pub fn assigned(&self) -> Option<VarId> {
                match self {$(
                    Basic::$name $({ $($operand,)* .. })? => {
                        first([$($( $operand.result() ),*)?])
                    }
                )+}
            }
        }
    };
}

pub(super) use operators;
