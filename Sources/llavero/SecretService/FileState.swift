// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainSystem
internal import KeychainTools

/// What is at a path: nothing, a small file, or a symbolic link.
enum FileState: Equatable {
    case nothing
    case file([UInt8], mode: UInt32)
    case link(to: String)

    static func file(_ text: String) -> FileState { .file(Array(text.utf8), mode: 0o644) }

    /// A unit that is never started, as the service manager has them.
    static let mask = FileState.link(to: "/dev/null")

    /// What is there now; throws where it is something else, or cannot be read.
    init(at path: String) throws(CommandError) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw OpenFile.failure("\(PlainText.shown(path)) cannot be looked at")
            }
            self = .nothing
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFLNK:
            var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let room = bytes.count
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe buffer.baseAddress.map { unsafe readlink(path, $0, room) } ?? -1
            }
            guard count >= 0, count < room, let target = String(validating: bytes.prefix(count), as: UTF8.self) else {
                throw OpenFile.failure("\(PlainText.shown(path)) cannot be read")
            }
            self = .link(to: target)
        case S_IFREG:
            let file = try OpenFile(path)
            self = .file(try file.bytes(limit: FileState.largest), mode: file.mode)
        default: throw .failure("\(PlainText.shown(path)) is neither a file nor a link")
        }
    }

    /// Makes a path what it says, in one step; the folder is there.
    func put(at path: String) throws(CommandError) {
        switch self {
        case .nothing:
            guard unsafe unlink(path) == 0 || errno == ENOENT else {
                throw OpenFile.failure("\(PlainText.shown(path)) cannot be removed")
            }
        case .file(let bytes, let mode):
            do throws(ReplacementFailure) {
                let file = try FileReplacement(of: path, as: .hidden)
                try file.write(bytes)
                try file.setMode(mode)
                try file.commit()
            } catch {
                throw .failure(
                    "\(PlainText.shown(path)) cannot be written: \(unsafe String(cString: strerror(error.code)))")
            }
        case .link(let target):
            let beside = "\(path).llavero-new"
            _ = unsafe unlink(beside)
            guard unsafe symlink(target, beside) == 0, unsafe rename(beside, path) == 0 else {
                throw OpenFile.failure("\(PlainText.shown(path)) cannot be made")
            }
        }
    }

    private static let largest = 1 << 20
}

extension FileState {
    var encoded: PropertyList {
        switch self {
        case .nothing: .dictionary(["kind": .string("nothing")])
        case .file(let bytes, let mode):
            .dictionary(["kind": .string("file"), "bytes": .data(bytes), "mode": .number(Int64(mode))])
        case .link(let target): .dictionary(["kind": .string("link"), "target": .string(target)])
        }
    }

    init?(_ value: PropertyList?) {
        guard case .dictionary(let fields)? = value, case .string(let kind)? = fields["kind"] else { return nil }
        switch (kind, fields.count) {
        case ("nothing", 1): self = .nothing
        case ("file", 3):
            guard case .data(let bytes)? = fields["bytes"], case .number(let mode)? = fields["mode"],
                (0...0o7777).contains(mode)
            else { return nil }
            self = .file(bytes, mode: UInt32(mode))
        case ("link", 2):
            guard case .string(let target)? = fields["target"] else { return nil }
            self = .link(to: target)
        default: return nil
        }
    }
}
