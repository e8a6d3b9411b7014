//! Levels of orthogonal axes that can be told apart once they are set.

use tandem_isa::{AlignedBytes, Axis, Code, Edition, Instruction, Isa, Noise, Parts, RowShape, SaltPlan};

/// An axis, by its place in the list, and a level of it.
pub(crate) type Level = (usize, usize);

/// What rows are salted with when every orthogonal axis is at its first level.
#[must_use]
pub fn quiet_salt(isa: &Isa, instruction: &Instruction, edition: Edition) -> SaltPlan {
    let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
    let (mut code, mut salt) = (Code::new(instruction.base_code), SaltPlan::default());
    let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
    let mut noise = Noise::new(0);
    (instruction.prepare)(&mut parts, &mut noise);
    for axis in (instruction.orthogonal)(edition) {
        (axis.set)(&mut parts, 0, &mut noise);
    }
    salt
}

/// Whether a level of an orthogonal axis can be told from the others once it is set: `any row` cannot, and a test has rows,
/// not a way to draw them.
pub(crate) fn reads_back(isa: &Isa, instruction: &Instruction, edition: Edition, axis: usize, level: usize) -> bool {
    let axis = &(instruction.orthogonal)(edition)[axis];
    if axis.name == RowShape::AXIS {
        return false;
    }
    let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
    let (mut code, mut salt) = (Code::new(instruction.base_code), quiet_salt(isa, instruction, edition));
    let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
    (axis.set)(&mut parts, level, &mut Noise::new(1));
    (axis.get)(&parts) == level
}

/// The levels of orthogonal axes, but each one's first.
pub(crate) fn readable_levels(isa: &Isa, instruction: &Instruction, edition: Edition) -> Vec<Level> {
    let axes = (instruction.orthogonal)(edition);
    let levels = |(index, axis): (usize, &Axis)| (1..axis.levels.len()).map(move |level| (index, level));
    (axes.iter().enumerate().flat_map(levels))
        .filter(|&(axis, level)| instruction.recording.has_level(&axes[axis], level))
        .filter(|&(axis, level)| reads_back(isa, instruction, edition, axis, level))
        .collect()
}
