// SPDX-License-Identifier: Apache-2.0

package import KeychainTools

/// `security`, as on a Mac: the same subcommands, output and exit codes.
package enum SecurityTool {
    /// Runs the command line, and ends the program.
    package static func main(_ words: ArraySlice<String>) -> Never {
        Tool.end(Session.run(words))
    }

    /// Runs one command line; returns the exit code.
    package static func run(_ words: ArraySlice<String>) -> Int32 { Session.run(words) }

    /// For shell completion: each subcommand with its summary and its options.
    package static var subcommands: [(name: String, summary: String, options: [HelpText.Option])] {
        SecurityTable.all.map { verb in
            (verb.name, verb.summary, HelpText("usage: security \(verb.name) \(verb.usage)").options)
        }
    }

    /// Its manual page.
    package static var manual: String { SecurityManual.page }
}

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
            ExportItems.self, VerifyCertificate.self, AddCertificates.self, AddTrustedCertificate.self,
            RemoveTrustedCertificate.self, DumpTrustSettings.self, ExportTrustSettings.self, ImportTrustSettings.self,
            MessageVerb.self, ExplainError.self,
        ]
    }

    /// The subcommand of that name, or the only one whose name begins so: `list-keychain` is what many scripts say.
    static func verb(_ name: String) -> (any SecurityVerb.Type)? {
        if let verb = all.first(where: { $0.name == name }) { return verb }
        let candidates = all.filter { !name.isEmpty && $0.name.hasPrefix(name) }
        return candidates.count == 1 ? candidates.first : nil
    }

    /// Subcommands that are close to an unknown one.
    static func question(_ name: String) -> String { Suggestion.question(name, among: all.map { $0.name }) }

    static func help(of verb: any SecurityVerb.Type) -> String { "Usage: security \(verb.name) \(verb.usage)" }

    /// The first line of the help.
    static func synopsis(of verb: any SecurityVerb.Type) -> Substring {
        verb.usage.prefix { !$0.isNewline }
    }
}

/// A subcommand of `security`.
///
/// A new one needs a file in `Verbs/`, or a place beside similar ones, and a line in `SecurityTable`.
protocol SecurityVerb {
    static var name: String { get }
    /// One line for the list of subcommands.
    static var summary: String { get }
    /// Its help, from the arguments after the name on.
    static var usage: String { get }

    /// Runs it; it prints the result, and throws everything else.
    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure)
}
