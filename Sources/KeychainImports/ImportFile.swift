// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainCrypto
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

/// The stores of others that can be read.
package enum ImportFormat: String, CaseIterable, Sendable {
    case llavero = "llavero-json"
    case gnomeKeyring = "gnome-keyring"
    case pass
    case keepassCSV = "keepass-csv"
    case keepassXML = "keepass-xml"
    case netrc
    case gitCredentials = "git-credentials"
    case macKeychain = "macos-dump"

    /// The name on a command line.
    package var name: String { rawValue }

    /// What it is, in one line.
    package var summary: String {
        switch self {
        case .llavero: "what llavero export writes, as JSON: items of every kind come back"
        case .gnomeKeyring: "a keyring file of gnome-keyring, sealed (asks for its password) or plain"
        case .pass: "a folder of pass: one file a password, decrypted by gpg"
        case .keepassCSV: "what KeePass or KeePassXC exports as CSV"
        case .keepassXML: "what KeePass 2 or KeePassXC exports as XML"
        case .netrc: "a .netrc file, as ftp and curl read it"
        case .gitCredentials: "the file of git's credential helper \"store\""
        case .macKeychain: "the output of security dump-keychain -d on macOS"
        }
    }

    /// Whether it is a folder that is read, not a file.
    package var isFolder: Bool { self == .pass }

    package init?(name: String) {
        guard let format = ImportFormat.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
            return nil
        }
        self = format
    }

    /// The format a file seems to have by its first bytes, and where those say nothing, by its name.
    package static func detected(in content: ImportedBytes, fileName: String) -> ImportFormat? {
        if LlaveroExport.isOne(content) { return .llavero }
        if BinaryKeyring.isOne(content) || TextKeyring.isOne(content) { return .gnomeKeyring }
        if KeePassXML.isOne(content) { return .keepassXML }
        if MacDump.isOne(content) { return .macKeychain }
        if KeePassCSV.isOne(content) { return .keepassCSV }
        switch fileName {
        case ".netrc", "netrc", "_netrc": return .netrc
        case ".git-credentials", "git-credentials": return .gitCredentials
        default: break
        }
        if GitCredentials.isOne(content) { return .gitCredentials }
        return Netrc.isOne(content) ? .netrc : nil
    }
}

/// What a person wants of a source that can be read in two ways.
package struct ImportOptions: Sendable {
    /// Takes what lies in the recycle bin of KeePass, too.
    package var withRecycleBin = false
    /// Takes the first line of a file of pass for the password, and all others for notes, whatever they look like.
    package var firstLineOnly = false

    package init() {}
}

/// How much of anything a source may have.
internal enum ImportLimits {
    internal static let largestFile = 64 << 20
    internal static let mostLines = 2_000_000
    internal static let mostItems = 200_000
    /// Of a name, an attribute or a comment.
    internal static let longestText = 1 << 20
    /// Of one record that may go over several lines.
    internal static let longestRecord = 4 << 20
    /// What `gpg` may say to one file.
    internal static let largestPassEntry = 4 << 20
    /// Of folders in folders, each of which is a call of a function.
    internal static let deepestFolder = 64
    /// Of elements in elements of XML, which take no stack.
    internal static let deepestElement = 1000
    /// Of all names, texts and secrets of one source together: more than the largest file has, so that only what is
    /// written once and read many times, or compressed, comes near it.
    internal static let largestSum = 128 << 20
    /// Of the path of an entry's groups; it is kept with every entry.
    internal static let longestPath = 1024
}

/// Why nothing at all could be read.
///
/// It never carries data.
package enum ImportError: Error, Equatable, Sendable {
    /// It cannot be opened or read; with the system's number.
    case unreadable(errno: Int32)
    /// It is neither a file nor, where one is read, a folder.
    case notAFile
    /// It is not of the format it was said to be.
    case notThisFormat
    /// It is of a version, or sealed in a way, that nobody here knows.
    case unknownVersion
    /// More bytes, lines or items than a store of passwords has.
    case tooLarge
    /// Folders, groups or elements lie deeper in one another than a store of passwords has them.
    case tooDeep
    case passwordNeeded
    /// The password is another, or the file is damaged: one cannot tell which.
    case wrongPassword
    /// It ends too soon, or contradicts itself.
    case damaged
    /// There is no such program as gpg, or it cannot be started; with the system's number.
    case noGPG(errno: Int32)
    /// gpg did not end in time.
    case gpgHangs
    case crypto(CryptoError)
}
