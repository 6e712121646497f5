// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// KeePassXC's own program, for databases that OpenSSL cannot open: Argon2 before OpenSSL 3.2, Salsa20, Twofish.
///
/// It prints the XML export into a socket, from which it reads the password, too; nothing of that is in a file or among the words
/// of its command line.
package struct KeePassXC: Sendable {
    private let program: String
    private let environment: [String]
    private let keyFile: String?
    private let seconds: Int

    /// `keyFile` is the path of the key file, and `seconds` the time that one run may take, most of which derives the key.
    package init(
        environment: [String], keyFile: String? = nil, program: String = "/usr/bin/keepassxc-cli", seconds: Int = 300
    ) {
        (self.environment, self.keyFile, self.program, self.seconds) = (environment, keyFile, program, seconds)
    }

    internal var isThere: Bool { unsafe access(program, X_OK) == 0 }

    /// Reads a database by its path; it may be that the key file is all that opens it.
    internal func read(
        _ database: String, _ password: Passcode?, _ options: ImportOptions, into report: inout ImportReport
    ) throws(ImportError) {
        guard password != nil || keyFile != nil else { throw .passwordNeeded }
        var opening = keyFile == nil ? password : nil
        let xml: ImportedBytes
        do throws(ImportError) {
            xml = try export(of: database, opening, keyFile)
        } catch {
            guard error == .wrongPassword, keyFile != nil else { throw error }
            guard let password else { throw .passwordNeeded }
            opening = password
            xml = try export(of: database, password, keyFile)
        }
        report.isOpenedByKeePassXC = true
        // Where there is no memory for the copy, attachments are named as left out.
        let files =
            KeePassAttachments.areMissing(in: xml) ? (try? attachments(of: database, opening)) ?? [:] : nil
        try KeePassXML.read(xml, database, options, attachments: files, into: &report)
    }

    /// The XML of a database; `wrongPassword` where it does not open, for which the program has one exit code.
    private func export(
        of database: String, _ password: Passcode?, _ keyFile: String?
    ) throws(ImportError) -> ImportedBytes {
        let keys = (keyFile.map { ["--key-file", $0] } ?? []) + (password == nil ? ["--no-password"] : [])
        return try run(["export", "--format", "xml"] + keys + ["--", database], password.map { [$0] } ?? [])
    }

    /// The contents of attachments, by their entries and names.
    ///
    /// The XML of a database of version 4 has only numbers for them, and the command that prints one takes it for text. A copy
    /// that is sealed with AES, which `merge` makes, can be read: its XML has them if it is of version 3.1, and we open it if it
    /// is of version 4.
    private func attachments(
        of database: String, _ password: Passcode?
    ) throws(ImportError) -> [KeePassAttachments.EntryFile: ImportedBytes] {
        let copy = try SealedCopy(environment)
        defer { copy.remove() }
        _ = try run(
            ["db-create", "--decryption-time", "100", "--set-password", "--", copy.path],
            [copy.password, copy.password])
        let keys =
            (keyFile.map { ["--key-file-from", $0] } ?? []) + (password == nil ? ["--no-password-from"] : [])
        _ = try run(["merge"] + keys + ["--", copy.path, database], [copy.password] + (password.map { [$0] } ?? []))
        do throws(ImportError) {
            let opened = try KeePassDatabase.open(try ImportFile.bytes(path: copy.path), copy.password)
            return try KeePassXML.attachments(in: opened.xml, opened.secrets)
        } catch {
            guard case .sealed = error else { throw error }
            return try KeePassXML.attachments(in: try export(of: copy.path, copy.password, nil))
        }
    }

    private func run(_ words: [String], _ passwords: [Passcode]) throws(ImportError) -> ImportedBytes {
        for password in passwords {
            // It reads a line for each, so it would take the beginning for the whole.
            let bytes = ImportedBytes(password.bytes.clone())
            guard bytes.index(of: ASCII.newline, in: bytes.all) == nil, bytes[bytes.count - 1] != ASCII.carriageReturn
            else { throw .wrongPassword }
        }
        let outcome = try OtherProgram.output(
            of: .keepassxc, [program, words[0], "--quiet"] + words.dropFirst(), environment, lines: passwords,
            limit: ImportLimits.largestSum, seconds: seconds)
        switch outcome {
        case .text(let xml): return xml
        case .failed(1, _, _): throw .wrongPassword
        case .failed(let code, _, _): throw .failed(.keepassxc, code: code)
        case .tooLong: throw .tooLarge
        }
    }
}

/// A database in memory for a moment, under a password that nobody else knows.
private struct SealedCopy {
    let path: String
    let password: Passcode
    private let folder: MemoryFolder

    init(_ environment: [String]) throws(ImportError) {
        let own = environment.first { $0.utf8.starts(with: "XDG_RUNTIME_DIR=/".utf8) }
        guard let folder = MemoryFolder(runtimeFolder: own.map { String($0.dropFirst("XDG_RUNTIME_DIR=".count)) })
        else { throw .unreadable(errno: ENOENT) }
        do throws(ImportError) { password = try SealedCopy.freshPassword() } catch {
            folder.remove()
            throw error
        }
        self.folder = folder
        path = folder.path + "/copy.kdbx"
    }

    /// With what a run that was ended leaves beside it.
    func remove() { folder.remove() }

    private static func freshPassword() throws(ImportError) -> Passcode {
        let random = try unsafe SecretBytes(count: 32) { (room) throws(ImportError) in
            guard unsafe room.baseAddress.map({ unsafe getentropy($0, room.count) }) == 0 else {
                throw .unreadable(errno: errno)
            }
        }
        let password = unsafe random.withUnsafeBytes { random in
            unsafe Passcode(count: 64) { unsafe Hexadecimal.encode(random, into: $0) }
        }
        guard let password else { throw .unreadable(errno: ENOMEM) }
        return password
    }
}
