// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainCrypto
package import KeychainModel

/// A file of another store, read completely into memory that is wiped; the file is only opened for reading.
package struct ImportFile: Sendable {
    package let name: String
    package let content: ImportedBytes
    private let companions: WalletCompanions
    /// Where another program finds it; nil for one that is in memory alone.
    private let path: String?

    /// The file at a path, which may be a symbolic link to it, with what KWallet keeps beside one of its own.
    package init(path: String) throws(ImportError) {
        let content = try ImportFile.bytes(path: path)
        self.init(
            name: path, content: content,
            companions: WalletFile.isOne(content) ? try WalletCompanions(besidePath: path) : WalletCompanions(),
            path: path)
    }

    internal static func bytes(path: String) throws(ImportError) -> ImportedBytes {
        guard !path.contains(byte: 0) else { throw .unreadable(errno: ENOENT) }
        // Opening a pipe must not block.
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
        return ImportedBytes(bytes)
    }

    /// The contents of a file; `name` is the source that its items report.
    package init(name: String, content: ImportedBytes, companions: WalletCompanions = WalletCompanions()) {
        self.init(name: name, content: content, companions: companions, path: nil)
    }

    private init(name: String, content: ImportedBytes, companions: WalletCompanions, path: String?) {
        (self.name, self.content, self.companions, self.path) = (name, content, companions, path)
    }

    /// The recognized format.
    package var detectedFormat: ImportFormat? {
        let start = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name.utf8.index(after: $0) } ?? name.startIndex
        return ImportFormat.detected(in: content, fileName: String(name[start...]))
    }

    /// Whether it is the file of a Mac's keychain, which its own tools alone open.
    package var isMacsKeychain: Bool { content.has("kych", at: 0) }

    /// Why a table is none that is read here, where a spreadsheet wrote it in a way of its own.
    package enum ForeignTable: Sendable {
        case utf16, semicolons
    }

    package var foreignTable: ForeignTable? {
        if content.count >= 2, [content[0], content[1]] == [0xFF, 0xFE] || [content[0], content[1]] == [0xFE, 0xFF] {
            return .utf16
        }
        let line = 0..<(content.index(of: ASCII.newline, in: content.all) ?? content.count)
        let separator = content.index(of: ASCII.semicolon, in: line)
        return separator != nil && content.index(of: UInt8(ascii: ","), in: line) == nil ? .semicolons : nil
    }

    /// Reads all items.
    ///
    /// Throws `passwordNeeded` without the password of an encrypted file, and `notThisFormat` for `pass`, which is a folder: see
    /// `PassFolder`.
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
        case .kwallet: report = try WalletFile.read(content, name, companions, password, options)
        case .llavero: try LlaveroExport.read(content, name, into: &report)
        case .pass: throw .notThisFormat
        case .keepassCSV: try KeePassCSV.read(content, name, options, into: &report)
        case .keepassXML: try KeePassXML.read(content, name, options, into: &report)
        case .kdbx:
            do throws(ImportError) {
                try KeePassDatabase.read(content, name, password, options, into: &report)
            } catch {
                // What is sealed in another way is known before anything is read.
                guard case .sealed = error, let path, let program = options.keePassXC, program.isThere else {
                    throw error
                }
                try program.read(path, password, options, into: &report)
            }
        case .bitwarden: try Bitwarden.read(content, name, password, options, into: &report)
        case .onePassword: try OnePassword.read(content, name, options, into: &report)
        case .table: try KeePassCSV.read(content, name, options, into: &report)
        case .oneTimeCodes: try OneTimeCodeURLs.read(content, name, into: &report)
        case .netrc: try Netrc.read(content, name, into: &report)
        case .gitCredentials: try GitCredentials.read(content, name, into: &report)
        case .macKeychain: try MacDump.read(content, name, into: &report)
        }
        return report
    }
}

/// The supported formats.
package enum ImportFormat: String, CaseIterable, Sendable {
    case llavero = "llavero-json"
    case gnomeKeyring = "gnome-keyring"
    case kwallet
    case pass
    case keepassCSV = "keepass-csv"
    case keepassXML = "keepass-xml"
    case kdbx
    case bitwarden = "bitwarden-json"
    case onePassword = "1pux"
    case table = "csv"
    case oneTimeCodes = "otpauth"
    case netrc
    case gitCredentials = "git-credentials"
    case macKeychain = "macos-dump"

    /// The name on a command line.
    package var name: String { rawValue }

    /// A description in one line.
    package var summary: String {
        switch self {
        case .llavero: "an export of llavero as JSON: restores items of every kind"
        case .gnomeKeyring: "a keyring file of gnome-keyring, encrypted (asks for its password) or plain"
        case .kwallet: "a wallet file of KWallet (asks for its password), with the files beside it"
        case .pass: "a folder of pass: one file for each password, decrypted by gpg"
        case .keepassCSV: "a CSV export of KeePass or KeePassXC"
        case .keepassXML: "an XML export of KeePass 2 or KeePassXC"
        case .kdbx: "a database of KeePass 2 or KeePassXC (asks for its password)"
        case .bitwarden:
            "a JSON export of Bitwarden, encrypted under a password (asks for it) or not, or its ZIP with attachments"
        case .onePassword: "an export of 1Password, NAME.1pux, with files"
        case .table:
            "a CSV export of Chrome, Edge, Brave, Firefox, Apple Passwords, Bitwarden, 1Password or other programs"
        case .oneTimeCodes:
            "seeds of one-time codes, a URL otpauth:// or Google Authenticator's otpauth-migration:// a line"
        case .netrc: "a .netrc file, as ftp and curl read it"
        case .gitCredentials: "the file of git's credential helper \"store\""
        case .macKeychain: "the output of security dump-keychain -d on macOS"
        }
    }

    /// Whether the source is a folder instead of a file.
    package var isFolder: Bool { self == .pass }

    /// Whether it is a file that was written in order to be imported, with every secret in plain text.
    package var isPlaintextExport: Bool {
        switch self {
        case .llavero, .keepassCSV, .keepassXML, .onePassword, .table, .oneTimeCodes, .macKeychain: true
        // That of Bitwarden may be encrypted.
        case .gnomeKeyring, .kwallet, .pass, .kdbx, .bitwarden, .netrc, .gitCredentials: false
        }
    }

    package init?(name: String) {
        guard let format = ImportFormat.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
            return nil
        }
        self = format
    }

    /// The format of a file, recognized by its first bytes, or else by its name.
    package static func detected(in content: ImportedBytes, fileName: String) -> ImportFormat? {
        if LlaveroExport.isOne(content) { return .llavero }
        if BinaryKeyring.isOne(content) || TextKeyring.isOne(content) { return .gnomeKeyring }
        if WalletFile.isOne(content) { return .kwallet }
        if KeePassDatabase.isOne(content) { return .kdbx }
        if ZipReader.isOne(content) { return ZipReader.format(content) }
        if Bitwarden.isOne(content) { return .bitwarden }
        if OneTimeCodeURLs.isOne(content) { return .oneTimeCodes }
        if KeePassXML.isOne(content) { return .keepassXML }
        if MacDump.isOne(content) { return .macKeychain }
        if let format = KeePassCSV.format(content) { return format }
        switch fileName {
        case ".netrc", "netrc", "_netrc": return .netrc
        case ".git-credentials", "git-credentials": return .gitCredentials
        default: break
        }
        if GitCredentials.isOne(content) { return .gitCredentials }
        return Netrc.isOne(content) ? .netrc : nil
    }
}

/// Choices for sources that can be read in two ways.
package struct ImportOptions: Sendable {
    /// Also imports the recycle bin of KeePass, and what is in the trash of others.
    package var withRecycleBin = false
    /// The key file of a database of KeePass.
    package var keyFile: ImportedBytes?
    /// What opens a database of KeePass that OpenSSL cannot open.
    package var keePassXC: KeePassXC?
    /// Which lines of a file of pass are its password.
    package var passReading = PassReading.byContent
    /// Reads a map of KWallet as one item, as KWallet itself shows it on the bus, instead of an item for each of its values.
    package var forSecretService = false

    package init() {}
}

/// Limits for the contents of a source.
internal enum ImportLimits {
    internal static let largestFile = 64 << 20
    internal static let mostLines = 2_000_000
    internal static let mostItems = 200_000
    /// Of a name, an attribute or a comment.
    internal static let longestText = 1 << 20
    /// Of one record, which may span several lines.
    internal static let longestRecord = 4 << 20
    /// Of the output of `gpg` for one file.
    internal static let largestPassEntry = 4 << 20
    /// Of nested folders, each of which is a function call.
    internal static let deepestFolder = 64
    /// Of nested XML elements, which need no stack.
    internal static let deepestElement = 1000
    /// Of all names, texts and secrets of one source together: more than the largest file, so that only compressed or
    /// repeatedly referenced data can reach it.
    internal static let largestSum = 128 << 20
    /// Of the path of an entry's groups, which is stored with every entry.
    internal static let longestPath = 1024
}

/// Why a source could not be read at all.
///
/// It never carries data.
package enum ImportError: Error, Equatable, Sendable {
    /// It cannot be opened or read; with errno.
    case unreadable(errno: Int32)
    /// It is not a regular file, or not a folder where one is expected.
    case notAFile
    /// It is not of the given format.
    case notThisFormat
    /// Its version or encryption is not supported.
    case unknownVersion
    /// More bytes, lines or items than the limits allow.
    case tooLarge
    /// Folders, groups or elements are nested deeper than the limits allow.
    case tooDeep
    case passwordNeeded
    /// The password is wrong or the file is damaged; these cannot be distinguished.
    case wrongPassword
    /// It is truncated or inconsistent.
    case damaged
    /// A program that opens it is not installed or cannot be started; with errno.
    case notStarted(OtherProgram, errno: Int32)
    /// That program did not end in time.
    case hangs(OtherProgram)
    /// That program did not open it, and ended in a way that says nothing; with its exit code, or -1.
    case failed(OtherProgram, code: Int32)
    case crypto(CryptoError)
    case wallet(WalletFault)
    /// It is sealed in a way that cannot be opened here.
    case sealed(SealedFault)
}

/// Why a sealed export cannot be opened, though the password may be right.
package enum SealedFault: Hashable, Sendable, CustomStringConvertible {
    case argon2
    case salsa20
    case twofish
    case bitwardenAccount
    case bitwardenArgon2

    package var description: String {
        switch self {
        case .argon2:
            "its key is derived by Argon2, which OpenSSL has since 3.2, and this machine's is older"
        case .salsa20:
            "its passwords are sealed by Salsa20, as databases of version 3.1 have it, and OpenSSL has no Salsa20"
        case .twofish: "it is encrypted by Twofish, which OpenSSL does not have"
        case .bitwardenArgon2:
            "it is sealed under a password of its own whose key is derived by Argon2, which OpenSSL has since 3.2, and this machine's is older"
        case .bitwardenAccount:
            "it is encrypted for the account, whose key is at Bitwarden; export it once more, with a password of its own or without"
        }
    }
}
