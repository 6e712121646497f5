// SPDX-License-Identifier: Apache-2.0

/// Something that the tool can do.
///
/// A new one is a file in `Verbs/` and a line in `VerbTable`.
protocol Verb {
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// What `llavero help NAME` prints, from "usage:" on.
    static var help: String { get }

    /// Does it; what it prints is the answer, everything else is thrown.
    static func run(_ words: ArraySlice<String>) throws(CommandError)
}

/// All verbs, in the order that they are listed in.
enum VerbTable {
    static var all: [any Verb.Type] {
        [
            StatusVerb.self, UnlockVerb.self, LockVerb.self, PasscodeVerb.self, RecoveryVerb.self, AuditVerb.self,
            SignVerb.self, VerifyVerb.self, SignKeyVerb.self, HelpVerb.self, VersionVerb.self,
        ]
    }

    static func verb(_ name: String) -> (any Verb.Type)? {
        switch name {
        case "--help", "-h": HelpVerb.self
        case "--version": VersionVerb.self
        default: all.first { $0.name == name }
        }
    }
}
