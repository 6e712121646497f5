// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The two classes of passwords, and the options that name an item.
enum PasswordKind {
    case generic
    case internet

    var itemClass: ItemClass { self == .generic ? .genericPassword : .internetPassword }

    /// The options that name attributes, all with a value.
    var letters: String { self == .generic ? "a:c:C:D:G:j:l:s:" : "a:c:C:d:D:j:l:p:P:r:s:t:" }

    /// The lines of the help for them where they say what to look for.
    var usage: String { usage(ofNames: "") }

    /// The same where they say what to add, which has to have two of them.
    var usageOfNew: String { usage(ofNames: " (required)") }

    private func usage(ofNames remark: String) -> String {
        switch self {
        case .generic:
            """
              -a ACCOUNT   the account\(remark)
              -s SERVICE   the service\(remark)
              -l LABEL     the label
              -D KIND      the kind of item
              -j COMMENT   a comment
              -G VALUE     the generic attribute
              -c CODE      the creator, four letters
              -C CODE      the type, four letters
            """
        case .internet:
            """
              -a ACCOUNT   the account\(remark)
              -s SERVER    the server\(remark)
              -r CODE      the protocol, four letters: http, htps, ssh, imap
              -p PATH      the path on the server
              -P PORT      the port
              -t CODE      the kind of authentication, four letters: dflt, http, httd, form
              -d DOMAIN    the security domain
              -l LABEL     the label
              -D KIND      the kind of item
              -j COMMENT   a comment
              -c CODE      the creator, four letters
              -C CODE      the type, four letters
            """
        }
    }

    /// The attributes that options name, as they are stored and searched for.
    func attributes(_ options: SecurityOptions) throws(SecurityFailure) -> AttributeList {
        var list = AttributeList()
        for (letter, attribute) in texts {
            if let text = options.value(letter) { list[attribute] = .string(text) }
        }
        for (letter, attribute) in [("c", Attribute.creator), ("C", .type)] {
            if let text = options.value(letter) {
                list[attribute] = .number(Int64(try FourLetters.number(text, of: "-\(letter)")))
            }
        }
        if self == .internet {
            for (letter, attribute) in [("r", Attribute.protocol), ("t", .authenticationType)] {
                if let text = options.value(letter) {
                    list[attribute] = .string(try FourLetters.padded(text, of: "-\(letter)"))
                }
            }
            if let port = try options.number("P", in: 0...Int64(UInt16.max), "a number up to 65535") {
                list[.port] = .number(port)
            }
        }
        return list
    }

    private var texts: [(String, Attribute)] {
        let both: [(String, Attribute)] = [
            ("a", .account), ("D", .itemDescription), ("j", .comment), ("l", .label),
        ]
        switch self {
        case .generic: return both + [("G", .generic), ("s", .service)]
        case .internet: return both + [("d", .securityDomain), ("p", .path), ("s", .server)]
        }
    }

    /// The label of an item that is given none.
    var nameOfUnlabelled: Attribute { self == .generic ? .service : .server }
}

/// Four-letter codes of creators, types and protocols.
enum FourLetters {
    static func number(_ text: String, of option: String) throws(SecurityFailure) -> UInt32 {
        try padded(text, of: option).utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Padded with spaces at the end.
    static func padded(_ text: String, of option: String) throws(SecurityFailure) -> String {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            let hint = text.lowercased() == "https" ? ": htps" : ""
            throw .usage("\(option) requires a code of four letters\(hint)")
        }
        return text + String(repeating: " ", count: 4 - text.utf8.count)
    }
}
