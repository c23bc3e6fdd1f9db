//! Finds the calls of JDK methods in a class, and inserts a call of `note` before each.
//!
//! A copy of the key is passed to `note`. A method reference is noted where it is created, as if it read everything, because its
//! key is not known yet.

use super::helper_classes::BRIDGE;
use super::jdk_calls::{
    CHANGED_TABLE, FRAME, JdkCall, JdkQuery, KeyPosition, LOGGED_STACK, NAMED_PROPERTIES, NOTE, PROPERTIES,
    SET_BY_LIBRARY, SHOWING, SHOWN_FRAME, VARIABLES, WALKER, find,
};
use tamis_catalog::libraries;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand};
use tamis_classfile::{ClassFile, Constant, WriteError, opcode};

/// The calls in a class, by index of the constant that names the method.
#[derive(Default)]
pub(crate) struct ClassCalls {
    /// Methods that may be called.
    methods: Vec<(u16, &'static JdkCall)>,
    /// Method handles, and dynamic constants whose bootstrap arguments have one.
    handles: Vec<(u16, &'static JdkCall)>,
    /// In a library's class: the methods that change a table.
    changing: Option<Vec<u16>>,
}

impl ClassCalls {
    /// The calls in a class. With `closely`, which is set for classes of the project, also queries of a class's structure:
    /// libraries make them all the time, and list the members as well.
    pub(crate) fn of(class: &ClassFile<'_>, closely: bool) -> Result<ClassCalls, WriteError> {
        let name = class.name()?;
        let is_framework = tamis_catalog::reads_stacks(name);
        let is_logger = !closely && libraries::writes_logs(name);
        let looks_only = !closely && looks_at_names_only(class);
        let is_looking = |row: &JdkCall| looks_only && row.name == "getStackTrace";
        let mut calls = ClassCalls::default();
        let (mut handles, mut dynamic) = (Vec::new(), Vec::new());
        for (index, constant) in class.pool.iter() {
            match constant {
                Constant::Member(MemberKind::Method | MemberKind::InterfaceMethod, _, _) => {
                    let member = class.pool.member(index)?;
                    let found = find(&member).filter(|row| match row.asked {
                        JdkQuery::Stack => {
                            !is_framework && (closely || (row.owner != Some(WALKER) && !is_looking(row)))
                        }
                        JdkQuery::Structure => closely,
                        JdkQuery::PackageAnnotations | JdkQuery::Attribute(_) => !is_framework,
                        _ => true,
                    });
                    let found = found.map(|row| if closely { row } else { of_library(row, name) });
                    calls.methods.extend(found.map(|row| (index, row)));
                    if !is_framework && member.owner == FRAME && SHOWING.contains(&member.name) {
                        calls.methods.push((index, if is_logger { &LOGGED_STACK } else { &SHOWN_FRAME }));
                    }
                }
                Constant::MethodHandle(_, member) => handles.push((index, member)),
                Constant::Dynamic(bootstrap, _) | Constant::InvokeDynamic(bootstrap, _) => {
                    dynamic.push((index, bootstrap));
                }
                _ => {}
            }
        }
        if calls.methods.is_empty() {
            return Ok(calls);
        }
        // A class that calls `getProperties` and changes such tables may change the system properties.
        let tables =
            calls.methods.iter().filter(|(_, row)| row.name == "getProperties").map(|(index, _)| *index);
        let tables: Vec<u16> = tables.collect();
        let is_known = !closely && libraries::looks_up_properties(name);
        let changing = if tables.is_empty() || is_known { Vec::new() } else { table_changes(class) };
        if !changing.is_empty() {
            calls.changing = (!closely).then_some(changing);
            calls.methods.extend(tables.into_iter().map(|index| (index, &CHANGED_TABLE)));
        }
        for (index, member) in handles {
            let row = calls.methods.iter().find(|(method, _)| *method == member).map(|(_, row)| *row);
            // The name of the variable is not known here.
            let row = row.map(|row| if closely { row } else { of_library_reference(row) });
            calls.handles.extend(row.map(|row| (index, row)));
        }
        if !calls.handles.is_empty() {
            calls.add_dynamic(class, &dynamic)?;
        }
        Ok(calls)
    }

    /// Whether a method may change the table of properties that it asks for. In a class of the project, another method may.
    fn is_changed_in(&self, code: &Code<'_>) -> Result<bool, WriteError> {
        let Some(changing) = &self.changing else { return Ok(true) };
        for instruction in code.instructions() {
            if let Operand::Constant(index) = instruction?.operand
                && changing.contains(&index)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether there are no calls.
    pub(crate) fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// Adds the dynamic constants that use one of the handles, directly or through another constant.
    fn add_dynamic(&mut self, class: &ClassFile<'_>, dynamic: &[(u16, u16)]) -> Result<(), WriteError> {
        let Some(attribute) = class.attributes.find(&class.pool, AttributeKind::BootstrapMethods)? else {
            return Ok(());
        };
        let bootstraps = attribute.bootstrap_methods()?;
        loop {
            let before = self.handles.len();
            for (index, bootstrap) in dynamic {
                let Some(bootstrap) = bootstraps.get(usize::from(*bootstrap)) else { continue };
                for used in bootstrap.arguments.values().chain([bootstrap.method]) {
                    let row = self.handles.iter().find(|(handle, _)| *handle == used).map(|(_, row)| *row);
                    if let Some(row) = row
                        && !self
                            .handles
                            .iter()
                            .any(|(known, other)| known == index && std::ptr::eq(*other, row))
                    {
                        self.handles.push((*index, row));
                    }
                }
            }
            if self.handles.len() == before {
                return Ok(());
            }
        }
    }

    /// The insertions before the calls in a method.
    pub(crate) fn insertions(
        &self,
        writer: &mut ClassWriter<'_, '_>,
        code: &Code<'_>,
    ) -> Result<Vec<CodeInsertion>, WriteError> {
        let mut insertions = Vec::new();
        if self.methods.is_empty() {
            return Ok(insertions);
        }
        for instruction in code.instructions() {
            let instruction = instruction?;
            let Operand::Constant(index) = instruction.operand else { continue };
            let (known, is_call) = match instruction.opcode {
                opcode::INVOKEVIRTUAL
                | opcode::INVOKESPECIAL
                | opcode::INVOKESTATIC
                | opcode::INVOKEINTERFACE => (&self.methods, true),
                opcode::INVOKEDYNAMIC | opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
                    (&self.handles, false)
                }
                _ => continue,
            };
            for (_, row) in known.iter().filter(|(known, _)| *known == index) {
                if std::ptr::eq(*row, &CHANGED_TABLE) && !self.is_changed_in(code)? {
                    continue;
                }
                if !is_call && row.asked.needs_key() {
                    continue;
                }
                let key = if is_call { row.key } else { KeyPosition::None };
                insertions.push(insertion(writer, instruction.pc, row.asked, key)?);
            }
        }
        Ok(insertions)
    }
}

/// The row for a call in a library. It takes whole tables to look up a few names in them, and a logger reads stacks for the log.
fn of_library(row: &'static JdkCall, class: &[u8]) -> &'static JdkCall {
    match (row.asked, row.key) {
        (JdkQuery::Environment, KeyPosition::None) => &VARIABLES,
        (JdkQuery::Property, KeyPosition::None) if libraries::looks_up_properties(class) => &NAMED_PROPERTIES,
        (JdkQuery::Property, KeyPosition::None) => &PROPERTIES,
        (JdkQuery::PropertySet, KeyPosition::Under) => &SET_BY_LIBRARY,
        (JdkQuery::Stack, _) if libraries::writes_logs(class) => &LOGGED_STACK,
        _ => row,
    }
}

/// The same for a reference to a method of the JDK, of which the argument is not known.
fn of_library_reference(row: &'static JdkCall) -> &'static JdkCall {
    if row.asked == JdkQuery::Environment { &VARIABLES } else { row }
}

/// Whether a class does nothing with the elements of a stack trace but look at the names of their classes and methods, or hand them
/// back to an exception.
fn looks_at_names_only(class: &ClassFile<'_>) -> bool {
    const NAMES: [&[u8]; 4] = [b"getClassName", b"getMethodName", b"getModuleName", b"isNativeMethod"];
    const TRACES: [&[u8]; 2] = [b"getStackTrace", b"setStackTrace"];
    let element = b"java/lang/StackTraceElement";
    let own = class.name().unwrap_or_default();
    // An element may become a text as any object does.
    const TEXTS: [&[u8]; 5] = [b"append", b"print", b"println", b"toString", b"valueOf"];
    let is_text = |name: &[u8], descriptor: &[u8], owner: &[u8]| {
        TEXTS.contains(&name)
            && (descriptor.starts_with(b"(Ljava/lang/Object;)") || owner == b"java/lang/Object")
    };
    let mentions = |text: &[u8]| text.windows(element.len()).any(|part| part == element);
    let is_looking = class.pool.iter().any(|(index, constant)| match constant {
        Constant::Member(_, _, _) => class.pool.member(index).is_ok_and(|member| {
            (member.owner == element && NAMES.contains(&member.name)) || member.name == b"setStackTrace"
        }),
        _ => false,
    });
    is_looking
        && class.pool.iter().all(|(index, constant)| match constant {
            Constant::Member(_, _, _) => class.pool.member(index).is_ok_and(|member| {
                let is_name = member.owner == element && NAMES.contains(&member.name);
                let is_trace = TRACES.contains(&member.name) && member.owner != element;
                let is_other = member.owner != element && !mentions(member.descriptor);
                is_name
                    || is_trace
                    || member.owner == own
                    || (is_other && !is_text(member.name, member.descriptor, member.owner))
            }),
            Constant::InvokeDynamic(_, signature) | Constant::Dynamic(_, signature) => {
                class.pool.name_and_type(signature).is_ok_and(|(_, descriptor)| !mentions(descriptor))
            }
            _ => true,
        })
}

/// Prefixes of names of methods that change a table.
const CHANGES: [&[u8]; 9] =
    [b"clear", b"compute", b"load", b"merge", b"put", b"remove", b"replace", b"set", b"entrySet"];

/// The constants that name methods which change a table.
fn table_changes(class: &ClassFile<'_>) -> Vec<u16> {
    const TABLES: [&[u8]; 3] = [b"java/util/Properties", b"java/util/Hashtable", b"java/util/Map"];
    let is_change = |index: u16, constant: &Constant<'_>| match constant {
        Constant::Member(_, _, _) => class.pool.member(index).is_ok_and(|member| {
            TABLES.contains(&member.owner) && CHANGES.iter().any(|verb| member.name.starts_with(verb))
        }),
        _ => false,
    };
    class
        .pool
        .iter()
        .filter(|(index, constant)| is_change(*index, constant))
        .map(|(index, _)| index)
        .collect()
}

fn insertion(
    writer: &mut ClassWriter<'_, '_>,
    at: u32,
    asked: JdkQuery,
    key: KeyPosition,
) -> Result<CodeInsertion, WriteError> {
    let method =
        writer.pool.member(MemberKind::Method, BRIDGE.as_bytes(), NOTE.0.as_bytes(), NOTE.1.as_bytes())?;
    let [high, low] = method.to_be_bytes();
    let mut code = match key {
        KeyPosition::None => vec![opcode::ACONST_NULL],        //  null
        KeyPosition::Top => vec![opcode::DUP],                 //  key key
        KeyPosition::Under => vec![opcode::DUP2, opcode::POP], //  key value key
        KeyPosition::UnderTwo => vec![opcode::DUP2_X1, opcode::POP2, opcode::DUP], //  values key key
        KeyPosition::UnderThree => vec![opcode::DUP2_X2, opcode::POP2, opcode::DUP2, opcode::POP], //  long key value key
        KeyPosition::UnderThreeValues => vec![opcode::DUP2_X2, opcode::POP2, opcode::DUP2_X2, opcode::POP], //  key values key
    };
    code.extend([opcode::BIPUSH, asked.number(), opcode::INVOKESTATIC, high, low]);
    match key {
        KeyPosition::None | KeyPosition::Top | KeyPosition::Under | KeyPosition::UnderThreeValues => {}
        KeyPosition::UnderTwo => code.extend([opcode::DUP_X2, opcode::POP]), //     key values
        KeyPosition::UnderThree => code.extend([opcode::DUP2_X2, opcode::POP2]), // key value long
    }
    Ok(CodeInsertion { at, code, jumps: JumpsLand::Before, frames: Vec::new(), stack: 2 })
}
