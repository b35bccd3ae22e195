//! The memory regions of one root.

use std::collections::HashMap;

use crate::event::{ContextId, Holder, MarkerId, StreamId};
use crate::program::{DeviceMemory, HostAllocator, StatementRef, VariableId};
use crate::size::{Size, Symbol};

use super::value::Region;

/// What a region is, and what makes two regions the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RegionKind {
    /// A variable: of one context, or (`None`) of static storage.
    Variable { context: Option<ContextId>, variable: VariableId },
    /// Host heap memory of one allocation site in one context.
    Host { allocator: HostAllocator, context: ContextId, at: StatementRef },
    /// CUDA memory of one allocation site in one context.
    Cuda { memory: DeviceMemory, context: ContextId, at: StatementRef },
    /// A created stream.
    Stream(StreamId),
    /// A created CUDA event.
    Marker(MarkerId),
    /// What a library handle holds: its stream at offset 0, retained pointers at offset 8, its pointer mode at 16.
    Handle(Symbol),
    /// What a parameter of the root points to.
    External(VariableId),
    /// Read-only constants.
    Constant,
}

/// Offset in a handle's region of its stream.
pub(crate) const HANDLE_STREAM: i64 = 0;
/// Offset in a handle's region of the pointers it retains.
pub(crate) const HANDLE_RETAINED: i64 = 8;

/// Offset in a handle's region of its pointer mode: where scalars are.
pub(crate) const HANDLE_POINTER_MODE: i64 = 16;

/// What is known of a region.
#[derive(Debug, Clone)]
pub(crate) struct RegionInfo {
    pub(crate) kind: RegionKind,
    pub(crate) bytes: Option<Size>,
    pub(crate) name: String,
    /// The first variable that holds its address.
    pub(crate) holder: Option<Holder>,
    /// The variable it is named after, and how many calls lead to where that lives.
    pub(crate) named_after: Option<(VariableId, u32)>,
    /// Its name stays: a copy has used it.
    pub(crate) name_is_settled: bool,
    pub(crate) several: bool,
    /// It has escaped at some time.
    pub(crate) given_away: bool,
}

/// All regions of one root.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    by_kind: HashMap<RegionKind, Region>,
    infos: Vec<RegionInfo>,
    externals: Vec<Region>,
    statics: Vec<Region>,
    locals: HashMap<ContextId, Vec<Region>>,
    streams: HashMap<(ContextId, StatementRef), StreamId>,
    markers: HashMap<(ContextId, StatementRef), MarkerId>,
    /// The lengths of the scalars written at (region, offset): a bit for each power of two.
    lengths: HashMap<(Region, i64), u8>,
}

impl Regions {
    /// The region for `kind`.
    pub(crate) fn intern(&mut self, kind: RegionKind) -> Region {
        if let Some(&region) = self.by_kind.get(&kind) {
            return region;
        }
        let region = Region::new(self.infos.len());
        self.by_kind.insert(kind, region);
        match kind {
            RegionKind::External(_) => self.externals.push(region),
            RegionKind::Variable { context: None, .. } => self.statics.push(region),
            RegionKind::Variable { context: Some(context), .. } => {
                self.locals.entry(context).or_default().push(region);
            }
            RegionKind::Host { .. }
            | RegionKind::Cuda { .. }
            | RegionKind::Stream(_)
            | RegionKind::Marker(_)
            | RegionKind::Handle(_)
            | RegionKind::Constant => {}
        }
        self.infos.push(RegionInfo {
            kind,
            bytes: None,
            name: String::new(),
            holder: None,
            named_after: None,
            name_is_settled: false,
            several: false,
            given_away: false,
        });
        region
    }

    /// The region that stands for what the handle `symbol` holds, if something asked for it before.
    pub(crate) fn handle(&self, symbol: Symbol) -> Option<Region> {
        self.by_kind.get(&RegionKind::Handle(symbol)).copied()
    }

    /// What is known of `region`.
    pub(crate) fn info(&self, region: Region) -> &RegionInfo {
        &self.infos[region.index()]
    }

    /// The same, to change.
    pub(crate) fn info_mut(&mut self, region: Region) -> &mut RegionInfo {
        &mut self.infos[region.index()]
    }

    /// All regions in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Region, &RegionInfo)> {
        self.infos.iter().enumerate().map(|(i, info)| (Region::new(i), info))
    }

    /// What the parameters of the root point to, in order.
    pub(crate) fn externals(&self) -> &[Region] {
        &self.externals
    }

    /// Variables of static storage, in order.
    pub(crate) fn statics(&self) -> &[Region] {
        &self.statics
    }

    /// Variables of one activation, in order.
    pub(crate) fn locals(&self, context: ContextId) -> &[Region] {
        self.locals.get(&context).map_or(&[], Vec::as_slice)
    }

    /// The stream that the creation at `at` yields.
    pub(crate) fn stream(&mut self, context: ContextId, at: StatementRef) -> StreamId {
        let next = StreamId::new(self.streams.len());
        *self.streams.entry((context, at)).or_insert(next)
    }

    /// The CUDA event that the creation at `at` yields.
    pub(crate) fn marker(&mut self, context: ContextId, at: StatementRef) -> MarkerId {
        let next = MarkerId::new(self.markers.len());
        *self.markers.entry((context, at)).or_insert(next)
    }

    /// A scalar of `bytes` is written at `offset` of `region`.
    pub(crate) fn note_length(&mut self, region: Region, offset: i64, bytes: i64) {
        if let Some(bit) = length_bit(bytes) {
            *self.lengths.entry((region, offset)).or_default() |= bit;
        }
    }

    /// The longest scalar that was written at `offset`, in bytes.
    pub(crate) fn longest(&self, region: Region, offset: i64) -> Option<i64> {
        let bits = self.lengths.get(&(region, offset))?;
        bits.checked_ilog2().map(|log| 1 << log)
    }

    /// Whether scalars of other lengths than `bytes` were written at `offset`.
    pub(crate) fn has_other_length(&self, region: Region, offset: i64, bytes: i64) -> bool {
        let own = length_bit(bytes).unwrap_or(0);
        self.lengths.get(&(region, offset)).is_some_and(|bits| bits & !own != 0)
    }

    /// What is written at `offset` of `to` has the lengths of what was written at `from_offset` of `from`.
    pub(crate) fn copy_lengths(&mut self, from: (Region, i64), to: (Region, i64)) {
        if let Some(&bits) = self.lengths.get(&from) {
            *self.lengths.entry(to).or_default() |= bits;
        }
    }

    /// Heap or CUDA memory: accesses to it are events.
    pub(crate) fn is_memory(&self, region: Region) -> bool {
        match self.info(region).kind {
            RegionKind::Host { .. } | RegionKind::Cuda { .. } => true,
            RegionKind::Variable { .. }
            | RegionKind::Stream(_)
            | RegionKind::Marker(_)
            | RegionKind::Handle(_)
            | RegionKind::External(_)
            | RegionKind::Constant => false,
        }
    }
}

/// Scalars are of 1, 2, 4, 8 or 16 bytes; of others nothing is said.
fn length_bit(bytes: i64) -> Option<u8> {
    match bytes {
        1 => Some(1),
        2 => Some(2),
        4 => Some(4),
        8 => Some(8),
        16 => Some(16),
        _ => None,
    }
}
