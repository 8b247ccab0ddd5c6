//! A file system in memory.

use super::{Disk, NodeKind};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Error numbers, as Linux has them.
pub(super) const ENOENT: i64 = 2;
pub(super) const EBADF: i64 = 9;
const EEXIST: i64 = 17;
const ENOTDIR: i64 = 20;
const EISDIR: i64 = 21;
pub(super) const EINVAL: i64 = 22;
const EMFILE: i64 = 24;
const EFBIG: i64 = 27;
const ESPIPE: i64 = 29;
const ENOTEMPTY: i64 = 39;

const WRITE_ONLY: u64 = 1;
const READ_WRITE: u64 = 2;
const CREATE: u64 = 0o100;
const EXCLUSIVE: u64 = 0o200;
const TRUNCATE: u64 = 0o1000;
const APPEND: u64 = 0o2000;

/// The first descriptor that is not a standard stream.
const FIRST: usize = 3;
const MAX_OPEN: usize = 1 << 16;
/// Bytes of one file.
const MAX_SIZE: u64 = 1 << 31;

/// Who is at a path, if it is not what the disk has there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    File(usize),
    Directory,
    Gone,
}

#[derive(Clone, Debug)]
struct Open {
    inode: usize,
    position: u64,
    readable: bool,
    writable: bool,
    appends: bool,
    /// Nothing can be read from it.
    is_directory: bool,
}

/// What a program may ask of a path or an open file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Status {
    pub kind: NodeKind,
    pub size: u64,
    pub inode: u64,
}

#[derive(Clone)]
pub(super) struct Files {
    disk: Arc<dyn Disk>,
    nodes: BTreeMap<Vec<u8>, Node>,
    /// Contents; a file that is removed stays for those who have it open. `None` is `/dev/null`.
    inodes: Vec<Option<Vec<u8>>>,
    open: Vec<Option<Open>>,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

type Answer<T> = Result<T, i64>;

impl Files {
    pub(super) fn new(disk: Arc<dyn Disk>) -> Self {
        let nodes = [
            (b"tmp".to_vec(), Node::Directory),
            (b"dev".to_vec(), Node::Directory),
            (b"dev/null".to_vec(), Node::File(0)),
        ];
        Self {
            disk,
            nodes: nodes.into(),
            inodes: vec![None],
            open: Vec::new(),
        }
    }

    /// A path from the root, without `.` and `..`; the program's folder is the root.
    fn resolve(&self, path: &[u8]) -> Answer<Vec<u8>> {
        if path.is_empty() {
            return Err(ENOENT);
        }
        let root = self.disk.root();
        let path = match path.strip_prefix(root) {
            Some(rest) if !root.is_empty() && (rest.is_empty() || rest[0] == b'/') => rest,
            _ => path,
        };
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in path.split(|&b| b == b'/') {
            match part {
                b"" | b"." => {}
                b".." => {
                    parts.pop();
                }
                _ => parts.push(part),
            }
        }
        Ok(parts.join(&b'/'))
    }

    fn node(&self, path: &[u8]) -> Option<NodeKind> {
        match self.nodes.get(path) {
            Some(Node::File(_)) => Some(NodeKind::File),
            Some(Node::Directory) => Some(NodeKind::Directory),
            Some(Node::Gone) => None,
            None if path.is_empty() => Some(NodeKind::Directory),
            // What is below something that was removed or replaced is not there either.
            None if self.is_hidden(path) => None,
            None => self.disk.kind(path),
        }
    }

    fn is_hidden(&self, path: &[u8]) -> bool {
        let mut ends = (0..path.len()).filter(|&i| path[i] == b'/');
        ends.any(|i| matches!(self.nodes.get(&path[..i]), Some(Node::Gone | Node::File(_))))
    }

    /// The folder of a path has to be there.
    fn expect_parent(&self, path: &[u8]) -> Answer<()> {
        let parent = match path.iter().rposition(|&b| b == b'/') {
            Some(i) => &path[..i],
            None => b"",
        };
        match self.node(parent) {
            Some(NodeKind::Directory) => Ok(()),
            Some(NodeKind::File) => Err(ENOTDIR),
            None => Err(ENOENT),
        }
    }

    /// The content of a file that is there.
    fn inode(&mut self, path: &[u8]) -> Answer<usize> {
        match self.nodes.get(path) {
            Some(Node::File(inode)) => return Ok(*inode),
            Some(Node::Directory) => return Err(EISDIR),
            Some(Node::Gone) => return Err(ENOENT),
            None => {}
        }
        match self.node(path) {
            Some(NodeKind::File) => {
                const EACCES: i64 = 13;
                let bytes = self.disk.read(path).ok_or(EACCES)?;
                Ok(self.add_file(path, bytes))
            }
            Some(NodeKind::Directory) => Err(EISDIR),
            None => {
                self.expect_parent(path)?;
                Err(ENOENT)
            }
        }
    }

    fn add_file(&mut self, path: &[u8], bytes: Vec<u8>) -> usize {
        let inode = self.inodes.len();
        self.inodes.push(Some(bytes));
        self.nodes.insert(path.to_vec(), Node::File(inode));
        inode
    }

    pub(super) fn open(&mut self, path: &[u8], flags: u64) -> Answer<usize> {
        let path = self.resolve(path)?;
        let readable = flags & WRITE_ONLY == 0;
        let writable = flags & (WRITE_ONLY | READ_WRITE) != 0;
        let mut is_directory = false;
        let inode = match self.inode(&path) {
            Ok(_) if flags & CREATE != 0 && flags & EXCLUSIVE != 0 => return Err(EEXIST),
            Ok(inode) => inode,
            // A directory can be opened, and then only asked what it is.
            Err(EISDIR) if !writable && flags & CREATE == 0 => {
                is_directory = true;
                0
            }
            Err(ENOENT) if flags & CREATE != 0 => {
                self.expect_parent(&path)?;
                self.add_file(&path, Vec::new())
            }
            Err(error) => return Err(error),
        };
        if flags & TRUNCATE != 0
            && writable
            && let Some(bytes) = &mut self.inodes[inode]
        {
            bytes.clear();
        }
        let file = Open {
            inode,
            position: 0,
            readable,
            writable,
            appends: flags & APPEND != 0,
            is_directory,
        };
        let free = self.open.iter().position(Option::is_none);
        let index = free.unwrap_or(self.open.len());
        if index >= MAX_OPEN {
            return Err(EMFILE);
        }
        if index == self.open.len() {
            self.open.push(None);
        }
        self.open[index] = Some(file);
        Ok(index + FIRST)
    }

    fn file(&mut self, descriptor: u64) -> Answer<&mut Open> {
        let index = usize::try_from(descriptor)
            .ok()
            .and_then(|d| d.checked_sub(FIRST));
        let file = index.and_then(|index| self.open.get_mut(index));
        file.and_then(Option::as_mut).ok_or(EBADF)
    }

    pub(super) fn close(&mut self, descriptor: u64) -> Answer<()> {
        self.file(descriptor)?;
        self.open[descriptor as usize - FIRST] = None;
        Ok(())
    }

    pub(super) fn read(&mut self, descriptor: u64, size: u64) -> Answer<Vec<u8>> {
        let file = self.file(descriptor)?;
        if !file.readable {
            return Err(EBADF);
        }
        if file.is_directory {
            return Err(EISDIR);
        }
        let (inode, position) = (file.inode, file.position);
        let Some(bytes) = &self.inodes[inode] else {
            return Ok(Vec::new());
        };
        let start = usize::try_from(position)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let end = start
            .saturating_add(usize::try_from(size).unwrap_or(usize::MAX))
            .min(bytes.len());
        let read = bytes[start..end].to_vec();
        self.file(descriptor)?.position = position + read.len() as u64;
        Ok(read)
    }

    pub(super) fn write(&mut self, descriptor: u64, new: &[u8]) -> Answer<()> {
        let file = self.file(descriptor)?;
        if !file.writable {
            return Err(EBADF);
        }
        let (inode, position, appends) = (file.inode, file.position, file.appends);
        let Some(bytes) = &mut self.inodes[inode] else {
            return Ok(());
        };
        let position = if appends {
            bytes.len() as u64
        } else {
            position
        };
        let end = position.saturating_add(new.len() as u64);
        if end > MAX_SIZE {
            return Err(EFBIG);
        }
        if bytes.len() < end as usize {
            bytes.resize(end as usize, 0);
        }
        bytes[position as usize..end as usize].copy_from_slice(new);
        self.file(descriptor)?.position = end;
        Ok(())
    }

    pub(super) fn seek(&mut self, descriptor: u64, offset: i64, whence: u64) -> Answer<u64> {
        // Standard streams are pipes.
        if descriptor < FIRST as u64 {
            return Err(ESPIPE);
        }
        let file = self.file(descriptor)?;
        let (inode, position) = (file.inode, file.position);
        let length = self.inodes[inode].as_ref().map_or(0, Vec::len);
        let base = match whence {
            0 => 0,
            1 => position as i64,
            2 => length as i64,
            _ => return Err(EINVAL),
        };
        let new = base
            .checked_add(offset)
            .filter(|&new| new >= 0)
            .ok_or(EINVAL)?;
        self.file(descriptor)?.position = new as u64;
        Ok(new as u64)
    }

    pub(super) fn resize(&mut self, descriptor: u64, size: i64) -> Answer<()> {
        let file = self.file(descriptor)?;
        let (inode, writable) = (file.inode, file.writable);
        if !writable || size < 0 {
            return Err(EINVAL);
        }
        if size as u64 > MAX_SIZE {
            return Err(EFBIG);
        }
        if let Some(bytes) = &mut self.inodes[inode] {
            bytes.resize(size as usize, 0);
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &[u8]) -> Answer<()> {
        let path = self.resolve(path)?;
        match self.node(&path) {
            Some(NodeKind::File) => {
                self.nodes.insert(path, Node::Gone);
                Ok(())
            }
            Some(NodeKind::Directory) => Err(EISDIR),
            None => Err(ENOENT),
        }
    }

    pub(super) fn rename(&mut self, from: &[u8], to: &[u8]) -> Answer<()> {
        let (from, to) = (self.resolve(from)?, self.resolve(to)?);
        // A name for itself is no change.
        if from == to && self.node(&from).is_some() {
            return Ok(());
        }
        match self.node(&from) {
            None => return Err(ENOENT),
            Some(NodeKind::File) => {
                if self.node(&to) == Some(NodeKind::Directory) {
                    return Err(EISDIR);
                }
                self.expect_parent(&to)?;
                let inode = self.inode(&from)?;
                self.nodes.insert(from, Node::Gone);
                self.nodes.insert(to, Node::File(inode));
            }
            Some(NodeKind::Directory) => {
                if to.starts_with(&[from.as_slice(), b"/"].concat()) {
                    return Err(EINVAL);
                }
                match self.node(&to) {
                    Some(NodeKind::File) => return Err(ENOTDIR),
                    Some(NodeKind::Directory) if !self.names(&to).is_empty() => {
                        return Err(ENOTEMPTY);
                    }
                    _ => {}
                }
                self.expect_parent(&to)?;
                self.nodes.insert(to.clone(), Node::Directory);
                for name in self.names(&from) {
                    let below = |folder: &[u8]| [folder, b"/", &name].concat();
                    self.rename(&below(&from), &below(&to))?;
                }
                self.nodes.insert(from, Node::Gone);
            }
        }
        Ok(())
    }

    pub(super) fn make_directory(&mut self, path: &[u8]) -> Answer<()> {
        let path = self.resolve(path)?;
        if self.node(&path).is_some() {
            return Err(EEXIST);
        }
        self.expect_parent(&path)?;
        // What the disk has below is hidden by an entry for each name.
        for name in self.disk.list(&path) {
            self.nodes
                .insert([path.as_slice(), b"/", &name].concat(), Node::Gone);
        }
        self.nodes.insert(path, Node::Directory);
        Ok(())
    }

    pub(super) fn remove_directory(&mut self, path: &[u8]) -> Answer<()> {
        let path = self.resolve(path)?;
        match self.node(&path) {
            None => return Err(ENOENT),
            Some(NodeKind::File) => return Err(ENOTDIR),
            Some(NodeKind::Directory) => {}
        }
        if path.is_empty() || !self.names(&path).is_empty() {
            return Err(ENOTEMPTY);
        }
        self.nodes.insert(path, Node::Gone);
        Ok(())
    }

    pub(super) fn status(&mut self, path: &[u8]) -> Answer<Status> {
        let path = self.resolve(path)?;
        match self.node(&path) {
            None => {
                self.expect_parent(&path)?;
                Err(ENOENT)
            }
            Some(NodeKind::Directory) => Ok(Status {
                kind: NodeKind::Directory,
                size: 4096,
                inode: path
                    .iter()
                    .fold(1 << 20, |n, &b| (n * 31 + u64::from(b)) % (1 << 40)),
            }),
            Some(NodeKind::File) => {
                let inode = self.inode(&path)?;
                Ok(self.status_of_inode(inode))
            }
        }
    }

    fn status_of_inode(&self, inode: usize) -> Status {
        Status {
            kind: NodeKind::File,
            size: self.inodes[inode]
                .as_ref()
                .map_or(0, |bytes| bytes.len() as u64),
            inode: inode as u64 + 2,
        }
    }

    pub(super) fn status_of(&mut self, descriptor: u64) -> Answer<Status> {
        if descriptor < FIRST as u64 {
            return Ok(Status {
                kind: NodeKind::File,
                size: 0,
                inode: 1,
            });
        }
        let (inode, is_directory) = {
            let file = self.file(descriptor)?;
            (file.inode, file.is_directory)
        };
        if is_directory {
            return Ok(Status {
                kind: NodeKind::Directory,
                size: 0,
                inode: 1,
            });
        }
        Ok(self.status_of_inode(inode))
    }

    /// The names in a directory, sorted.
    fn names(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let prefix = if path.is_empty() {
            Vec::new()
        } else {
            [path, b"/"].concat()
        };
        let mut names = match self.nodes.get(path) {
            Some(Node::Gone | Node::File(_)) => Vec::new(),
            _ => self.disk.list(path),
        };
        let below = self.nodes.range(prefix.clone()..);
        for (path, _) in below.take_while(|(path, _)| path.starts_with(&prefix)) {
            let rest = &path[prefix.len()..];
            if !rest.is_empty() && !rest.contains(&b'/') {
                names.push(rest.to_vec());
            }
        }
        // Our own folders are not the program's.
        names.retain(|name| {
            let own = path.is_empty() && (name == b"dev" || name == b"tmp");
            !own && self.node(&[prefix.as_slice(), name].concat()).is_some()
        });
        names.sort();
        names.dedup();
        names
    }

    /// The n-th entry of a directory, `.` and `..` first.
    pub(super) fn entry(&mut self, path: &[u8], index: u64) -> Answer<Option<Vec<u8>>> {
        let path = self.resolve(path)?;
        match self.node(&path) {
            None => Err(ENOENT),
            Some(NodeKind::File) => Err(ENOTDIR),
            Some(NodeKind::Directory) => Ok(match index {
                0 => Some(b".".to_vec()),
                1 => Some(b"..".to_vec()),
                n => self.names(&path).into_iter().nth(n as usize - 2),
            }),
        }
    }
}
