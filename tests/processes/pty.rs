//! Programs on a pseudo-terminal, and what its screen shows.
//!
//! Nothing here waits for a time to pass: keys are sent when the screen shows what those before
//! them did, and a test fails only when that has not come within [`TIME_LIMIT`].

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a screen may take to come on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

const ROWS: u16 = 30;
const COLUMNS: u16 = 100;

/// A program that runs in a terminal.
pub struct InTerminal {
    pub child: Child,
    master: File,
    /// Held, so that the terminal outlives the program and can be looked at.
    slave: File,
    output: Receiver<Vec<u8>>,
    pub seen: vt100::Parser,
    before: Termios,
}

impl InTerminal {
    pub fn start(command: &mut Command) -> InTerminal {
        let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let size = Winsize {
            ws_row: ROWS,
            ws_col: COLUMNS,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = File::options()
            .read(true)
            .write(true)
            .open(name.to_str().unwrap())
            .unwrap();
        let before = tcgetattr(&slave).unwrap();
        let end = || Stdio::from(slave.try_clone().unwrap());
        let child = command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("TERM", "xterm-256color")
            .env("NO_COLOR", "1")
            .env_remove("COLUMNS")
            .env_remove("GRIDLOCK_LOG")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let master = File::from(master);
        let mut reader = master.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        InTerminal {
            child,
            master,
            slave,
            output,
            seen: vt100::Parser::new(ROWS, COLUMNS, 0),
            before,
        }
    }

    pub fn screen(&self) -> String {
        self.seen.screen().contents()
    }

    /// Waits until the screen is as wanted.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + TIME_LIMIT;
        while !wanted(self.seen.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.process(&bytes),
                Err(why @ (RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)) => {
                    panic!("no {what} ({why}):\n{}", self.screen())
                }
            }
        }
    }

    pub fn until_shows(&mut self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    pub fn type_in(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Sends keys and waits until the screen shows what they do.
    pub fn press(&mut self, keys: &str, shows: &str) {
        self.type_in(keys);
        self.until_shows(shows);
    }

    fn modes(&self) -> LocalModes {
        tcgetattr(&self.master).unwrap().local_modes
    }

    /// While the view is there the terminal is ours.
    pub fn is_taken(&mut self) {
        self.until("alternate screen", vt100::Screen::alternate_screen);
        let modes = self.modes();
        assert!(!modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG));
    }

    /// Waits for the end of the program; then the terminal must be as it was.
    pub fn ends(&mut self) -> ExitStatus {
        self.until("end of the alternate screen", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor()
        });
        let deadline = Instant::now() + TIME_LIMIT;
        let status = loop {
            // What it still writes must be read, or it waits for us.
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.seen.process(&bytes);
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                Instant::now() < deadline,
                "it does not end:\n{}",
                self.screen()
            );
        };
        // What it wrote last may still be on its way; what is written now comes behind it.
        self.slave.write_all(b"\r\n[end]").unwrap();
        self.until_shows("[end]");
        let after = tcgetattr(&self.master).unwrap();
        assert_eq!(after.local_modes, self.before.local_modes);
        assert_eq!(after.input_modes, self.before.input_modes);
        assert_eq!(after.output_modes, self.before.output_modes);
        assert!(
            after
                .local_modes
                .contains(LocalModes::ICANON | LocalModes::ECHO)
        );
        assert!(!self.seen.screen().alternate_screen());
        assert!(!self.seen.screen().hide_cursor());
        status
    }
}

impl Drop for InTerminal {
    fn drop(&mut self) {
        // After a failure; else it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
