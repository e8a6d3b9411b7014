//! Reads the files of the reference and writes them down again with a site at each thing that a line does.
//!
//! A *site* is an operator, a condition, a number, the reading of a field, an index, a range, a statement. Where the
//! reference has `a & b`, its twin has `site::and(17, a, b)`, which does the same unless site 17 is told to do it wrong. A site is
//! named by the function that it stands in and by its text, so that its name outlives a change of the layout.
//!
//! What must be `const`, what is a pattern or a type, and what stands in a macro of ours is left as it is. A function that is
//! `const` though no constant is made by it is none in the twin.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprBinary, ExprCall, ExprIf, ExprIndex, ExprMethodCall, Item, Lit, Stmt, UnOp, parse_quote};

/// Files of the twin, below `src`; a file module that one of them declares comes with it.
const ROOTS: [&str; 2] = ["tensix", "visa"];
/// Modules of theirs that are none of the twin's: what threads do side by side, and their front ends, which no case reaches.
const APART: [&str; 2] = ["threads", "frontend"];
/// Methods whose arguments say what is *not* promised. A target that gets these wrong refuses, or does what nobody compares.
const OF_PROMISES: [&str; 6] =
    ["illegal_if", "undefined_if", "unspecified_if", "check", "check_contiguous", "expectation"];

/// Writes `twisted.rs` and `sites.rs` to `out`.
pub fn make(src: &Path, out: &Path) -> Result<(), String> {
    let (mut sites, mut calls) = (Vec::new(), Vec::new());
    let mut code = TokenStream::new();
    let mut known = Known::default();
    loop {
        let before = known.of_constants.len();
        known.called.clear();
        for root in ROOTS {
            known.read(&src.join(root))?;
        }
        if known.of_constants.len() == before {
            break;
        }
    }
    known.read_registers(&src.join("../../isa/src/tensix/state.rs"))?;
    for root in ROOTS {
        let name = quote::format_ident!("{root}");
        let items = file(src, &PathBuf::from(root).join("mod.rs"), &known, (&mut sites, &mut calls))?;
        code.extend(quote! { pub mod #name { #(#items)* } });
    }
    let calls: Vec<TokenStream> = calls.iter().map(|call| call.call(known.is_only_one(&call.text))).collect();
    let (num_sites, num_calls) = (sites.len(), calls.len());
    let sites = in_pieces(&quote! { Site }, &sites.iter().map(Site::row).collect::<Vec<_>>());
    let calls = in_pieces(&quote! { Call }, &calls);
    let table = quote! {
        /// How many sites there are.
        pub const NUM_SITES: usize = #num_sites;
        /// All sites, by number.
        pub static SITES: [Site; NUM_SITES] = #sites;
        /// Where functions of the reference are called.
        pub static CALLS: [Call; #num_calls] = #calls;
    };
    for (name, text) in [("twisted.rs", code), ("sites.rs", table)] {
        std::fs::write(out.join(name), text.to_string()).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Rows of a table as an array. The compiler takes fifteen seconds for thousands in one expression, and one for them in
/// pieces.
fn in_pieces(of: &TokenStream, rows: &[TokenStream]) -> TokenStream {
    let pieces = rows.chunks(32).map(|piece| quote! { const { const PIECE: &[#of] = &[#(#piece),*]; PIECE } });
    quote! { joined(&[#(#pieces),*]) }
}

/// A page, by the name of its static, with first and last line.
type PageLines = (String, u32, u32);

/// A place of the reference where something can be done wrong.
struct Site {
    file: String,
    item: String,
    text: String,
    line: usize,
    statements: Vec<String>,
    source: String,
    pages: Vec<PageLines>,
    /// What the constant says that a loop ends with.
    besides: Vec<PageLines>,
    /// Whether it is what those who call its function say.
    is_told: bool,
    kind: &'static str,
    /// Of a set, its members; of a variable, those that may stand in its place.
    members: Vec<String>,
    /// Sites with which it can do something wrong.
    beside: Vec<usize>,
    /// Of a statement, where it gives what it writes.
    written: Option<usize>,
}

impl Site {
    fn row(&self) -> TokenStream {
        let Site { file, item, text, line, statements, source, is_told, kind, members, beside, .. } = self;
        let number = |site: &usize| u16::try_from(*site).expect("there are fewer sites");
        let beside = beside.iter().map(number);
        let written = match self.written.as_ref().map(number) {
            Some(site) => quote! { Some(#site) },
            None => quote! { None },
        };
        let (pages, besides) = (self.page_rows(&self.pages), self.page_rows(&self.besides));
        let kind = quote::format_ident!("{kind}");
        let line = u32::try_from(*line).expect("a file has fewer lines");
        quote! {
            Site {
                file: #file, item: #item, text: #text, line: #line, statements: &[#(#statements),*],
                source: #source, pages: &[#(#pages),*], besides: &[#(#besides),*], is_told: #is_told,
                kind: SiteKind::#kind, members: &[#(#members),*], beside: &[#(#beside),*], written: #written,
            }
        }
    }

    /// What it is as the call of the function that its text names.
    fn call(&self, is_only_one: bool) -> TokenStream {
        let Site { file, item, text, statements, .. } = self;
        let pages = self.page_rows(&self.pages);
        quote! {
            Call {
                of: #text, is_only_one: #is_only_one, file: #file, item: #item, statements: &[#(#statements),*],
                pages: &[#(#pages),*],
            }
        }
    }

    fn page_rows<'a>(&self, pages: &'a [PageLines]) -> impl Iterator<Item = TokenStream> + 'a {
        let family = self.file.trim_start_matches("reference/src/").split('/').next().unwrap_or_default();
        let family = quote::format_ident!("{family}");
        pages.iter().map(move |(name, first, last)| {
            let name = quote::format_ident!("{name}");
            quote! { (&tandem_isa::#family::#name, #first, #last) }
        })
    }
}

/// The items of a file, with sites, and the calls in them.
fn file(
    src: &Path,
    path: &Path,
    known: &Known,
    (sites, calls): (&mut Vec<Site>, &mut Vec<Site>),
) -> Result<Vec<Item>, String> {
    let of_error = |error: &dyn std::fmt::Display| format!("reference/src/{}: {error}", path.display());
    let text = std::fs::read_to_string(src.join(path)).map_err(|error| of_error(&error))?;
    let mut parsed = syn::parse_file(&text).map_err(|error| of_error(&error))?;
    Unmapped.visit_file_mut(&mut parsed);
    let name = format!("reference/src/{}", path.display());
    let first = sites.len();
    let mut twister = Twister {
        file: name,
        lines: text.lines().collect(),
        item: Vec::new(),
        first_line: 0,
        last_line: 0,
        scopes: Vec::new(),
        changed: Vec::new(),
        turns: Vec::new(),
        untyped: BTreeSet::new(),
        fields: Vec::new(),
        members: BTreeSet::new(),
        near: Vec::new(),
        sums: Vec::new(),
        values: BTreeMap::new(),
        generics: Vec::new(),
        parameters: BTreeMap::new(),
        is_wrapper: false,
        gives: None,
        goes_on_with_number: false,
        written: None,
        skips: Vec::new(),
        conditions: Vec::new(),
        bound: BTreeMap::new(),
        chosen: Vec::new(),
        first_site: 0,
        early: None,
        uses: None,
        known,
        sites,
        calls,
    };
    let mut items = Vec::new();
    for mut item in parsed.items {
        if is_test(&item) || matches!(&item, Item::Mod(module) if APART.iter().any(|name| module.ident == name)) {
            continue;
        }
        twister.visit_item_mut(&mut item);
        items.push(item);
    }
    name_apart(&mut sites[first..]);
    // What is written in a file of its own comes with it.
    let below = if path.ends_with("mod.rs") { path.with_file_name("") } else { path.with_extension("") };
    for item in &mut items {
        let Item::Mod(module) = item else { continue };
        if module.content.is_none() {
            let name = module.ident.to_string();
            let as_file = below.join(format!("{name}.rs"));
            let path = if src.join(&as_file).exists() { as_file } else { below.join(&name).join("mod.rs") };
            module.content = Some((syn::token::Brace::default(), file(src, &path, known, (&mut *sites, &mut *calls))?));
            module.semi = None;
        }
    }
    Ok(items)
}

/// Numbers sites of one function that have one text.
fn name_apart(sites: &mut [Site]) {
    let mut seen: BTreeMap<(String, String, &str), usize> = BTreeMap::new();
    for site in sites {
        let count = seen.entry((site.item.clone(), site.text.clone(), site.kind)).or_default();
        *count += 1;
        if *count > 1 {
            site.text = format!("{}#{count}", site.text);
        }
    }
}

/// A text in which of each `reads!` there is only what the page says.
fn without_readings(text: &str) -> String {
    let Some((before, rest)) = text.split_once("reads!(") else { return text.to_string() };
    let mut depth = 0;
    let end = rest.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth < 0
    });
    let (inside, behind) = rest.split_at(end.unwrap_or(rest.len()));
    let page = inside.split_once(", \"").map_or(inside, |(page, _)| page);
    format!("{before}{page}{}", without_readings(behind.strip_prefix(')').unwrap_or(behind)))
}

/// The name of a type, or of what a reference is to, without what it is generic over.
fn name_of_type(of: &syn::Type) -> String {
    let of = if let syn::Type::Reference(to) = of { &*to.elem } else { of };
    of.to_token_stream().to_string().split(' ').next().unwrap_or_default().to_string()
}

/// Whether a type is copied.
fn is_copied(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string().contains("Copy"))
}

fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg"))
}

/// What all files together tell.
#[derive(Default)]
struct Known {
    /// Functions that make constants, as type and name; without a type, of any type or none.
    of_constants: BTreeSet<(Option<String>, String)>,
    /// The fields of each structure that have names, with their types, …
    fields: BTreeMap<String, Vec<(String, String)>>,
    /// … and which of them are copied.
    copied_types: BTreeSet<String>,
    /// Whether what is visited is a constant.
    is_constant: bool,
    /// The type whose functions are visited, …
    of_type: Option<String>,
    /// … the file that they are in, …
    of_file: PathBuf,
    /// … and by the names of functions where they are.
    functions: BTreeMap<String, BTreeSet<(PathBuf, Option<String>)>>,
    /// Functions that do more than to call others.
    deciding: BTreeSet<String>,
    /// Of functions that give several values, by name: which of them are numbers.
    returns: BTreeMap<String, Vec<bool>>,
    /// Which parameters of all functions of a name are numbers, without `self`.
    numbers: BTreeMap<String, Vec<bool>>,
    /// Functions that only ask their type for something, by that type and what they give.
    askers: BTreeMap<(String, String), BTreeSet<String>>,
    /// Of registers the one that another letter tells from each, by its structure and name.
    registers: BTreeMap<(String, String), String>,
    /// How often functions are called, by name.
    called: BTreeMap<String, usize>,
    /// Fields that are read and have a name in a module, by that module's.
    read: BTreeMap<String, BTreeSet<String>>,
    /// Constants of a module that are used, by its name.
    constants: BTreeMap<String, BTreeSet<String>>,
    /// Types that have a few values without data, and are copied.
    values: BTreeMap<String, Vec<syn::Ident>>,
    /// Constants above which lines of pages are named.
    pages_of_constants: BTreeMap<String, Vec<PageLines>>,
}

impl Known {
    /// Reads all files of a directory.
    fn read(&mut self, directory: &Path) -> Result<(), String> {
        let of_error = |error: &dyn std::fmt::Display| format!("{}: {error}", directory.display());
        for entry in std::fs::read_dir(directory).map_err(|error| of_error(&error))? {
            let path = entry.map_err(|error| of_error(&error))?.path();
            if path.file_stem().is_some_and(|stem| APART.iter().any(|name| stem == *name)) {
                continue;
            }
            if path.is_dir() {
                self.read(&path)?;
            } else {
                let text = std::fs::read_to_string(&path).map_err(|error| of_error(&error))?;
                self.of_file = path;
                self.note_constants(&text);
                let mut parsed = syn::parse_file(&text).map_err(|error| of_error(&error))?;
                Unmapped.visit_file_mut(&mut parsed);
                self.visit_file_mut(&mut parsed);
            }
        }
        Ok(())
    }

    /// Notes the registers that a letter tells apart, such as those of SrcA and SrcB.
    fn read_registers(&mut self, path: &Path) -> Result<(), String> {
        let of_error = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| of_error(&error))?;
        for item in syn::parse_file(&text).map_err(|error| of_error(&error))?.items {
            let Item::Struct(of) = item else { continue };
            let fields: Vec<(String, String)> = of
                .fields
                .iter()
                .filter_map(|field| Some((field.ident.as_ref()?.to_string(), field.ty.to_token_stream().to_string())))
                .collect();
            for (name, of_type) in &fields {
                let is_like = |(other, its): &&(String, String)| its == of_type && letters_apart(name, other).is_some();
                if let Some((other, _)) = fields.iter().find(is_like) {
                    self.registers.insert((of.ident.to_string(), name.clone()), other.clone());
                }
            }
        }
        Ok(())
    }

    /// Notes of the constants of a file what lines of pages the statement above each names.
    fn note_constants(&mut self, text: &str) {
        let mut pages = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with("///")) {
            if let (Some(rest), false) = (line.strip_prefix("pub const "), pages.is_empty()) {
                let name = rest.split(':').next().unwrap_or_default();
                self.pages_of_constants.insert(name.to_string(), std::mem::take(&mut pages));
            }
            pages =
                line.strip_prefix("// ").map(brackets).into_iter().flatten().flat_map(|one| page_lines(&one)).collect();
        }
    }

    /// The variables of a `let` that are copied, as far as that is known.
    fn copied(&self, local: &syn::Local) -> Vec<syn::Ident> {
        let Some(init) = &local.init else { return Vec::new() };
        if let Some(name) = ident_of(&local.pat) {
            let is_choice =
                matches!(*init.expr, Expr::If(_)) && !init.expr.to_token_stream().to_string().contains(['&', '[']);
            return if is_choice || has_type_of_its_own(local) { vec![name] } else { Vec::new() };
        }
        let syn::Pat::Tuple(pattern) = &local.pat else { return Vec::new() };
        let are_copied: Vec<bool> = match &*init.expr {
            Expr::Tuple(tuple) => {
                tuple.elems.iter().map(|element| !element.to_token_stream().to_string().contains('&')).collect()
            }
            Expr::Call(ExprCall { func, .. }) => match &**func {
                Expr::Path(path) => self.returned(path.path.segments.last().map(|last| &last.ident)),
                _ => Vec::new(),
            },
            Expr::MethodCall(call) => self.returned(Some(&call.method)),
            _ => Vec::new(),
        };
        let names = pattern.elems.iter().zip(are_copied).filter(|(_, is_copied)| *is_copied);
        names.filter_map(|(element, _)| ident_of(element)).collect()
    }

    fn returned(&self, function: Option<&syn::Ident>) -> Vec<bool> {
        function.and_then(|name| self.returns.get(&name.to_string())).cloned().unwrap_or_default()
    }

    /// Visits what is a constant.
    fn constant(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_constant, true);
        visit(self);
        self.is_constant = outer;
    }

    /// A function. What one calls that makes constants makes them too.
    fn function(&mut self, signature: &syn::Signature, block: &mut syn::Block) {
        let place = (self.of_file.clone(), self.of_type.clone());
        self.functions.entry(signature.ident.to_string()).or_default().insert(place);
        if let syn::ReturnType::Type(_, of) = &signature.output
            && let syn::Type::Tuple(of) = &**of
        {
            self.returns.insert(signature.ident.to_string(), of.elems.iter().map(is_number_type).collect());
        }
        let typed = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(parameter) => Some(is_number_type(&parameter.ty)),
            syn::FnArg::Receiver(_) => None,
        };
        let numbers: Vec<bool> = signature.inputs.iter().filter_map(typed).collect();
        if let (Some(of), true, syn::ReturnType::Type(_, gives)) =
            (&self.of_type, numbers.is_empty(), &signature.output)
            && is_number_type(gives)
            && !asks_itself(block)
        {
            let key = (of.clone(), gives.to_token_stream().to_string());
            self.askers.entry(key).or_default().insert(signature.ident.to_string());
        }
        let known = self.numbers.entry(signature.ident.to_string()).or_insert_with(|| numbers.clone());
        known.iter_mut().zip(&numbers).for_each(|(known, is_number)| *known &= is_number);
        known.truncate(numbers.len());
        if !is_wrapper(block) {
            self.deciding.insert(signature.ident.to_string());
        }
        let is_constant = signature.constness.is_some()
            && self.makes_constants(self.of_type.as_deref(), &signature.ident.to_string());
        let outer = std::mem::replace(&mut self.is_constant, is_constant);
        self.visit_block_mut(block);
        self.is_constant = outer;
    }

    /// The fields of a type that could be taken for one, and whether they are numbers.
    fn others(&self, of: &str, field: &str) -> Option<(Vec<syn::Ident>, bool)> {
        const MOST: usize = 4;
        let fields = self.fields.get(of)?;
        let place = fields.iter().position(|(name, _)| name == field)?;
        let of = &fields[place].1;
        let is_number = ["u8", "u16", "u32", "u64", "usize", "i32", "i64", "W"].contains(&of.as_str());
        let others = fields.iter().cycle().skip(place + 1).take(fields.len() - 1);
        let others = others.filter(|(_, other)| other == of).take(MOST);
        let others: Vec<_> = others.map(|(name, _)| quote::format_ident!("{name}")).collect();
        (!others.is_empty() && (is_number || of == "Precision")).then_some((others, is_number))
    }

    /// The fields of its module that are named like a field, but for one letter.
    fn alike(&self, field: &syn::Path) -> Vec<syn::Path> {
        let Some((module, name)) = of_module(field) else { return Vec::new() };
        // Modules of fields of the code have one name and are several.
        if !name.contains(char::is_lowercase) {
            return Vec::new();
        }
        let others = self.read.get(&module).into_iter().flatten().filter(|other| letters_apart(&name, other).is_some());
        others.map(|other| beside(field, other)).collect()
    }

    /// The other constants of the module of one, if there are few.
    fn group(&self, path: &syn::Path) -> Vec<syn::Path> {
        const MOST: usize = 8;
        let Some((module, name)) = of_module(path) else { return Vec::new() };
        let Some(all) = self.constants.get(&module).filter(|all| all.len() <= MOST) else { return Vec::new() };
        let others = all.iter().filter(|other| **other != name);
        others.map(|other| beside(path, other)).collect()
    }

    /// The functions that ask the type that a function is of for something else, if there is one of that name.
    fn siblings(&self, of: &str, name: &str) -> Vec<syn::Ident> {
        const MOST: usize = 4;
        let all = self.askers.iter().find(|((own, _), all)| own == of && all.contains(name)).map(|(_, all)| all);
        let others = all.into_iter().flatten().filter(|other| *other != name);
        others.take(MOST).map(|other| quote::format_ident!("{other}")).collect()
    }

    /// Whether a member is a number in every structure that has one of this name, and these are copied.
    fn is_number_member(&self, member: &syn::Ident) -> bool {
        let has = |fields: &Vec<(String, String)>| fields.iter().any(|(name, _)| member == name);
        if self.fields.iter().any(|(of, fields)| has(fields) && !self.copied_types.contains(of)) {
            return false;
        }
        let of = self.fields.values().flatten().filter(|(name, _)| member == name);
        let mut of = of.peekable();
        of.peek().is_some() && of.all(|(_, of)| is_number_name(of))
    }

    /// Whether what a function does may be done by each of several callers in its own way.
    fn is_shared(&self, name: &str) -> bool {
        self.deciding.contains(name) && self.called.get(name).is_some_and(|&times| times > 1)
    }

    /// Whether there is one function of a name.
    fn is_only_one(&self, name: &str) -> bool {
        self.functions.get(name).is_some_and(|places| places.len() == 1)
    }

    /// Whether a function must stay `const`.
    fn makes_constants(&self, of_type: Option<&str>, name: &str) -> bool {
        let has = |of: Option<&str>| self.of_constants.contains(&(of.map(String::from), name.to_string()));
        has(None) || of_type.is_some_and(|of| has(Some(of)))
    }
}

impl VisitMut for Known {
    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.function(&function.sig, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        self.function(&function.sig, &mut function.block);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        self.of_type = Some(name_of_type(&item.self_ty));
        visit_mut::visit_item_impl_mut(self, item);
        self.of_type = None;
    }

    fn visit_item_struct_mut(&mut self, item: &mut syn::ItemStruct) {
        let fields = item.fields.iter().filter_map(|field| {
            let name = field.ident.as_ref()?.to_string();
            Some((name, name_of_type(&field.ty)))
        });
        self.fields.insert(item.ident.to_string(), fields.collect());
        if is_copied(&item.attrs) {
            self.copied_types.insert(item.ident.to_string());
        }
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        const MOST: usize = 6;
        let is_plain = item.variants.iter().all(|variant| variant.fields.is_empty());
        if is_plain && is_copied(&item.attrs) && (2..=MOST).contains(&item.variants.len()) {
            let values = item.variants.iter().map(|variant| variant.ident.clone());
            let name = in_family(&self.of_file, &item.ident);
            self.values.insert(name, values.collect());
        }
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        self.constant(|known| known.visit_expr_mut(&mut item.expr));
    }

    fn visit_item_static_mut(&mut self, item: &mut syn::ItemStatic) {
        self.constant(|known| known.visit_expr_mut(&mut item.expr));
    }

    fn visit_impl_item_const_mut(&mut self, item: &mut syn::ImplItemConst) {
        self.constant(|known| known.visit_expr_mut(&mut item.expr));
    }

    fn visit_trait_item_const_mut(&mut self, item: &mut syn::TraitItemConst) {
        self.constant(|known| visit_mut::visit_trait_item_const_mut(known, item));
    }

    fn visit_type_mut(&mut self, of: &mut syn::Type) {
        self.constant(|known| visit_mut::visit_type_mut(known, of));
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        self.constant(|known| visit_mut::visit_generic_argument_mut(known, argument));
    }

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
        self.constant(|known| known.visit_expr_mut(&mut repeat.len));
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if is_named_in_capitals(&path.path)
            && let Some((module, name)) = of_module(&path.path)
        {
            self.constants.entry(module).or_default().insert(name);
        }
    }

    fn visit_expr_const_mut(&mut self, block: &mut syn::ExprConst) {
        self.constant(|known| visit_mut::visit_expr_const_mut(known, block));
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        if let Expr::Path(path) = &*call.func
            && self.is_constant
        {
            let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
            let name = names.next().unwrap_or_default();
            let of_type = names.next().filter(|of| of != "Self" && of.starts_with(char::is_uppercase));
            self.of_constants.insert((of_type, name));
        }
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            *self.called.entry(last.ident.to_string()).or_default() += 1;
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        if self.is_constant {
            self.of_constants.insert((None, call.method.to_string()));
        }
        *self.called.entry(call.method.to_string()).or_default() += 1;
        if let Some((path, _)) = read_of(call)
            && let Some((module, name)) = of_module(&path)
        {
            self.read.entry(module).or_default().insert(name);
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }
}

/// A statement that can come sooner or later: where it is among others, at which line, and its text.
struct Movable {
    place: usize,
    line: usize,
    text: String,
}

/// What stands where the variables of a `let` are used.
#[derive(Clone)]
struct Uses {
    /// The first line of the `let`.
    first: usize,
    statements: Vec<String>,
}

/// A variable that is one of two.
struct Chosen {
    name: syn::Ident,
    line: usize,
    /// Names of what it could be instead, and what these are.
    others: Vec<(syn::Ident, String)>,
}

struct Twister<'a> {
    file: String,
    lines: Vec<&'a str>,
    /// Modules, type and function, from the outside in.
    item: Vec<String>,
    /// Of the function that it is in.
    first_line: usize,
    last_line: usize,
    /// The variables that are there, of each block that it is in.
    scopes: Vec<Vec<syn::Ident>>,
    /// The numbers that are changed after they began, of each block that it is in: what they were before has a variable too.
    changed: Vec<Vec<syn::Ident>>,
    /// The variables of the loops that it is in.
    turns: Vec<syn::Ident>,
    /// Variables that begin as a number that is written down, whose type is told by how they are used.
    untyped: BTreeSet<syn::Ident>,
    /// The fields that the function reads, and from what.
    fields: Vec<(syn::Path, String)>,
    /// The members that it reads, and of what.
    members: BTreeSet<(String, syn::Ident)>,
    /// Variables that are there, and those of pairs, of each block that it is in.
    near: Vec<Vec<syn::Ident>>,
    /// Names that stand for what is computed of two, with that, and those that stand for anything else, of each block that it is in.
    sums: Vec<Vec<(String, Option<ExprBinary>)>>,
    /// Parameters of the function that are one of a few values, with their types.
    values: BTreeMap<String, syn::Ident>,
    /// The constants that the function or its type is generic over.
    generics: Vec<String>,
    /// The types of the parameters of the function.
    parameters: BTreeMap<String, String>,
    /// Whether the function does nothing but call others, …
    is_wrapper: bool,
    /// … of what type the number is that it gives, if it gives one, …
    gives: Option<syn::Type>,
    /// … and whether it goes on with one, or breaks off.
    goes_on_with_number: bool,
    /// Where the last statement gives what it writes.
    written: Option<usize>,
    /// Conditions of blocks that are being visited under which the rest of the block is left out.
    skips: Vec<usize>,
    /// The conditions of the function that can be asked anywhere in it, by the names that they need.
    conditions: Vec<(Expr, BTreeSet<String>)>,
    /// The variables that the function binds, beside what it is given: how often, and the last line at which it does.
    bound: BTreeMap<String, (usize, usize)>,
    /// Variables that are one of two.
    chosen: Vec<Chosen>,
    /// The first site of the function.
    first_site: usize,
    /// What the function does last and may do first: its site, where that would be and where it is, and what it does.
    early: Option<(usize, usize, usize, Stmt)>,
    /// The first line of the `let` that it is in, and what stands where that is used.
    uses: Option<Uses>,
    known: &'a Known,
    sites: &'a mut Vec<Site>,
    calls: &'a mut Vec<Site>,
}

impl Twister<'_> {
    /// A new site: its number.
    fn site(&mut self, kind: &'static str, at: &impl Spanned, text: &str) -> usize {
        self.site_of(kind, at, text, Vec::new())
    }

    fn site_of(&mut self, kind: &'static str, at: &impl Spanned, text: &str, members: Vec<String>) -> usize {
        // What the twister has put in the place of something has no line.
        let line = at.span().start().line.max(self.uses.as_ref().map_or(1, |uses| uses.first));
        let mut site = self.here(kind, line, shortened(text));
        site.members = members;
        if let Some(uses) = &self.uses
            && !self.lines[uses.first - 1..line].iter().any(|line| line.contains("//"))
        {
            // What only a function says says less.
            site.pages.clear();
            site.statements.extend(uses.statements.iter().cloned());
        }
        const MOST: usize = 10;
        let is_beside: fn(&str) -> bool = match kind {
            "Statement" | "Condition" => |other| ["Condition", "Turn"].contains(&other),
            "Equal" | "Boundary" => |other| ["Add", "Sub", "Mul", "Neg", "And"].contains(&other),
            _ => |_| false,
        };
        let before = (self.first_site..self.sites.len()).rev().filter(|&other| is_beside(self.sites[other].kind));
        site.beside = before.take(MOST).collect();
        self.sites.push(site);
        self.sites.len() - 1
    }

    /// A number that is given on, of a type that is told by where it goes.
    fn value(&mut self, at: &impl Spanned, text: &str, value: &mut Expr) -> usize {
        let site = self.site("Value", at, text);
        *value = parse_quote!(crate::site::value(#site, #value));
        site
    }

    /// What may be a number, and tells its type.
    fn value_or_other(&mut self, at: &impl Spanned, text: &str, value: &mut Expr) -> usize {
        let site = self.site("Value", at, text);
        *value = parse_quote!({
            let here = #value;
            crate::site::variable!(#site, here)
        });
        site
    }

    /// The numbers that are given to a function, and what one that sets something is given last.
    fn given<'e>(&mut self, name: &str, before: &[Expr], arguments: impl Iterator<Item = &'e mut Expr>) {
        let numbers = self.known.numbers.get(name).cloned().unwrap_or_default();
        let last = before.len().wrapping_sub(1);
        let is_setter = name.starts_with("set_") && before.len() > 1;
        for (place, (was, argument)) in before.iter().zip(arguments).enumerate() {
            let is_written = is_setter && place == last;
            let is_plain = matches!(was, Expr::Path(_) | Expr::Lit(_));
            let is_lent = matches!(was, Expr::Reference(_));
            if is_written && !is_lent || !is_lent && numbers.get(place) == Some(&true) && !is_plain && !has(was, leaves)
            {
                let text = self.text(was);
                let site = self.value(was, &text, argument);
                self.written = if is_written { Some(site) } else { self.written };
            }
        }
    }

    /// A condition with the statements that it guards, whose sites are those from the first on.
    fn guards(&mut self, branch: usize, first: usize) {
        const MOST: usize = 8;
        let statements = (first..self.sites.len()).filter(|&site| self.sites[site].kind == "Statement");
        self.sites[branch].beside = statements.take(MOST).collect();
    }

    /// A `match` as a statement, which may go on with the next arm, or with the last one.
    fn falls(&mut self, of: &mut syn::ExprMatch) {
        let is_plain = |arm: &syn::Arm| {
            let pattern = arm.pat.to_token_stream().to_string();
            let is_of_chip = pattern.starts_with("Chip");
            let binds = is_of_chip
                || !matches!(
                    &arm.pat,
                    syn::Pat::Lit(_) | syn::Pat::Path(_) | syn::Pat::Or(_) | syn::Pat::Wild(_) | syn::Pat::Range(_)
                );
            !binds
                && !pattern.contains(" if ")
                && !has(&arm.body, |of| matches!(of, Expr::Break(_) | Expr::Continue(_)))
        };
        let num_arms = of.arms.len();
        if num_arms < 2 || !of.arms.iter().all(is_plain) {
            return;
        }
        let texts: Vec<String> = of.arms.iter().map(|arm| arm.pat.to_token_stream().to_string()).collect();
        let members = texts.windows(2).map(|two| format!("{} goes on with {}", two[0], two[1]));
        let last = texts.iter().take(num_arms - 2).map(|one| format!("{one} goes on with {}", texts[num_arms - 1]));
        let site = self.site_of("Falls", &of.match_token, &texts.join("|"), members.chain(last).collect());
        let (value, places) = (&of.expr, 0..num_arms);
        let patterns = of.arms.iter().map(|arm| &arm.pat);
        let (numbers, bodies) = (0..num_arms, of.arms.iter().map(|arm| &arm.body));
        *of = parse_quote! {
            match (match #value { #(#patterns => #places,)* }) {
                arm => for arm in crate::site::falls(#site, arm, #num_arms) {
                    match arm {
                        #(#numbers => { #bodies; })*
                        _ => {}
                    }
                }
            }
        };
    }

    /// The last thing that a function does, if it needs nothing but what the function is given, may be done first.
    fn early(&mut self, signature: &syn::Signature, block: &syn::Block) -> Option<(usize, usize, usize)> {
        let given: BTreeSet<String> = signature
            .inputs
            .iter()
            .filter_map(|input| match input {
                syn::FnArg::Typed(parameter) => Some(ident_of(&parameter.pat)?.to_string()),
                syn::FnArg::Receiver(_) => Some("self".to_string()),
            })
            .collect();
        let count = block.stmts.len();
        let is_promise = signature.output.to_token_stream().to_string() == "-> ControlFlow < Expectation >";
        let of_call = |place: usize| match &block.stmts[place] {
            Stmt::Expr(call @ (Expr::Call(_) | Expr::MethodCall(_)), end) => {
                (end.is_some() || is_promise && place + 1 == count).then_some(call)
            }
            Stmt::Expr(Expr::Try(tried), Some(_)) => Some(&*tried.expr),
            _ => None,
        };
        let is_free = |call: &Expr| match call {
            Expr::Call(call) => call.args.iter().all(|argument| needs_only(argument, &given)),
            _ => false,
        };
        let last = (count.saturating_sub(2)..count).rev().find(|&place| of_call(place).is_some_and(is_free))?;
        let stops = |statement: &Stmt| match statement {
            Stmt::Expr(expression, _) => has(expression, |of| matches!(of, Expr::Try(_) | Expr::Return(_))),
            Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_) => false,
        };
        // What keeps it from beginning at all comes before.
        let first = block.stmts.iter().take(last).take_while(|statement| stops(statement)).count();
        if last <= first + 1 {
            return None;
        }
        let text = self.text(&block.stmts[last]);
        let site = self.site_of("Moved", &block.stmts[last], &text, vec![format!("{} first", shortened(&text))]);
        // Without a statement of its own it is said in the function that is called.
        let is_said = self.lines[self.sites[site].line - 2].trim().starts_with("//");
        let said = if is_said { Vec::new() } else { self.said_in(text.split('(').next().unwrap_or_default()) };
        if !said.is_empty() {
            self.sites[site].statements = said;
        }
        Some((site, first, last))
    }

    /// The brackets of all statements of a function of the file.
    fn said_in(&self, function: &str) -> Vec<String> {
        let head = format!("fn {function}(");
        let Some(first) = self.lines.iter().position(|line| line.contains(&head)) else { return Vec::new() };
        let above = self.comment_to(first);
        let inside = self.lines[first..].iter().take_while(|line| **line != "}");
        let comments = inside.filter_map(|line| line.split_once("// ")).flat_map(|(_, comment)| brackets(comment));
        above.into_iter().chain(comments).collect()
    }

    /// What is read of the registers, in the place of which what was there before the instruction may be read.
    fn read(&mut self, operand: &mut Expr) {
        let mut before = operand.clone();
        let is_part = |of: &Expr| matches!(of, Expr::Field(_) | Expr::Index(_));
        if !self.file.contains("/tensix") || !is_part(operand) || !from_registers(&mut before) || !is_part(&before) {
            return;
        }
        let (text, was) = (self.text(operand), operand.clone());
        self.other_register(operand);
        let site = self.site("Read", &was, &text);
        *operand = parse_quote!(crate::site::read(#site, #operand, |before| #before));
    }

    /// A register, in the place of which the one may be read that a letter tells from it.
    fn other_register(&mut self, operand: &mut Expr) {
        match operand {
            Expr::Index(index) => self.other_register(&mut index.expr),
            Expr::Field(syn::ExprField { base, member: syn::Member::Named(name), .. }) => {
                let of = base.to_token_stream().to_string();
                let of = if of.ends_with("small") {
                    "Small"
                } else if of.contains("rwcs [") {
                    "Rwc"
                } else {
                    return;
                };
                let Some(other) = self.known.registers.get(&(of.to_string(), name.to_string())) else { return };
                let (text, other) = (name.to_string(), quote::format_ident!("{other}"));
                let site = self.site_of("OneOf", name, &text, vec![other.to_string()]);
                let base = base.clone();
                *operand = parse_quote!(crate::site::alike!(#site, #operand, #base.#other));
            }
            _ => {}
        }
    }

    /// Notes which conditions a function has that can be asked anywhere in it.
    fn note_conditions(&mut self, block: &syn::Block) {
        struct Asked(Vec<Expr>, BTreeMap<String, (usize, usize)>);
        impl VisitMut for Asked {
            fn visit_expr_if_mut(&mut self, of: &mut ExprIf) {
                if is_free(&of.cond) && !is_refusal(&of.then_branch) {
                    self.0.push((*of.cond).clone());
                }
                visit_mut::visit_expr_if_mut(self, of);
            }

            fn visit_pat_ident_mut(&mut self, of: &mut syn::PatIdent) {
                let (times, line) = self.1.entry(of.ident.to_string()).or_default();
                (*times, *line) = (*times + 1, of.ident.span().start().line);
            }
        }
        let mut asked = Asked(Vec::new(), BTreeMap::new());
        asked.visit_block_mut(&mut block.clone());
        self.bound = asked.1;
        let named = |of: Expr| {
            let names = names_of(&of);
            (of, names)
        };
        self.conditions = asked.0.into_iter().map(named).collect();
    }

    /// A condition that another one of the function may be asked beside: it or that one, it and that one, it and not that one.
    /// Or it asks beside whether what is done with by what it guards is not 0.
    fn joined(&mut self, was: &Expr, condition: &mut Expr, guarded: &syn::Block) {
        const MOST: usize = 4;
        let is_there = |name: &String| {
            let is_given = name == "self" || self.parameters.contains_key(name) && !self.bound.contains_key(name);
            let is_only_one =
                self.bound.get(name).is_some_and(|(times, _)| *times == 1) && !self.parameters.contains_key(name);
            is_given || is_only_one && self.scopes.iter().flatten().chain(&self.turns).any(|known| known == name)
        };
        let own = self.text(was);
        let mut texts = BTreeSet::from([own.clone()]);
        let (mut members, mut others) = (Vec::new(), Vec::<Expr>::new());
        for (other, _) in self.conditions.iter().filter(|(_, names)| names.iter().all(is_there)) {
            let text = self.text(other);
            if texts.len() <= MOST && texts.insert(text.clone()) {
                members.extend([format!("{own} || {text}"), format!("{own} && {text}"), format!("{own} && !({text})")]);
                others.extend([
                    parse_quote!((#was) || (#other)),
                    parse_quote!((#was) && (#other)),
                    parse_quote!((#was) && !(#other)),
                ]);
            }
        }
        for amount in amounts_of(guarded).into_iter().take(MOST) {
            members.push(format!("{own} && {} != 0", self.text(&amount)));
            others.push(parse_quote!((#was) && (#amount) != 0));
        }
        if !others.is_empty() {
            let site = self.site_of("Grouped", was, &own, members);
            grouped(condition, Some((site, others)));
        }
    }

    /// Statements one after the other of which not all only change something: they may come in another order.
    fn moved(&mut self, statements: &mut Vec<Stmt>, all: &[Movable]) {
        const MOST: usize = 6;
        let is_run = |run: &[Movable]| (2..=MOST).contains(&run.len());
        let runs: Vec<&[Movable]> =
            all.chunk_by(|one, next| one.place + 1 == next.place).filter(|run| is_run(run)).collect();
        for run in runs.into_iter().rev() {
            let (first, count) = (run[0].place, run.len());
            let pair = |two: &[Movable]| format!("{}; {}", shortened(&two[1].text), shortened(&two[0].text));
            let mut members: Vec<String> = run.windows(2).map(pair).collect();
            if count > 2 {
                members.push(format!("{} first", shortened(&run[count - 1].text)));
                members.push(format!("{} last", shortened(&run[0].text)));
            }
            let site = self.site_of("Moved", &statements[first].clone(), &run[0].text, members);
            let Site { statements: said, source, pages, .. } = self.here("Moved", run[0].line, String::new());
            let moved = &mut self.sites[site];
            (moved.line, moved.statements, moved.source, moved.pages) = (run[0].line, said, source, pages);
            let arms = statements
                .drain(first..first + count)
                .enumerate()
                .map(|(place, statement)| quote! { #place => { #statement } });
            let arms: Vec<TokenStream> = arms.collect();
            let moved: Stmt = parse_quote! {
                for moved_here in crate::site::steps::<#count>(#site) {
                    match moved_here {
                        #(#arms)*
                        _ => {}
                    }
                }
            };
            statements.insert(first, moved);
        }
    }

    /// A site at a line.
    fn here(&self, kind: &'static str, line: usize, text: String) -> Site {
        Site {
            file: self.file.clone(),
            item: self.item.join("::"),
            text,
            line,
            statements: self.statements_at(line),
            source: self.source(line),
            pages: self.pages(line),
            besides: Vec::new(),
            is_told: false,
            kind,
            members: Vec::new(),
            beside: Vec::new(),
            written: None,
        }
    }

    /// Notes that a function is called, if it is one of the reference: the number of the call, if others call it too.
    fn note_call(&mut self, name: &syn::Ident) -> Option<usize> {
        let text = name.to_string();
        if !self.known.functions.contains_key(&text) {
            return None;
        }
        let is_shared = self.known.is_shared(&text);
        let call = self.here("Statement", name.span().start().line, text);
        self.calls.push(call);
        is_shared.then(|| self.calls.len() - 1)
    }

    /// Gives a site that asks a table what stands where that is written out, above it in the same function.
    fn say_of_table(&mut self, site: usize, table: Option<String>) {
        let Some(table) = table else { return };
        let (head, line) = (format!("let {table} = ["), self.sites[site].line);
        let above = (self.first_line..line).rev().find(|&above| self.lines[above - 1].trim().starts_with(&head));
        let said = above.map(|above| self.statements_at(above));
        self.sites[site].statements.extend(said.unwrap_or_default());
    }

    /// What a `let` says that has no statement of its own, or one of a single chip: what stands where its variables are used.
    fn uses_of(&self, local: &syn::Local) -> Option<Uses> {
        const MOST: usize = 12;
        let (first, last) = (local.span().start().line, local.span().end().line);
        let own = self.lines[first - 2].trim();
        let own = if own.starts_with("//") { self.comment_to(first - 1) } else { Vec::new() };
        if own.iter().any(|bracket| is_of_both(bracket)) {
            return None;
        }
        let names = idents_of(&local.pat);
        let mut uses = Uses { first, statements: Vec::new() };
        for line in last + 1..=self.last_line {
            let code = self.lines[line - 1].split("//").next().unwrap_or_default();
            if names.iter().any(|name| has_word(code, name)) {
                uses.statements.extend(self.statements_at(line).into_iter().filter(|bracket| !own.contains(bracket)));
            }
        }
        let mut brackets = BTreeSet::new();
        uses.statements.retain(|bracket| brackets.insert(bracket.clone()));
        (1..=MOST).contains(&uses.statements.len()).then_some(uses)
    }

    /// The brackets of the comment that ends at a line.
    fn comment_to(&self, last: usize) -> Vec<String> {
        let mut first = last;
        while first > 1 && self.lines[first - 2].trim().starts_with("//") {
            first -= 1;
        }
        let comment: String = self.lines[first - 1..last].iter().map(|line| bare(line) + " ").collect();
        brackets(&comment)
    }

    /// The brackets of the statements that stand at a line: behind it, or in the comment next above it in the function,
    /// or else above the function.
    fn statements_at(&self, line: usize) -> Vec<String> {
        if let Some((code, comment)) = self.lines[line - 1].split_once("// ")
            && !code.trim().is_empty()
        {
            let found = brackets(comment);
            if !found.is_empty() {
                return found;
            }
        }
        // What a branch says is said in it, where it begins.
        let mut gathered =
            if self.lines[line - 1].trim_end().ends_with('{') { self.comment_from(line) } else { Vec::new() };
        let mut above = line - 1;
        while above > 0 {
            let is_outside = above < self.first_line;
            let text = self.lines[above - 1].trim();
            if text.starts_with("//") {
                let mut first = above;
                while first > 1 && self.lines[first - 2].trim().starts_with("//") {
                    first -= 1;
                }
                let found = self.comment_to(above);
                let is_of_both = found.iter().any(|bracket| is_of_both(bracket));
                gathered.extend(found);
                // What one chip says alone leaves open what the other says.
                if is_of_both {
                    return gathered;
                }
                above = first - 1;
                continue;
            }
            if is_outside && (text.is_empty() || text == "}") {
                break;
            }
            above -= 1;
        }
        gathered
    }

    /// The brackets of the comment that begins behind a line, if one does.
    fn comment_from(&self, line: usize) -> Vec<String> {
        let comment = self.lines[line..].iter().take_while(|line| line.trim().starts_with("//"));
        brackets(&comment.map(|line| bare(line) + " ").collect::<String>())
    }

    /// The source of a function that has no statement: lines of the page that it names, or of the first that the file names.
    fn pages(&self, line: usize) -> Vec<PageLines> {
        if !self.statements_at(line).is_empty() {
            return Vec::new();
        }
        let head = self.lines.iter().find_map(|line| Some(line.strip_prefix("//! ")?.split_once("page ")?.1));
        lines_of_source(&self.source(line), head.unwrap_or_default())
    }

    /// What a comment above a line in the function, or above the function, names as its source: pages and lines.
    fn source(&self, line: usize) -> String {
        let mut below = String::new();
        for above in (1..line).rev() {
            let text = self.lines[above - 1].trim();
            if above < self.first_line && !text.starts_with("//") && !text.starts_with('#') {
                break;
            }
            if !text.starts_with("//") {
                below.clear();
                continue;
            }
            below = format!("{} {below}", bare(text));
            if let Some((_, source)) = below.split_once("*Source*:") {
                return shortened_to(source.trim().split_once(". ").map_or(source.trim(), |(first, _)| first), 120);
            }
            if let Some((_, rest)) = below.split_once("(lines ").or_else(|| below.split_once("(page "))
                && let Some((inside, _)) = rest.split_once(')')
            {
                let word = if below.contains("(lines ") { "lines" } else { "page" };
                return shortened_to(&format!("{word} {inside}"), 120);
            }
        }
        String::new()
    }

    /// The text of an expression, without line breaks.
    fn text(&self, at: &impl Spanned) -> String {
        let text = at.span().source_text().unwrap_or_default();
        let lines = text.lines().map(|line| line.split("// ").next().unwrap_or_default().trim());
        let text = lines.collect::<Vec<_>>().join(" ");
        let text = text.replace("( ", "(").replace(" )", ")").replace(" .", ".");
        without_readings(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// An expression that is a condition.
    fn condition(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Paren(inner) => self.condition(&mut inner.expr),
            Expr::Let(inner) => self.visit_expr_mut(&mut inner.expr),
            Expr::Binary(ExprBinary { op: BinOp::And(_) | BinOp::Or(_), .. }) => self.binary(expression),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => self.condition(&mut unary.expr),
            Expr::Binary(binary) if is_comparison(&binary.op) => self.visit_expr_mut(expression),
            Expr::Macro(_) => self.visit_expr_mut(expression),
            _ => {
                let text = self.text(expression);
                let site = self.site("Condition", expression, &text);
                self.sites[site].is_told = self.parameters.contains_key(&text);
                self.visit_expr_mut(expression);
                *expression = parse_quote!(crate::site::when(#site, #expression));
            }
        }
    }

    fn binary(&mut self, expression: &mut Expr) {
        let Expr::Binary(binary) = expression else { return };
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            let is_both = matches!(binary.op, BinOp::And(_));
            let text = self.text(binary);
            // What is bound by `let` cannot go into a closure, nor what leaves the function.
            let is_plain = !has_let_or_leaves(binary);
            let site = is_plain.then(|| self.site(if is_both { "Both" } else { "Either" }, binary, &text));
            self.condition(&mut binary.left);
            self.condition(&mut binary.right);
            if let Some(site) = site {
                let function = quote::format_ident!("{}", if is_both { "both" } else { "either" });
                let (left, right) = (&binary.left, &binary.right);
                *expression = parse_quote!(crate::site::#function(#site, #left, || #right));
            }
            return;
        }
        let is_comparison = is_comparison(&binary.op);
        let groupings = self.groupings(binary);
        let text = self.text(binary);
        let right = format!("{} {}", binary.op.to_token_stream(), self.text(&binary.right));
        let kind = kind_of(&binary.op);
        if is_comparison {
            let site = self.site("Condition", binary, &text);
            let equal = matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)).then(|| self.site("Equal", binary, &right));
            let boundary = matches!(binary.op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
                .then(|| self.site("Boundary", binary, &right));
            visit_mut::visit_expr_binary_mut(self, binary);
            self.constants([&mut *binary.left, &mut *binary.right]);
            let Expr::Binary(ExprBinary { left, op, right, .. }) = &expression else { unreachable!("it was one") };
            *expression = match boundary {
                Some(boundary) => {
                    let compare = match op {
                        BinOp::Lt(_) => quote!(less),
                        BinOp::Le(_) => quote!(less_or_equal),
                        BinOp::Gt(_) => quote!(greater),
                        _ => quote!(greater_or_equal),
                    };
                    parse_quote!(crate::site::when(#site, crate::site::#compare(#boundary, #left, #right)))
                }
                None => {
                    let not = matches!(op, BinOp::Ne(_)).then(|| quote!(!));
                    parse_quote!(crate::site::when(#site, #not crate::site::equal!(#equal, #left, #right)))
                }
            };
        } else if let Some((kind, function)) = kind {
            let site = self.site(kind, binary, &right);
            visit_mut::visit_expr_binary_mut(self, binary);
            self.constants([&mut *binary.left, &mut *binary.right]);
            let (left, right) = (&binary.left, &binary.right);
            let function = quote::format_ident!("{function}");
            *expression = parse_quote!(crate::site::#function(#site, #left, #right));
            grouped(expression, groupings);
        } else {
            visit_mut::visit_expr_binary_mut(self, binary);
        }
    }

    /// Named numbers, which have names in capital letters; and variables, in whose place another of the same type may stand.
    fn constants<'e>(&mut self, operands: impl IntoIterator<Item = &'e mut Expr>) {
        for operand in operands {
            let was = operand.clone();
            self.field_of_several(operand);
            self.read(operand);
            self.of_another(&was, operand);
            if let Expr::Index(entry) = &*operand
                && !matches!(*entry.index, Expr::Lit(_) | Expr::Range(_))
            {
                let text = self.text(entry);
                let site = self.site("Entry", entry, &text);
                self.say_of_table(site, table_of(entry));
                let place = &entry.index;
                *operand = parse_quote!(crate::site::entry!(#site, #operand, #place));
                continue;
            }
            let Expr::Path(path) = &*operand else { continue };
            if is_named_in_capitals(&path.path) || is_field_name(&path.path) {
                let text = self.text(path);
                let site = self.site("Constant", path, &text);
                let others = self.known.group(&path.path);
                let mut constant: Expr = parse_quote!(crate::site::constant!(#site, #path));
                if !others.is_empty() {
                    let names = others.iter().map(|other| other.to_token_stream().to_string().replace(' ', ""));
                    let group = self.site_of("OneOf", path, &text, names.collect());
                    constant = parse_quote!({
                        let constant = #constant;
                        crate::site::variable!(#group, constant #(, #others)*)
                    });
                }
                // A constant of which there are several is one number in one place and another elsewhere.
                if self.generics.contains(&text) {
                    let site = self.site("Variable", path, &text);
                    constant = parse_quote!({
                        let constant = #constant;
                        crate::site::variable!(#site, constant)
                    });
                }
                *operand = constant;
            } else {
                let path = path.clone();
                let text = self.text(&path);
                if let Some(others) = self.others(&path.path) {
                    let site = self.site_of("Variable", &path, &text, others.iter().map(ToString::to_string).collect());
                    self.sites[site].is_told = self.parameters.contains_key(&text);
                    *operand = parse_quote!(crate::site::variable!(#site, #path #(, #others)*));
                }
                self.taken_for(operand, &path);
                self.chosen(&path, operand);
                if let Some(before) = self.before(&path) {
                    let site = self.site("Changed", &path, &text);
                    *operand = parse_quote!(crate::site::changed(#site, #operand, #before));
                }
            }
        }
    }

    /// Whether the type of a number is told where it stands, and not by how it is used later.
    fn has_type(&self, of: &Expr) -> bool {
        match of {
            Expr::Path(path) if is_named_in_capitals(&path.path) => true,
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                !self.untyped.contains(name) && self.scopes.iter().flatten().any(|known| known == name)
            }),
            Expr::Field(_) => true,
            _ => false,
        }
    }

    /// A variable for which that of a loop could be taken, or which is that of a loop.
    fn taken_for(&mut self, operand: &mut Expr, path: &syn::ExprPath) {
        let Some(name) = path.path.get_ident() else { return };
        let is_turn = self.turns.contains(name);
        let there = self.scopes.iter().flatten().filter(|ident| !self.untyped.contains(ident));
        if !is_turn && !there.clone().any(|ident| ident == name) {
            return;
        }
        // Those nearby come first.
        let nearest = self.turns.iter().rev().chain(there.rev().filter(|_| is_turn)).filter(|ident| *ident != name);
        let others = distinct(nearest, 6);
        self.taken_for_any(operand, (path, &name.to_string()), &others);
    }

    /// A number for which any of several variables may be taken, if there are any.
    fn taken_for_any(&mut self, value: &mut Expr, (at, text): (&impl Spanned, &str), others: &[syn::Ident]) {
        if !others.is_empty() {
            let names = others.iter().map(ToString::to_string).collect();
            let site = self.site_of("OneOf", at, text, names);
            *value = parse_quote!({
                let here = #value;
                crate::site::taken_for!(#site, here #(, #others)*)
            });
        }
    }

    /// An opposite that may have those bits alone which a mask that is there has.
    fn within_mask(&mut self, was: &syn::ExprUnary, opposite: &mut Expr) {
        let is_mask =
            |name: &&syn::Ident| name.to_string().contains("mask") && !has_word(&self.text(was), &name.to_string());
        let masks = distinct(self.nearest().filter(is_mask), 2);
        if masks.is_empty() || !matches!(&*was.expr, Expr::Path(_)) {
            return;
        }
        let text = self.text(was);
        let site = self.site_of("OneOf", was, &text, masks.iter().map(|mask| format!("{text} & {mask}")).collect());
        *opposite = parse_quote!({
            let here = #opposite;
            crate::site::within!(#site, here #(, #masks)*)
        });
    }

    /// The variables that are there and have a type, the nearest first.
    fn nearest(&self) -> impl Iterator<Item = &syn::Ident> {
        self.near.iter().flatten().rev().filter(|ident| !self.untyped.contains(ident))
    }

    /// What is given to a function: one of a few values, or what is named alike, or is nearby, may stand in its place.
    fn arguments<'e>(&mut self, before: &[Expr], arguments: impl Iterator<Item = &'e mut Expr>) {
        let lent: Vec<String> = before.iter().filter_map(lent).collect();
        for (was, argument) in before.iter().zip(arguments) {
            self.one_of_values(was, argument);
            self.nearby(was, argument, &lent);
            if matches!(was, Expr::Field(_)) {
                self.alike(was, argument);
            }
        }
    }

    /// The values that a type has, if they are few.
    fn values_of(&self, of: &syn::Ident) -> Option<&Vec<syn::Ident>> {
        self.known.values.get(&in_family(Path::new(&self.file), of))
    }

    /// One of a few values, of which another one may stand in its place.
    fn one_of_values(&mut self, was: &Expr, value: &mut Expr) {
        let Expr::Path(path) = was else { return };
        let mut segments = path.path.segments.iter();
        let (of, own) = match (segments.next(), segments.next(), segments.next()) {
            (Some(name), None, None) => match self.values.get(&name.ident.to_string()) {
                Some(of) => (of.clone(), None),
                None => return,
            },
            (Some(of), Some(own), None) => (of.ident.clone(), Some(own.ident.clone())),
            _ => return,
        };
        let Some(all) = self.values_of(&of).filter(|all| own.as_ref().is_none_or(|own| all.contains(own))) else {
            return;
        };
        let others: Vec<syn::Ident> = all.iter().filter(|other| Some(*other) != own.as_ref()).cloned().collect();
        let text = self.text(path);
        let site = self.site_of("OneOf", path, &text, others.iter().map(ToString::to_string).collect());
        *value = parse_quote!(crate::site::one_value!(#site, #value #(, #of::#others)*));
    }

    /// What is nearby may be taken for a zero.
    fn in_place_of_zero(&mut self, at: proc_macro2::Span, zero: &mut Expr) {
        const MOST: usize = 3;
        let others = distinct(self.nearest(), MOST);
        self.taken_for_any(zero, (&at, "0"), &others);
    }

    /// A zero or a variable that the function gives may be a member of what is there: `was` is how what it gives is written.
    fn in_place_of_given(&mut self, was: &Expr, given: &mut Expr) {
        const MOST: usize = 8;
        let mut within = |was: &syn::Block, given: &mut syn::Block| {
            if let (Some(was), Some(given)) = (tail_of(&mut was.stmts.clone()), tail_of(&mut given.stmts)) {
                self.in_place_of_given(was, given);
            }
        };
        match (was, given) {
            (Expr::If(was), Expr::If(given)) => {
                within(&was.then_branch, &mut given.then_branch);
                if let (Some((_, was)), Some((_, given))) = (&was.else_branch, &mut given.else_branch) {
                    self.in_place_of_given(was, given);
                }
            }
            (Expr::Block(was), Expr::Block(given)) => within(&was.block, &mut given.block),
            (was, given) if is_zero(was) || matches!(was, Expr::Path(path) if path.path.get_ident().is_some()) => {
                let (line, members) = (was.span().start().line, self.members.iter());
                let others: Vec<Expr> = members
                    .filter(|(base, member)| self.is_there(base, line) && self.known.is_number_member(member))
                    .map(|(base, member)| (quote::format_ident!("{base}"), member))
                    .map(|(base, member)| parse_quote!(#base.#member))
                    .take(MOST)
                    .collect();
                if !others.is_empty() {
                    let names = others.iter().map(plain_text).collect();
                    let text = self.text(was);
                    let (site, of) = (self.site_of("OneOf", was, &text, names), &self.gives);
                    *given = parse_quote!({
                        let given: #of = #given;
                        crate::site::taken_for!(#site, given #(, #others)*)
                    });
                }
            }
            _ => {}
        }
    }

    /// Whether a variable is there at a line, as far as the lines between are indented as far as that which binds it.
    fn is_there(&self, name: &str, line: usize) -> bool {
        let indent = |line: &&str| line.len() - line.trim_start().len();
        match self.bound.get(name) {
            Some((times, at)) if *times == 1 && *at < line && !self.parameters.contains_key(name) => {
                let least = indent(&self.lines[at - 1]);
                self.lines[at - 1..line].iter().filter(|line| !line.trim().is_empty()).all(|line| indent(line) >= least)
            }
            Some(_) => false,
            None => self.parameters.contains_key(name),
        }
    }

    /// A member that is a number, in whose place that of another variable may stand.
    fn of_another(&mut self, was: &Expr, operand: &mut Expr) {
        let Expr::Field(syn::ExprField { base, member: syn::Member::Named(member), .. }) = was else { return };
        let Expr::Path(path) = &**base else { return };
        let Some(own) = path.path.get_ident().filter(|_| self.known.is_number_member(member)) else { return };
        let line = was.span().start().line;
        let bases = self.members.iter().filter(|(other, its)| its == member && own != other);
        let others: Vec<syn::Ident> = bases
            .filter(|(other, _)| self.is_there(other, line))
            .map(|(other, _)| quote::format_ident!("{other}"))
            .collect();
        if !others.is_empty() {
            let names = others.iter().map(|other| format!("{other}.{member}")).collect();
            let text = self.text(was);
            let site = self.site_of("OneOf", was, &text, names);
            *operand = parse_quote!(crate::site::taken_for!(#site, #operand #(, #others.#member)*));
        }
    }

    /// The same of what a block gives that is nothing else.
    fn tail_of_another(&mut self, block: &mut syn::Block) {
        if let Some(tail) = tail_of(&mut block.stmts) {
            self.of_another(&tail.clone(), tail);
        }
    }

    /// What a variable could be that is the member of one of two, by a comparison: that of the other, always that of one, or that
    /// by a comparison of something else that both have.
    fn choices(&self, local: &syn::Local) -> Option<(syn::Ident, Vec<(String, Expr)>)> {
        let (name, init) = (ident_of(&local.pat)?, local.init.as_ref()?);
        let Expr::If(of) = &*init.expr else { return None };
        let Expr::Binary(asked) = &*of.cond else { return None };
        let Expr::Block(other) = &*of.else_branch.as_ref()?.1 else { return None };
        let ([Stmt::Expr(one, None)], [Stmt::Expr(other, None)]) = (&of.then_branch.stmts[..], &other.block.stmts[..])
        else {
            return None;
        };
        let member = |of: &Expr| match of {
            Expr::Field(syn::ExprField { base, member: syn::Member::Named(member), .. }) => {
                Some(((**base).clone(), member.clone()))
            }
            _ => None,
        };
        let ((first, its), (second, same)) = (member(one)?, member(other)?);
        let of_type = self.type_of(&first).filter(|of| self.type_of(&second).as_ref() == Some(of))?;
        if !is_comparison(&asked.op) || its != same || !self.known.is_number_member(&its) {
            return None;
        }
        let (cond, op) = (&of.cond, asked.op);
        let mut all: Vec<Expr> = vec![parse_quote!(if #cond { #other } else { #one })];
        for (member, _) in self.known.fields.get(&of_type)? {
            let member = quote::format_ident!("{member}");
            if member != its && self.known.is_number_member(&member) {
                all.push(parse_quote!(if #first.#member #op #second.#member { #one } else { #other }));
            }
        }
        all.extend([one.clone(), other.clone()]);
        Some((name, all.into_iter().map(|of| (plain_text(&of), of)).collect()))
    }

    /// A variable that is one of two, which may be what it could be instead: its site, and the line at which it is chosen.
    fn chosen(&mut self, path: &syn::ExprPath, operand: &mut Expr) -> Option<(usize, usize)> {
        let of_path = |chosen: &&Chosen| path.path.is_ident(&chosen.name);
        let Chosen { name, line, others } = self.chosen.iter().rev().find(of_path)?;
        let (names, texts): (Vec<syn::Ident>, Vec<String>) = others.iter().cloned().unzip();
        let (text, line) = (name.to_string(), *line);
        let site = self.site_of("OneOf", path, &text, texts);
        *operand = parse_quote!(crate::site::taken_for!(#site, #operand #(, #names)*));
        Some((site, line))
    }

    /// A variable that is a number, for which others that are there may be taken.
    fn nearby(&mut self, was: &Expr, argument: &mut Expr, lent: &[String]) {
        const MOST: usize = 5;
        let Expr::Path(path) = was else { return };
        let Some(name) = path.path.get_ident().filter(|name| self.near.iter().flatten().any(|near| near == *name))
        else {
            return;
        };
        let known = self.others(&path.path).unwrap_or_default();
        let is_new = |other: &&syn::Ident| *other != name && !known.contains(other);
        let is_free = |other: &&syn::Ident| lent.iter().all(|lent| *other != lent);
        let others = distinct(self.nearest().filter(is_new).filter(is_free), MOST);
        self.taken_for_any(argument, (path, &name.to_string()), &others);
    }

    /// A member or a variable, in whose place one may stand that is named alike.
    fn alike(&mut self, was: &Expr, place: &mut Expr) {
        let (name, others): (&syn::Ident, Vec<(syn::Ident, Expr)>) = match was {
            Expr::Field(syn::ExprField { base, member: syn::Member::Named(name), .. }) if is_place(base) => {
                let of = base.to_token_stream().to_string();
                let read = self.members.iter().filter(|(base, _)| *base == of).map(|(_, other)| other.clone());
                let of_type = self.type_of(base).and_then(|of| self.known.fields.get(&of)).into_iter().flatten();
                let all = read.chain(of_type.map(|(other, _)| quote::format_ident!("{other}")));
                let others = all.filter(|other| are_alike(name, other));
                (name, others.map(|other| (other.clone(), parse_quote!(#base.#other))).collect())
            }
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident() else { return };
                let near = || self.near.iter().flatten();
                let others = near().filter(|other| near().any(|near| near == name) && are_alike(name, other));
                (name, others.map(|other| (other.clone(), parse_quote!(#other))).collect())
            }
            _ => return,
        };
        let (text, name) = (self.text(was), name.clone());
        let Some((other, of)) = others.into_iter().find(|(other, _)| *other != name) else { return };
        let site = self.site_of("OneOf", was, &text, vec![other.to_string()]);
        *place = parse_quote!(crate::site::alike!(#site, #place, #of));
    }

    /// Arguments next to each other that may change places: each pair gets names, …
    fn exchanged<'e>(
        &mut self,
        before: &[Expr],
        arguments: impl Iterator<Item = &'e mut Expr>,
    ) -> Vec<(Expr, [syn::Ident; 2])> {
        let mut arguments: Vec<&mut Expr> = arguments.collect();
        let mut pairs = Vec::new();
        for place in 1..before.len() {
            if !before[place - 1..=place].iter().all(|argument| self.is_plain_number(argument)) {
                continue;
            }
            let [first, second] = [place - 1, place].map(|place| arguments[place].clone());
            let text = format!("{}, {}", self.text(&before[place - 1]), self.text(&before[place]));
            let site = self.site("Pair", &before[place], &text);
            let names = ["first", "second"].map(|name| quote::format_ident!("{name}_{place}"));
            for (place, name) in [place - 1, place].into_iter().zip(&names) {
                *arguments[place] = parse_quote!(#name);
            }
            pairs.push((parse_quote!(crate::site::apart!(#site, (#first, #second))), names));
        }
        pairs
    }

    /// Whether an argument is a number whose type is known where it stands.
    fn is_plain_number(&self, argument: &Expr) -> bool {
        match argument {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                !self.untyped.contains(name) && self.scopes.iter().flatten().any(|known| known == name)
            }),
            Expr::MethodCall(call) => {
                ["get", "index"].contains(&call.method.to_string().as_str()) && call.args.is_empty()
            }
            _ => false,
        }
    }

    /// The variable that has what a number was before its last change, if it is one that is changed.
    fn before(&self, path: &syn::ExprPath) -> Option<syn::Ident> {
        let name = path.path.get_ident()?;
        self.changed.iter().flatten().find(|changed| *changed == name).map(before)
    }

    /// What changes a number, with what it was before noted.
    fn note_before(&self, expression: &mut Expr) {
        let (Expr::Assign(syn::ExprAssign { left, .. }) | Expr::Binary(ExprBinary { left, .. })) = &*expression else {
            return;
        };
        let Expr::Path(path) = &**left else { return };
        let Some(before) = self.before(path) else { return };
        let path = path.clone();
        *expression = parse_quote!({
            #before = #path;
            #expression
        });
    }

    /// The name and place of a variable that begins as a number which is computed there and tells its type, or perhaps as something else.
    fn let_of_number(&self, statement: &Stmt) -> Option<(String, Expr)> {
        let Stmt::Local(local) = statement else { return None };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let computes = match &*init.expr {
            Expr::Binary(_) | Expr::MethodCall(_) | Expr::Call(_) | Expr::Index(_) => true,
            Expr::Macro(call) => call.mac.path.is_ident("reads"),
            _ => false,
        };
        let is_told = match &*init.expr {
            Expr::Call(ExprCall { func, .. }) => {
                matches!(&**func, Expr::Path(path) if path.path.get_ident().is_some_and(|name| self.known.functions.contains_key(&name.to_string())))
            }
            _ => false,
        };
        let text = init.expr.to_token_stream().to_string();
        let is_open = ["U :: new (", "from (", "Default", "collect", "& mut", "_mut", "iter", "map"]
            .iter()
            .any(|word| text.contains(word));
        let name = ident_of(&local.pat)?;
        (computes && (is_told || !is_open) && !has(&init.expr, |of| matches!(of, Expr::Closure(_))))
            .then(|| (name.to_string(), (*init.expr).clone()))
    }

    /// A site for what a `let` copies of the registers, which may be read before what was just done changes it.
    fn read_sooner(&mut self, statement: &Stmt, done: &str) -> Option<usize> {
        let Stmt::Local(local) = statement else { return None };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let is_copy = matches!(&*init.expr, Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), .. }) | Expr::Index(_));
        let (text, is_of_registers) = (self.text(local), |text: &str| text.contains("tensix"));
        let is_one = is_copy && is_of_registers(&text) && is_of_registers(done) && !has(&init.expr, leaves);
        let member = || format!("{} before {}", shortened(&text), shortened(done));
        is_one.then(|| self.site_of("Moved", local, &text, vec![member()]))
    }

    /// The other fields that the function reads from the same.
    fn other_fields(&self, read: &ExprMethodCall) -> Vec<syn::Path> {
        const MOST: usize = 8;
        let Some((field, words)) = read_of(read) else { return Vec::new() };
        let text = |of: &syn::Path| of.to_token_stream().to_string();
        let mut seen = BTreeSet::from([text(&field)]);
        let of_same = self.fields.iter().filter(|(_, of)| *of == words).map(|(other, _)| other.clone());
        let alike = self.known.alike(&field);
        alike.into_iter().chain(of_same).filter(|other| seen.insert(text(other))).take(MOST).collect()
    }

    /// A field, in whose place another one of the structure and of the same type may stand.
    fn field_of_several(&mut self, operand: &mut Expr) {
        let Expr::Field(syn::ExprField { base, member: syn::Member::Named(member), .. }) = &*operand else { return };
        let others = self.type_of(base).and_then(|of| self.known.others(&of, &member.to_string()));
        let Some((others, is_number)) = others else { return };
        let text = self.text(operand);
        let site = self.site_of("Variable", operand, &text, others.iter().map(ToString::to_string).collect());
        *operand = if is_number {
            parse_quote!(crate::site::variable!(#site, #operand #(, #base.#others)*))
        } else {
            parse_quote!(*crate::site::one_of(#site, [&#operand #(, &#base.#others)*]))
        };
    }

    /// The name of the type of a parameter, of `self`, or of a field of such.
    fn type_of(&self, of: &Expr) -> Option<String> {
        match of {
            Expr::Path(path) if path.path.is_ident("self") => self.item.iter().rev().nth(1).cloned(),
            Expr::Path(path) => self.parameters.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::Field(syn::ExprField { base, member: syn::Member::Named(member), .. }) => {
                let fields = self.known.fields.get(&self.type_of(base)?)?;
                fields.iter().find(|(name, _)| member == name).map(|(_, of)| of.clone())
            }
            _ => None,
        }
    }

    /// If a statement copies what the one before changed: that done to it instead.
    fn done_again(&mut self, done: &Expr, statement: &Stmt) -> Option<(usize, Expr)> {
        let Stmt::Expr(Expr::Assign(copy), _) = statement else { return None };
        let mut again = done.clone();
        let call = match &mut again {
            Expr::Match(entered) => match &mut *entered.expr {
                Expr::Tuple(entered) => entered.elems.last_mut()?,
                _ => return None,
            },
            other => other,
        };
        let Expr::Call(ExprCall { args, .. }) = call else { return None };
        let Some(Expr::Reference(changed)) = args.first_mut() else { return None };
        let text = |of: &Expr| of.to_token_stream().to_string();
        if changed.mutability.is_none() || text(&changed.expr) != text(&copy.right) || !is_place(&copy.left) {
            return None;
        }
        changed.expr = copy.left.clone();
        let text = self.text(copy);
        Some((self.site("Copy", copy, &text), again))
    }

    /// The site of a `let` that has an `else`, which may be taken though nothing asks for it; not if it refuses.
    fn alternative(&mut self, statement: &Stmt) -> Option<usize> {
        let Stmt::Local(local) = statement else { return None };
        let (_, other) = local.init.as_ref()?.diverge.as_ref()?;
        if other.to_token_stream().to_string().contains("xpect") {
            return None;
        }
        let text = self.text(local);
        let text = text.split(" else").next().unwrap_or_default();
        Some(self.site("Statement", local, text))
    }

    /// The condition that is asked where another one does not hold, and a site for whether it is asked sooner.
    fn second_condition(&mut self, first: &Expr, other: Option<&Expr>) -> Option<(usize, Expr)> {
        let Some(Expr::If(ExprIf { cond: second, .. })) = other else { return None };
        let is_plain = |of: &Expr| !has(of, |of| leaves(of) || matches!(of, Expr::Let(_)));
        if !is_plain(first) || !is_plain(second) {
            return None;
        }
        let text = format!("{} before {}", self.text(first), self.text(&**second));
        let site = self.site("Sooner", first, &text);
        Some((site, (**second).clone()))
    }

    /// What a `match` is of: where each arm is of values without data, it may take one for another.
    fn arms(&mut self, of: &mut syn::ExprMatch) {
        let values: Vec<Option<(Expr, &syn::Pat)>> =
            of.arms.iter().map(|arm| Some((value_of(&arm.pat)?, &arm.pat))).collect();
        let known: Vec<&(Expr, &syn::Pat)> = values.iter().flatten().collect();
        if known.len() < 2 || known.len() > 31 {
            return;
        }
        let texts: Vec<String> = known
            .iter()
            .map(|(value, _)| value.to_token_stream().to_string().rsplit(' ').next().unwrap_or_default().to_string())
            .collect();
        // Each arm for those behind it, as `site::arm` counts them.
        let count = texts.len();
        let others = if count <= 6 { count - 1 } else { 1 };
        let pairs = (0..count).flat_map(|from| (1..=others).map(move |step| (from, (from + step) % count)));
        let pairs = pairs.map(|(from, to)| format!("{} taken for {}", texts[from], texts[to])).collect();
        let site = self.site_of("Arm", &of.match_token, &texts.join("|"), pairs);
        let places = 0..known.len();
        let (value, firsts, patterns) =
            (&of.expr, known.iter().map(|(value, _)| value), known.iter().map(|(_, pattern)| pattern));
        let arms = quote! { #(#patterns => Some(#places),)* _ => None };
        *of.expr = parse_quote!(crate::site::arm(#site, #value, |value| match *value { #arms }, [#(#firsts),*]));
    }

    /// The variables that could be taken for this one, the nearest first, if it is one.
    fn others(&self, path: &syn::Path) -> Option<Vec<syn::Ident>> {
        const MOST: usize = 4;
        let name = path.get_ident()?;
        let there = || self.scopes.iter().flatten();
        if self.turns.contains(name) {
            return Some(Vec::new());
        }
        there().find(|ident| *ident == name)?;
        let others = distinct(there().rev().filter(|ident| *ident != name), MOST);
        (!others.is_empty()).then_some(others)
    }

    /// A function, with its parameters; one that makes constants stays as it is, and so does what it calls itself.
    fn function(&mut self, signature: &mut syn::Signature, block: &mut syn::Block) {
        if signature.constness.is_some() {
            let of_type = self.item.last().filter(|of| of.starts_with(char::is_uppercase));
            if self.known.makes_constants(of_type.map(String::as_str), &signature.ident.to_string()) {
                return;
            }
            signature.constness = None;
        }
        self.item.push(signature.ident.to_string());
        let (outer, outer_changed) = (std::mem::take(&mut self.scopes), std::mem::take(&mut self.changed));
        let outer_sums = std::mem::take(&mut self.sums);
        let generics = self.generics.len();
        self.generics.extend(constants_of(&signature.generics));
        let parameters = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(parameter) => ident_of(&parameter.pat).filter(|_| is_number_type(&parameter.ty)),
            syn::FnArg::Receiver(_) => None,
        });
        self.scopes.push(parameters.collect());
        let types = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(parameter) => Some((ident_of(&parameter.pat)?.to_string(), name_of_type(&parameter.ty))),
            syn::FnArg::Receiver(_) => None,
        });
        self.parameters = types.collect();
        self.last_line = block.span().end().line;
        self.is_wrapper = is_wrapper(block);
        self.fields = fields_of(block);
        self.members = members_of(block);
        let values = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(parameter) => {
                let syn::Type::Path(of) = &*parameter.ty else { return None };
                Some((ident_of(&parameter.pat)?.to_string(), of.path.get_ident()?.clone()))
            }
            syn::FnArg::Receiver(_) => None,
        });
        self.values = values.filter(|(_, of)| self.values_of(of).is_some()).collect();
        let outer_near = std::mem::replace(&mut self.near, self.scopes.clone());
        let outer_turns = std::mem::take(&mut self.turns);
        let outer_first = std::mem::replace(&mut self.first_site, self.sites.len());
        let gives = match &signature.output {
            syn::ReturnType::Type(_, of) => of.to_token_stream().to_string(),
            syn::ReturnType::Default => String::new(),
        };
        let inside = gives.strip_prefix("ControlFlow < Expectation , ");
        let of_inside = inside.and_then(|inside| syn::parse_str(inside.trim_end_matches('>').trim_end()).ok());
        let is_wide = |of: &syn::Type| is_number_type(of) && of.to_token_stream().to_string() != "bool";
        let of_inside =
            inside.filter(|inside| inside.starts_with("U <")).and_then(|_| syn::parse_str("U").ok()).or(of_inside);
        let given = match &signature.output {
            syn::ReturnType::Type(_, of) if is_wide(of) => Some((**of).clone()),
            _ => None,
        };
        let outer_gives = std::mem::replace(&mut self.gives, given);
        let goes_on = std::mem::replace(&mut self.goes_on_with_number, of_inside.as_ref().is_some_and(is_wide));
        let outer_conditions = (std::mem::take(&mut self.conditions), std::mem::take(&mut self.bound));
        self.note_conditions(block);
        let was = tail_of(&mut block.stmts).cloned();
        let early = self.early(signature, block);
        if early.is_some_and(|(_, _, last)| last + 1 == block.stmts.len())
            && let Some(Stmt::Expr(tail, end @ None)) = block.stmts.last_mut()
        {
            *tail = parse_quote!(#tail?);
            *end = Some(syn::token::Semi::default());
            block.stmts.push(parse_quote!(return ControlFlow::Continue(());));
        }
        self.early = early.map(|(site, first, last)| (site, first, last, block.stmts[last].clone()));
        self.visit_block_mut(block);
        if let (Some(tail), Some(was), true) = (tail_of(&mut block.stmts), was, self.gives.is_some()) {
            let name = signature.ident.to_string();
            self.in_place_of_given(&was, tail);
            self.value(&signature.ident, &name, tail);
        }
        (self.gives, self.goes_on_with_number) = (outer_gives, goes_on);
        (self.conditions, self.bound) = outer_conditions;
        self.first_site = outer_first;
        self.turns = outer_turns;
        self.near = outer_near;
        self.generics.truncate(generics);
        (self.scopes, self.changed, self.sums) = (outer, outer_changed, outer_sums);
        self.item.pop();
    }

    fn assignment(&mut self, expression: &mut Expr) {
        let Expr::Binary(binary) = expression else { return };
        let Some((kind, function)) = kind_of(&binary.op) else {
            visit_mut::visit_expr_binary_mut(self, binary);
            return;
        };
        let right = format!("{} {}", binary.op.to_token_stream(), self.text(&binary.right));
        let groupings = self.groupings(binary);
        let site = self.site(kind, binary, &right);
        self.visit_expr_mut(&mut binary.right);
        self.constants([&mut *binary.right]);
        let (left, right) = (&binary.left, &binary.right);
        let function = quote::format_ident!("{function}");
        let mut value = parse_quote!(crate::site::#function(#site, #left, #right));
        grouped(&mut value, groupings);
        *expression = parse_quote!(#left = #value);
    }

    /// What two operators next to each other give if they are grouped otherwise, with a site for that; nothing if that changes nothing.
    fn groupings(&mut self, outer: &ExprBinary) -> Option<(usize, Vec<Expr>)> {
        let mut found: Vec<(String, Expr)> = Vec::new();
        let op = plain_operator(&outer.op)?;
        let is_plain = |of: &Expr| !has(of, |of| leaves(of) || matches!(of, Expr::Let(_) | Expr::Macro(_)));
        if !is_plain(&outer.left) || !is_plain(&outer.right) {
            return None;
        }
        let inner = |of: &Expr| match without_parentheses(of) {
            Expr::Binary(inner) => Some(inner.clone()),
            Expr::Path(path) => {
                let mut known = self.sums.iter().rev().flat_map(|sums| sums.iter().rev());
                known.find(|(name, _)| path.path.is_ident(name))?.1.clone()
            }
            _ => None,
        };
        let inner = |of: &Expr| inner(of).filter(|inner| is_plain(&inner.left) && is_plain(&inner.right));
        let texts = |of: [&Expr; 3]| {
            of.map(|of| match without_parentheses(of) {
                of @ Expr::Binary(_) => format!("({})", self.text(of)),
                of => self.text(of),
            })
        };
        if let Some(ExprBinary { left: x, op: first, right: y, .. }) = inner(&outer.left) {
            let (z, [a, b, c]) = (&outer.right, texts([&x, &y, &outer.right]));
            let (one, two) = (first.to_token_stream(), op.to_token_stream());
            if is_other_grouping(&first, &op) && !is_number(&y) && !is_shift(&first) {
                found.push((format!("{a} {one} ({b} {two} {c})"), parse_quote!((#x) #first ((#y) #op (#z)))));
            }
            if !is_one_order(&first, &op) && !is_number(&x) {
                found.push((format!("({a} {two} {c}) {one} {b}"), parse_quote!(((#x) #op (#z)) #first (#y))));
            }
        }
        if let Some(ExprBinary { left: y, op: second, right: z, .. }) = inner(&outer.right)
            && !is_shift(&op)
        {
            let (x, [a, b, c]) = (&outer.left, texts([&outer.left, &y, &z]));
            let (one, two) = (op.to_token_stream(), second.to_token_stream());
            if is_other_grouping(&op, &second) && !is_number(x) && !(is_shift(&second) && is_number(&y)) {
                found.push((format!("({a} {one} {b}) {two} {c}"), parse_quote!(((#x) #op (#y)) #second (#z))));
            }
        }
        if found.is_empty() {
            return None;
        }
        let text = self.text(outer);
        let (texts, others): (Vec<String>, Vec<Expr>) = found.into_iter().unzip();
        Some((self.site_of("Grouped", outer, &text, texts), others))
    }

    fn method(&mut self, expression: &mut Expr) {
        let Expr::MethodCall(call) = expression else { return };
        let method = call.method.to_string();
        if OF_PROMISES.contains(&method.as_str()) {
            self.visit_expr_mut(&mut call.receiver);
            if let Some(condition) = call.args.first().filter(|_| method.ends_with("_if")).cloned() {
                call.args[0] = parse_quote!((#condition) && crate::site::refuses());
            }
            return;
        }
        let text = self.text(call);
        let number = self.note_call(&call.method.clone());
        let of_type = self.type_of(&call.receiver);
        let siblings = if let (true, Some(of)) = (call.args.is_empty(), of_type) {
            self.known.siblings(&of, &method)
        } else {
            Vec::new()
        };
        if !siblings.is_empty() {
            let said = siblings.iter().map(|other| text.replacen(&method, &other.to_string(), 1)).collect();
            let site = self.site_of("Grouped", call, &text, said);
            let receiver = call.receiver.clone();
            let others = siblings.iter().map(|other| parse_quote!(#receiver.#other())).collect();
            entered(expression, number);
            grouped(expression, Some((site, others)));
            return;
        }
        if let Some(of) = tried_from(call) {
            let Expr::Call(from) = &mut *call.receiver else { unreachable!("it was one") };
            self.visit_expr_mut(&mut from.args[0]);
            self.constants(from.args.iter_mut());
            let from = &from.args[0];
            *expression = parse_quote!(crate::site::fits::<#of, _>(#from));
            return;
        }
        if method == "get" && call.args.len() == 1 && is_field(call) {
            let others = self.other_fields(call);
            let name = |of: &syn::Path| of.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            let site = self.site_of("Field", call, &text, others.iter().map(name).collect());
            self.visit_expr_mut(&mut call.args[0]);
            let (receiver, words) = (&call.receiver, &call.args[0]);
            *expression = parse_quote!(crate::site::field(#site, &#receiver, #words, [#(&#others),*]));
            return;
        }
        if let Some(other) = match method.as_str() {
            "any" => Some("all"),
            "all" => Some("any"),
            _ => None,
        } {
            let said = shortened(&text.replacen(&format!(".{method}("), &format!(".{other}("), 1));
            let site = self.site_of("Grouped", call, &text, vec![said]);
            visit_mut::visit_expr_method_call_mut(self, call);
            let mut other_call = call.clone();
            other_call.method = quote::format_ident!("{other}");
            grouped(expression, Some((site, vec![Expr::MethodCall(other_call)])));
            return;
        }
        let known = match (method.as_str(), call.args.len()) {
            ("wrapping_add", 1) => Some(("Add", "add")),
            ("wrapping_sub" | "less", 1) => Some(("Sub", "sub")),
            ("wrapping_mul", 1) => Some(("Mul", "mul")),
            ("wrapping_neg", 0) => Some(("Neg", "neg")),
            ("min", 1) => Some(("Min", "min")),
            ("max", 1) => Some(("Max", "max")),
            ("clamp", 2) => Some(("Clamp", "clamp")),
            ("leading_zeros" | "zeros", 0) => Some(("Count", "count")),
            ("abs", 0) => Some(("Abs", "abs")),
            _ => None,
        };
        let text = format!(".{method}{}", text.rsplit_once(&format!(".{method}")).map_or("", |(_, rest)| rest));
        let site = known.map(|(kind, function)| (self.site(kind, call, &text), kind, function));
        let before: Vec<Expr> = call.args.iter().cloned().collect();
        let receiver = call.receiver.clone();
        visit_mut::visit_expr_method_call_mut(self, call);
        self.constants(call.args.iter_mut());
        self.arguments(&before, call.args.iter_mut());
        if self.known.functions.contains_key(&method) {
            self.one_of_values(&receiver, &mut call.receiver);
        }
        if ["read_each", "write_each"].contains(&method.as_str()) {
            let places = &call.args[0];
            call.args[0] = parse_quote!(#places.map(crate::site::in_file));
        }
        if ["bits", "bytes"].contains(&method.as_str()) {
            self.field_of_several(&mut call.receiver);
            if let Expr::Unary(_) = &*call.receiver {
                let receiver = &call.receiver;
                *call.receiver = parse_quote!((#receiver));
            } else {
                self.alike(&receiver, &mut call.receiver);
            }
        }
        self.given(&method, &before, call.args.iter_mut());
        let pairs = if number.is_some() || self.known.functions.contains_key(&method) {
            self.exchanged(&before, call.args.iter_mut())
        } else {
            Vec::new()
        };
        let Some((site, kind, function)) = site else {
            entered(expression, number);
            return around(expression, pairs);
        };
        let function = quote::format_ident!("{function}");
        let (receiver, arguments) = (&call.receiver, &call.args);
        *expression = if kind == "Count" {
            parse_quote!(crate::site::count(#site, #expression))
        } else if arguments.is_empty() {
            parse_quote!(crate::site::#function(#site, #receiver))
        } else {
            parse_quote!(crate::site::#function(#site, #receiver, #arguments))
        };
    }

    fn call(&mut self, expression: &mut Expr) {
        let Expr::Call(call) = expression else { return };
        let text = self.text(call);
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
            _ => None,
        };
        let is_known = name.as_ref().is_some_and(|name| self.known.functions.contains_key(&name.to_string()));
        let called = name.as_ref().map(ToString::to_string).unwrap_or_default();
        let number = name.and_then(|name| self.note_call(&name));
        let reads = call.args.len() == 1 && matches!(&call.args[0], Expr::Path(path) if is_field_name(&path.path));
        let site = (is_new_of_width(call) || reads).then(|| self.site("New", call, &text));
        let before: Vec<Expr> = call.args.iter().cloned().collect();
        visit_mut::visit_expr_call_mut(self, call);
        self.constants(call.args.iter_mut());
        self.arguments(&before, call.args.iter_mut());
        if let Some(site) = site {
            *expression = parse_quote!(crate::site::new(#site, #expression));
            return;
        }
        if called == "Continue" && self.goes_on_with_number && !matches!(before[0], Expr::Lit(_)) {
            let name = self.item.last().cloned().unwrap_or_default();
            self.value(&before[0], &name, &mut call.args[0]);
        }
        self.given(&called, &before, call.args.iter_mut());
        let pairs = if is_known { self.exchanged(&before, call.args.iter_mut()) } else { Vec::new() };
        entered(expression, number);
        around(expression, pairs);
    }

    fn index(&mut self, index: &mut ExprIndex) {
        let table = table_of(index);
        let places = row_and_column(index);
        self.visit_expr_mut(&mut index.expr);
        if matches!(*index.index, Expr::Range(_)) {
            visit_mut::visit_expr_mut(self, &mut index.index);
            return;
        }
        let text = self.text(index);
        let site = self.site("Index", index, &text);
        self.say_of_table(site, table);
        self.visit_expr_mut(&mut index.index);
        if let Expr::Path(path) = &*index.index {
            let path = path.clone();
            self.taken_for(&mut index.index, &path);
        }
        if let (Expr::Index(inner), Some((row, column))) = (&mut *index.expr, places) {
            let site = self.site("Place", inner, &text);
            let (table, first, second) = (&inner.expr, &inner.index, &index.index);
            let first: Expr = parse_quote!(crate::site::transposed(#site, #first, #column).0 % #table.len());
            *index.index = parse_quote!(crate::site::transposed(#site, #row, #second).1 % #table[0].len());
            *inner.index = first;
            return;
        }
        let (base, place) = (&index.expr, &index.index);
        *index.index = if is_place(base) {
            parse_quote!(crate::site::index(#site, #place, #base.len()))
        } else {
            parse_quote!(#place)
        };
    }

    /// A macro of ours whose expressions are looked into, or one that says whether a set has a value.
    fn invocation(&mut self, expression: &mut Expr) {
        let Expr::Macro(call) = expression else { return };
        if call.mac.path.is_ident("reads") {
            *expression = self.readings(&call.mac);
        } else {
            self.membership(expression);
        }
    }

    /// `reads!(page, "id", other, …)`: what the page says, and what it could be read to say.
    fn readings(&mut self, call: &syn::Macro) -> Expr {
        let arguments = call.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        let mut arguments = arguments.expect("`reads!` has expressions").into_iter();
        let mut chosen = arguments.next().expect("`reads!` begins with what the page says");
        self.visit_expr_mut(&mut chosen);
        while let Some(Expr::Lit(syn::ExprLit { lit: Lit::Str(id), .. })) = arguments.next() {
            let site = self.site("Reading", &id, &id.value());
            let other = arguments.next().expect("a reading has an expression");
            chosen = parse_quote!(if crate::site::reads(#site) { #other } else { #chosen });
        }
        chosen
    }

    /// Whether a set of patterns has a value, by the place of the pattern.
    fn membership(&mut self, expression: &mut Expr) {
        let Expr::Macro(call) = expression else { return };
        if !call.mac.path.is_ident("matches") {
            return;
        }
        let text = self.text(call);
        let Ok(Matches { value, pattern, guard }) = call.mac.parse_body() else { return };
        let mut value = value;
        let condition = self.site("Condition", call, &text);
        if guard.is_some() {
            *expression = parse_quote!(crate::site::when(#condition, #expression));
            return;
        }
        let members: Vec<syn::Pat> = match pattern {
            syn::Pat::Or(patterns) => patterns.cases.into_iter().collect(),
            pattern => vec![pattern],
        };
        let name = |member: &syn::Pat| member.to_token_stream().to_string().replace(' ', "");
        let names: Vec<String> = members.iter().map(name).collect();
        let site = self.site_of("Set", call, &names.join("|"), names);
        self.visit_expr_mut(&mut value);
        let places = 1..=u32::try_from(members.len()).expect("a set has few members");
        *expression = parse_quote!(crate::site::when(#condition, crate::site::set(#site, match #value {
            #(#members => #places,)*
            _ => 0,
        })));
    }
}

impl VisitMut for Twister<'_> {
    /// Numbers in a path are those of types.
    fn visit_path_mut(&mut self, _: &mut syn::Path) {}

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        let dropped = ["doc", "inline", "must_use", "expect", "cold"];
        attributes.retain(|attribute| !dropped.iter().any(|name| attribute.path().is_ident(name)));
    }

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.visit_attributes_mut(&mut function.attrs);
        self.first_line = function.span().start().line;
        self.function(&mut function.sig, &mut function.block);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        self.item.push(name_of_type(&item.self_ty));
        self.generics = constants_of(&item.generics).collect();
        visit_mut::visit_item_impl_mut(self, item);
        self.generics.clear();
        self.item.pop();
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        self.visit_attributes_mut(&mut function.attrs);
        self.first_line = function.span().start().line;
        self.function(&mut function.sig, &mut function.block);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        self.visit_attributes_mut(&mut module.attrs);
        self.item.push(module.ident.to_string());
        visit_mut::visit_item_mod_mut(self, module);
        self.item.pop();
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        self.visit_attributes_mut(&mut item.attrs);
        // What computes on words of its own can be done wrong too.
        if item.supertraits.to_token_stream().to_string().contains("BitAnd") {
            item.supertraits.push(parse_quote!(crate::site::Bits));
        }
        for item in &mut item.items {
            if let syn::TraitItem::Fn(function) = item {
                self.visit_attributes_mut(&mut function.attrs);
            }
        }
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        self.visit_attributes_mut(&mut item.attrs);
    }

    fn visit_item_static_mut(&mut self, item: &mut syn::ItemStatic) {
        self.visit_attributes_mut(&mut item.attrs);
    }

    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.scopes.push(Vec::new());
        self.sums.push(Vec::new());
        self.near.push(Vec::new());
        let changed = changed_in(block);
        self.changed.push(Vec::new());
        let mut statements: Vec<Stmt> = Vec::new();
        // Whether the last one only changes something, and its text; and what it does.
        let mut last: Option<String> = None;
        let mut done: Option<Expr> = None;
        let (outer_skips, outer_chosen, mut rest) = (self.skips.len(), self.chosen.len(), Vec::new());
        let mut movable: Vec<Movable> = Vec::new();
        let count = block.stmts.len();
        let early = self.early.take();
        for (place, mut statement) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            if let Some((site, _, _, done)) = early.as_ref().filter(|(_, first, ..)| *first == place) {
                last = None;
                statements.push(parse_quote!(if crate::site::is_first(#site) { #done }));
            }
            let own_text = is_movable(&statement, place + 1 == count).then(|| self.text(&statement));
            let changes = match &statement {
                Stmt::Expr(expression, Some(_)) => can_be_left_out(expression).then(|| self.text(expression)),
                _ => None,
            };
            let sites = changes.as_ref().map(|text| {
                let alone = self.site("Statement", &statement, text);
                let order = last.as_ref().map(|last| self.site("Order", &statement, &format!("{last}; {text}")));
                (alone, order)
            });
            let alternative = self.alternative(&statement);
            let again = done.take().and_then(|done| self.done_again(&done, &statement));
            if let Stmt::Local(syn::Local { pat, init: Some(init), .. }) = &statement
                && matches!(*init.expr, Expr::Lit(_))
            {
                self.untyped.extend(ident_of(pat));
            }
            let copied = match &statement {
                Stmt::Local(local) => self.known.copied(local),
                _ => Vec::new(),
            };
            // What a name stands for, if it is computed of two.
            let sum = match &statement {
                Stmt::Local(syn::Local { pat: syn::Pat::Ident(name), init: Some(init), .. }) => {
                    Some(match &*init.expr {
                        Expr::Binary(sum) if name.mutability.is_none() && !has(&init.expr, asks_a_function) => {
                            Some(sum.clone())
                        }
                        _ => None,
                    })
                }
                Stmt::Local(_) => Some(None),
                _ => None,
            };
            let outer = self.uses.take();
            self.uses = match &statement {
                Stmt::Local(local) => self.uses_of(local),
                _ => outer.clone(),
            };
            let written = self.written.take();
            let line = statement.span().start().line;
            let choices = match &statement {
                Stmt::Local(local) => self.choices(local),
                _ => None,
            };
            let given = self.let_of_number(&statement);
            let sooner = last.as_ref().and_then(|last| self.read_sooner(&statement, last));
            visit_mut::visit_stmt_mut(self, &mut statement);
            if let Stmt::Expr(Expr::Match(of), _) = &mut statement
                && place + 1 < count
            {
                self.falls(of);
            }
            if let (Some((text, at)), Stmt::Local(syn::Local { init: Some(init), .. })) = (given, &mut statement) {
                self.value_or_other(&at, &text, &mut init.expr);
            }
            if let (Some(site), Stmt::Local(syn::Local { init: Some(init), .. })) = (sooner, &mut statement) {
                let (done, read) = (statements.pop().expect("there was one before"), &init.expr);
                movable.pop();
                *init.expr = parse_quote!({
                    if crate::site::is_first(#site) {
                        let read = #read;
                        #done
                        read
                    } else {
                        #done
                        #read
                    }
                });
            }
            if let Some((alone, _)) = sites {
                self.sites[alone].written = self.written.take();
            }
            self.written = written;
            rest.extend(self.skips.drain(outer_skips..).map(|skip| (skip, self.sites.len())));
            self.uses = outer;
            if let Stmt::Expr(expression, _) = &statement
                && changes.is_some()
            {
                done = Some(expression.clone());
            }
            if let Some((site, again)) = again {
                statement = parse_quote!(if crate::site::does(#site) { #statement } else { #again; });
            }
            if let (Some(site), Stmt::Local(local)) = (alternative, &mut statement)
                && let Some(init) = &mut local.init
            {
                let (pattern, value) = (&local.pat, &init.expr);
                *init.expr = parse_quote!((#value, crate::site::does(#site)));
                local.pat = parse_quote!((#pattern, true));
            }
            if let Stmt::Local(local) = &mut statement
                && takes_two_apart(&local.pat)
                && has_type_of_its_own(local)
            {
                let text = self.text(&local.pat);
                let site = self.site("Pair", local, &text);
                let init = local.init.as_mut().expect("it has a type");
                let two = &init.expr;
                *init.expr = parse_quote!(crate::site::apart!(#site, #two));
            }
            if let (Stmt::Local(local), Some(sum)) = (&statement, sum) {
                let names = idents_of(&local.pat).into_iter();
                self.sums.last_mut().expect("the block has one").extend(names.map(|name| (name, sum.clone())));
            }
            if let Stmt::Local(local) = &statement
                && has_type_of_its_own(local)
                && let Some(ident) = ident_of(&local.pat)
            {
                self.scopes.last_mut().expect("the block has one").push(ident);
            }
            self.near.last_mut().expect("the block has one").extend(copied);
            let begun = match &statement {
                Stmt::Local(local) => {
                    ident_of(&local.pat).filter(|ident| local.init.is_some() && changed.contains(ident))
                }
                _ => None,
            };
            if let Some((site, ..)) = early.as_ref().filter(|(_, _, last, _)| *last == place) {
                statement = parse_quote!(if crate::site::is_last(#site) { #statement });
            }
            if let Some((alone, order)) = sites {
                statement = parse_quote!(if crate::site::does(#alone) { #statement });
                if let Some(order) = order {
                    let before = statements.pop().expect("there was one before");
                    statement = parse_quote!(if crate::site::does(#order) {
                        #before
                        #statement
                    } else {
                        #statement
                        #before
                    });
                }
            }
            if let Some(text) = own_text {
                // What was exchanged with the one before is one with it.
                if sites.is_some_and(|(_, order)| order.is_some()) {
                    movable.pop();
                }
                movable.push(Movable { place: statements.len(), line, text });
            }
            last = changes;
            statements.push(statement);
            if let Some((name, others)) = choices {
                let mut known = Vec::new();
                for (place, (text, other)) in others.into_iter().enumerate() {
                    let of_it = quote::format_ident!("{name}_{place}");
                    statements.push(parse_quote!(let #of_it = #other;));
                    known.push((of_it, text));
                }
                self.chosen.push(Chosen { name, line, others: known });
            }
            if let Some(ident) = begun {
                let before = before(&ident);
                statements.push(parse_quote!(let mut #before = #ident;));
                self.changed.last_mut().expect("the block has one").push(ident);
            }
        }
        for (skip, first) in rest {
            self.guards(skip, first);
        }
        self.moved(&mut statements, &movable);
        block.stmts = statements;
        self.chosen.truncate(outer_chosen);
        self.changed.pop();
        self.near.pop();
        self.sums.pop();
        self.scopes.pop();
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        if let syn::Pat::Guard(pattern) = &mut arm.pat {
            self.condition(&mut pattern.guard);
        }
        self.visit_expr_mut(&mut arm.body);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::If(ExprIf { cond, then_branch, else_branch, .. }) => {
                if is_refusal(then_branch) && else_branch.is_none() {
                    let condition = &cond;
                    **cond = match **cond {
                        Expr::Let(_) => parse_quote!(#condition && crate::site::refuses()),
                        _ => parse_quote!((#condition) && crate::site::refuses()),
                    };
                    return;
                }
                // What only looks for refusals promises nothing else if it is left out.
                let is_let =
                    matches!(**cond, Expr::Let(_)) && !then_branch.to_token_stream().to_string().contains("refusals");
                let site = is_let.then(|| {
                    let text = self.text(&*cond);
                    self.site("Statement", &*cond, &text)
                });
                let second = self.second_condition(cond, else_branch.as_ref().map(|(_, other)| &**other));
                // What is skipped, or guarded, may be done all the same; and what stands behind an `else` too.
                let is_plain = !has(cond, |of| matches!(of, Expr::Let(_)));
                let is_skip = else_branch.is_none() && is_continue(then_branch);
                let asks = else_branch.as_ref().filter(|(_, other)| {
                    is_plain && is_unit(then_branch) && is_unit_expression(other) && !is_refused(other)
                });
                let asked = asks.map(|(_, other)| match &**other {
                    Expr::If(other) => self.text(&*other.cond),
                    other => self.text(other),
                });
                let text = self.text(&*cond);
                let branch = is_plain.then(|| {
                    let members = asked.iter().map(|asked| shortened(asked)).collect();
                    self.site_of(if is_skip { "Skip" } else { "Branch" }, &*cond, &text, members)
                });
                let was = (**cond).clone();
                self.condition(cond);
                if is_free(&was) {
                    self.joined(&was, cond, then_branch);
                }
                if let Some(branch) = branch {
                    **cond = if is_skip {
                        self.skips.push(branch);
                        parse_quote!(crate::site::skip(#branch, #cond))
                    } else {
                        parse_quote!(crate::site::branch(#branch, #cond))
                    };
                }
                if let Some((site, second)) = second {
                    **cond = parse_quote!(crate::site::sooner(#site, #cond, || #second));
                }
                if let Some(site) = site {
                    **cond = parse_quote!(#cond && crate::site::does(#site));
                }
                let first = self.sites.len();
                self.visit_block_mut(then_branch);
                if let Some(branch) = branch.filter(|_| !is_skip) {
                    self.guards(branch, first);
                }
                self.tail_of_another(then_branch);
                if let Some((_, other)) = else_branch
                    && let Expr::Block(other) = &mut **other
                {
                    self.tail_of_another(&mut other.block);
                }
                match else_branch {
                    Some((_, other)) if matches!(&**other, Expr::Block(other) if is_refusal(&other.block)) => {
                        let condition = &cond;
                        if !matches!(**cond, Expr::Let(_)) {
                            **cond = parse_quote!((#condition) || !crate::site::refuses());
                        }
                    }
                    Some((_, other)) => self.visit_expr_mut(other),
                    None => {}
                }
                if asked.is_some()
                    && let (Some(branch), Some((_, other))) = (branch, else_branch)
                {
                    *expression = parse_quote!({
                        let holds = #cond;
                        if holds #then_branch
                        if crate::site::besides(#branch, holds) { #other }
                    });
                }
            }
            Expr::While(turns) => {
                self.condition(&mut turns.cond);
                self.visit_block_mut(&mut turns.body);
                let cond = &turns.cond;
                *turns.cond = parse_quote!(crate::site::turn() && #cond);
            }
            Expr::ForLoop(turns) => {
                // Which turn it is, if it goes up to what is known before.
                let turn = match &*turns.expr {
                    Expr::Range(syn::ExprRange { end: Some(end), .. }) => {
                        let is_known = matches!(**end, Expr::Lit(_)) || is_place(end);
                        ident_of(&turns.pat).filter(|_| is_known).map(|name| (name, (**end).clone()))
                    }
                    _ => None,
                };
                let has_typed_turns = match &*turns.expr {
                    Expr::Range(syn::ExprRange { end: Some(end), .. }) => self.has_type(end),
                    _ => false,
                };
                if let Expr::Range(range) = &*turns.expr
                    && range.start.is_some()
                    && range.end.is_some()
                {
                    let text = self.text(&turns.expr);
                    let (kind, function) = if carries_on(turns) { ("Turns", "turns") } else { ("Range", "range") };
                    let site = self.site(kind, &turns.expr, &text);
                    if let Some(Expr::Path(end)) = range.end.as_deref()
                        && let Some(name) = end.path.get_ident()
                    {
                        let said = self.known.pages_of_constants.get(&name.to_string());
                        self.sites[site].besides = said.cloned().unwrap_or_default();
                    }
                    let (range, function) = (&turns.expr, quote::format_ident!("{function}"));
                    *turns.expr = parse_quote!(crate::site::#function(#site, #range));
                } else if let Some(mut range) = reversed(&turns.expr) {
                    let text = self.text(&turns.expr);
                    let site = self.site("Way", &turns.expr, &text);
                    self.visit_expr_mut(&mut range);
                    *turns.expr = parse_quote!(crate::site::way(#site, #range).rev());
                } else {
                    self.visit_expr_mut(&mut turns.expr);
                }
                let outer = self.turns.len();
                self.turns.extend(ident_of(&turns.pat).filter(|_| has_typed_turns));
                let turn = turn.map(|(name, end)| (self.site("Turn", &turns.pat, &name.to_string()), name, end));
                self.visit_block_mut(&mut turns.body);
                if let Some((site, name, end)) = turn {
                    turns.body.stmts.insert(0, parse_quote!(crate::site::at_turn(#site, #name, #end);));
                }
                self.turns.truncate(outer);
                end_some_time(&mut turns.body);
            }
            Expr::Loop(turns) => {
                self.visit_block_mut(&mut turns.body);
                end_some_time(&mut turns.body);
            }
            Expr::Match(of) => {
                let text = self.text(&of.expr);
                // Which text is cited changes nothing.
                let only_cites = of.arms.iter().all(|arm| matches!(*arm.body, Expr::Macro(_)));
                if ["edition", "self.edition", "chip", "unit.chip"].contains(&text.as_str()) && !only_cites {
                    let site = self.site("Choice", &of.expr, &format!("match {text}"));
                    let choice = &of.expr;
                    *of.expr = parse_quote!(crate::site::choice(#site, #choice));
                } else {
                    self.visit_expr_mut(&mut of.expr);
                    self.constants([&mut *of.expr]);
                    if !only_cites {
                        self.arms(of);
                    }
                }
                for arm in &mut of.arms {
                    let was = arm.body.clone();
                    self.visit_arm_mut(arm);
                    // A number that is given as it is.
                    if (self.gives.is_some() || self.goes_on_with_number) && self.is_plain_number(&was) {
                        let text = self.text(&was);
                        self.value_or_other(&was, &text, &mut arm.body);
                    }
                }
            }
            Expr::Assign(assign) if is_zero(&assign.right) => {
                let text = self.text(assign);
                let site = self.site("Zero", assign, &text);
                visit_mut::visit_expr_assign_mut(self, assign);
                let (left, right) = (&assign.left, &assign.right);
                let mut zero: Expr = parse_quote!(crate::site::zero(#site, #left, #right));
                self.in_place_of_zero(assign.span(), &mut zero);
                *expression = parse_quote!(#left = #zero);
                self.note_before(expression);
            }
            Expr::Assign(assign) if is_of_parts(assign) => {
                visit_mut::visit_expr_assign_mut(self, assign);
                let (Expr::Tuple(places), Expr::Tuple(values)) = (&*assign.left, &mut *assign.right) else { return };
                for (place, value) in places.elems.iter().zip(&mut values.elems) {
                    let text = self.text(place);
                    let site = self.site("Part", place, &text);
                    *value = parse_quote!(crate::site::changed(#site, #value, #place));
                }
            }
            Expr::Assign(assign) => {
                let in_row = match &*assign.left {
                    Expr::Index(entry) if is_row(&entry.expr) => {
                        let (text, row) = (self.text(assign), self.text(&entry.expr));
                        let member = format!("{}, and 0 in the rest of {}", shortened(&text), shortened(&row));
                        Some(self.site_of("Moved", assign, &text, vec![member]))
                    }
                    _ => None,
                };
                let was = (*assign.right).clone();
                visit_mut::visit_expr_assign_mut(self, assign);
                if matches!(was, Expr::Binary(_) | Expr::MethodCall(_)) && tells_its_type(&was) {
                    let text = self.text(&was);
                    self.written = Some(self.value_or_other(&was, &text, &mut assign.right));
                }
                if let (Some(site), Expr::Index(entry)) = (in_row, &*assign.left) {
                    let (row, place, value) = (&entry.expr, &entry.index, &assign.right);
                    *expression = parse_quote!({
                        let value = #value;
                        let row = &mut #row;
                        crate::site::alone(#site, row);
                        row[#place] = value;
                    });
                }
                self.note_before(expression);
                self.sums.iter_mut().for_each(Vec::clear);
            }
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                self.assignment(expression);
                self.sums.iter_mut().for_each(Vec::clear);
                self.note_before(expression);
            }
            Expr::Binary(_) => self.binary(expression),
            Expr::MethodCall(_) => self.method(expression),
            Expr::Call(_) => self.call(expression),
            Expr::Index(index) => self.index(index),
            Expr::Macro(_) => self.invocation(expression),
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => {
                    let text = self.text(unary);
                    let site = self.site("Not", unary, &text);
                    self.visit_expr_mut(&mut unary.expr);
                    let (inner, was) = (&unary.expr, unary.clone());
                    *expression = parse_quote!(crate::site::not(#site, #inner));
                    self.within_mask(&was, expression);
                }
                UnOp::Neg(_) if !matches!(*unary.expr, Expr::Lit(_)) => {
                    let text = self.text(unary);
                    let site = self.site("Neg", unary, &text);
                    self.visit_expr_mut(&mut unary.expr);
                    let inner = &unary.expr;
                    *expression = parse_quote!(crate::site::neg(#site, #inner));
                }
                UnOp::Neg(_) => {}
                _ => visit_mut::visit_expr_unary_mut(self, unary),
            },
            Expr::Lit(literal) => {
                if let Lit::Bool(value) = &literal.lit {
                    let text = value.value.to_string();
                    let site = self.site("Truth", literal, &text);
                    self.sites[site].is_told = self.is_wrapper;
                    *expression = parse_quote!(crate::site::truth(#site, #literal));
                } else if let Lit::Int(number) = &literal.lit {
                    let text = number.to_string();
                    let site = self.site("Literal", number, &text);
                    *expression = parse_quote!(crate::site::literal(#site, #literal));
                }
            }
            Expr::Return(syn::ExprReturn { expr: Some(given), .. }) => {
                let at = given.clone();
                self.visit_expr_mut(given);
                if self.gives.is_some() {
                    let name = self.item.last().cloned().unwrap_or_default();
                    self.in_place_of_given(&at, given);
                    self.value(&at, &name, given);
                }
            }
            Expr::Struct(parts) => {
                let before: Vec<Expr> = parts.fields.iter().map(|field| field.expr.clone()).collect();
                visit_mut::visit_expr_struct_mut(self, parts);
                for (was, field) in before.iter().zip(&mut parts.fields) {
                    if let Expr::Path(path) = was
                        && let Some((site, line)) = self.chosen(path, &mut field.expr)
                    {
                        // What is only given on is said where it is chosen.
                        field.colon_token = Some(syn::token::Colon::default());
                        self.sites[site].statements = self.statements_at(line);
                    }
                    let is_number = match was {
                        Expr::Path(_) => self.is_plain_number(was),
                        Expr::Binary(_) | Expr::MethodCall(_) => tells_its_type(was),
                        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if path.path.is_ident("index")),
                        _ => false,
                    };
                    if is_number {
                        let text = field.member.to_token_stream().to_string();
                        field.colon_token = Some(syn::token::Colon::default());
                        self.value_or_other(was, &text, &mut field.expr);
                    }
                }
            }
            // The number of elements is a constant, and what is read through a reference is one too.
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Const(_) => {}
            Expr::Tuple(tuple) => {
                visit_mut::visit_expr_tuple_mut(self, tuple);
                for element in &mut tuple.elems {
                    if let Expr::Path(path) = &*element
                        && is_named_in_capitals(&path.path)
                    {
                        let text = self.text(path);
                        let site = self.site("Named", path, &text);
                        *element = parse_quote!(crate::site::constant!(#site, #path));
                    }
                }
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }
}

/// Writes `[a, b].map(f)` as `[f(a), f(b)]`, for one of these calls alone may do something wrong.
struct Unmapped;

impl VisitMut for Unmapped {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::MethodCall(ExprMethodCall { receiver, method, args, .. }) = &*expression
            && let (Expr::Array(array), true, Some(Expr::Path(function))) = (&**receiver, method == "map", args.first())
        {
            let elements = array.elems.iter();
            *expression = parse_quote!([#(#function(#elements)),*]);
        }
    }
}

/// `matches!(value, pattern if guard)`.
struct Matches {
    value: Expr,
    pattern: syn::Pat,
    guard: Option<Expr>,
}

impl syn::parse::Parse for Matches {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(syn::Token![if]) {
            input.parse::<syn::Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Matches { value, pattern, guard })
    }
}

/// What a block gives.
fn tail_of(statements: &mut [Stmt]) -> Option<&mut Expr> {
    match statements.last_mut() {
        Some(Stmt::Expr(tail, None)) => Some(tail),
        _ => None,
    }
}

/// An expression as one writes it.
fn plain_text(of: &Expr) -> String {
    of.to_token_stream().to_string().replace(" . ", ".")
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    shortened_to(text, 60)
}

fn shortened_to(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_string() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

/// What is between brackets at the beginning of a sentence of a comment: `[24]`, `[wh 22]`, `[68, TX-12]`.
fn brackets(comment: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = comment;
    while let Some(open) = rest.find('[') {
        let Some(close) = rest[open..].find(']') else { break };
        let inside = &rest[open + 1..open + close];
        let is_statement = inside.split([',', ' ']).any(|word| {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            [first, last].iter().all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if is_statement && !inside.contains('`') {
            found.push(inside.to_string());
        }
        rest = &rest[open + close + 1..];
    }
    found
}

/// The variables that say which place of a table with rows and columns it is.
fn row_and_column(index: &ExprIndex) -> Option<(Expr, Expr)> {
    let Expr::Index(inner) = &*index.expr else { return None };
    let is_variable = |of: &Expr| matches!(of, Expr::Path(path) if path.path.get_ident().is_some());
    let is_it = is_place(&inner.expr) && is_variable(&inner.index) && is_variable(&index.index);
    is_it.then(|| ((*inner.index).clone(), (*index.index).clone()))
}

/// The name of the table that is asked, if it has one.
fn table_of(index: &ExprIndex) -> Option<String> {
    let Expr::Path(table) = &*index.expr else { return None };
    table.path.get_ident().map(ToString::to_string)
}

/// The lines that a bracket means which names its page, such as `VECTOR_UNIT 103`.
fn page_lines(bracket: &str) -> Vec<PageLines> {
    let Some((name, lines)) = bracket.split_once(' ') else { return Vec::new() };
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some((name.to_string(), first.parse().ok()?, last.parse().ok()?))
    };
    let is_name = name.len() > 2 && name.starts_with(|letter: char| letter.is_ascii_uppercase());
    if is_name { lines.split(", ").filter_map(range).collect() } else { Vec::new() }
}

/// Titles of pages, as comments name them, and the statics that they are.
const PAGES: [(&str, &str); 10] = [
    ("RWCs", "RWCS"),
    ("Dst", "DST_NEWEST"),
    ("VectorUnit", "VECTOR_UNIT"),
    ("ZEROACC", "ZEROACC"),
    ("MOV", "MOV"),
    ("DPAS", "DPAS"),
    ("Operands", "OPERANDS"),
    ("Data Types", "DATA_TYPES"),
    ("Header", "HEADER"),
    ("Execution Model", "EXECUTION_MODEL"),
];

/// The pages and lines that a source names, such as `page Operands, lines 45-54 and 103-112`; without a page the lines are of
/// that with which `head` begins.
fn lines_of_source(source: &str, head: &str) -> Vec<PageLines> {
    let page_of =
        |text: &str| PAGES.iter().find(|(title, _)| text.starts_with(title)).map(|(_, name)| (*name).to_string());
    let mut found = Vec::new();
    let mut page = page_of(head);
    for part in source.split("page ").filter(|part| !part.is_empty()) {
        page = page_of(part).or(page);
        let Some((_, lines)) = part.split_once("line") else { continue };
        let words = lines.replace(" to ", "-");
        for word in words.split([' ', ',', ';', '.', ')']).filter(|word| !word.is_empty()) {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            if let (Some(page), Ok(first), Ok(last)) = (&page, first.parse(), last.parse()) {
                found.push((page.clone(), first, last));
            }
        }
    }
    found
}

/// A line of a comment without what makes it one.
fn bare(line: &str) -> String {
    line.trim().trim_start_matches(['/', '!']).trim().to_string()
}

/// A value without data that a pattern has, if it has no others than such: the first.
fn value_of(pattern: &syn::Pat) -> Option<Expr> {
    match pattern {
        syn::Pat::Path(path) => Some(Expr::Path(path.clone())),
        syn::Pat::Lit(literal) => Some(Expr::Lit(literal.clone())),
        syn::Pat::Or(patterns) => patterns.cases.iter().map(value_of).collect::<Option<Vec<_>>>()?.into_iter().next(),
        _ => None,
    }
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// What may be grouped otherwise in the place of an expression.
fn grouped(expression: &mut Expr, groupings: Option<(usize, Vec<Expr>)>) {
    if let Some((site, others)) = groupings {
        *expression = parse_quote!(crate::site::grouped!(#site, #expression #(, #others)*));
    }
}

/// Whether it calls a function that does more than to make a number of a type.
fn asks_a_function(expression: &Expr) -> bool {
    let Expr::Call(call) = expression else { return false };
    !matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "new"))
}

fn without_parentheses(mut of: &Expr) -> &Expr {
    while let Expr::Paren(inner) = of {
        of = &inner.expr;
    }
    of
}

/// Whether something is a number that is written down or has a name in capitals, whose type may not be that of what it is with.
fn is_number(of: &Expr) -> bool {
    match without_parentheses(of) {
        Expr::Lit(_) => true,
        Expr::Path(path) => is_named_in_capitals(&path.path),
        Expr::Unary(unary) => is_number(&unary.expr),
        Expr::Binary(binary) => is_number(&binary.left),
        Expr::If(_) => true,
        _ => false,
    }
}

fn is_shift(op: &BinOp) -> bool {
    matches!(op, BinOp::Shl(_) | BinOp::Shr(_))
}

fn is_sum(op: &BinOp) -> bool {
    matches!(op, BinOp::Add(_) | BinOp::Sub(_))
}

/// The operator that computes what an operator does, if it computes.
fn plain_operator(op: &BinOp) -> Option<BinOp> {
    let text = op.to_token_stream().to_string();
    kind_of(op).and_then(|_| syn::parse_str(text.trim_end_matches('=')).ok())
}

/// Whether `x one (y two z)` is something else than `(x one y) two z`.
fn is_other_grouping(one: &BinOp, two: &BinOp) -> bool {
    let is_one = kind_of(one) == kind_of(two) && !matches!(one, BinOp::Sub(_)) && !is_shift(one);
    kind_of(one).is_some() && kind_of(two).is_some() && !is_one && !(matches!(one, BinOp::Add(_)) && is_sum(two))
}

/// Whether `(x one y) two z` is `(x two z) one y`.
fn is_one_order(one: &BinOp, two: &BinOp) -> bool {
    kind_of(one).is_none() || kind_of(one) == kind_of(two) || is_sum(one) && is_sum(two)
}

/// The kind of site that an operator is, and the function that does it.
fn kind_of(op: &BinOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => ("Add", "add"),
        BinOp::Sub(_) | BinOp::SubAssign(_) => ("Sub", "sub"),
        BinOp::Mul(_) | BinOp::MulAssign(_) => ("Mul", "mul"),
        BinOp::Div(_) | BinOp::DivAssign(_) => ("Div", "div"),
        BinOp::Rem(_) | BinOp::RemAssign(_) => ("Rem", "rem"),
        BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => ("And", "and"),
        BinOp::BitOr(_) | BinOp::BitOrAssign(_) => ("Or", "or"),
        BinOp::BitXor(_) | BinOp::BitXorAssign(_) => ("Xor", "xor"),
        BinOp::Shl(_) | BinOp::ShlAssign(_) => ("Shl", "shl"),
        BinOp::Shr(_) | BinOp::ShrAssign(_) => ("Shr", "shr"),
        _ => return None,
    })
}

fn is_named_in_capitals(path: &syn::Path) -> bool {
    let Some(last) = path.segments.last() else { return false };
    let name = last.ident.to_string();
    name.len() > 1 && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// Whether it is the name of a field of the configuration, which is spelled as the pages spell it.
fn is_field_name(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter();
    segments.next().is_some_and(|first| first.ident == "config") && path.segments.len() == 2
}

/// Whether each turn of a loop goes on with a number that the last one left, so that their order may matter.
fn carries_on(turns: &syn::ExprForLoop) -> bool {
    let is_carried = |statement: &Stmt| match statement {
        Stmt::Expr(Expr::Assign(assign), _) => is_place(&assign.left),
        Stmt::Expr(Expr::Binary(binary), _) => is_assignment(&binary.op) && is_place(&binary.left),
        _ => false,
    };
    ident_of(&turns.pat).is_some() && turns.body.stmts.iter().any(is_carried)
}

/// Ends a loop when there are no turns left, whatever went wrong with its own end.
fn end_some_time(body: &mut syn::Block) {
    body.stmts.insert(
        0,
        parse_quote!(if !crate::site::turn() {
            break;
        }),
    );
}

/// A call with a number, which whoever does something wrong in it alone asks for.
fn entered(call: &mut Expr, number: Option<usize>) {
    if let Some(number) = number {
        *call = parse_quote!(match (crate::site::enter(#number), #call) {
            (outer, value) => {
                crate::site::leave(outer);
                value
            }
        });
    }
}

/// The field that `FIELD.get(words)` reads, if that has a name, and from what.
fn read_of(read: &ExprMethodCall) -> Option<(syn::Path, String)> {
    let Expr::Path(field) = &*read.receiver else { return None };
    let is_read = read.method == "get" && read.args.len() == 1 && is_field(read);
    is_read.then(|| (field.path.clone(), read.args[0].to_token_stream().to_string()))
}

/// The fields that a block reads.
fn fields_of(block: &syn::Block) -> Vec<(syn::Path, String)> {
    struct Fields(Vec<(syn::Path, String)>);
    impl VisitMut for Fields {
        fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
            self.0.extend(read_of(call));
            visit_mut::visit_expr_method_call_mut(self, call);
        }
    }
    let mut fields = Fields(Vec::new());
    fields.visit_block_mut(&mut block.clone());
    fields.0
}

/// What a block itself reads of fields.
fn amounts_of(block: &syn::Block) -> Vec<Expr> {
    struct Amounts(Vec<Expr>, BTreeSet<String>);
    impl VisitMut for Amounts {
        fn visit_block_mut(&mut self, _: &mut syn::Block) {}

        fn visit_pat_ident_mut(&mut self, of: &mut syn::PatIdent) {
            self.1.insert(of.ident.to_string());
        }

        fn visit_expr_mut(&mut self, of: &mut Expr) {
            let reads = |argument: &Expr| matches!(argument, Expr::Path(path) if is_field_name(&path.path));
            match of {
                Expr::MethodCall(read) if read.method == "get" && read.args.len() == 1 && is_field(read) => {
                    self.0.push(of.clone())
                }
                Expr::Call(call) if call.args.len() == 1 && reads(&call.args[0]) => self.0.push(of.clone()),
                Expr::If(_) => {}
                _ => visit_mut::visit_expr_mut(self, of),
            }
        }
    }
    let mut amounts = Amounts(Vec::new(), BTreeSet::new());
    block.stmts.clone().iter_mut().for_each(|statement| amounts.visit_stmt_mut(statement));
    amounts.0.retain(|amount| names_of(amount).is_disjoint(&amounts.1));
    amounts.0
}

/// The members that a block reads of places, and of which.
fn members_of(block: &syn::Block) -> BTreeSet<(String, syn::Ident)> {
    struct Members(BTreeSet<(String, syn::Ident)>);
    impl VisitMut for Members {
        fn visit_expr_field_mut(&mut self, field: &mut syn::ExprField) {
            if let syn::Member::Named(member) = &field.member
                && is_place(&field.base)
            {
                self.0.insert((field.base.to_token_stream().to_string(), member.clone()));
            }
            visit_mut::visit_expr_field_mut(self, field);
        }
    }
    let mut members = Members(BTreeSet::new());
    members.visit_block_mut(&mut block.clone());
    members.0
}

/// Whether two names differ in one word of several.
fn are_alike(one: &syn::Ident, other: &syn::Ident) -> bool {
    let (one, other) = (one.to_string(), other.to_string());
    let pairs = || one.split('_').zip(other.split('_'));
    let is_as_long = one.split('_').count() == other.split('_').count();
    is_as_long && pairs().count() > 1 && pairs().filter(|(one, other)| one != other).count() == 1
}

/// Whether several places get their values at once.
fn is_of_parts(assign: &syn::ExprAssign) -> bool {
    match (&*assign.left, &*assign.right) {
        (Expr::Tuple(places), Expr::Tuple(values)) => {
            places.elems.len() == values.elems.len() && places.elems.iter().all(is_place)
        }
        _ => false,
    }
}

/// The first different ones, as many as `most`.
fn distinct<'a>(idents: impl Iterator<Item = &'a syn::Ident>, most: usize) -> Vec<syn::Ident> {
    let mut found: Vec<syn::Ident> = Vec::new();
    for ident in idents {
        if !found.contains(ident) && found.len() < most {
            found.push(ident.clone());
        }
    }
    found
}

/// What has another name in the module of a path.
fn beside(path: &syn::Path, name: &str) -> syn::Path {
    let mut path = path.clone();
    path.segments.last_mut().expect("it has a name").ident = quote::format_ident!("{name}");
    path
}

/// A type's name with the family that its file is of: both may have one of that name.
fn in_family(file: &Path, of: &syn::Ident) -> String {
    let is_visa = file.components().any(|part| part.as_os_str() == "visa");
    format!("{}::{of}", if is_visa { "visa" } else { "tensix" })
}

/// What an argument lends to be changed.
fn lent(argument: &Expr) -> Option<String> {
    let Expr::Reference(reference) = argument else { return None };
    reference.mutability.map(|_| reference.expr.to_token_stream().to_string())
}

/// The letter that one name has where another one has another letter, and that: the same pair wherever they differ, but for digits.
fn letters_apart(one: &str, other: &str) -> Option<(char, char)> {
    let differ = one.chars().zip(other.chars()).filter(|(one, other)| one != other);
    let letters: BTreeSet<(char, char)> =
        differ.filter(|(one, other)| !(one.is_ascii_digit() && other.is_ascii_digit())).collect();
    if one.len() == other.len() && letters.len() == 1 { letters.into_iter().next() } else { None }
}

/// The range that a loop goes over from its end on.
fn reversed(turns: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = turns else { return None };
    let Expr::Paren(range) = &*call.receiver else { return None };
    let is_it = call.method == "rev"
        && matches!(&*range.expr, Expr::Range(range) if range.start.is_some() && range.end.is_some());
    is_it.then(|| (*range.expr).clone())
}

/// … and what uses them is done with them.
fn around(expression: &mut Expr, pairs: Vec<(Expr, [syn::Ident; 2])>) {
    for (two, [first, second]) in pairs.into_iter().rev() {
        *expression = parse_quote!(match #two {
            (#first, #second) => #expression,
        });
    }
}

/// The constants that something is generic over.
fn constants_of(generics: &syn::Generics) -> impl Iterator<Item = String> + use<> {
    generics.const_params().map(|of| of.ident.to_string()).collect::<Vec<_>>().into_iter()
}

/// The variable that has what a number was before it was changed.
fn before(number: &syn::Ident) -> syn::Ident {
    quote::format_ident!("{number}_before")
}

/// The numbers that a block changes after they began: what is changed by an operator is one.
fn changed_in(block: &syn::Block) -> BTreeSet<syn::Ident> {
    struct Changed(BTreeSet<syn::Ident>);
    impl VisitMut for Changed {
        fn visit_expr_mut(&mut self, expression: &mut Expr) {
            let computes = |right: &Expr| matches!(right, Expr::Binary(binary) if !is_comparison(&binary.op));
            let left = match &*expression {
                Expr::Binary(ExprBinary { left, op, .. }) if is_assignment(op) => Some(left),
                Expr::Assign(syn::ExprAssign { left, right, .. }) if computes(right) => Some(left),
                _ => None,
            };
            if let Some(Expr::Path(path)) = left.map(|left| &**left) {
                self.0.extend(path.path.get_ident().cloned());
            }
            visit_mut::visit_expr_mut(self, expression);
        }
    }
    let mut changed = Changed(BTreeSet::new());
    changed.visit_block_mut(&mut block.clone());
    changed.0
}

/// The variable that a pattern is, if it is nothing else.
fn ident_of(pattern: &syn::Pat) -> Option<syn::Ident> {
    match pattern {
        syn::Pat::Ident(pattern) if pattern.subpat.is_none() => Some(pattern.ident.clone()),
        syn::Pat::Type(pattern) => ident_of(&pattern.pat),
        _ => None,
    }
}

/// Whether a pattern takes two variables from a pair.
fn takes_two_apart(pattern: &syn::Pat) -> bool {
    let elements = match pattern {
        syn::Pat::Tuple(pattern) => &pattern.elems,
        syn::Pat::Slice(pattern) => &pattern.elems,
        _ => return false,
    };
    elements.len() == 2 && elements.iter().all(|element| ident_of(element).is_some())
}

/// The module of a constant that is named with it, and its name.
fn of_module(path: &syn::Path) -> Option<(String, String)> {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (name, module) = (names.next()?, names.next()?);
    // What a type of numbers has is no group, and these words are of no module in particular.
    let is_type = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128"].contains(&&*module);
    let is_module = module.starts_with(char::is_lowercase) && !["super", "self", "crate"].contains(&&*module);
    (is_module && !is_type).then_some((module, name))
}

/// The variables of a pattern.
fn idents_of(pattern: &syn::Pat) -> Vec<String> {
    match pattern {
        syn::Pat::Ident(pattern) => vec![pattern.ident.to_string()],
        syn::Pat::Type(pattern) => idents_of(&pattern.pat),
        syn::Pat::Tuple(pattern) => pattern.elems.iter().flat_map(idents_of).collect(),
        syn::Pat::Slice(pattern) => pattern.elems.iter().flat_map(idents_of).collect(),
        _ => Vec::new(),
    }
}

/// Whether a bracket is not of one chip alone.
fn is_of_both(bracket: &str) -> bool {
    !bracket.starts_with("bh ") && !bracket.contains("_BH ")
}

/// Whether a line has a word that is not part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let letter = |place: Option<char>| place.is_some_and(|one| one.is_ascii_alphanumeric() || one == '_');
    line.match_indices(word)
        .any(|(at, _)| !letter(line[..at].chars().next_back()) && !letter(line[at + word.len()..].chars().next()))
}

/// Whether a function only calls others: there is nothing in it that could go one way or the other.
fn is_wrapper(block: &syn::Block) -> bool {
    let decides = |expression: &Expr| {
        matches!(
            expression,
            Expr::If(_)
                | Expr::Match(_)
                | Expr::ForLoop(_)
                | Expr::While(_)
                | Expr::Loop(_)
                | Expr::Binary(_)
                | Expr::Unary(_)
                | Expr::Tuple(_)
        )
    };
    block.stmts.iter().all(|statement| match statement {
        Stmt::Local(local) => local.init.as_ref().is_none_or(|init| !has(&init.expr, decides)),
        Stmt::Expr(expression, _) => !has(expression, decides),
        _ => false,
    })
}

/// The type of `T::try_from(x).expect(…)`.
fn tried_from(call: &ExprMethodCall) -> Option<syn::Ident> {
    let Expr::Call(from) = &*call.receiver else { return None };
    let Expr::Path(path) = &*from.func else { return None };
    let segments = &path.path.segments;
    let is_it = call.method == "expect" && segments.len() == 2 && segments[1].ident == "try_from";
    is_it.then(|| segments[0].ident.clone())
}

/// Whether a parameter is a number.
fn is_number_type(of: &syn::Type) -> bool {
    let text = of.to_token_stream().to_string();
    is_number_name(text.split(' ').next().unwrap_or_default())
}

/// Whether a type of this name is a number.
fn is_number_name(name: &str) -> bool {
    ["u8", "u16", "u32", "u64", "usize", "i32", "i64", "bool", "U"].contains(&name)
}

/// Whether what a variable begins with tells its type, and leaves nothing borrowed.
fn has_type_of_its_own(local: &syn::Local) -> bool {
    let Some(init) = &local.init else { return false };
    let text = init.expr.to_token_stream().to_string();
    // What has a type by how it is used later says nothing yet.
    let is_open = ["U :: new (", "from (", "Default", "collect", "[", "& mut", "| ", "_mut"]
        .iter()
        .any(|word| text.contains(word));
    !is_open && !matches!(*init.expr, Expr::Reference(_) | Expr::Lit(_) | Expr::Closure(_) | Expr::If(_))
}

/// Whether it is a row of data that is written to.
fn is_row(of: &Expr) -> bool {
    match of {
        Expr::Try(tried) => is_row(&tried.expr),
        Expr::Call(call) => call.func.to_token_stream().to_string().ends_with("row_mut"),
        Expr::MethodCall(call) => call.method.to_string().ends_with("row_mut"),
        _ => false,
    }
}

/// Whether it is `0` or `U::new(0)`.
fn is_zero(expression: &Expr) -> bool {
    let text = expression.to_token_stream().to_string();
    text == "0" || text == "U :: new (0)"
}

/// Whether `x.get(words)` reads a field of the code or of the configuration.
fn is_field(call: &ExprMethodCall) -> bool {
    if let Expr::Path(path) = &*call.receiver {
        let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        return name.starts_with(|letter: char| letter.is_ascii_uppercase());
    }
    let argument = call.args[0].to_token_stream().to_string();
    matches!(*call.receiver, Expr::Field(_)) && ["code", "self . code"].contains(&argument.as_str())
        || ["thread_config", "config_state"].contains(&argument.as_str())
}

/// Whether it is `U::new(x)` or `U::<N>::new(x)`.
fn is_new_of_width(call: &ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return false };
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    names == ["U", "new"] && !matches!(call.args.first(), Some(Expr::Lit(_)))
}

/// Whether an expression names a place, so that it can be written twice.
fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        _ => false,
    }
}

/// Whether an expression has any of some other expressions in it.
fn has(expression: &Expr, any: fn(&Expr) -> bool) -> bool {
    struct Found(bool, fn(&Expr) -> bool);
    impl VisitMut for Found {
        fn visit_expr_mut(&mut self, expression: &mut Expr) {
            self.0 |= (self.1)(expression);
            visit_mut::visit_expr_mut(self, expression);
        }
    }
    let mut found = Found(false, any);
    found.visit_expr_mut(&mut expression.clone());
    found.0
}

fn leaves(expression: &Expr) -> bool {
    matches!(expression, Expr::Try(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

fn has_let_or_leaves(binary: &ExprBinary) -> bool {
    has(&Expr::Binary(binary.clone()), |expression| leaves(expression) || matches!(expression, Expr::Let(_)))
}

/// Whether a statement only changes something.
fn can_be_left_out(expression: &Expr) -> bool {
    let changes = match expression {
        Expr::Assign(_) | Expr::Call(_) => true,
        Expr::MethodCall(call) => !OF_PROMISES.contains(&call.method.to_string().as_str()),
        Expr::Binary(binary) => is_assignment(&binary.op),
        _ => false,
    };
    changes && !has(expression, leaves)
}

/// Whether a function asks others of its type.
fn asks_itself(block: &syn::Block) -> bool {
    let is_it = |of: &Expr| match of {
        Expr::MethodCall(call) => matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self")),
        Expr::Call(call) => {
            call.args.iter().any(|argument| matches!(argument, Expr::Path(path) if path.path.is_ident("self")))
        }
        _ => false,
    };
    has(&Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: block.clone() }), is_it)
}

/// Whether a condition can be asked anywhere, as far as its form goes.
fn is_free(condition: &Expr) -> bool {
    !has(condition, |of| leaves(of) || matches!(of, Expr::Let(_) | Expr::Macro(_) | Expr::Closure(_)))
}

/// The variables that an expression names.
fn names_of(of: &Expr) -> BTreeSet<String> {
    struct Names(BTreeSet<String>);
    impl VisitMut for Names {
        fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
            self.0.extend(path.path.get_ident().filter(|_| !is_named_in_capitals(&path.path)).map(ToString::to_string));
        }
        fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
            call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
        }
    }
    let mut names = Names(BTreeSet::new());
    names.visit_expr_mut(&mut of.clone());
    names.0
}

/// Whether what is assigned tells its type.
fn tells_its_type(value: &Expr) -> bool {
    let text = value.to_token_stream().to_string();
    !["U :: new (", "from (", "Default", "collect", "iter", "map"].iter().any(|word| text.contains(word))
}

/// Whether an expression needs no variable but these.
fn needs_only(of: &Expr, given: &BTreeSet<String>) -> bool {
    match of {
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_none_or(|name| given.contains(&name.to_string()) || is_named_in_capitals(&path.path)),
        Expr::Field(field) => needs_only(&field.base, given),
        Expr::Reference(to) => needs_only(&to.expr, given),
        Expr::Paren(inner) => needs_only(&inner.expr, given),
        Expr::MethodCall(call) => {
            needs_only(&call.receiver, given) && call.args.iter().all(|argument| needs_only(argument, given))
        }
        Expr::Call(call) => call.args.iter().all(|argument| needs_only(argument, given)),
        Expr::Lit(_) => true,
        _ => false,
    }
}

/// Puts `before` where a place is named that lies in the registers, if it does.
fn from_registers(place: &mut Expr) -> bool {
    match place {
        Expr::Field(syn::ExprField { base, member: syn::Member::Named(member), .. }) => {
            if member == "small" {
                *place = parse_quote!(before);
                return true;
            }
            from_registers(base)
        }
        Expr::Index(index) => from_registers(&mut index.expr),
        Expr::Path(path) if path.path.is_ident("small") => {
            *place = parse_quote!(before);
            true
        }
        _ => false,
    }
}

/// Whether a statement can come sooner or later: it declares nothing, and does not leave a loop.
fn is_movable(statement: &Stmt, is_last: bool) -> bool {
    let Stmt::Expr(expression, end) = statement else { return false };
    if matches!(expression, Expr::If(of) if is_refusal(&of.then_branch)) {
        return false;
    }
    let mut expression = expression.clone();
    WithoutRefusals.visit_expr_mut(&mut expression);
    let expression = &expression;
    let is_known = match expression {
        Expr::If(of) => end.is_some() || !is_last || of.else_branch.is_none(),
        Expr::ForLoop(_) => true,
        _ => end.is_some() && !matches!(expression, Expr::Macro(_)),
    };
    let stays = |of: &Expr| matches!(of, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
    let text = expression.to_token_stream().to_string();
    is_known && !has(expression, stays) && !["Expectation", "cite !"].iter().any(|word| text.contains(word))
}

/// Leaves out what is only refused, which a twin never does.
struct WithoutRefusals;

impl VisitMut for WithoutRefusals {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let is_one = |statement: &Stmt| matches!(statement, Stmt::Expr(Expr::If(of), _) if is_refusal(&of.then_branch));
        block.stmts.retain(|statement| !is_one(statement));
        visit_mut::visit_block_mut(self, block);
    }
}

/// Whether a block only goes on with the next turn of a loop.
fn is_continue(block: &syn::Block) -> bool {
    matches!(&block.stmts[..], [Stmt::Expr(Expr::Continue(_), _)])
}

/// Whether what stands behind an `else` only says that nothing is promised.
fn is_refused(other: &Expr) -> bool {
    matches!(other, Expr::Block(other) if is_refusal(&other.block))
}

/// Whether a block gives nothing.
fn is_unit(block: &syn::Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(tail, None)) => is_unit_expression(tail),
        _ => true,
    }
}

/// Whether an expression at the end of a block gives nothing.
fn is_unit_expression(expression: &Expr) -> bool {
    match expression {
        Expr::ForLoop(_) | Expr::While(_) => true,
        Expr::Block(block) => is_unit(&block.block),
        Expr::If(of) => {
            is_unit(&of.then_branch) && of.else_branch.as_ref().is_none_or(|(_, other)| is_unit_expression(other))
        }
        _ => false,
    }
}

/// Whether a block only says that nothing is promised.
fn is_refusal(block: &syn::Block) -> bool {
    let text = block.to_token_stream().to_string();
    let words = ["Illegal", "Undefined", "Unspecified", "Unsupported", "NonContractual"];
    let [Stmt::Expr(says, _)] = &block.stmts[..] else { return false };
    let does_more = |expression: &Expr| match expression {
        Expr::If(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => true,
        Expr::Match(of) => of.arms.iter().any(|arm| !matches!(*arm.body, Expr::Macro(_))),
        _ => false,
    };
    let is_said = |word: &&str| {
        text.contains(&format!("Expectation :: {word}")) || text.contains(&format!("return {} (", word.to_lowercase()))
    };
    !has(says, does_more) && words.iter().any(is_said)
}
