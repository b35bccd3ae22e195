//! Parts of the body that get their pointers in one of many forms.

use std::collections::BTreeMap;

use super::{Exit, Given, Printer, used};
use crate::form::{Form, Held, Lambda, Local, Parameter};
use crate::program::{HostWork, Names, Reach, Side, Statement};
use crate::source::Layout;

/// A side that the part gets.
struct Passed {
    side: Side,
    /// Its name inside, as far as it has one of its own.
    name: String,
    /// What it is outside.
    outer: String,
}

impl Printer<'_> {
    /// Prints the body of `statement` apart from the rest, with its pointers handed on in the form.
    pub(super) fn with(&mut self, form: Form, statement: &Statement, body: &[Statement]) {
        let number = self.count;
        let passed: Vec<Passed> = used(statement)
            .into_iter()
            .map(|side| {
                let name = match side {
                    Side::Host(pair) => format!("h{pair}"),
                    Side::Device(pair) => format!("d{pair}"),
                };
                Passed { side, name, outer: self.name(side) }
            })
            .collect();
        match form {
            Form::Parameter(form) => self.in_function(form, &passed, body, number),
            Form::Held(form) => self.with_struct(form, &passed, body, number),
            Form::Method => self.in_method(&passed, body, number),
            Form::Lambda(form) => self.in_lambda(form, &passed, body, number),
            Form::Local(form) => self.in_scope(form, &passed, body, number),
        }
    }

    // Prints the body with these names for the sides.
    fn renamed(&mut self, names: Vec<(Side, Given)>, body: &[Statement]) -> String {
        let outer =
            std::mem::replace(&mut self.given, names.into_iter().collect::<BTreeMap<_, _>>());
        let text = self.apart(body);
        self.given = outer;
        text
    }

    fn in_function(
        &mut self,
        form: Parameter,
        passed: &[Passed],
        body: &[Statement],
        number: usize,
    ) {
        let (ty, letter) = (self.ty, self.letter);
        self.line("{");
        self.indent += 1;
        let (mut parameters, mut arguments, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut types = Vec::new();
        let mut last = Vec::new();
        for (at, Passed { side, name, outer }) in passed.iter().enumerate() {
            let constant = if only_reads(body) { "const " } else { "" };
            let lvalue = if self.is_vector(*side) && wants_lvalue(form) {
                self.line(&format!("{ty}* q{at} = {outer};"));
                format!("q{at}")
            } else {
                outer.clone()
            };
            let (parameter, argument) = match form {
                Parameter::Open => (format!("{constant}{ty} {name}[]"), outer.clone()),
                Parameter::Sized => (format!("{constant}{ty} {name}[64]"), outer.clone()),
                Parameter::Rows => (format!("{ty} {name}[][2]"), format!("({ty} (*)[2]){outer}")),
                Parameter::RowPointer => {
                    (format!("{ty} (*{name})[2]"), format!("({ty} (*)[2]){outer}"))
                }
                Parameter::Named if number.is_multiple_of(2) => {
                    (format!("{constant}Line_{letter} {name}"), outer.clone())
                }
                Parameter::Named => (format!("{constant}Lines_{letter} {name}"), outer.clone()),
                Parameter::Reference => (format!("{ty}*& {name}"), lvalue),
                Parameter::ConstReference => (format!("{ty}* const& {name}"), lvalue),
                Parameter::Twice => (format!("{ty}** {name}"), format!("&{lvalue}")),
                Parameter::Deduced | Parameter::DeducedReference => {
                    types.push(format!("class A{at}"));
                    let mark = if form == Parameter::Deduced { "" } else { "&" };
                    (format!("A{at}{mark} {name}"), lvalue)
                }
                Parameter::Index => {
                    (format!("Span_{letter} {name}"), format!("Span_{letter}{{{outer}}}"))
                }
                Parameter::Default => {
                    let global =
                        self.program.style.names == Names::Globals && !self.is_vector(*side);
                    if global {
                        last.push((format!("{ty}* {name}"), outer.clone()));
                        names.push((*side, plain(name)));
                        continue;
                    }
                    (format!("{ty}* {name}"), outer.clone())
                }
            };
            names.push((*side, inside(form, name)));
            parameters.push(parameter);
            arguments.push(argument);
        }
        for (ty, name) in self.context() {
            parameters.push(format!("{ty} {name}"));
            arguments.push(name);
        }
        let mut start = String::new();
        if form == Parameter::Default {
            last.push(("unsigned long more".to_owned(), "3".to_owned()));
            start = "  sum += more;\n".to_owned();
        }
        let body = start + &self.renamed(names, body);
        let name = format!("{}stage{number}", self.prefix);
        let head = match types.as_slice() {
            [] => String::new(),
            types => format!("template <{}>\n", types.join(", ")),
        };
        let signature = |defaults: bool| {
            let mut all = parameters.clone();
            all.extend(last.iter().map(|(parameter, value)| match defaults {
                true => format!("{parameter} = {value}"),
                false => parameter.clone(),
            }));
            format!("void {name}({})", all.join(", "))
        };
        self.outside(&head, &signature(true), &signature(false), &body);
        self.line(&format!("{name}({});", arguments.join(", ")));
        self.indent -= 1;
        self.line("}");
    }

    fn with_struct(&mut self, form: Held, passed: &[Passed], body: &[Statement], number: usize) {
        let name = format!("{}stage{number}", self.prefix);
        let held = format!("{}Held{number}", self.prefix);
        let fields: String =
            passed.iter().map(|Passed { name, .. }| format!("  @T* {name};\n")).collect();
        self.own.push_str(&format!("\nstruct {held} {{\n{fields}}};\n"));
        let (parameter, arrow) = match form {
            Held::Reference if number.is_multiple_of(2) => (format!("const {held}& held"), "."),
            Held::Reference => (format!("{held}& held"), "."),
            Held::Pointer => (format!("{held}* held"), "->"),
            Held::Value => (format!("{held} held"), "."),
        };
        let names = passed
            .iter()
            .map(|Passed { side, name, .. }| (*side, plain(&format!("held{arrow}{name}"))))
            .collect();
        let body = self.renamed(names, body);
        let (mut parameters, mut arguments) = (vec![parameter], Vec::new());
        for (ty, name) in self.context() {
            parameters.push(format!("{ty} {name}"));
            arguments.push(name);
        }
        let signature = format!("void {name}({})", parameters.join(", "));
        self.outside("", &signature, &signature, &body);
        let values: Vec<&str> = passed.iter().map(|passed| passed.outer.as_str()).collect();
        let (values, arguments) = (values.join(", "), arguments.join(", "));
        if form == Held::Value && number.is_multiple_of(2) {
            self.line(&format!("{name}({held}{{{values}}}, {arguments});"));
            return;
        }
        let mark = if form == Held::Pointer { "&" } else { "" };
        self.line("{");
        self.line(&format!("  {held} held = {{{values}}};"));
        self.line(&format!("  {name}({mark}held, {arguments});"));
        self.line("}");
    }

    fn in_method(&mut self, passed: &[Passed], body: &[Statement], number: usize) {
        let held = format!("{}Works{number}", self.prefix);
        let this = if number.is_multiple_of(2) { "this->" } else { "" };
        let ty = self.ty;
        let fields: String =
            passed.iter().map(|Passed { name, .. }| format!("  {ty}* {name};\n")).collect();
        let names = passed
            .iter()
            .map(|Passed { side, name, .. }| (*side, plain(&format!("{this}{name}"))))
            .collect();
        let body = self.renamed(names, body);
        let context = self.context();
        let parameters: Vec<String> =
            context.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
        let arguments: Vec<String> = context.into_iter().map(|(_, name)| name).collect();
        let parameters = parameters.join(", ");
        if self.layout == Layout::Two {
            let name = format!("{held}::run");
            self.prototypes
                .push_str(&format!("struct {held} {{\n{fields}  void run({parameters});\n}};\n"));
            self.stages.push_str(&format!("\nvoid {name}({parameters}) {{\n{body}}}\n"));
        } else {
            self.stages.push_str(&format!(
                "\nstruct {held} {{\n{fields}  void run({parameters}) {{\n{body}  }}\n}};\n"
            ));
        }
        let values: Vec<&str> = passed.iter().map(|passed| passed.outer.as_str()).collect();
        let (values, arguments) = (values.join(", "), arguments.join(", "));
        if number.is_multiple_of(3) {
            self.line(&format!("{held}{{{values}}}.run({arguments});"));
            return;
        }
        self.line("{");
        self.line(&format!("  {held} works = {{{values}}};"));
        self.line(&format!("  works.run({arguments});"));
        self.line("}");
    }

    fn in_lambda(&mut self, form: Lambda, passed: &[Passed], body: &[Statement], number: usize) {
        let ty = if form == Lambda::Auto { "auto".to_owned() } else { format!("{}*", self.ty) };
        let each = |text: fn(&str, &Passed) -> String| -> Vec<String> {
            passed.iter().map(|passed| text(&ty, passed)).collect()
        };
        let (capture, parameters, arguments) = if form == Lambda::Copy {
            let mut all = each(|_, passed| {
                let Passed { name, outer, .. } = passed;
                if name == outer { name.clone() } else { format!("{name} = {outer}") }
            });
            all.extend(
                self.context()
                    .into_iter()
                    .map(|(ty, name)| if ty.ends_with('&') { format!("&{name}") } else { name }),
            );
            (all.join(", "), Vec::new(), Vec::new())
        } else {
            let parameters = each(|ty, passed| format!("{ty} {}", passed.name));
            ("&".to_owned(), parameters, each(|_, passed| passed.outer.clone()))
        };
        let names = passed.iter().map(|Passed { side, name, .. }| (*side, plain(name))).collect();
        let body = self.renamed(names, body);
        let (parameters, arguments) = (parameters.join(", "), arguments.join(", "));
        let mutable = if form == Lambda::Copy { " mutable" } else { "" };
        self.line("{");
        self.line(&format!("  auto stage{number} = [{capture}]({parameters}){mutable} {{"));
        self.text.push_str(&body);
        self.line("  };");
        self.line(&format!("  stage{number}({arguments});"));
        self.line("}");
    }

    fn in_scope(&mut self, form: Local, passed: &[Passed], body: &[Statement], number: usize) {
        let (ty, letter) = (self.ty, self.letter);
        self.line("{");
        self.indent += 1;
        let mut names = Vec::new();
        for Passed { side, name, outer } in passed {
            let inner = format!("{name}_{number}");
            match form {
                Local::Reference if self.is_vector(*side) => {
                    let vector = outer.trim_end_matches(".data()");
                    self.line(&format!("auto& {inner} = {vector};"));
                    names.push((*side, plain(&format!("{inner}.data()"))));
                    continue;
                }
                Local::Reference => self.line(&format!("auto& {inner} = {outer};")),
                Local::Returned => {
                    self.line(&format!("{ty}* {inner} = same_{letter}({outer});"));
                }
                Local::Auto if number.is_multiple_of(2) => {
                    self.line(&format!("auto* {inner} = {outer};"))
                }
                Local::Auto => self.line(&format!("auto {inner} = {outer};")),
            }
            names.push((*side, plain(&inner)));
        }
        let outer = std::mem::replace(&mut self.given, names.into_iter().collect());
        self.block(body, Exit::Nowhere);
        self.given = outer;
        self.indent -= 1;
        self.line("}");
    }
}

fn plain(name: &str) -> Given {
    Given { pointer: name.to_owned(), element: format!("{name}[i]") }
}

// What a parameter of the form is for the function.
fn inside(form: Parameter, name: &str) -> Given {
    match form {
        Parameter::Rows => Given {
            pointer: format!("(&{name}[0][0])"),
            element: format!("{name}[(i) / 2][(i) % 2]"),
        },
        Parameter::RowPointer => {
            Given { pointer: format!("(*{name})"), element: format!("{name}[(i) / 2][(i) % 2]") }
        }
        Parameter::Twice => plain(&format!("(*{name})")),
        Parameter::Index => Given { pointer: format!("{name}.v"), element: format!("{name}[i]") },
        Parameter::Open
        | Parameter::Sized
        | Parameter::Named
        | Parameter::Reference
        | Parameter::ConstReference
        | Parameter::Deduced
        | Parameter::DeducedReference
        | Parameter::Default => plain(name),
    }
}

fn wants_lvalue(form: Parameter) -> bool {
    matches!(
        form,
        Parameter::Reference
            | Parameter::ConstReference
            | Parameter::Twice
            | Parameter::DeducedReference
    )
}

// Whether all it does is read elements of the host in a way that suits a pointer to constants.
fn only_reads(body: &[Statement]) -> bool {
    matches!(
        body,
        [Statement::Host { work: HostWork::Read, reach: Reach::Loop | Reach::Function, .. }]
    )
}
