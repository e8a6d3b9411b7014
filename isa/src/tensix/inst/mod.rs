//! The instructions, one file each.

mod addr_mod_axes;
mod addr_mod_quantities;
mod call_syntax;
pub mod mova2d;
mod mova2d_axes;
mod mova2d_quantities;
mod mova2d_statements;
mod mova2d_syntax;
mod parts;
pub mod sfpload;
mod sfpload_statements;
pub mod sfpstore;
mod sfpu_axes;
mod sfpu_data;
mod sfpu_lanes;
mod sfpu_modes;
mod sfpu_quantities;
mod state_quantities;
