// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// The folder of pass: one file for each password, named after it and encrypted by gpg.
package struct PassFolder: Sendable {
    /// Without a trailing slash.
    package let path: String
    private let gpg: String
    private let environment: [String]
    private let seconds: Int

    /// The folder at a path.
    ///
    /// gpg gets `environment`, as "NAME=value": it finds keys and agent by HOME, GNUPGHOME, GPG_TTY and the like.
    /// `gpg` is the path of the program, and `seconds` the time that a person has for each passphrase.
    package init(path: String, environment: [String], gpg: String = "/usr/bin/gpg", seconds: Int = 300) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == ASCII.slash { path.removeLast() }
        self.path = path
        self.environment = environment
        self.gpg = gpg
        self.seconds = seconds
    }

    /// All passwords that gpg can decrypt; failures are among the findings.
    ///
    /// Whoever does not give a passphrase is not asked again: of the files that follow those are read that gpg opens without a question.
    package func read(_ options: ImportOptions = ImportOptions()) throws(ImportError) -> ImportReport {
        var report = ImportReport(.pass)
        guard !path.contains(byte: 0), unsafe access(gpg, X_OK) == 0 else { throw .notStarted(.gpg, errno: errno) }
        var found = Found()
        var facts = stat()
        let top = unsafe stat(path, &facts) == 0 ? [FolderIdentity(facts)] : []
        try collect("", within: top, &found, &report)
        var mayAsk = true
        for name in found.names {
            let file = "\(path)/\(name).gpg"
            let place = SourceLocation("\(name).gpg")
            // gpg cannot prompt over its stdin, and does not compute trust, which would write to the key ring's folder.
            let words =
                [gpg, "--batch", "--quiet", "--no-tty", "--no-auto-check-trustdb", "--status-fd", "2"]
                + (mayAsk ? [] : ["--pinentry-mode", "cancel"]) + ["--decrypt", "--", file]
            switch try OtherProgram.output(
                of: .gpg, words, environment, limit: ImportLimits.largestPassEntry, seconds: seconds,
                saysWhy: true)
            {
            case .text(let text): try report.add(PassEntry.item(text, name: name, place, options))
            case .failed(let code, let why, .notAsked) where mayAsk:
                try report.skip(place, name, .notDecrypted(code, why: why))
            case .failed(_, _, .notGiven) where mayAsk:
                mayAsk = false
                try report.skip(place, name, .passphraseNotGiven)
            case .failed: try report.skip(place, name, .notAskedAgain)
            case .tooLong: try report.skip(place, name, .tooLarge)
            }
        }
        return report
    }

    private struct Found {
        /// Of passwords, without the ending.
        var names: [String] = []
        var folders = 0
    }

    /// A folder, whichever path leads to it.
    private struct FolderIdentity: Equatable {
        let device: dev_t
        let number: ino_t

        init(_ facts: stat) { (device, number) = (facts.st_dev, facts.st_ino) }
    }

    /// Adds the names of the passwords in a subfolder, which is empty or ends with a slash.
    private func collect(
        _ folder: String, within: [FolderIdentity], _ found: inout Found, _ report: inout ImportReport
    ) throws(ImportError) {
        guard within.count <= ImportLimits.deepestFolder else { throw .tooDeep }
        found.folders += 1
        guard found.folders <= ImportLimits.mostItems else { throw .tooLarge }
        guard let content = try names(in: folder, &report) else { return }
        for name in content where !isOfPrograms(name, in: folder) {
            var facts = stat()
            let below = folder + name
            guard unsafe lstat("\(path)/\(below)", &facts) == 0 else {
                try report.skip(SourceLocation(below), PassFolder.entry(below), .notAFile)
                continue
            }
            // A link to a password counts as one, and a link to a folder as that folder.
            if facts.st_mode & S_IFMT == S_IFLNK, unsafe stat("\(path)/\(below)", &facts) != 0 {
                try report.skip(SourceLocation(below), PassFolder.entry(below), .notAFile)
                continue
            }
            let entry = PassFolder.entry(below)
            let isPassword = entry.utf8.count < below.utf8.count
            switch facts.st_mode & S_IFMT {
            case S_IFDIR:
                let inner = FolderIdentity(facts)
                if within.contains(inner) {
                    try report.skip(SourceLocation(below), entry, .linkToItsFolder)
                } else {
                    try collect(below + "/", within: within + [inner], &found, &report)
                }
            case S_IFREG where isPassword:
                guard found.names.count < ImportLimits.mostItems else { throw .tooLarge }
                found.names.append(entry)
            case S_IFREG: try report.skip(SourceLocation(below), entry, .notAPassword)
            default: try report.skip(SourceLocation(below), entry, .notAFile)
            }
        }
    }

    /// The name of a password by its file's; any other path as it is.
    private static func entry(_ path: String) -> String {
        let isPassword = path.utf8.count > 4 && path.utf8.suffix(4).elementsEqual(".gpg".utf8)
        return isPassword ? String(decoding: path.utf8.dropLast(4), as: UTF8.self) : path
    }

    /// Files of the system, pass and git; any other name may be a password's, with a dot or without.
    private func isOfPrograms(_ name: String, in folder: String) -> Bool {
        switch name {
        case ".", "..", ".gitattributes", ".gitignore", ".gpg-id", ".gpg-id.sig": true
        // A file where the store is a part of another repository; a folder of pass may be called so, too.
        case ".git":
            unsafe access("\(path)/\(folder).git/HEAD", F_OK) == 0 || access("\(path)/\(folder).git/.", F_OK) != 0
        case ".public-keys", ".extensions": folder.isEmpty
        default: false
        }
    }

    /// The names in a folder, in the order of their bytes; nil of a subfolder that cannot be read, which is named.
    private func names(in folder: String, _ report: inout ImportReport) throws(ImportError) -> [String]? {
        let place = folder.isEmpty ? path : "\(path)/\(folder)"
        guard let open = unsafe opendir(place) else {
            guard folder.isEmpty else {
                let reason = SkipReason.folderNotRead(errno: errno)
                try report.skip(SourceLocation(folder), String(folder.dropLast()), reason)
                return nil
            }
            throw errno == ENOTDIR ? .notAFile : .unreadable(errno: errno)
        }
        defer { unsafe closedir(open) }
        var names: [String] = []
        while let entry = unsafe readdir(open) {
            guard names.count < ImportLimits.mostItems else { throw .tooLarge }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                unsafe Array(name.prefix { $0 != 0 })
            }
            if let name = String(validating: bytes, as: UTF8.self) {
                names.append(name)
            } else {
                try report.skip(SourceLocation(folder), String(folder.dropLast()), .notText)
            }
        }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
}
