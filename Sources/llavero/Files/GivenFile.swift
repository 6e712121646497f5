// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// A file or pipe that is read from its beginning to its end, for text that may have secrets.
struct GivenFile {
    /// For messages.
    let name: String
    let content: SecretValue
    /// What the file is, so that it can be told from another one; nil for standard input.
    let identity: FileNumber?

    /// `path` nil or `-` is standard input.
    init(_ path: String?) throws(CommandError) {
        guard let path, path != "-" else {
            if Screen.hasInput { throw .usage("FILE is missing; without it standard input has to be redirected") }
            (name, identity) = ("standard input", nil)
            content = try SecretInput.all(from: STDIN_FILENO, line: false)
            return
        }
        name = PlainText.shown(path)
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw OpenFile.failure("\(name) cannot be opened") }
        let file = OwnedDescriptor(owning: number)
        var facts = stat()
        guard unsafe fstat(file.number, &facts) == 0 else { throw OpenFile.failure("\(name) cannot be opened") }
        guard facts.st_mode & S_IFMT != S_IFDIR else { throw .failure("\(name) is a folder") }
        identity = FileNumber(facts)
        content = try SecretInput.all(from: file.number, line: false)
    }
}

/// Which file it is, whatever it is called.
struct FileNumber: Equatable {
    private let device: dev_t
    private let number: ino_t

    init(_ facts: stat) { (device, number) = (facts.st_dev, facts.st_ino) }

    /// Of the file at a path, also of a link; nil where there is none.
    init?(at path: String) {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 || lstat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }
}
