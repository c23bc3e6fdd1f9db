//! Finds the calls of JDK methods in a class, and inserts a call of `note` before each.
//!
//! A copy of the key is passed to `note`. A method reference is noted where it is created, as if it read everything, because its
//! key is not known yet.

use super::helper_classes::BRIDGE;
use super::jdk_calls::{
    CHANGED_TABLE, FRAME, JdkCall, JdkQuery, KeyPosition, NOTE, SHOWING, SHOWN_FRAME, VARIABLES, WALKER, find,
};
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
}

impl ClassCalls {
    /// The calls in a class. With `closely`, which is set for classes of the project, also queries of a class's structure:
    /// libraries make them all the time, and list the members as well.
    pub(crate) fn of(class: &ClassFile<'_>, closely: bool) -> Result<ClassCalls, WriteError> {
        let name = class.name()?;
        let is_framework = tamis_catalog::reads_stacks(name);
        let mut calls = ClassCalls::default();
        let (mut handles, mut dynamic) = (Vec::new(), Vec::new());
        for (index, constant) in class.pool.iter() {
            match constant {
                Constant::Member(MemberKind::Method | MemberKind::InterfaceMethod, _, _) => {
                    let member = class.pool.member(index)?;
                    let found = find(&member).filter(|row| match row.asked {
                        JdkQuery::Stack => !is_framework && (closely || row.owner != Some(WALKER)),
                        JdkQuery::Structure => closely,
                        JdkQuery::PackageAnnotations | JdkQuery::Attribute(_) => !is_framework,
                        _ => true,
                    });
                    let is_all = |row: &JdkCall| {
                        row.asked == JdkQuery::Environment && matches!(row.key, KeyPosition::None)
                    };
                    let found = found.map(|row| if is_all(row) && !closely { &VARIABLES } else { row });
                    calls.methods.extend(found.map(|row| (index, row)));
                    if !is_framework && member.owner == FRAME && SHOWING.contains(&member.name) {
                        calls.methods.push((index, &SHOWN_FRAME));
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
        if !tables.is_empty() && changes_properties(class) {
            calls.methods.extend(tables.into_iter().map(|index| (index, &CHANGED_TABLE)));
        }
        for (index, member) in handles {
            let row = calls.methods.iter().find(|(method, _)| *method == member).map(|(_, row)| *row);
            // The name of the variable is not known here.
            let is_library = |row: &JdkCall| row.asked == JdkQuery::Environment && !closely;
            let row = row.map(|row| if is_library(row) { &VARIABLES } else { row });
            calls.handles.extend(row.map(|row| (index, row)));
        }
        if !calls.handles.is_empty() {
            calls.add_dynamic(class, &dynamic)?;
        }
        Ok(calls)
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

/// Prefixes of names of methods that change a table.
const CHANGES: [&[u8]; 9] =
    [b"clear", b"compute", b"load", b"merge", b"put", b"remove", b"replace", b"set", b"entrySet"];

fn changes_properties(class: &ClassFile<'_>) -> bool {
    const TABLES: [&[u8]; 3] = [b"java/util/Properties", b"java/util/Hashtable", b"java/util/Map"];
    class.pool.iter().any(|(index, constant)| match constant {
        Constant::Member(_, _, _) => class.pool.member(index).is_ok_and(|member| {
            TABLES.contains(&member.owner) && CHANGES.iter().any(|verb| member.name.starts_with(verb))
        }),
        _ => false,
    })
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
    };
    code.extend([opcode::BIPUSH, asked.number(), opcode::INVOKESTATIC, high, low]);
    match key {
        KeyPosition::None | KeyPosition::Top | KeyPosition::Under => {}
        KeyPosition::UnderTwo => code.extend([opcode::DUP_X2, opcode::POP]), //     key values
        KeyPosition::UnderThree => code.extend([opcode::DUP2_X2, opcode::POP2]), // key value long
    }
    Ok(CodeInsertion { at, code, jumps: JumpsLand::Before, frames: Vec::new(), stack: 2 })
}
