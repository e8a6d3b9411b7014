//! Operands that are blocks of data, whose sizes the instruction decides: raw operands, and general ones without a region. All
//! name a variable, and where in it they begin.
//!
//! A mistake costs a worse case or label, and no verdict.

use tandem_isa::visa::operand::dpas::{NULL_VARIABLE, RawFields};

use super::*;

/// Such an operand.
#[derive(Clone, Copy)]
pub(super) struct Raw {
    /// The number of its variable.
    pub id: CodeField,
    lead: Lead,
    span: fn(&Parts<'_>) -> usize,
}

/// Where it begins in its variable.
#[derive(Clone, Copy)]
enum Lead {
    Bytes(CodeField),
    /// Registers, and columns of four bytes.
    Columns(CodeField, CodeField),
}

impl Raw {
    /// A raw operand, and how many bytes it has in a case.
    pub(super) const fn new(fields: &RawFields, span: fn(&Parts<'_>) -> usize) -> Self {
        Raw { id: fields.id, lead: Lead::Bytes(fields.offset), span }
    }

    /// A general operand of data of four bytes, and how many bytes it has in a case.
    pub(super) const fn general(fields: &OperandFields, span: fn(&Parts<'_>) -> usize) -> Self {
        Raw { id: fields.id, lead: Lead::Columns(fields.row_offset, fields.col_offset), span }
    }

    pub(super) fn is_null(&self, parts: &Parts<'_>) -> bool {
        self.id.get(parts.code) == NULL_VARIABLE
    }

    /// The entry of the variable that its number means.
    pub(super) fn entry(&self, parts: &Parts<'_>) -> usize {
        entry(self.id.get(parts.code))
    }

    /// Names the variable of an entry.
    pub(super) fn set_entry(&self, parts: &mut Parts<'_>, variable: usize) {
        self.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    }

    /// Bytes from the beginning of its variable on.
    pub(super) fn lead(&self, parts: &Parts<'_>) -> usize {
        match self.lead {
            Lead::Bytes(offset) => offset.get(parts.code) as usize,
            Lead::Columns(row, column) => {
                row.get(parts.code) as usize * register(parts) + column.get(parts.code) as usize * 4
            }
        }
    }

    pub(super) fn set_lead(&self, parts: &mut Parts<'_>, lead: usize) {
        let register = register(parts);
        match self.lead {
            Lead::Bytes(offset) => offset.set(parts.code, narrow(lead)),
            Lead::Columns(row, column) => {
                put(parts.code, [(row, narrow(lead / register)), (column, narrow(lead % register / 4))]);
            }
        }
    }

    /// Whole registers of these.
    pub(super) fn lead_registers(&self, parts: &Parts<'_>) -> usize {
        match self.lead {
            Lead::Bytes(_) => self.lead(parts) / register(parts),
            Lead::Columns(row, _) => row.get(parts.code) as usize,
        }
    }

    /// Gives it the room that it needs, if it has become larger.
    pub(super) fn hold_inside(&self, parts: &mut Parts<'_>) {
        if !self.is_inside(parts) {
            self.hold(parts);
        }
    }
}

impl Operand for Raw {
    fn start(&self, parts: &Parts<'_>) -> Option<usize> {
        let is_none = matches!(self.lead, Lead::Bytes(_)) && self.is_null(parts);
        (!is_none).then(|| usize::from(peek(parts).variables[self.entry(parts)].offset) + self.lead(parts))
    }

    fn span(&self, parts: &Parts<'_>) -> usize {
        (self.span)(parts)
    }

    fn variable(&self, parts: &Parts<'_>) -> Option<usize> {
        (!self.is_null(parts)).then(|| self.entry(parts))
    }

    fn data_type(&self, parts: &Parts<'_>) -> DataType {
        variable_type(parts, self.entry(parts))
    }

    fn put_type(&self, parts: &mut Parts<'_>, data_type: DataType) {
        let Some(variable) = self.variable(parts) else { return };
        let was_inside = self.is_inside(parts);
        small(parts).variables[variable].data_type = data_type.code() as u16;
        if was_inside {
            self.hold_inside(parts);
        }
    }

    fn shift(&self, parts: &mut Parts<'_>, by: i32) {
        let Some(lead) = narrow(self.lead(parts)).checked_add_signed(by) else { return };
        let reaches = match self.lead {
            Lead::Bytes(_) => lead < 0x1_0000,
            Lead::Columns(..) => lead as usize / register(parts) < 256 && lead.is_multiple_of(4),
        };
        if reaches {
            self.set_lead(parts, lead as usize);
        }
    }
}
