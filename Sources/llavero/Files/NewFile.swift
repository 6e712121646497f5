// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainIdentity
internal import KeychainTools

/// A file that comes into being beside its place, and takes that when it is whole; else it goes away.
final class NewFile {
    private let place: String
    private let temporary: String
    let descriptor: OwnedDescriptor
    private var isInPlace = false

    /// For its owner alone at first.
    init(for place: String) throws(CommandError) {
        let folder = NewFile.folder(of: place)
        var template = Array("\(folder)/.llavero-XXXXXX".utf8CString)
        let number = unsafe mkstemp(&template)
        guard number >= 0 else { throw OpenFile.failure("nothing can be written beside \(place)") }
        self.place = place
        temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = OwnedDescriptor(owning: number)
    }

    deinit {
        if !isInPlace { unsafe unlink(temporary) }
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        try unsafe bytes.lendingBytes { (bytes) throws(CommandError) in try unsafe write(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe Glibc.write(descriptor.number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OpenFile.failure("\(place) cannot be written") }
            done += count
        }
    }

    /// Gives it the owner and the mode of another, setuid bits included.
    func resemble(_ file: OpenFile) throws(CommandError) {
        // The owner first: a change of it takes those bits away.
        if file.owner != geteuid() || file.group != getegid() {
            guard fchown(descriptor.number, file.owner, file.group) == 0 else {
                throw OpenFile.failure("\(place) cannot keep the owner that \(file.path) has")
            }
        }
        guard fchmod(descriptor.number, file.mode) == 0 else { throw OpenFile.failure("\(place) cannot be written") }
    }

    /// Lets everybody read it.
    func publish() throws(CommandError) {
        guard fchmod(descriptor.number, 0o644) == 0 else { throw OpenFile.failure("\(place) cannot be written") }
    }

    /// Moves it to its place, in that of a file which is there.
    func take() throws(CommandError) {
        guard fsync(descriptor.number) == 0, unsafe rename(temporary, place) == 0 else {
            throw OpenFile.failure("\(place) cannot be written")
        }
        isInPlace = true
        try syncFolder()
    }

    /// Moves it to its place; throws when a file is there.
    func takeEmptyPlace() throws(CommandError) {
        guard fsync(descriptor.number) == 0, unsafe link(temporary, place) == 0 else {
            throw OpenFile.failure("\(place) cannot be made")
        }
        try syncFolder()
    }

    private func syncFolder() throws(CommandError) {
        let folder = unsafe open(NewFile.folder(of: place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw OpenFile.failure("\(place) may be lost when the power fails now") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw OpenFile.failure("\(place) may be lost when the power fails now") }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
