//! What a program asks of the system: arguments from its memory, answers back to it.

use super::files::{EINVAL, ENOENT, Status};
use super::{Host, NodeKind};
use crate::context::{Context, Halt};
use idiolect_ir::HostCall;

/// There is no system: an error of its own.
const ENOSYS: i64 = 38;
/// No object needs an address that more than this divides.
const MAX_ALIGNMENT: u64 = 1 << 24;
/// Bytes of a path.
const MAX_PATH: usize = 4096;
/// Bytes of an entry of a directory.
const MAX_NAME: usize = 255;

impl Context<'_> {
    /// Does what is asked; a negative error number where that fails.
    pub(crate) fn host_call(
        &mut self,
        call: HostCall,
        arguments: [u64; 3],
        pc: usize,
    ) -> Result<i64, Halt> {
        let Some(mut host) = self.parts.host.take() else {
            return Ok(-ENOSYS);
        };
        let answer = self.ask(&mut host, call, arguments, pc);
        self.parts.host = Some(host);
        answer
    }

    fn ask(
        &mut self,
        host: &mut Host,
        call: HostCall,
        [a, b, c]: [u64; 3],
        pc: usize,
    ) -> Result<i64, Halt> {
        let done = |answer: Result<(), i64>| answer.map_or_else(|error| -error, |()| 0);
        let files = &mut host.files;
        Ok(match call {
            HostCall::Open => {
                let path = self.path(a, pc)?;
                (files.open(&path, b)).map_or_else(|error| -error, |descriptor| descriptor as i64)
            }
            HostCall::Close => done(files.close(a)),
            HostCall::Read => match files.read(a, c) {
                Ok(bytes) => {
                    if !bytes.is_empty() {
                        self.store_slow(b, 0, &bytes)?;
                    }
                    bytes.len() as i64
                }
                Err(error) => -error,
            },
            HostCall::Write => {
                let bytes = self.bytes(b, c, pc)?;
                let written = files.write(a, &bytes);
                written.map_or_else(|error| -error, |()| bytes.len() as i64)
            }
            HostCall::Seek => {
                let position = files.seek(a, b as i64, c);
                position.map_or_else(|error| -error, |position| position as i64)
            }
            HostCall::Resize => done(files.resize(a, b as i64)),
            HostCall::Redirect => done(files.redirect(a, b)),
            HostCall::Remove => {
                let path = self.path(a, pc)?;
                done(files.remove(&path))
            }
            HostCall::Rename => {
                let (from, to) = (self.path(a, pc)?, self.path(b, pc)?);
                done(files.rename(&from, &to))
            }
            HostCall::MakeDirectory => {
                let path = self.path(a, pc)?;
                done(files.make_directory(&path))
            }
            HostCall::RemoveDirectory => {
                let path = self.path(a, pc)?;
                done(files.remove_directory(&path))
            }
            HostCall::Status => {
                let path = self.path(a, pc)?;
                let status = files.status(&path);
                self.put_status(status, b)?
            }
            HostCall::StatusOf => {
                let status = files.status_of(a);
                self.put_status(status, b)?
            }
            HostCall::Entry => {
                let path = self.path(a, pc)?;
                match files.entry(&path, b) {
                    Ok(Some(name)) if name.len() > MAX_NAME => -EINVAL,
                    Ok(Some(mut name)) => {
                        name.push(0);
                        self.store_slow(c, 0, &name)?;
                        1
                    }
                    Ok(None) => 0,
                    Err(error) => -error,
                }
            }
            HostCall::Variable => {
                let name = self.path(a, pc)?;
                let found = host.variables.iter().find(|(known, _)| *known == name);
                let value = found.map(|(_, value)| value.clone());
                self.put_text(value, b, c)?
            }
            HostCall::VariableAt => {
                let found = host.variables.get(a as usize);
                let setting = found.map(|(name, value)| [name.as_slice(), b"=", value].concat());
                self.put_text(setting, b, c)?
            }
            HostCall::Clock => host.look_at_clock(a as i32),
            HostCall::Sleep => {
                host.sleep(a as i64, self.budget);
                0
            }
            HostCall::Align => {
                if b.is_power_of_two() && b <= MAX_ALIGNMENT {
                    self.parts.memory.flatten_aligned(a, b);
                }
                0
            }
            // They have instructions of their own.
            HostCall::ThreadCreate
            | HostCall::ThreadWait
            | HostCall::ThreadWake
            | HostCall::ThreadSelf
            | HostCall::ThreadExit
            | HostCall::ThreadYield
            | HostCall::ThreadHold => 0,
        })
    }

    /// Text in the program's memory, up to its nul.
    fn path(&mut self, pointer: u64, pc: usize) -> Result<Vec<u8>, Halt> {
        let mut text = Vec::new();
        while text.len() <= MAX_PATH {
            match self.read_byte(pointer.wrapping_add(text.len() as u64), pc)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    fn bytes(&mut self, pointer: u64, size: u64, pc: usize) -> Result<Vec<u8>, Halt> {
        let mut bytes = Vec::new();
        for i in 0..size {
            bytes.push(self.read_byte(pointer.wrapping_add(i), pc)?);
        }
        Ok(bytes)
    }

    fn put_status(&mut self, status: Result<Status, i64>, to: u64) -> Result<i64, Halt> {
        let status = match status {
            Ok(status) => status,
            Err(error) => return Ok(-error),
        };
        let is_directory = u64::from(status.kind == NodeKind::Directory);
        let width = self.program.types.model.pointer_size() as usize;
        let mut bytes = Vec::with_capacity(3 * width);
        for value in [is_directory, status.size, status.inode] {
            bytes.extend_from_slice(&value.to_le_bytes()[..width]);
        }
        self.store_slow(to, 0, &bytes)?;
        Ok(0)
    }

    /// As much of a text as there is room for, and how long it is.
    fn put_text(&mut self, text: Option<Vec<u8>>, to: u64, size: u64) -> Result<i64, Halt> {
        let Some(text) = text else {
            return Ok(-ENOENT);
        };
        if size > 0 {
            let n = (text.len() as u64).min(size - 1) as usize;
            let mut part = text[..n].to_vec();
            part.push(0);
            self.store_slow(to, 0, &part)?;
        }
        Ok(text.len() as i64)
    }
}
