//! Buffers: names, declarations, allocations, frees.

use std::collections::BTreeSet;

use super::Printer;
use crate::program::{DeviceKind, HostKind, Names, Side, Slack, Statement};

/// A size that has more than 16 bits for every number of elements, and what is left of it: at least the elements.
const FULL: &str = "n * 1028";
const CUT: &str = "(unsigned short)(n * 1028)";

impl Printer<'_> {
    pub(super) fn name(&self, side: Side) -> String {
        if let Some(given) = self.given.get(&side) {
            return given.pointer.clone();
        }
        let (Side::Host(pair) | Side::Device(pair)) = side;
        if self.is_vector(side) {
            return format!("v{pair}.data()");
        }
        let (letter, field, array) = match side {
            Side::Host(_) => ("h", "host", "hosts"),
            Side::Device(_) => ("d", "device", "devices"),
        };
        match self.program.style.names {
            Names::Locals | Names::Late => format!("{letter}{pair}"),
            Names::Fields | Names::Object => format!("b{pair}.{field}"),
            Names::Arrays => format!("{array}[{pair}]"),
            Names::Globals => format!("{}{letter}{pair}", self.prefix),
        }
    }

    /// Whether it is a vector that the code at hand works with.
    pub(super) fn is_vector(&self, side: Side) -> bool {
        matches!(side, Side::Host(pair) if self.program.pairs[pair].host == HostKind::Vector)
            && !self.given.contains_key(&side)
    }

    // Whether the side is declared where it is allocated.
    fn is_late(&self, side: Side) -> bool {
        let allocated = |statement: &&Statement| **statement == Statement::Allocate(side);
        self.program.style.names == Names::Late
            && self.program.body.iter().filter(allocated).count() == 1
    }

    pub(super) fn declare_buffers(&mut self) {
        let pairs = self.program.pairs.len();
        let ty = self.ty;
        for pair in 0..pairs {
            let kind = self.program.pairs[pair];
            match kind.host {
                HostKind::Vector => self.line(&format!("std::vector<{ty}> v{pair};")),
                HostKind::Unique => self.line(&format!("std::unique_ptr<{ty}[]> u{pair};")),
                HostKind::Malloc
                | HostKind::Calloc
                | HostKind::New
                | HostKind::Pinned
                | HostKind::Mapped => {}
            }
            let prefix = &self.prefix;
            match self.program.style.names {
                Names::Fields => {
                    self.line(&format!("{prefix}Buffers b{pair} = {{nullptr, nullptr}};"));
                }
                Names::Object => self.line(&format!("{prefix}Owner b{pair};")),
                Names::Locals | Names::Late => {
                    for side in [Side::Host(pair), Side::Device(pair)] {
                        let vector = side == Side::Host(pair) && kind.host == HostKind::Vector;
                        if !vector && !self.is_late(side) {
                            let name = self.name(side);
                            self.line(&format!("{ty}* {name} = nullptr;"));
                        }
                    }
                }
                Names::Arrays | Names::Globals => {}
            }
        }
        if self.program.style.names == Names::Arrays {
            let nulls = vec!["nullptr"; pairs].join(", ");
            self.line(&format!("{ty}* hosts[{pairs}] = {{{nulls}}};"));
            self.line(&format!("{ty}* devices[{pairs}] = {{{nulls}}};"));
        }
    }

    /// Bytes of a copy or fill of the pair.
    pub(super) fn bytes(&self, pair: usize) -> String {
        match self.program.pairs[pair].slack {
            Slack::CutHost | Slack::CutDevice => CUT.to_owned(),
            Slack::None | Slack::Host | Slack::Device => self.written(pair, 2),
        }
    }

    /// Bytes of a copy from a side of one pair to a side of another or the same: a cut size is more than the elements,
    /// and nothing smaller holds so much.
    pub(super) fn bytes_between(&self, to: usize, from: usize) -> String {
        match self.program.pairs[to].slack {
            Slack::CutHost | Slack::CutDevice => self.bytes(from),
            Slack::None | Slack::Host | Slack::Device => self.bytes(to),
        }
    }

    // The size of the pair as written for the host side, the device side, or copies.
    fn written(&self, pair: usize, place: usize) -> String {
        let ty = self.ty;
        match self.program.pairs[pair].sizes[place] {
            0 => "bytes".to_owned(),
            1 => format!("n * sizeof({ty})"),
            2 => format!("sizeof({ty}) * n"),
            3 => format!("(size_t)n * sizeof({ty})"),
            4 => "4 * n".to_owned(),
            5 => format!("n * (int)sizeof({ty})"),
            6 => "(unsigned)n * 4u".to_owned(),
            7 => format!("(n - 2) * sizeof({ty}) + 2 * sizeof({ty})"),
            // This and the third from here are more than 32 bits hold: what is left is right.
            8 => "n * 0x40000001u * 4u".to_owned(),
            9 => "(unsigned short)(n * 4)".to_owned(),
            10 => "(size_t)(int)(4L * n)".to_owned(),
            11 => "(n + 0x40000000u) * 4u".to_owned(),
            12 => "((unsigned)n << 2)".to_owned(),
            13 => "n * 4u % 65536".to_owned(),
            // From here on through narrower types, which hold what there is.
            14 => format!("(short)n * sizeof({ty})"),
            15 => format!("(unsigned char)n * sizeof({ty})"),
            16 => "(size_t)(int)bytes".to_owned(),
            17 => "(short)bytes".to_owned(),
            _ => format!("static_cast<int>(n * sizeof({ty}))"),
        }
    }

    fn allocated_bytes(&self, side: Side) -> String {
        let (Side::Host(pair) | Side::Device(pair)) = side;
        let place = usize::from(matches!(side, Side::Device(_)));
        let bytes = self.written(pair, place);
        match (self.program.pairs[pair].slack, side) {
            (Slack::Host, Side::Host(_)) => format!("{bytes} + 64"),
            (Slack::Device, Side::Device(_)) => format!("2 * ({bytes})"),
            (Slack::CutHost, Side::Device(_)) | (Slack::CutDevice, Side::Host(_)) => {
                FULL.to_owned()
            }
            (Slack::CutHost, Side::Host(_)) | (Slack::CutDevice, Side::Device(_)) => CUT.to_owned(),
            (Slack::None | Slack::Host | Slack::Device, Side::Host(_) | Side::Device(_)) => bytes,
        }
    }

    pub(super) fn allocate(&mut self, side: Side) {
        self.allocate_only(side);
        let (Side::Host(pair) | Side::Device(pair)) = side;
        let name = self.name(side);
        // The side whose size is not cut needs all of it.
        match (self.program.pairs[pair].slack, side) {
            (Slack::CutHost, Side::Device(_)) => {
                self.call(&format!("cudaMemset({name}, 0, {FULL})"));
                self.call("cudaDeviceSynchronize()");
            }
            (Slack::CutDevice, Side::Host(_)) => self.line(&format!("memset({name}, 0, {FULL});")),
            (
                Slack::None | Slack::Host | Slack::Device | Slack::CutHost | Slack::CutDevice,
                Side::Host(_) | Side::Device(_),
            ) => {}
        }
    }

    fn allocate_only(&mut self, side: Side) {
        let (name, ty) = (self.name(side), self.ty);
        let declared = if self.is_late(side) { format!("{ty}* ") } else { String::new() };
        let bytes = self.allocated_bytes(side);
        let prefix = self.prefix.clone();
        let allocators = self.program.style.allocators;
        let late = !declared.is_empty();
        match side {
            Side::Device(pair) => {
                let kind = self.program.pairs[pair].device;
                if kind == DeviceKind::Object {
                    let object = format!("k{pair}_{}", self.count);
                    self.line(&format!("{prefix}Block {object}({bytes});"));
                    self.line(&format!("{declared}{name} = {object}.data;"));
                    self.objects[pair] = object;
                    return;
                }
                if late {
                    self.line(&format!("{ty}* {name};"));
                }
                match kind {
                    DeviceKind::Cast if allocators => {
                        self.line(&format!("{prefix}make_device(&{name}, {bytes});"));
                    }
                    DeviceKind::Cast | DeviceKind::Object => {
                        self.call(&format!("cudaMalloc((void**)&{name}, {bytes})"));
                    }
                    DeviceKind::Template => self.call(&format!("cudaMalloc(&{name}, {bytes})")),
                    DeviceKind::Async => {
                        self.call(&format!("cudaMallocAsync((void**)&{name}, {bytes}, 0)"));
                        // Other streams may use it only once it is there.
                        self.call("cudaStreamSynchronize(0)");
                    }
                }
            }
            Side::Host(pair) => {
                let kind = self.program.pairs[pair];
                let count = match kind.slack {
                    Slack::Host => "n + 16",
                    Slack::CutHost => "(unsigned short)(n * 1028) / 4",
                    Slack::CutDevice => "n * 257",
                    Slack::None | Slack::Device => "n",
                };
                match kind.host {
                    HostKind::Malloc if allocators => {
                        self.line(&format!("{declared}{name} = {prefix}make_host({bytes});"));
                    }
                    HostKind::Malloc => {
                        self.line(&format!("{declared}{name} = ({ty}*)malloc({bytes});"));
                    }
                    HostKind::Calloc => {
                        self.line(&format!(
                            "{declared}{name} = ({ty}*)calloc({count}, sizeof({ty}));"
                        ));
                    }
                    HostKind::New => self.line(&format!("{declared}{name} = new {ty}[{count}];")),
                    HostKind::Vector => self.line(&format!("v{pair}.assign({count}, 0);")),
                    HostKind::Unique => {
                        self.line(&format!("u{pair}.reset(new {ty}[{count}]);"));
                        self.line(&format!("{declared}{name} = u{pair}.get();"));
                    }
                    HostKind::Pinned | HostKind::Mapped => {
                        if late {
                            self.line(&format!("{ty}* {name};"));
                        }
                        self.call(&if kind.host == HostKind::Pinned {
                            format!("cudaMallocHost((void**)&{name}, {bytes})")
                        } else {
                            format!("cudaHostAlloc((void**)&{name}, {bytes}, cudaHostAllocMapped)")
                        });
                    }
                }
            }
        }
    }

    pub(super) fn free(&mut self, side: Side) {
        self.release(side);
        let (Side::Host(pair) | Side::Device(pair)) = side;
        let vector = side == Side::Host(pair) && self.program.pairs[pair].host == HostKind::Vector;
        // What frees again at the end must find that there is nothing.
        if !vector && (self.cleanup || self.program.style.names == Names::Object) {
            let name = self.name(side);
            self.line(&format!("{name} = nullptr;"));
        }
    }

    fn release(&mut self, side: Side) {
        let name = self.name(side);
        let allocators = self.program.style.allocators;
        let prefix = self.prefix.clone();
        match side {
            Side::Device(pair) => match self.program.pairs[pair].device {
                DeviceKind::Object => {
                    let object = self.objects[pair].clone();
                    self.line(&format!("{object}.release();"));
                }
                DeviceKind::Async => self.call(&format!("cudaFreeAsync({name}, 0)")),
                DeviceKind::Cast if allocators => {
                    self.line(&format!("{prefix}drop_device({name});"));
                }
                DeviceKind::Cast | DeviceKind::Template => {
                    self.call(&format!("cudaFree({name})"));
                }
            },
            Side::Host(pair) => match self.program.pairs[pair].host {
                HostKind::Malloc if allocators => {
                    self.line(&format!("{prefix}drop_host({name});"));
                }
                HostKind::Malloc | HostKind::Calloc => self.line(&format!("free({name});")),
                HostKind::New => self.line(&format!("delete[] {name};")),
                HostKind::Pinned | HostKind::Mapped => {
                    self.call(&format!("cudaFreeHost({name})"));
                }
                HostKind::Vector => {
                    let ty = self.ty;
                    self.line(&format!("std::vector<{ty}>().swap(v{pair});"));
                }
                HostKind::Unique => self.line(&format!("u{pair}.reset();")),
            },
        }
    }

    /// Frees what is left at the end of a program that goes there from everywhere.
    pub(super) fn free_all(&mut self) {
        self.line("cudaDeviceSynchronize();");
        for pair in 0..self.program.pairs.len() {
            for side in [Side::Device(pair), Side::Host(pair)] {
                let kind = self.program.pairs[pair];
                let owned = match side {
                    Side::Host(_) => kind.host.is_owned(),
                    Side::Device(_) => self.program.style.names == Names::Object,
                };
                if !owned {
                    let name = self.name(side);
                    self.line(&format!("if ({name} != nullptr) {{"));
                    self.indent += 1;
                    self.release(side);
                    self.indent -= 1;
                    self.line("}");
                }
            }
        }
    }

    /// Parameters and arguments of a function that uses the sides.
    pub(super) fn passed(&self, used: &BTreeSet<Side>) -> (String, String) {
        let ty = self.ty;
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let mut pass = |parameter: String, argument: String| {
            if !arguments.contains(&argument) {
                parameters.push(parameter);
                arguments.push(argument);
            }
        };
        for &side in used {
            let (Side::Host(pair) | Side::Device(pair)) = side;
            if side == Side::Host(pair) && self.program.pairs[pair].host == HostKind::Vector {
                pass(format!("std::vector<{ty}>& v{pair}"), format!("v{pair}"));
                continue;
            }
            let name = self.name(side);
            match self.program.style.names {
                Names::Locals | Names::Late => pass(format!("{ty}* {name}"), name),
                Names::Fields => {
                    pass(format!("{}Buffers& b{pair}", self.prefix), format!("b{pair}"));
                }
                Names::Object => {
                    pass(format!("{}Owner& b{pair}", self.prefix), format!("b{pair}"));
                }
                Names::Arrays => {
                    pass(format!("{ty}** hosts"), "hosts".to_owned());
                    pass(format!("{ty}** devices"), "devices".to_owned());
                }
                Names::Globals => {}
            }
        }
        for (ty, name) in self.context() {
            pass(format!("{ty} {name}"), name);
        }
        (parameters.join(", "), arguments.join(", "))
    }

    /// What every part of the body needs beside buffers: types and names.
    pub(super) fn context(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![
            ("int", "n".to_owned()),
            ("size_t", "bytes".to_owned()),
            ("unsigned long&", "sum".to_owned()),
        ];
        let streams = 1..=self.program.streams.len();
        all.extend(streams.map(|stream| ("cudaStream_t", format!("s{stream}"))));
        all.push(("cudaEvent_t", "event".to_owned()));
        all
    }
}
