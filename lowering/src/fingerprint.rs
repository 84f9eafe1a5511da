//! Versions of texts and of code, told apart.

/// Identifies a text or code: FNV-1a, 64 bits, in hexadecimal. It tells versions apart; it is no
/// protection against a person who wants two texts to look alike.
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in bytes {
        hash ^= u64::from(*byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn fingerprints_are_fnv_1a() {
        assert_eq!(fingerprint(b""), "cbf29ce484222325");
        assert_eq!(fingerprint(b"foobar"), "85944171f73967e8");
    }
}
