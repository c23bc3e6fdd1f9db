//! Writes small JDK images, in either byte order, so that tests can damage them.

/// One resource of an image.
pub(crate) struct Resource<'a> {
    /// `/module/parent/base.extension`; the writer adds `/packages/…`.
    pub(crate) path: &'a str,
    pub(crate) content: &'a [u8],
    /// The decompressor to declare; the content is then wrapped as by jlink.
    pub(crate) compressor: Option<&'a str>,
}

const MULTIPLIER: u32 = 0x0100_0193;

/// An image with these resources.
pub(crate) fn write(resources: &[Resource<'_>], big_endian: bool) -> Vec<u8> {
    let mut writer = Writer { big_endian, strings: vec![0], locations: vec![0], data: Vec::new() };
    let mut paths = Vec::new();
    for resource in resources {
        let offset = writer.add(resource.path, resource.content, resource.compressor);
        paths.push((resource.path.to_owned(), offset));
        let mut parts = resource.path.split('/').skip(1);
        let module = parts.next().unwrap();
        let package: Vec<_> = parts.collect();
        let package = format!("/packages/{}", package[..package.len() - 1].join("."));
        if package != "/packages/" && !paths.iter().any(|(path, _)| *path == package) {
            let module = writer.string(module);
            let below = [writer.number(1), writer.number(0)].concat();
            let pair = [below, writer.number(0), writer.number(module)].concat();
            let offset = writer.add(&package, &pair, None);
            paths.push((package, offset));
        }
    }
    writer.finish(&paths)
}

struct Writer {
    big_endian: bool,
    strings: Vec<u8>,
    locations: Vec<u8>,
    data: Vec<u8>,
}

impl Writer {
    fn number(&self, number: u32) -> Vec<u8> {
        if self.big_endian { number.to_be_bytes() } else { number.to_le_bytes() }.to_vec()
    }

    fn long(&self, number: u64) -> Vec<u8> {
        if self.big_endian { number.to_be_bytes() } else { number.to_le_bytes() }.to_vec()
    }

    fn string(&mut self, string: &str) -> u32 {
        if string.is_empty() {
            return 0;
        }
        let at = self.strings.len() as u32;
        self.strings.extend(string.as_bytes());
        self.strings.push(0);
        at
    }

    /// Adds a resource and returns the offset of its location entry.
    fn add(&mut self, path: &str, content: &[u8], compressor: Option<&str>) -> u32 {
        let (module, rest) = path[1..].split_once('/').unwrap();
        let (parent, name) = rest.rsplit_once('/').unwrap_or(("", rest));
        let (base, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let stored = match compressor {
            None => content.to_vec(),
            Some(compressor) => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                std::io::Write::write_all(&mut encoder, content).unwrap();
                let packed = encoder.finish().unwrap();
                let name = self.string(compressor);
                let sizes = [self.long(packed.len() as u64), self.long(content.len() as u64)].concat();
                [self.number(0xCAFE_FAFA), sizes, self.number(name), self.number(0), vec![1], packed].concat()
            }
        };
        let compressed = if compressor.is_some() { stored.len() as u32 } else { 0 };
        let values = [
            self.string(module),
            self.string(parent),
            self.string(base),
            self.string(extension),
            self.data.len() as u32,
            compressed,
            content.len() as u32,
        ];
        let at = self.locations.len() as u32;
        for (kind, value) in (1u8..).zip(values) {
            if value != 0 {
                self.locations.push(kind << 3 | 3);
                self.locations.extend(value.to_be_bytes());
            }
        }
        self.locations.push(0);
        self.data.extend(stored);
        at
    }

    fn finish(self, paths: &[(String, u32)]) -> Vec<u8> {
        // The length is odd; with an even one, two names that collide once would collide with every seed.
        let length = paths.len() | 1;
        let mut redirects = vec![0i32; length];
        let mut slots: Vec<Option<u32>> = vec![None; length];
        let mut buckets: Vec<Vec<&(String, u32)>> = vec![Vec::new(); length];
        for path in paths {
            buckets[hash(&path.0, MULTIPLIER) % length].push(path);
        }
        let mut order: Vec<_> = (0..length).collect();
        order.sort_by_key(|bucket| std::cmp::Reverse(buckets[*bucket].len()));
        for bucket in order {
            match buckets[bucket].as_slice() {
                [] => {}
                [(_, offset)] => {
                    let slot = slots.iter().position(Option::is_none).unwrap();
                    slots[slot] = Some(*offset);
                    redirects[bucket] = -1 - slot as i32;
                }
                several => {
                    let fits = |seed: &u32| {
                        let mut wanted: Vec<_> =
                            several.iter().map(|(path, _)| hash(path, *seed) % length).collect();
                        wanted.sort_unstable();
                        wanted.dedup();
                        wanted.len() == several.len() && wanted.iter().all(|slot| slots[*slot].is_none())
                    };
                    let seed = (1..1_000_000).find(fits).unwrap();
                    several
                        .iter()
                        .for_each(|(path, offset)| slots[hash(path, seed) % length] = Some(*offset));
                    redirects[bucket] = seed as i32;
                }
            }
        }
        let mut image = Vec::new();
        let sizes = [self.locations.len() as u32, self.strings.len() as u32];
        for number in [0xCAFE_DADA, 1 << 16, 0, length as u32, length as u32].into_iter().chain(sizes) {
            image.extend(self.number(number));
        }
        redirects.iter().for_each(|redirect| image.extend(self.number(redirect.cast_unsigned())));
        slots.iter().for_each(|offset| image.extend(self.number(offset.unwrap_or(0))));
        [image, self.locations, self.strings, self.data].concat()
    }
}

fn hash(path: &str, seed: u32) -> usize {
    (path.bytes().fold(seed, |hash, b| hash.wrapping_mul(MULTIPLIER) ^ u32::from(b)) & 0x7FFF_FFFF) as usize
}
