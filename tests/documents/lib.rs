//! The Rust blocks of the documents. `cargo test -p gym2600-documents` compiles and runs them.

/// Documents with Rust blocks, each of which rustdoc reads.
macro_rules! documents {
    ($($name:ident $path:literal),+ $(,)?) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../", $path))]
            #[derive(Debug)]
            pub struct $name;
        )+
    };
}

documents! {
    Concepts "docs/concepts.md",
    Recipes "docs/recipes.md",
    Rust "docs/rust.md",
    Start "docs/start.md",
}
