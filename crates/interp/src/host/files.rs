//! A file system in memory.

use super::{Disk, NodeKind};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Error numbers, as Linux has them.
pub(super) const ENOENT: i64 = 2;
pub(super) const EBADF: i64 = 9;
const EBUSY: i64 = 16;
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
const DIRECTORY: u64 = 0o200_000;

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

/// How a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Name,
    /// `.`, or the root itself.
    Dot,
    DotDot,
}

/// What a path means. All folders on the way to it are there.
#[derive(Debug)]
struct Place {
    /// From the root, without `.` and `..`.
    path: Vec<u8>,
    last: Last,
    /// It ends with a slash.
    is_slashed: bool,
}

impl Place {
    /// Whether only a folder can be meant.
    fn wants_directory(&self) -> bool {
        self.is_slashed || self.last != Last::Name
    }
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
    /// What standard output and standard error were redirected to.
    standard: [Option<Open>; 2],
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
            standard: [None, None],
        }
    }

    /// What a path means, step by step as Linux goes; the program's folder is the root.
    fn resolve(&self, path: &[u8]) -> Answer<Place> {
        if path.is_empty() {
            return Err(ENOENT);
        }
        let root = self.disk.root();
        let path = match path.strip_prefix(root) {
            Some(rest) if !root.is_empty() && (rest.is_empty() || rest[0] == b'/') => rest,
            _ => path,
        };
        let mut at: Vec<u8> = Vec::new();
        let mut last = Last::Dot;
        for part in path.split(|&b| b == b'/').filter(|part| !part.is_empty()) {
            match self.node(&at) {
                Some(NodeKind::Directory) => {}
                Some(NodeKind::File) => return Err(ENOTDIR),
                None => return Err(ENOENT),
            }
            last = match part {
                b"." => Last::Dot,
                b".." => {
                    let end = at.iter().rposition(|&b| b == b'/').unwrap_or(0);
                    at.truncate(end);
                    Last::DotDot
                }
                name => {
                    if !at.is_empty() {
                        at.push(b'/');
                    }
                    at.extend_from_slice(name);
                    Last::Name
                }
            };
        }
        Ok(Place {
            path: at,
            last,
            is_slashed: path.ends_with(b"/"),
        })
    }

    /// What is at a place.
    fn kind_at(&self, place: &Place) -> Answer<NodeKind> {
        match self.node(&place.path) {
            None => Err(ENOENT),
            Some(NodeKind::File) if place.wants_directory() => Err(ENOTDIR),
            Some(kind) => Ok(kind),
        }
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
            None => Err(ENOENT),
        }
    }

    fn add_file(&mut self, path: &[u8], bytes: Vec<u8>) -> usize {
        let inode = self.inodes.len();
        self.inodes.push(Some(bytes));
        self.nodes.insert(path.to_vec(), Node::File(inode));
        inode
    }

    pub(super) fn open(&mut self, path: &[u8], flags: u64) -> Answer<usize> {
        let place = self.resolve(path)?;
        let readable = flags & WRITE_ONLY == 0;
        let writable = flags & (WRITE_ONLY | READ_WRITE) != 0;
        let creates = flags & CREATE != 0;
        if creates && place.wants_directory() {
            return Err(EISDIR);
        }
        let wants_directory = place.wants_directory() || flags & DIRECTORY != 0;
        let path = place.path;
        let mut is_directory = false;
        let inode = match self.inode(&path) {
            Ok(_) | Err(EISDIR) if creates && flags & EXCLUSIVE != 0 => return Err(EEXIST),
            Ok(_) if wants_directory => return Err(ENOTDIR),
            Ok(inode) => inode,
            // A directory can be opened, and then only asked what it is.
            Err(EISDIR) if !writable && !creates => {
                is_directory = true;
                0
            }
            Err(ENOENT) if creates => self.add_file(&path, Vec::new()),
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
        if self.is_redirected(descriptor) {
            return self.standard[descriptor as usize - 1].as_mut().ok_or(EBADF);
        }
        let index = usize::try_from(descriptor)
            .ok()
            .and_then(|d| d.checked_sub(FIRST));
        let file = index.and_then(|index| self.open.get_mut(index));
        file.and_then(Option::as_mut).ok_or(EBADF)
    }

    /// Standard output or standard error goes to an open file from now on.
    pub(super) fn redirect(&mut self, stream: u64, descriptor: u64) -> Answer<()> {
        let Some(slot) = stream.checked_sub(1).filter(|&slot| slot < 2) else {
            return Err(EBADF);
        };
        self.file(descriptor)?;
        if let Some(index) = (descriptor as usize).checked_sub(FIRST) {
            self.standard[slot as usize] = self.open[index].take();
        }
        Ok(())
    }

    /// Whether what is written to standard output (1) or error (2) went to a file.
    pub(super) fn takes(&mut self, stream: u64, bytes: &[u8]) -> bool {
        let is_redirected = self.is_redirected(stream);
        if is_redirected {
            // A program that does not ask whether writing failed does not learn it.
            let _ = self.write(stream, bytes);
        }
        is_redirected
    }

    fn is_redirected(&self, descriptor: u64) -> bool {
        matches!(descriptor, 1 | 2) && self.standard[descriptor as usize - 1].is_some()
    }

    /// Whether this is a standard stream that nobody redirected: a pipe.
    fn is_pipe(&self, descriptor: u64) -> bool {
        descriptor < FIRST as u64 && !self.is_redirected(descriptor)
    }

    pub(super) fn close(&mut self, descriptor: u64) -> Answer<()> {
        self.file(descriptor)?;
        if self.is_redirected(descriptor) {
            return Ok(());
        }
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
        if self.is_pipe(descriptor) {
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
        let place = self.resolve(path)?;
        match self.kind_at(&place)? {
            NodeKind::File => {
                self.nodes.insert(place.path, Node::Gone);
                Ok(())
            }
            NodeKind::Directory => Err(EISDIR),
        }
    }

    pub(super) fn rename(&mut self, from: &[u8], to: &[u8]) -> Answer<()> {
        let (from, to) = (self.resolve(from)?, self.resolve(to)?);
        if from.last != Last::Name || to.last != Last::Name {
            return Err(EBUSY);
        }
        let kind = self.node(&from.path).ok_or(ENOENT)?;
        if kind == NodeKind::File && (from.is_slashed || to.is_slashed) {
            return Err(ENOTDIR);
        }
        let is_below = |path: &[u8], folder: &[u8]| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with(b"/"))
        };
        if is_below(&to.path, &from.path) {
            return Err(EINVAL);
        }
        if is_below(&from.path, &to.path) {
            return Err(ENOTEMPTY);
        }
        // A name for itself is no change.
        if from.path == to.path {
            return Ok(());
        }
        match (kind, self.node(&to.path)) {
            (NodeKind::File, Some(NodeKind::Directory)) => Err(EISDIR),
            (NodeKind::Directory, Some(NodeKind::File)) => Err(ENOTDIR),
            (NodeKind::Directory, Some(_)) if !self.names(&to.path).is_empty() => Err(ENOTEMPTY),
            _ => self.move_node(&from.path, &to.path),
        }
    }

    /// Moves what is at one path to another one, where nothing is that would be lost.
    fn move_node(&mut self, from: &[u8], to: &[u8]) -> Answer<()> {
        match self.node(from) {
            Some(NodeKind::Directory) => {
                self.put_directory(to);
                for name in self.names(from) {
                    let below = |folder: &[u8]| [folder, b"/", &name].concat();
                    self.move_node(&below(from), &below(to))?;
                }
            }
            _ => {
                let inode = self.inode(from)?;
                self.nodes.insert(to.to_vec(), Node::File(inode));
            }
        }
        self.nodes.insert(from.to_vec(), Node::Gone);
        Ok(())
    }

    pub(super) fn make_directory(&mut self, path: &[u8]) -> Answer<()> {
        let place = self.resolve(path)?;
        if self.node(&place.path).is_some() {
            return Err(EEXIST);
        }
        self.put_directory(&place.path);
        Ok(())
    }

    /// An empty directory. What the disk has below is hidden by an entry for each name.
    fn put_directory(&mut self, path: &[u8]) {
        for name in self.disk.list(path) {
            let below = [path, b"/", &name].concat();
            self.nodes.insert(below, Node::Gone);
        }
        self.nodes.insert(path.to_vec(), Node::Directory);
    }

    pub(super) fn remove_directory(&mut self, path: &[u8]) -> Answer<()> {
        let place = self.resolve(path)?;
        match place.last {
            Last::Dot if place.path.is_empty() && path.iter().all(|&b| b == b'/') => {
                return Err(EBUSY);
            }
            Last::Dot => return Err(EINVAL),
            Last::DotDot => return Err(ENOTEMPTY),
            Last::Name => {}
        }
        match self.node(&place.path) {
            None => Err(ENOENT),
            Some(NodeKind::File) => Err(ENOTDIR),
            Some(NodeKind::Directory) if !self.names(&place.path).is_empty() => Err(ENOTEMPTY),
            Some(NodeKind::Directory) => {
                self.nodes.insert(place.path, Node::Gone);
                Ok(())
            }
        }
    }

    pub(super) fn status(&mut self, path: &[u8]) -> Answer<Status> {
        let place = self.resolve(path)?;
        match self.kind_at(&place)? {
            NodeKind::Directory => Ok(Status {
                kind: NodeKind::Directory,
                size: 4096,
                inode: (place.path.iter())
                    .fold(1 << 20, |n, &b| (n * 31 + u64::from(b)) % (1 << 40)),
            }),
            NodeKind::File => {
                let inode = self.inode(&place.path)?;
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
        if self.is_pipe(descriptor) {
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
        let place = self.resolve(path)?;
        match self.kind_at(&place)? {
            NodeKind::File => Err(ENOTDIR),
            NodeKind::Directory => Ok(match index {
                0 => Some(b".".to_vec()),
                1 => Some(b"..".to_vec()),
                n => self.names(&place.path).into_iter().nth(n as usize - 2),
            }),
        }
    }
}
