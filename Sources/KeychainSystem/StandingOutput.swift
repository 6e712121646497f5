// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What a path names that no file may take the place of: a device, a pipe, a folder, or a descriptor that the process was
/// given.
package struct StandingOutput: Sendable {
    private enum Way: Sendable, Equatable {
        /// Also one of a regular file: another open of that would begin at its start, or could not have its place.
        case descriptor(Int32)
        case device
        case pipe
        case folder
        /// What nothing is written into: a disk, or a socket with a name.
        case other
    }

    private let path: String
    private let way: Way

    /// nil where nothing is, or a regular file, links followed.
    package init?(at path: String) {
        self.path = path
        if let number = StandingOutput.descriptor(namedBy: path) {
            way = .descriptor(number)
            return
        }
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: way = .folder
        case S_IFCHR: way = .device
        case S_IFIFO: way = .pipe
        default: way = .other
        }
    }

    package var isFolder: Bool { way == .folder }

    /// Opens it for writing; a pipe once somebody reads it.
    package func open() throws(ReplacementFailure) -> OwnedDescriptor {
        switch way {
        case .descriptor(let number): return try copy(of: number)
        case .folder: throw .failed(EISDIR)
        case .other: throw .failed(EPERM)
        case .device, .pipe: break
        }
        let number = unsafe Glibc.open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw .failed(errno) }
        let opened = OwnedDescriptor(owning: number)
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0 else { throw .failed(errno) }
        let kind = facts.st_mode & S_IFMT
        // Something else has the path meanwhile.
        guard kind == S_IFCHR || kind == S_IFIFO else { throw .failed(EBUSY) }
        // Another user could have put it where a file was to be made, and read it: the kernel's fs.protected_fifos has the
        // same rule for those who would make one. Links are kept by fs.protected_symlinks, and devices are made by root alone.
        guard kind == S_IFCHR || facts.st_uid == geteuid() || facts.st_uid == 0 else { throw .failed(EACCES) }
        return opened
    }

    /// Only of one that the process was given: whatever it opens itself, such as a database, it closes on execution.
    private func copy(of number: Int32) throws(ReplacementFailure) -> OwnedDescriptor {
        let flags = fcntl(number, F_GETFD)
        guard flags >= 0 else { throw .failed(errno) }
        guard flags & FD_CLOEXEC == 0 else { throw .failed(EBADF) }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .failed(errno) }
        return OwnedDescriptor(owning: copy)
    }

    /// nil for another path.
    private static func descriptor(namedBy path: String) -> Int32? {
        switch path {
        case "/dev/stdin": return 0
        case "/dev/stdout": return 1
        case "/dev/stderr": return 2
        default: break
        }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            let digits = path.utf8.dropFirst(folder.utf8.count)
            guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int32(String(path.dropFirst(folder.count)))
        }
        return nil
    }
}
