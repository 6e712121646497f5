// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Items with a value in every attribute a program can give, each value belonging to one item alone.
enum Samples {
    static let classes = ["genp", "inet", "cert", "keys"]

    /// What a person calls an item of a class.
    static func words(_ itemClass: String) -> String {
        switch itemClass {
        case "genp": "generic password"
        case "inet": "internet password"
        case "cert": "certificate"
        default: "key"
        }
    }

    /// Attributes whose columns hold hashes: no value of theirs may be readable.
    static let hidden = [
        "genp": ["acct", "svce", "labl", "alis", "desc", "icmt", "prot", "gena"],
        "inet": ["acct", "srvr", "sdmn", "atyp", "path", "labl", "alis", "desc", "icmt", "prot"],
        "cert": ["issr", "slnr", "labl", "alis", "subj", "skid", "pkhh"],
        "keys": ["klbl", "atag", "labl", "alis"],
    ]
    private static let passwordNumbers = ["crtr", "type", "invi", "nega", "scrp", "cusi"]
    static let numbers = [
        "genp": passwordNumbers, "inet": passwordNumbers + ["port", "ptcl"], "cert": ["ctyp", "cenc"],
        "keys": [
            "kcls", "crtr", "type", "bsiz", "esiz", "perm", "priv", "modi", "sens", "asen", "extr", "next", "encr",
            "decr", "drve", "sign", "vrfy", "snrc", "vyrc", "wrap", "unwp",
        ],
    ]

    static func text(_ key: String, _ word: String) -> String { "quetzal/\(key)/\(word)" }

    /// Items one and two differ in every column but the empty ones; two is a synchronizable tombstone.
    static func item(_ itemClass: String, _ number: Int) -> [String: Any] {
        let word = ["zero", "one", "two", "three"][number]
        let isSecond = number == 2
        var item: [String: Any] = [
            "class": itemClass, "agrp": isSecond ? "tamper.two" : "tamper.one", "pdmn": isSecond ? "ck" : "dk",
            "vwht": "view-" + word, "sync": isSecond, "tomb": isSecond,
            "v_Data": Data(text("v_Data", word).utf8),
        ]
        for key in hidden[itemClass] ?? [] { item[key] = text(key, word) }
        for key in numbers[itemClass] ?? [] { item[key] = number }
        if itemClass == "keys" {
            item["sdat"] = Date(timeIntervalSinceReferenceDate: Double(number) * 1000)
            item["edat"] = Date(timeIntervalSinceReferenceDate: Double(number) * 2000)
        }
        return item
    }
}
