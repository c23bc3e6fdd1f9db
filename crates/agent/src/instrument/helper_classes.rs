//! Classes that the agent defines in the JVM, assembled byte by byte so that building Tamis needs no JDK.
//!
//! They are in `java.lang`, which every class loader and every named module can access. Class file version 49 needs no stack map
//! frames.

/// The number of probes in a page: `sipush` can push every index.
pub const PAGE: u32 = 32_768;

/// The name of the page that holds a probe.
pub fn page_name(page: u32) -> String {
    format!("java/lang/TamisProbes{page}")
}

/// The field of a page: name and descriptor.
pub const HITS: (&str, &str) = ("hits", "[Z");

/// The class with the native methods that instrumented code calls.
pub const BRIDGE: &str = "java/lang/TamisBridge";

/// Its native methods: name and descriptor. `bridge` implements them under their JNI names.
pub const BRIDGE_METHODS: [(&str, &str); 4] = [
    ("event", "(ILjava/lang/Object;Ljava/lang/Object;)V"),
    ("skip", "(ILjava/lang/Object;Ljava/lang/Object;)Z"),
    ("init", "(IZ)V"),
    super::jdk_calls::NOTE,
];

/// `public final class TamisProbesN { public static final boolean[] hits = new boolean[32768]; }`
pub fn page_class(page: u32) -> Vec<u8> {
    let mut class = HelperClassBuilder::new(&page_name(page));
    let hits = class.utf8(HITS.0);
    let array = class.utf8(HITS.1);
    let owner = class.this;
    let field = class.field_ref(owner, hits, array);
    let initializer = class.utf8("<clinit>");
    let void = class.utf8("()V");
    let code_name = class.utf8("Code");
    let length = class.integer(PAGE as i32);
    let [high, low] = field.to_be_bytes();
    let [length_high, length_low] = length.to_be_bytes();
    // ldc_w 32768; newarray boolean; putstatic hits; return                            stack: 1
    let code = [0x13, length_high, length_low, 0xbc, 4, 0xb3, high, low, 0xb1];
    let mut body = Vec::new();
    body.extend([0, 1, 0, 0]); // max stack, max locals
    body.extend((code.len() as u32).to_be_bytes());
    body.extend(code);
    body.extend([0, 0, 0, 0]); // no handlers, no attributes
    let mut fields = Vec::new();
    words(&mut fields, &[1, 0x1019, hits, array, 0]); // one, public static final synthetic
    let mut methods = Vec::new();
    words(&mut methods, &[1, 0x0008, initializer, void, 1, code_name]);
    methods.extend((body.len() as u32).to_be_bytes());
    methods.extend(body);
    class.finish(&fields, &methods)
}

/// `public final class TamisBridge { public static native …; }`
pub fn bridge_class() -> Vec<u8> {
    let mut class = HelperClassBuilder::new(BRIDGE);
    let mut methods = Vec::new();
    words(&mut methods, &[BRIDGE_METHODS.len() as u16]);
    for (name, descriptor) in BRIDGE_METHODS {
        let (name, descriptor) = (class.utf8(name), class.utf8(descriptor));
        words(&mut methods, &[0x1109, name, descriptor, 0]); // public static native synthetic
    }
    class.finish(&[0, 0], &methods)
}

/// A constant pool that grows, and the class around it.
struct HelperClassBuilder {
    pool: Vec<u8>,
    count: u16,
    this: u16,
    parent: u16,
}

impl HelperClassBuilder {
    fn new(name: &str) -> HelperClassBuilder {
        let mut builder = HelperClassBuilder { pool: Vec::new(), count: 1, this: 0, parent: 0 };
        builder.this = builder.class(name);
        builder.parent = builder.class("java/lang/Object");
        builder
    }

    fn add(&mut self, bytes: &[u8]) -> u16 {
        self.pool.extend(bytes);
        self.count += 1;
        self.count - 1
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        self.add(&bytes)
    }

    fn integer(&mut self, value: i32) -> u16 {
        let [a, b, c, d] = value.to_be_bytes();
        self.add(&[3, a, b, c, d])
    }

    fn class(&mut self, name: &str) -> u16 {
        let [high, low] = self.utf8(name).to_be_bytes();
        self.add(&[7, high, low])
    }

    fn field_ref(&mut self, owner: u16, name: u16, descriptor: u16) -> u16 {
        let mut name_and_type = vec![12];
        words(&mut name_and_type, &[name, descriptor]);
        let name_and_type = self.add(&name_and_type);
        let mut field = vec![9];
        words(&mut field, &[owner, name_and_type]);
        self.add(&field)
    }

    fn finish(self, fields: &[u8], methods: &[u8]) -> Vec<u8> {
        let mut class = vec![0xca, 0xfe, 0xba, 0xbe];
        words(&mut class, &[0, 49, self.count]);
        class.extend(self.pool);
        words(&mut class, &[0x1031, self.this, self.parent, 0]); // public final super synthetic, no interfaces
        class.extend(fields);
        class.extend(methods);
        words(&mut class, &[0]); // no attributes
        class
    }
}

fn words(out: &mut Vec<u8>, words: &[u16]) {
    for word in words {
        out.extend(word.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_classfile::ClassFile;

    #[test]
    fn helper_classes_are_valid_class_files() {
        let page = page_class(7);
        let class = ClassFile::parse(&page).unwrap();
        assert_eq!(class.name(), Ok(b"java/lang/TamisProbes7".as_slice()));
        assert_eq!((class.fields.len(), class.methods.len()), (1, 1));
        let bridge = bridge_class();
        let class = ClassFile::parse(&bridge).unwrap();
        assert_eq!((class.fields.len(), class.methods.len()), (0, 4));
    }
}
