//! Files that are read: regular ones of bounded size.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Bytes an input may have unless another number is given.
pub const DEFAULT_BYTES: u64 = 64 << 20;

/// Says otherwise: a number of bytes.
pub const BYTES_VARIABLE: &str = "GRIDLOCK_INPUT_BYTES";

/// Bytes an input may have: [`BYTES_VARIABLE`], else [`DEFAULT_BYTES`].
pub fn most_bytes() -> u64 {
    let given = std::env::var(BYTES_VARIABLE).ok();
    given
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(DEFAULT_BYTES)
}

/// Reads a file.
///
/// # Errors
/// There is none, it is no regular file (a pipe or a device might never end), or it is longer than
/// [`most_bytes`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, most_bytes())
}

/// Reads a file of text.
///
/// # Errors
/// Those of [`read`], and [`io::ErrorKind::InvalidData`] where it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| {
        let message = "stream did not contain valid UTF-8";
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

/// Reads a file of at most so many bytes.
///
/// # Errors
/// Those of [`read`].
pub fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(length.min(most) as usize);
    // It may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("more than {most} bytes ({BYTES_VARIABLE} raises the limit)"),
        ));
    }
    Ok(bytes)
}

/// Opens a regular file. Opening a pipe would wait for a process that writes into it.
fn open(path: &Path) -> io::Result<File> {
    let not_blocking = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(not_blocking.bits() as i32)
        .open(path)?;
    let kind = file.metadata()?.file_type();
    match kind.is_file() {
        true => Ok(file),
        false if kind.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path, words: &str) {
        let error = read(path).expect_err("refused").to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn devices_and_folders_are_no_inputs() {
        refused(Path::new("/dev/zero"), "not a regular file");
        refused(Path::new("/dev/null"), "not a regular file");
        refused(Path::new("/"), "directory");
    }

    /// Opening it must not wait for a process to write.
    #[test]
    fn a_pipe_is_no_input() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe.cu");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &path, kind, mode, 0).expect("made");
        refused(&path, "not a regular file");
    }

    #[test]
    fn what_is_too_long_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("long.cu");
        std::fs::write(&path, "0123456789").expect("written");
        assert_eq!(read_up_to(&path, 10).expect("read").len(), 10);
        let error = read_up_to(&path, 9).expect_err("too long").to_string();
        assert!(error.contains("more than 9 bytes"), "{error}");
    }
}
