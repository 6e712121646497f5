// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// All subcommands, in the order that they are listed in.
enum SecurityTable {
    static var all: [any SecurityVerb.Type] {
        [
            HelpSubcommand.self, ListKeychains.self, DefaultKeychain.self, LoginKeychain.self, CreateKeychain.self,
            DeleteKeychain.self, SetKeychainSettings.self, ShowKeychainInfo.self, LockKeychain.self,
            UnlockKeychain.self, SetKeychainPassword.self,
            AddGenericPassword.self, AddInternetPassword.self,
            FindGenericPassword.self, FindInternetPassword.self, DeleteGenericPassword.self,
            DeleteInternetPassword.self, SetGenericPasswordPartitionList.self,
            SetInternetPasswordPartitionList.self, FindKey.self, SetKeyPartitionList.self, DumpKeychain.self,
            FindCertificate.self, FindIdentity.self, DeleteCertificate.self, DeleteIdentity.self, ImportItems.self,
            ExportItems.self, VerifyCertificate.self, AddCertificates.self, ExplainError.self,
        ]
    }

    /// The subcommand of that name, or the only one whose name begins so: `list-keychain` is what many scripts say.
    static func verb(_ name: String) -> (any SecurityVerb.Type)? {
        if let verb = all.first(where: { $0.name == name }) { return verb }
        let candidates = all.filter { !name.isEmpty && $0.name.hasPrefix(name) }
        return candidates.count == 1 ? candidates.first : nil
    }

    /// What somebody may have meant who wrote one that there is not.
    static func question(_ name: String) -> String { Suggestion.question(name, among: all.map { $0.name }) }

    static func help(of verb: any SecurityVerb.Type) -> String { "Usage: security \(verb.name) \(verb.usage)" }

    /// The first line of it.
    static func synopsis(of verb: any SecurityVerb.Type) -> Substring {
        verb.usage.prefix { !$0.isNewline }
    }
}
