// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// All verbs, in the order that they are listed in.
enum VerbTable {
    static var all: [any Verb.Type] {
        [
            AddVerb.self, GetVerb.self, ListVerb.self, SearchVerb.self, ShowVerb.self, EditVerb.self, RenameVerb.self,
            RemoveVerb.self, CopyVerb.self, RunVerb.self, GenerateVerb.self, KeychainsVerb.self, GroupsVerb.self,
            ImportVerb.self, ExportVerb.self,
            DumpVerb.self, CheckVerb.self, DoctorVerb.self, CompletionVerb.self,
            StatusVerb.self, UnlockVerb.self, LockVerb.self, SettingsVerb.self, PasscodeVerb.self, RotateKeysVerb.self,
            RecoveryVerb.self, AuditVerb.self, PromptAgentVerb.self,
            SSHAddVerb.self,
            SignVerb.self, VerifyVerb.self, SignKeyVerb.self, HelpVerb.self, VersionVerb.self,
        ]
    }

    /// Those that other programs call.
    static var hidden: [any Verb.Type] { [ClipboardKeeperVerb.self, ManualVerb.self] }

    /// What is said of a verb that there is not.
    static func nothing(called name: String) -> String {
        "there is no verb \(PlainText.shown(name))\(Suggestion.question(name, among: all.map { $0.name }))"
    }

    static func verb(_ name: String) -> (any Verb.Type)? {
        switch name {
        case "--help", "-h": HelpVerb.self
        case "--version": VersionVerb.self
        default: (all + hidden).first { $0.name == name }
        }
    }
}
