use super::*;
use crate::api::{Direction, Signal};
use crate::facts::{Link, Shape};

/// Facts by the grammar; where tokens suffice, they must say the same.
fn facts(source: &str) -> FileFacts {
    let mut parsed = parse_source(b"a.cu", source.as_bytes()).expect("small");
    if let Some(facts) = tokens::token_facts(source.as_bytes()) {
        assert!(is_same(&facts, &parsed), "{facts:?} {parsed:?} {source}");
    }
    parsed.raw = raw_words(source.as_bytes());
    parsed
}

fn is_same(by_tokens: &FileFacts, parsed: &FileFacts) -> bool {
    FileFacts { parsed: true, has_errors: parsed.has_errors, ..by_tokens.clone() } == *parsed
}

#[test]
fn tokens_and_grammar_agree() {
    let mut folders =
        vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus"))];
    // More trees to compare on, separated by colons.
    folders.extend(std::env::var_os("ECHO_SURVEY_TREES").iter().flat_map(std::env::split_paths));
    let (mut files, mut by_tokens) = (0, 0);
    let mut different = Vec::new();
    for entry in folders
        .iter()
        .flat_map(|folder| ignore::WalkBuilder::new(folder).standard_filters(false).build())
    {
        let path = entry.expect("readable").into_path();
        let name = path.to_string_lossy().into_owned();
        let class = crate::path_rules::classify(name.as_bytes());
        let Ok(bytes) = std::fs::read(&path) else { continue };
        if !matches!(class, crate::path_rules::PathClass::Source)
            || crate::prefilter::promise(&bytes) != crate::prefilter::Promise::Memory
            || bytes.len() > 400_000
        {
            continue;
        }
        files += 1;
        let (Some(facts), Ok(parsed)) =
            (tokens::token_facts(&bytes), parse_source(name.as_bytes(), &bytes))
        else {
            continue;
        };
        by_tokens += 1;
        // Where the grammar lost its way, tokens see at least as much; a link it found all the same must not be lost.
        let agrees =
            if parsed.has_errors { parsed.links.is_empty() } else { is_same(&facts, &parsed) };
        if !agrees {
            different.push(format!("{name}: {:?} {:?}", facts.counts, parsed.counts));
        }
    }
    assert!(different.is_empty(), "{different:#?}");
    assert!(files > 100 && by_tokens >= 5, "{by_tokens} of {files}");
}

fn link(source: &str) -> Vec<Link> {
    facts(source).links
}

#[test]
fn comments_strings_and_look_alikes_do_not_count() {
    let facts = facts(
        r#"
// cudaMalloc(&d, 4); malloc(4)
/* cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice); */
const char *text = "cudaMalloc(&d, 4) malloc(4) new int[3]";
void f() { cudaMallocHost(&p, 4); safeCudaMalloc(4); _aligned_malloc(4); pool.malloc(4); mine::malloc(3); }
extern "C" void *malloc(unsigned long);
struct S { void *calloc(int); };
"#,
    );
    for signal in [Signal::DeviceAllocation, Signal::HostArray, Signal::ExplicitCopy] {
        assert!(!facts.has(signal), "{}", signal.code());
    }
    assert_eq!(facts.counts[Signal::Pinned.index()], 1);
    assert!(facts.raw.all(), "raw text counts them all");
}

#[test]
fn code_in_macros_counts_and_code_under_if_0_does_not() {
    let facts = facts(
        "#define ALLOC(p, n) cudaMalloc(p, n)\n#define GET(n) \\\n  malloc(n) // calloc(1)\n#if 0\nvoid g() { cudaMallocManaged(&p, 3); }\n#else\nvoid g() { cudaHostAlloc(&p, 3, cudaHostAllocMapped); }\n#endif\n",
    );
    assert_eq!(facts.first_line[Signal::DeviceAllocation.index()], 1);
    assert_eq!(facts.first_line[Signal::HostArray.index()], 3);
    assert_eq!(facts.counts[Signal::HostArray.index()], 1);
    assert!(!facts.has(Signal::Managed));
    assert!(facts.has(Signal::Pinned) && facts.has(Signal::Mapped));
}

#[test]
fn a_direction_in_a_variable_is_explicit() {
    let through_variable = "void f(bool up) { const cudaMemcpyKind kind = up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost; cudaMemcpy(a, b, n, kind); }";
    assert!(facts(through_variable).has(Signal::ExplicitCopy));
    assert!(
        !facts("void f() { cudaMemcpy(a, b, n, cudaMemcpyDefault); }").has(Signal::ExplicitCopy)
    );
    let unused = "enum K { A = cudaMemcpyHostToDevice };";
    assert!(!facts(unused).has(Signal::ExplicitCopy), "no copy is called");
}

#[test]
fn placement_new_allocates_nothing() {
    let facts =
        facts("void f() { new (p) T; auto q = new (std::nothrow) float[n]; auto r = new T(1); }");
    assert_eq!(facts.counts[Signal::HostArray.index()], 1);
    assert_eq!(facts.counts[Signal::HostObject.index()], 1);
}

#[test]
fn whole_buffers_are_recognised_through_equal_sizes() {
    for (host, device, copy) in [
        ("(float*)malloc(n * sizeof(float))", "n * sizeof(float)", "sizeof(float) * n"),
        ("new float[n]", "n * 4", "n * sizeof(float)"),
        ("static_cast<float*>(calloc(n, sizeof(float)))", "(size_t)n * sizeof(float)", "bytes"),
    ] {
        let source = format!(
            "void f(int n) {{ const size_t bytes = n * sizeof(float); float *h = {host}, *d;\n CHECK(cudaMalloc((void**)&d, {device}));\n CHECK(cudaMemcpy(d, h, {copy}, cudaMemcpyHostToDevice)); }}"
        );
        let links = link(&source);
        assert_eq!(links.len(), 1, "{source}");
        assert_eq!(links[0].shape, Shape::WholeBuffer { from_host: true }, "{source}");
        assert_eq!((links[0].host_line, links[0].device_line, links[0].copy_line), (1, 2, 3));
        assert_eq!(links[0].directions, [Direction::H2d]);
    }
}

#[test]
fn partial_shared_and_displaced_buffers_are_only_linked() {
    let body = |copies: &str| {
        format!(
            "void f(int n) {{ int *h = new int[n], *g = new int[n], *d; cudaMalloc(&d, n * 4); {copies} }}"
        )
    };
    for (copies, expected) in [
        ("cudaMemcpy(d, h, n * 2, cudaMemcpyHostToDevice);", 1),
        ("cudaMemcpy(d + 1, h, n * 4, cudaMemcpyHostToDevice);", 1),
        ("cudaMemcpy(d, &h[k], n * 4, cudaMemcpyHostToDevice);", 1),
        (
            "cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice); cudaMemcpy(g, d, n * 4, cudaMemcpyDeviceToHost);",
            2,
        ),
    ] {
        let links = link(&body(copies));
        assert_eq!(links.len(), expected, "{copies}");
        assert!(links.iter().all(|link| link.shape == Shape::Linked), "{copies}");
    }
    let output = link(&body("cudaMemcpy(h, d, 4 * n, cudaMemcpyDeviceToHost);"));
    assert_eq!(output[0].shape, Shape::WholeBuffer { from_host: false });
}

#[test]
fn equal_names_in_different_functions_are_different_buffers() {
    let split = "void f() { int *h = new int[4]; } void g() { int *h = other(); int *d; cudaMalloc(&d, 16); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); }";
    assert!(link(split).is_empty());
    let members = "A::A() : host_(new int[4]) { cudaMalloc(&device_, 16); } void A::up() { cudaMemcpy(this->device_, host_, 16, cudaMemcpyHostToDevice); }";
    assert_eq!(link(members).len(), 1);
}

#[test]
fn a_pointer_that_also_comes_from_elsewhere_is_only_linked() {
    let source = |other: &str| {
        format!(
            "A::A(int *given) {{ {other} host_ = new int[4]; cudaMalloc(&device_, 16); cudaMemcpy(device_, host_, 16, cudaMemcpyHostToDevice); }}"
        )
    };
    assert_eq!(link(&source("host_ = NULL;"))[0].shape, Shape::WholeBuffer { from_host: true });
    assert_eq!(link(&source("if (given) host_ = given; else"))[0].shape, Shape::Linked);
}

#[test]
fn a_size_that_changes_is_not_a_constant() {
    let source = "void f() { int n = 4; int *h = new int[n]; n = 8; int *d; cudaMalloc(&d, 16); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); }";
    assert_eq!(link(source)[0].shape, Shape::Linked);
}

#[test]
fn hostile_text_neither_panics_nor_hangs() {
    let mut sources = vec!["(".repeat(200_000), "{".repeat(200_000), "a<".repeat(100_000)];
    sources.push(format!(
        "void f() {{ x = {}malloc(3){}; }}",
        "(".repeat(50_000),
        ")".repeat(50_000)
    ));
    sources.push(format!("int x = {}1;", "1+".repeat(100_000)));
    sources.push(format!("size_t a = {}1; void f() {{ cudaMalloc(&d, a); }}", "a*".repeat(20_000)));
    sources.push("cudaMalloc(\u{0}\u{1}\"".repeat(2_000));
    for source in sources {
        // Giving up is a legal answer; crashing is not.
        let _ = read_source(b"a.cu", source.as_bytes());
    }
}

#[test]
fn bytes_that_are_not_utf8_are_read() {
    let facts =
        read_source(b"a.cu", b"// \xff\xfe\nvoid f() { cudaMalloc(&\xe9, 4); }").expect("small");
    assert!(facts.has(Signal::DeviceAllocation));
}

#[test]
fn dead_text_raw_strings_and_template_arguments_need_no_grammar() {
    for (source, signal, count) in [
        (
            "#if 0 // off\nvoid g() { cudaMallocManaged(&p, 3); }\n#else\n#endif\n",
            Signal::Managed,
            0,
        ),
        (
            "#if 0\n/*\n#endif */ malloc(1);\n#endif\nvoid g() { x = malloc(1); }",
            Signal::HostArray,
            1,
        ),
        (
            "const char *t = R\"x(malloc(1) \")x\";\nvoid g() { x = malloc(1); }",
            Signal::HostArray,
            1,
        ),
        ("void g() { x = new M<float, -1, A::B>[n - 1]; }", Signal::HostArray, 1),
        ("void g() { x = new M<float, N<2>>(n); }", Signal::HostObject, 1),
        ("__device__ __managed__ float x[4];", Signal::Managed, 1),
    ] {
        let by_tokens = tokens::token_facts(source.as_bytes()).expect(source);
        assert_eq!(by_tokens.counts[signal.index()], count, "{source}");
        assert_eq!(facts(source).counts, by_tokens.counts, "{source}");
    }
}

#[test]
fn a_file_whose_copies_meet_no_pair_needs_no_grammar() {
    let source = |host: &str| {
        format!(
            "void f(int n, float *given) {{ float *h = new float[n], *d; cudaMalloc(&d, n * 4); cudaMemcpy(d, {host}, n * 4, cudaMemcpyHostToDevice); }}"
        )
    };
    assert!(tokens::token_facts(source("given").as_bytes()).is_some_and(|f| f.is_candidate(true)));
    assert_eq!(tokens::token_facts(source("h").as_bytes()), None);
    assert!(link(&source("given")).is_empty() && link(&source("h")).len() == 1);
}
