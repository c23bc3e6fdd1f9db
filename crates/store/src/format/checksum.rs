//! Tells a file that was damaged from the one that was written.
//!
//! Not a digest: nobody is kept from forging it. It is there because a disk can err and a crash can leave a file
//! half written, and it must cost less than the reading (twenty milliseconds for BLAKE3, two for this one, where
//! unchanged classes are to be known in fifty).

/// Independent sums, so that the processor need not wait for one multiplication before it starts the next.
const LANES: usize = 8;

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The checksum of some bytes. A change within a single word always changes it: every step can be undone.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut lanes: [u64; LANES] = std::array::from_fn(|lane| ODD.wrapping_mul(lane as u64 + 1));
    let (words, rest) = bytes.as_chunks::<8>();
    let (blocks, left) = words.as_chunks::<LANES>();
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    for (lane, word) in lanes.iter_mut().zip(left) {
        *lane = mix(*lane, u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    for (byte, of) in last.iter_mut().zip(rest) {
        *byte = *of;
    }
    let sum = mix(mix(ODD, u64::from_le_bytes(last)), bytes.len() as u64);
    lanes.iter().fold(sum, |sum, lane| mix(sum, *lane))
}

#[inline]
fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(ODD).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_flipped_bit_and_every_lost_byte_shows() {
        let bytes: Vec<u8> = (0..203u32).map(|i| (i * i) as u8).collect();
        let sum = checksum(&bytes);
        for length in 0..bytes.len() {
            assert_ne!(checksum(&bytes[..length]), sum, "cut to {length}");
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[length] ^= 1 << bit;
                assert_ne!(checksum(&other), sum, "bit {bit} of byte {length}");
            }
        }
        assert_ne!(checksum(&[0; 64]), checksum(&[0; 65]));
    }
}
