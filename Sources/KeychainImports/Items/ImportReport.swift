// SPDX-License-Identifier: Apache-2.0

/// What was read, and what there is to say about it.
package struct ImportReport: Sendable {
    package let format: ImportFormat
    /// In the order of the source.
    package internal(set) var items: [ImportedItem] = []
    /// Of an export of our own, which has more than passwords.
    package internal(set) var exported: [ExportedItem] = []
    /// What was left out, and what was changed; in no order.
    package internal(set) var findings: [ImportFinding] = []
    /// How many bytes all that was read takes by now.
    private var sum = 0

    internal init(_ format: ImportFormat) { self.format = format }

    internal mutating func add(_ item: ImportedItem) throws(ImportError) {
        guard items.count < ImportLimits.mostItems else { throw .tooLarge }
        try take(item.size)
        items.append(item)
        for repair in item.repairs { try add(ImportFinding(item.source, item.label, .repaired(repair))) }
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

    /// Says what an item, or the whole source, has that is not taken over.
    internal mutating func leave(
        _ location: SourceLocation, _ label: String = "", _ part: SourcePart, count: Int
    ) throws(ImportError) {
        guard count > 0 else { return }
        try add(ImportFinding(location, label, .left(part, count: count)))
    }

    /// Counts bytes that are kept in memory: a source of many items may say the same long text for each.
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
    /// How many bytes its texts and secrets have.
    fileprivate var size: Int {
        let texts = (attributes + lookup).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        let further = furtherSecrets.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        return account.utf8.count + label.utf8.count + comment.utf8.count + secret.count + texts + further
    }
}

/// Something a person should know about one place of the source.
package struct ImportFinding: Hashable, Sendable {
    package enum Matter: Hashable, Sendable {
        case skipped(SkipReason)
        case left(SourcePart, count: Int)
        case repaired(ImportRepair)
    }

    package let location: SourceLocation
    /// What the item is called there, or nothing.
    package let label: String
    package let matter: Matter

    internal init(_ location: SourceLocation, _ label: String, _ matter: Matter) {
        self.location = location
        self.label = label
        self.matter = matter
    }
}

/// What a source has beside its items, and the keychain has no place for.
package enum SourcePart: Hashable, Sendable, CustomStringConvertible {
    /// What an entry was before it was changed.
    case earlierVersions
    case groupNotes
    /// What plug-ins keep with entries.
    case pluginData
    case autoType
    /// Icons and colours.
    case appearance
    /// Which programs may read an item, by their paths.
    case programLists

    package var isLoss: Bool {
        switch self {
        case .earlierVersions, .groupNotes, .pluginData: true
        case .autoType, .appearance, .programLists: false
        }
    }

    package var description: String {
        switch self {
        case .earlierVersions: "earlier versions of it; the keychain has no history yet"
        case .groupNotes: "the notes of a group; a group is no item here"
        case .pluginData: "what plug-ins keep with entries"
        case .autoType: "rules for typing into other programs"
        case .appearance: "icons and colours"
        case .programLists: "lists of programs that may read an item"
        }
    }
}

/// Why something was not read.
package enum SkipReason: Hashable, Sendable, CustomStringConvertible {
    /// It does not say what it has to, or not so that it can be read.
    case damaged
    /// There is no password in it.
    case noSecret
    /// It is of a kind that is not imported, such as a key or a macro.
    case notAPassword
    /// It names no server.
    case noServer
    /// It is for every host that no other entry names, as the end of a .netrc file may be.
    case everyServer
    /// A name in it is no text.
    case notText
    /// A text in it has a NUL, which no name or note can have here.
    case holdsNUL
    case tooLarge
    /// The export has it encrypted still.
    case encrypted
    /// It says what this version does not know, or not so that it could be an item.
    case notUnderstood
    /// The file ends here too soon, or is damaged from here on.
    case brokenOff
    /// It lies in the source's own recycle bin.
    case discarded
    /// Its password is in another entry, and the reference to that names none, or several.
    case reference
    /// gpg could not decrypt it; with its exit code.
    case notDecrypted(Int32)
    /// It is a link, or otherwise no file.
    case notAFile

    /// Whether there may have been a password that somebody misses now; what nobody wants here is no loss.
    package var isLoss: Bool {
        switch self {
        case .noSecret, .notAPassword, .everyServer, .discarded: false
        case .damaged, .noServer, .notText, .holdsNUL, .tooLarge, .encrypted, .notUnderstood, .brokenOff,
            .notDecrypted, .notAFile, .reference:
            true
        }
    }

    package var description: String {
        switch self {
        case .damaged: "it is damaged"
        case .noSecret: "it has no password"
        case .notAPassword: "it is no password"
        case .noServer: "it names no server"
        case .everyServer: "it names no host, being for all that are not named, and items are for one"
        case .notText: "a name in it is not UTF-8"
        case .holdsNUL: "a text in it has a NUL byte, which only a password can have here"
        case .tooLarge: "it is too large"
        case .encrypted: "it is still encrypted; export it in plain"
        case .notUnderstood: "it says what this version does not know, or contradicts itself"
        case .brokenOff: "the file breaks off or is damaged from here on; what was before it is whole"
        case .discarded: "it is in the recycle bin; --with-recycle-bin takes it"
        case .reference: "its password is a reference that leads to no entry, or to several"
        case .notDecrypted(let code): "gpg could not decrypt it (exit code \(code))"
        case .notAFile: "it is not a regular file"
        }
    }
}

/// What was done to have an item that its source has damaged, or has in another way than the keychain.
package enum ImportRepair: Hashable, Sendable, CustomStringConvertible {
    /// Its secret has newlines, which the source wrote as such in the middle of a file of lines.
    case newlinesRestored
    /// Where its secret ends is a guess: what stands after it is damaged, or may be a part of it.
    case endGuessed
    /// Its secret has a backslash, taken as it stands, which other programs would not do.
    ///
    /// gnome-keyring writes one as it is, and takes it for a newline, a tab or the like when it reads it again; of those
    /// who read .netrc, some take it for an escape.
    case ambiguousBackslash
    /// Names or attributes of it could not be read, and are missing.
    case attributesLost
    /// Texts of it that are no passwords have references that lead nowhere, and stand as they are.
    case referenceKept
    /// The path of its groups is longer than is kept with an item.
    case pathCut
    /// All lines of a file of pass are its password.
    case wholeFile

    package var description: String {
        switch self {
        case .newlinesRestored: "newlines in the secret were restored"
        case .endGuessed:
            "where the secret ends is a guess: lines in it, or after it, look like those of the file itself"
        case .ambiguousBackslash: "a backslash in the secret was taken as it stands; it may stand for a newline or tab"
        case .attributesLost: "some of its attributes are damaged and missing"
        case .referenceKept: "a reference in it leads to no entry, or to several, and stands as it is"
        case .pathCut: "the path of its groups is longer than \(ImportLimits.longestPath) bytes, and was cut"
        case .wholeFile: "the whole file is the password; --first-line takes its first line alone"
        }
    }
}
