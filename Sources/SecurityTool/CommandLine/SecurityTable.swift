// SPDX-License-Identifier: Apache-2.0

/// All subcommands, in the order that they are listed in.
enum SecurityTable {
    static var all: [any SecurityVerb.Type] {
        [
            HelpSubcommand.self, AddGenericPassword.self, AddInternetPassword.self, FindGenericPassword.self,
            FindInternetPassword.self, DeleteGenericPassword.self, DeleteInternetPassword.self,
        ]
    }

    static func verb(_ name: String) -> (any SecurityVerb.Type)? { all.first { $0.name == name } }

    static func help(of verb: any SecurityVerb.Type) -> String { "Usage: security \(verb.name) \(verb.usage)" }

    /// The first line of it.
    static func synopsis(of verb: any SecurityVerb.Type) -> Substring {
        verb.usage.prefix { !$0.isNewline }
    }
}
