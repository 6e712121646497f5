// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
package import KeychainOneTimeCodes

/// The imported items, and findings about the source.
package struct ImportReport: Sendable {
    package let format: ImportFormat
    /// In the order of the source.
    package internal(set) var items: [ImportedItem] = []
    /// From an export of `llavero`, which has more than passwords.
    package internal(set) var exported: [ExportedItem] = []
    /// Entries that were left out or changed; in no order.
    package internal(set) var findings: [ImportFinding] = []
    /// Whether another program has opened it, since OpenSSL could not.
    package internal(set) var isOpenedByKeePassXC = false
    /// The number of bytes read so far.
    private var sum = 0

    internal init(_ format: ImportFormat) { self.format = format }

    internal mutating func add(_ item: ImportedItem) throws(ImportError) {
        guard items.count < ImportLimits.mostItems else { throw .tooLarge }
        try take(item.size)
        items.append(item)
        for repair in item.repairs + item.codeRepairs {
            try add(ImportFinding(item.source, item.label, .repaired(repair)))
        }
    }

    internal mutating func add(_ item: ExportedItem) throws(ImportError) {
        guard exported.count < ImportLimits.mostItems else { throw .tooLarge }
        exported.append(item)
    }

    internal mutating func skip(
        _ location: SourceLocation, _ label: String = "", _ reason: SkipReason
    ) throws(ImportError) {
        try add(ImportFinding(location, label, .skipped(reason)))
    }

    /// Reports a part of an item, or of the whole source, that is not imported.
    internal mutating func leave(
        _ location: SourceLocation, _ label: String = "", _ part: SourcePart, count: Int
    ) throws(ImportError) {
        guard count > 0 else { return }
        try add(ImportFinding(location, label, .left(part, count: count)))
    }

    /// Counts bytes in memory: a source with many items may repeat a long text for each.
    private mutating func take(_ size: Int) throws(ImportError) {
        sum += size
        guard sum <= ImportLimits.largestSum else { throw .tooLarge }
    }

    private mutating func add(_ finding: ImportFinding) throws(ImportError) {
        guard findings.count < ImportLimits.mostItems else { throw .tooLarge }
        try take(finding.label.utf8.count)
        findings.append(finding)
    }
}

extension ImportedItem {
    /// What is said of seeds that do not become the item's one-time code.
    fileprivate var codeRepairs: [ImportRepair] {
        var hasCode = false
        return furtherSecrets.filter { $0.part == .oneTimeCode }.compactMap { seed in
            guard (try? OneTimeCode(SecretValue(copying: seed.value.bytes))) != nil else { return .codeNotUnderstood }
            defer { hasCode = true }
            return hasCode ? .furtherCode : nil
        }
    }

    /// The number of bytes of its texts and secrets.
    fileprivate var size: Int {
        let texts =
            (attributes + lookup).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            + tags.reduce(0) { $0 + $1.utf8.count }
        let further = furtherSecrets.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        let other = otherReading.reduce(0) { $0 + $1.size }
        return account.utf8.count + label.utf8.count + comment.utf8.count + secret.count + texts + further + other
    }
}

/// A remark for the person about one place of the source.
package struct ImportFinding: Hashable, Sendable {
    package enum Matter: Hashable, Sendable {
        case skipped(SkipReason)
        case left(SourcePart, count: Int)
        case repaired(ImportRepair)
    }

    package let location: SourceLocation
    /// The item's name there, or empty.
    package let label: String
    package let matter: Matter

    internal init(_ location: SourceLocation, _ label: String, _ matter: Matter) {
        self.location = location
        self.label = label
        self.matter = matter
    }
}

/// Parts of a source that the keychain cannot store.
package enum SourcePart: Hashable, Sendable, CustomStringConvertible {
    /// Earlier versions of an entry.
    case earlierVersions
    case groupNotes
    /// Data of plug-ins in entries.
    case pluginData
    case autoType
    /// Icons and colours.
    case appearance
    /// The programs that may read an item, by their paths.
    case programLists

    package var isLoss: Bool {
        switch self {
        case .earlierVersions, .groupNotes, .pluginData: true
        case .autoType, .appearance, .programLists: false
        }
    }

    package var description: String {
        switch self {
        case .earlierVersions: "earlier versions of the entry; an import takes none over into `llavero history`"
        case .groupNotes: "the notes of a group; the keychain has no groups of items"
        case .pluginData: "data of plug-ins"
        case .autoType: "auto-type rules"
        case .appearance: "icons and colours"
        case .programLists: "lists of programs that may read an item"
        }
    }
}

/// Why an entry was not imported.
package enum SkipReason: Hashable, Sendable, CustomStringConvertible {
    /// It is incomplete or malformed.
    case damaged
    /// A row of a table has a quote in a field without quotes around it.
    case bareQuote
    /// It has no password.
    case noSecret
    /// It is of another kind, such as a key or a macro.
    case notAPassword
    /// It names no server.
    case noServer
    /// It is the default for all other hosts, as at the end of a .netrc file.
    case everyServer
    /// A name in it is not text.
    case notText
    /// A text in it has a NUL, which a name or note cannot have here.
    case holdsNUL
    case tooLarge
    /// It is still encrypted in the export.
    case encrypted
    /// It has members that this version does not support, or is inconsistent.
    case notUnderstood
    /// It says that it belongs to what a keychain keeps of its circle.
    case ofCircle
    /// The file is truncated or damaged from here on.
    case brokenOff
    /// It is in the source's recycle bin.
    case discarded
    /// Its password is a reference to another entry, which fits none or several.
    case reference
    /// gpg could not decrypt it; with its exit code, and what it said of it.
    case notDecrypted(Int32, why: String)
    /// The Mac did not give its password into the dump.
    case notDumped
    /// gpg asked for its passphrase, and nobody gave it.
    case passphraseNotGiven
    /// gpg did not open it without a question, and was to ask none after one that had no answer.
    case notAskedAgain
    /// It is a link, or otherwise not a regular file.
    case notAFile
    /// It is a folder that cannot be read.
    case folderNotRead(errno: Int32)
    /// It is a link to a folder that it lies in.
    case linkToItsFolder
    /// An attachment of which KeePassXC's export has the name alone.
    case notGivenOut
    /// It is no seed of one-time codes.
    case noSeed(OneTimeCodeError)
    /// A part of an export that is not in the file.
    case partMissing

    /// Whether a password may be missing; things that are not passwords are not a loss.
    package var isLoss: Bool {
        switch self {
        case .noSecret, .notAPassword, .everyServer, .discarded, .linkToItsFolder: false
        case .damaged, .bareQuote, .noServer, .notText, .holdsNUL, .tooLarge, .encrypted, .notUnderstood, .ofCircle,
            .brokenOff, .notDecrypted, .notDumped, .passphraseNotGiven, .notAskedAgain, .notAFile, .reference,
            .notGivenOut, .noSeed, .partMissing, .folderNotRead:
            true
        }
    }

    package var description: String {
        switch self {
        case .damaged: "it is damaged"
        case .bareQuote: "it has a quote inside a field that is not quoted"
        case .noSecret: "it has no password"
        case .notAPassword: "it is not a password"
        case .noServer: "it names no server"
        case .everyServer: "it is the default for all other hosts, but an item is for one host"
        case .notText: "a name in it is not UTF-8"
        case .holdsNUL: "a text in it has a NUL byte, which only a password may have"
        case .tooLarge: "it is too large"
        case .encrypted: "it is still encrypted; export it unencrypted"
        case .notUnderstood: "it has members that this version does not support, or is inconsistent"
        case .ofCircle: "it belongs to the circle of another keychain"
        case .brokenOff: "the file is truncated or damaged from here on; everything before is complete"
        case .discarded: "it is in the recycle bin; --with-recycle-bin imports it"
        case .reference: "its password is a reference to no entry, or to several"
        case .notDecrypted(let code, let why):
            "gpg could not decrypt it (exit code \(code))" + (why.isEmpty ? "" : ": \(why)")
        case .notDumped:
            "its password is not in the dump; `security dump-keychain -d` on the Mac decrypts it, where each question is allowed"
        case .passphraseNotGiven: "its passphrase was not given to gpg"
        case .notAskedAgain:
            "gpg does not open it without asking, and was not to ask again: a passphrase was not given before"
        case .notAFile: "it is not a regular file"
        case .folderNotRead(let code):
            "the folder cannot be read, and nothing in it was: \(unsafe String(cString: strerror(code)))"
        case .linkToItsFolder: "it is a link to a folder that it is in, whose passwords are read already"
        case .noSeed(let error): "\(error)"
        case .partMissing: "this part of the export is not in the file; scan its code, too, and import what it says"
        case .notGivenOut:
            "KeePassXC's export has its name alone; import the database itself, or save this file from KeePassXC"
        }
    }
}

/// A change that was needed to import an item that is damaged, or stored differently, in its source.
package enum ImportRepair: Hashable, Sendable, CustomStringConvertible {
    /// Its secret has newlines, which the source wrote unescaped into a line-based file.
    case newlinesRestored
    /// The end of its secret is a guess: the lines after it are damaged, or may be part of it.
    case endGuessed
    /// Its secret has a backslash, taken literally, which other programs may not do.
    ///
    /// gnome-keyring writes a backslash unescaped, but reads it as an escape; some programs that read .netrc treat it as an
    /// escape.
    case ambiguousBackslash
    /// Some of its names or attributes could not be read and are missing.
    case attributesLost
    /// Some of its texts, other than passwords, have references that cannot be resolved; these are kept literally.
    case referenceKept
    /// The path of its groups is longer than the limit.
    case pathCut
    /// All lines of a pass file are its password.
    case wholeFile
    /// The seed of one-time codes, or the URL with it, is damaged or of a kind that is not computed.
    case codeNotUnderstood
    /// It has two seeds, and an item has one code.
    case furtherCode

    package var description: String {
        switch self {
        case .newlinesRestored: "newlines in the secret were restored"
        case .endGuessed:
            "the end of the secret is a guess: lines in it, or after it, look like lines of the file format"
        case .ambiguousBackslash: "a backslash in the secret was taken literally; it may stand for a newline or tab"
        case .attributesLost: "some of its attributes are damaged and missing"
        case .referenceKept: "a reference in it fits no entry, or several, and was kept literally"
        case .pathCut: "the path of its groups is longer than \(ImportLimits.longestPath) bytes and was cut"
        case .wholeFile:
            "the whole file is the password; with --first-line that is its first line"
        case .codeNotUnderstood:
            "its one-time code was not understood, and is kept as a secret field; `llavero edit NAME --code` takes the right one"
        case .furtherCode: "it has a second one-time code, which is kept as a secret field"
        }
    }
}
