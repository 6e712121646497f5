// SPDX-License-Identifier: Apache-2.0

package import ProgramSigning

/// The folder of entitlement files, such as /etc/llavero/entitlements.d.
///
/// Write access there decides who reads which secrets. So each component of the path and each file has to belong
/// to a trusted owner, be writable by no other user, and not be a symbolic link.
package struct EntitlementFolder: Sendable {
    package let path: String
    package let owners: TrustedOwners
    package let groups: GroupDirectory

    package init(path: String, owners: TrustedOwners = .root, groups: GroupDirectory = .system) {
        self.path = path
        self.owners = owners
        self.groups = groups
    }

    /// Reads every file whose name ends in ".plist"; one that cannot be read in full grants nothing and is reported.
    ///
    /// A folder that is not there lists nothing.
    package func load() -> EntitlementTable {
        let folder = GuardedFolder(path: path, owners: owners)
        let (rules, reports) = folder.each { (bytes, name) throws(EntitlementFault) in
            try EntitlementRule(parsing: bytes, file: name, groups: groups)
        }
        return EntitlementTable(rules: rules, reports: reports)
    }
}

/// The rules in force, and the files that gave none.
package struct EntitlementTable: Sendable, Equatable {
    /// In the order of their files' names.
    package let rules: [EntitlementRule]
    package let reports: [EntitlementReport]
    /// What the files claim for programs of their own, contested or not: no other program has these, even a signed one.
    package let identifiers: Set<String>

    /// Takes all rules but those that claim one identifier for several programs, of which none is believed.
    package init(rules: [EntitlementRule], reports: [EntitlementReport]) {
        var accepted: [EntitlementRule] = []
        var reports = reports
        for rule in rules {
            let contester = rules.first { other in
                other.applicationIdentifier != nil && other.applicationIdentifier == rule.applicationIdentifier
                    && !other.match.namesSameProgram(as: rule.match)
            }
            if let contester {
                reports.append(EntitlementReport(file: rule.file, fault: .contestedIdentifier(by: contester.file)))
            } else {
                accepted.append(rule)
            }
        }
        self.rules = accepted
        identifiers = Set(rules.compactMap(\.applicationIdentifier))
        self.reports = reports
    }

    /// Of a system without entitlement files.
    package static let empty = EntitlementTable(rules: [], reports: [])
}

/// Why an entitlement file grants nothing.
package enum EntitlementFault: Error, Sendable, Equatable {
    /// It, or the folder, cannot be relied on or read.
    case file(FileFault)
    /// It is no property list with a dictionary.
    case notAPropertyList
    /// It has a key that means nothing here, so its author meant something else.
    case unknownKey(String)
    /// The value of a key has another type or form.
    case wrongValue(String)
    /// `match` is missing, or names no group, unit or path.
    case matchesAnything
    /// A digest without the path of the file.
    case digestWithoutPath
    /// It grants no group.
    case grantsNothing
    case unknownGroup
    /// The group has members, who could give its mark to a file of theirs.
    case groupHasMembers
    /// The path names an interpreter, which is whatever its script says.
    case interpreter
    /// Another file claims the same application identifier for another program.
    case contestedIdentifier(by: String)
    /// Another signer file has the same key, so that it is open what that may grant.
    case contestedKey(by: String)
    /// Another signer file has the prefix too, or one that is part of the other.
    case contestedPrefix(by: String)
    /// There are more files than the limit.
    case tooManyFiles
}

/// A file that grants nothing because of a fault.
package struct EntitlementReport: Sendable, Equatable {
    /// Its name; that of the folder when the folder is at fault.
    package let file: String
    package let fault: EntitlementFault

    package init(file: String, fault: EntitlementFault) {
        self.file = file
        self.fault = fault
    }
}

extension EntitlementReport: CustomStringConvertible {
    package var description: String { "\(file) grants nothing: \(fault.description)" }
}

extension EntitlementFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(.exposed): "others than root can change it, or a folder above it"
        case .file(.symbolicLink): "it is a symbolic link"
        case .file(.tooLarge): "it is too large"
        case .file(.wrongKind): "it is no file"
        case .file(.system(let number)): "it cannot be read (\(number))"
        case .file(.missing), .file(.changed), .file(.notAPath): "it changed while it was read"
        case .notAPropertyList: "it is no property list with a dictionary"
        case .unknownKey(let key): "\(EntitlementFault.name(of: key)) means nothing here"
        case .wrongValue(let key): "the value of \(EntitlementFault.name(of: key)) has another type or form"
        case .matchesAnything: "match names no group, unit or path"
        case .digestWithoutPath: "it has a digest without the path of a file"
        case .grantsNothing: "it grants no group"
        case .unknownGroup: "there is no such group of users"
        case .groupHasMembers: "the group of users has members, who could give its mark to a file of theirs"
        case .interpreter: "its path names an interpreter, which is whatever its script says"
        case .contestedIdentifier(let other): "\(other) claims the same application identifier"
        case .contestedKey(let other): "\(other) has the same key"
        case .contestedPrefix(let other): "\(other) has the prefix, too"
        case .tooManyFiles: "there are too many files"
        }
    }

    private static func name(of key: String) -> String {
        let isWord = key.utf8.count <= 100 && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isWord ? "the key \(key)" : "one of its keys"
    }
}
