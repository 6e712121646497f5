// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// A file of another store, read whole into memory that is wiped; the file itself is opened for reading alone.
package struct ImportFile: Sendable {
    package let name: String
    package let content: ImportedBytes

    /// The file at a path, which may be a symbolic link to it.
    package init(path: String) throws(ImportError) {
        guard !path.contains(byte: 0) else { throw .unreadable(errno: ENOENT) }
        // A pipe is not waited for.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .unreadable(errno: errno) }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw .unreadable(errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard facts.st_size <= ImportLimits.largestFile else { throw .tooLarge }
        let bytes = try unsafe SecretBytes(count: Int(facts.st_size)) { (buffer) throws(ImportError) in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe pread(file, rest.baseAddress, rest.count, done)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .unreadable(errno: errno) }
                guard count > 0 else { throw .damaged }
                done += count
            }
        }
        self.init(name: path, content: ImportedBytes(bytes))
    }

    /// A file that was read already; `name` is what its items will say they come from.
    package init(name: String, content: ImportedBytes) {
        self.name = name
        self.content = content
    }

    /// The format it seems to have.
    package var detectedFormat: ImportFormat? {
        let start = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name.utf8.index(after: $0) } ?? name.startIndex
        return ImportFormat.detected(in: content, fileName: String(name[start...]))
    }

    /// Whether `read` needs a password.
    package var isSealed: Bool { BinaryKeyring.isOne(content) }

    /// Everything in it.
    ///
    /// Throws `notThisFormat` for `pass`, which is a folder: see `PassFolder`.
    package func read(
        as format: ImportFormat, password: Passcode? = nil, _ options: ImportOptions = ImportOptions()
    ) throws(ImportError) -> ImportReport {
        guard content.count <= ImportLimits.largestFile else { throw .tooLarge }
        var report = ImportReport(format)
        switch format {
        case .gnomeKeyring:
            if BinaryKeyring.isOne(content) {
                guard let password else { throw .passwordNeeded }
                try BinaryKeyring.read(content, name, password, into: &report)
            } else {
                try TextKeyring.read(content, name, into: &report)
            }
        case .llavero: try LlaveroExport.read(content, name, into: &report)
        case .pass: throw .notThisFormat
        case .keepassCSV: try KeePassCSV.read(content, name, options, into: &report)
        case .keepassXML: try KeePassXML.read(content, name, options, into: &report)
        case .netrc: try Netrc.read(content, name, into: &report)
        case .gitCredentials: try GitCredentials.read(content, name, into: &report)
        case .macKeychain: try MacDump.read(content, name, into: &report)
        }
        return report
    }
}
