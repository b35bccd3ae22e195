//! What the tool mostly keeps away from.

use super::{Printer, stream_name};
use crate::program::{Side, Special};

impl Printer<'_> {
    pub(super) fn special(&mut self, special: Special, pair: usize, stream: usize) {
        match special {
            Special::ToSymbol => self.symbol_set(pair, stream),
            Special::FromSymbol => self.symbol_get(pair, stream),
            Special::HostFunction => {
                let (host, letter) = (self.name(Side::Host(pair)), self.letter);
                let stream = stream_name(stream);
                self.call(&format!("cudaLaunchHostFunc({stream}, later_{letter}, {host})"));
            }
            Special::Graph => self.graph(pair, stream),
            Special::Thread => self.thread(pair),
            Special::LastDevice => {
                self.line("{");
                self.indent += 1;
                self.line("int devices = 0;");
                self.call("cudaGetDeviceCount(&devices)");
                self.call("cudaSetDevice(devices - 1)");
                self.indent -= 1;
                self.line("}");
            }
        }
    }

    fn symbol_set(&mut self, pair: usize, stream: usize) {
        let (host, device) = (self.name(Side::Host(pair)), self.name(Side::Device(pair)));
        let (ty, letter) = (self.ty, self.letter);
        let table = if self.count.is_multiple_of(2) { "table" } else { "fixed" };
        let bytes = format!("n * sizeof({ty})");
        let name = stream_name(stream);
        self.call(&if stream == 0 {
            format!("cudaMemcpyToSymbol({table}_{letter}, {host}, {bytes})")
        } else {
            format!(
                "cudaMemcpyToSymbolAsync({table}_{letter}, {host}, {bytes}, 0, cudaMemcpyHostToDevice, {name})"
            )
        });
        self.line(&format!(
            "blend_{table}_{letter}<<<(n + 31) / 32, 32, 0, {name}>>>({device}, n);"
        ));
        self.call(&format!("cudaStreamSynchronize({name})"));
    }

    fn symbol_get(&mut self, pair: usize, stream: usize) {
        let (host, device) = (self.name(Side::Host(pair)), self.name(Side::Device(pair)));
        let (ty, letter) = (self.ty, self.letter);
        let bytes = format!("n * sizeof({ty})");
        let name = stream_name(stream);
        self.line(&format!("save_{letter}<<<(n + 31) / 32, 32, 0, {name}>>>({device}, n);"));
        self.call(&if stream == 0 {
            format!("cudaMemcpyFromSymbol({host}, table_{letter}, {bytes})")
        } else {
            format!(
                "cudaMemcpyFromSymbolAsync({host}, table_{letter}, {bytes}, 0, cudaMemcpyDeviceToHost, {name})"
            )
        });
        self.call(&format!("cudaStreamSynchronize({name})"));
    }

    fn graph(&mut self, pair: usize, stream: usize) {
        let (device, letter, ty) = (self.name(Side::Device(pair)), self.letter, self.ty);
        let name = stream_name(stream);
        self.line("{");
        self.indent += 1;
        self.line("cudaStream_t recorder;");
        self.line("cudaGraph_t graph;");
        self.line("cudaGraphExec_t runner;");
        self.call("cudaStreamCreate(&recorder)");
        self.call("cudaStreamBeginCapture(recorder, cudaStreamCaptureModeGlobal)");
        self.line(&format!("update_{letter}<<<(n + 31) / 32, 32, 0, recorder>>>({device}, n);"));
        self.call(&format!("cudaMemsetAsync({device}, 0, 4 * sizeof({ty}), recorder)"));
        self.call("cudaStreamEndCapture(recorder, &graph)");
        self.call("cudaGraphInstantiate(&runner, graph, 0)");
        self.call(&format!("cudaGraphLaunch(runner, {name})"));
        self.call(&format!("cudaGraphLaunch(runner, {name})"));
        self.call("cudaGraphExecDestroy(runner)");
        self.call("cudaGraphDestroy(graph)");
        self.call("cudaStreamDestroy(recorder)");
        self.indent -= 1;
        self.line("}");
    }

    fn thread(&mut self, pair: usize) {
        let (host, letter, k) = (self.name(Side::Host(pair)), self.letter, self.count % 11);
        self.line("{");
        self.indent += 1;
        self.line(&if self.count.is_multiple_of(2) {
            format!("std::thread worker(bump_{letter}, {host}, 0, n);")
        } else {
            format!(
                "std::thread worker([&] {{ for (int i = 0; i < n; i++) {host}[i] = {host}[i] / 2 + {k}; }});"
            )
        });
        self.line("worker.join();");
        self.indent -= 1;
        self.line("}");
    }
}
