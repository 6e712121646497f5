// SPDX-License-Identifier: Apache-2.0

/// What the model knows of the four classes (semantics §2.2 to 2.5), written down once more and independently.
enum ItemRules {
    static let classes = ["genp", "inet", "cert", "keys"]

    /// The class's own part of its unique key, with the values that stand for "not given".
    static func identity(of itemClass: String) -> Terms {
        switch itemClass {
        case "genp": ["acct": .text(""), "svce": .text("")]
        case "inet":
            [
                "acct": .text(""), "sdmn": .text(""), "srvr": .text(""), "ptcl": .number(0), "atyp": .text(""),
                "port": .number(0), "path": .text(""),
            ]
        case "cert": ["ctyp": .number(0), "issr": .data([]), "slnr": .data([])]
        default:
            [
                "kcls": .number(0), "klbl": .data([]), "atag": .text(""), "crtr": .number(0), "type": .number(0),
                "bsiz": .number(0), "esiz": .number(0), "sdat": .date(0), "edat": .date(0),
            ]
        }
    }

    /// Attributes whose values are equal when their bytes are.
    static let hashed: Set<String> = [
        "labl", "desc", "icmt", "gena", "acct", "svce", "sdmn", "srvr", "atyp", "path", "subj", "issr", "slnr",
        "klbl", "kcls", "atag",
    ]
    private static let dataKind: Set<String> = ["subj", "issr", "slnr", "klbl"]
    private static let numberKind: Set<String> = ["ptcl", "port", "ctyp", "kcls", "crtr", "type", "bsiz", "invi"]

    /// What an attribute becomes on its way in.
    static func coerced(_ term: Term, for key: String) -> Term {
        if dataKind.contains(key) { return .data(term.bytes) }
        if numberKind.contains(key), case .text(let text) = term, let number = Int64(text), "\(number)" == text {
            return .number(number)
        }
        return term
    }

    static func isSame(_ left: Term, _ right: Term, for key: String) -> Bool {
        hashed.contains(key) ? left.bytes == right.bytes : left == right
    }

    static func defaultProtection(of itemClass: String, in group: String) -> String {
        if group == "com.apple.apsd" { return "dku" }
        return itemClass == "cert" ? "dk" : "ak"
    }

    /// What the random dictionaries are made of: few values, so that items meet.
    static func alphabet(of itemClass: String) -> [String: [Term]] {
        let label: [Term] = [.text("red"), .text("blue"), .data(Array("red".utf8))]
        let account: [Term] = [
            .text(""), .text("a"), .data([0x61]), .text("\u{E9}"), .text("e\u{301}"), .number(97), .text("a\0b"),
        ]
        switch itemClass {
        case "genp":
            return [
                "acct": account, "svce": [.text("s"), .text("t"), .data([0x73])], "labl": label,
                "gena": [.data([1, 2]), .data([3])], "desc": [.text("d")], "invi": [.number(1), .number(0)],
                "type": [.text("42"), .number(42), .text("042")],
            ]
        case "inet":
            return [
                "acct": account, "labl": label, "path": [.text("/"), .text("/x")],
                "srvr": [.text("example.com"), .text("www.example.com"), .text("wexample.com"), .data([0x62])],
                "port": [.number(1), .text("\u{1}\0\0\0"), .text("080"), .text("80"), .number(80)],
                "ptcl": [.text("http"), .number(0)],
            ]
        case "cert":
            return [
                "issr": [.data([1]), .data([2]), .text("i")], "slnr": [.data([1]), .data([0x69])], "labl": label,
                "subj": [.data([9])], "ctyp": [.number(1), .text("1"), .number(3)],
            ]
        default:
            return [
                "klbl": [.data([1]), .data([0x6B]), .text("k")], "atag": [.text("t"), .data([0x74])],
                "kcls": [.text("1"), .number(1), .number(0)], "labl": label, "type": [.number(2_147_483_649)],
                "sdat": [.date(0), .date(1500)], "edat": [.date(86_400_000)], "sign": [.number(1)],
            ]
        }
    }
}
