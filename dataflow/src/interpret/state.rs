//! The abstract store at one point of a root.

use std::rc::Rc;

use imbl::{OrdMap, OrdSet};

use super::value::{Region, Value};

/// Offset of the cell that stands for "anywhere in the region".
pub(crate) const ANYWHERE: i64 = i64::MIN;

/// Values by (region, byte offset); shared, since a change copies a node of the map with all that it holds.
pub(crate) type Cells = OrdMap<(Region, i64), Rc<Value>>;

/// What memory may hold. Persistent: copies are cheap and share structure, and joining two states costs what differs.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Value last stored at (region, byte offset). A cell that is absent holds what the region's beginnings hold: see
    /// `Machine::absent`. Stores at unknown offsets go to [`ANYWHERE`] *and* are joined into every exact cell, so an
    /// exact cell is always complete by itself.
    pub(crate) cells: Cells,
    /// Regions that code outside our sight may reach.
    pub(crate) escaped: OrdSet<Region>,
    /// Regions that code which may run at any time reads, and does not change.
    pub(crate) watched: OrdSet<Region>,
    /// Regions that are certainly released here.
    pub(crate) released: OrdSet<Region>,
}

impl State {
    /// The cell at (region, byte offset).
    pub(crate) fn get(&self, key: &(Region, i64)) -> Option<&Value> {
        self.cells.get(key).map(Rc::as_ref)
    }

    /// Makes the cell at (region, byte offset) hold `value`.
    pub(crate) fn set(&mut self, key: (Region, i64), value: Value) {
        self.cells.insert(key, Rc::new(value));
    }

    /// The cells of `region`, in order of offset ([`ANYWHERE`] first).
    pub(crate) fn cells_of(&self, region: Region) -> impl Iterator<Item = (i64, &Value)> {
        self.cells
            .range((region, i64::MIN)..=(region, i64::MAX))
            .map(|(&(_, offset), v)| (offset, v.as_ref()))
    }

    /// Forgets everything stored in bytes `start..end` of `region`.
    pub(crate) fn forget(&mut self, region: Region, start: i64, end: i64) {
        let gone: Vec<(Region, i64)> =
            self.cells.range((region, start)..(region, end)).map(|(&key, _)| key).collect();
        for key in gone {
            self.cells.remove(&key);
        }
    }
}
