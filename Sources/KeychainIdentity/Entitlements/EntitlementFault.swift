// SPDX-License-Identifier: Apache-2.0

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
    /// There are more files than anybody needs.
    case tooManyFiles
}

/// A file that grants nothing although somebody wrote it.
package struct EntitlementReport: Sendable, Equatable {
    /// Its name; that of the folder when the folder is at fault.
    package let file: String
    package let fault: EntitlementFault

    package init(file: String, fault: EntitlementFault) {
        self.file = file
        self.fault = fault
    }
}
