//! Syntax tree to program: total lowering (DESIGN section 3).
//!
//! A [`Session`] lowers one translation unit: it interns files, types, variables and functions and works through
//! a queue of function bodies, each built by a [`Body`]. What a body does not understand becomes a
//! [`echo_dataflow::program::StatementKind::Opaque`] where its effects are bounded by one statement, or makes the
//! whole function opaque (lost tokens, recovery expressions, unknown control flow).

mod allocation;
mod body;
mod call;
mod callee;
mod cast;
mod condition;
mod constructor;
mod cuda_api;
mod declaration;
mod destructor;
mod evaluate;
mod exception;
mod expression;
mod external;
mod fold;
mod function;
mod globals;
mod initialize;
mod jump;
mod lambda;
mod launch;
pub(crate) mod lexer;
mod loops;
mod operator;
mod place;
mod range_for;
mod record;
mod roots;
mod session;
mod spans;
mod statement;
mod switch;
mod syntax;
mod types;
mod variable;

pub(crate) use session::{LowerOptions, Session};
pub(crate) use spans::{Ownership, Spans};
