// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Objects that programs put into dictionaries, rightly or not; what could be a value holds the word `marker`.
// unsafe: made once, and nobody changes any of them.
enum ObjectZoo {
    /// In every text and every data of the zoo, so that a leak shows.
    static let marker = "kumquat"
    /// A number with the same purpose.
    static let markedNumber: Int64 = 918_273_645

    nonisolated(unsafe) static let all: [AnyObject] = strings + numbers + dates + data + containers + strangers

    nonisolated(unsafe) static let loneSurrogate: NSString = HalfAPair(string: "")

    nonisolated(unsafe) static let strings: [AnyObject] = [
        "" as NSString, marker as NSString, NSMutableString(string: marker + " mutable"), "\(marker)\0nul" as NSString,
        loneSurrogate, String(repeating: marker, count: 200) as NSString, "e\u{301} \(marker)" as NSString,
        "80" as NSString, "080" as NSString, "-9223372036854775809" as NSString, "1" as NSString, "ak" as NSString,
        "akpu" as NSString, "syna" as NSString, "llavero.open" as NSString, "com.apple.token" as NSString,
        "genp" as NSString, "inet" as NSString, "cert" as NSString, "keys" as NSString, "idnt" as NSString,
        "m_LimitAll" as NSString, "m_LimitOne" as NSString, "u_AuthUIS" as NSString, "u_AuthUIF" as NSString,
    ]

    nonisolated(unsafe) static let numbers: [AnyObject] = [
        NSNumber(value: 0), NSNumber(value: 1), NSNumber(value: -1), NSNumber(value: -2), NSNumber(value: markedNumber),
        NSNumber(value: Int64.min), NSNumber(value: Int64.max), NSNumber(value: UInt64.max), NSNumber(value: 1.5),
        NSNumber(value: Double.nan), NSNumber(value: -Double.infinity), NSNumber(value: 1e300), NSNumber(value: 2.0),
        NSNumber(value: Float(0.5)), NSNumber(value: true), NSNumber(value: false), NSNumber(value: Int8(-7)),
        NSDecimalNumber(string: "1.5"), NSDecimalNumber(value: 80), NSDecimalNumber.notANumber,
        NSDecimalNumber.maximum, NSDecimalNumber.minimum,
    ]

    nonisolated(unsafe) static let dates: [AnyObject] = [
        0, 1.5, -1, .nan, .infinity, -.infinity, 252_423_993_599, 252_423_993_600, -63_145_526_400, -63_145_526_401,
        1e-300, Double.leastNonzeroMagnitude, 0.1234567890123, 8e8 + 1e-7, 1e300,
    ].map { NSDate(timeIntervalSinceReferenceDate: $0) }

    nonisolated(unsafe) static let data: [AnyObject] = [
        Data() as NSData, Data(marker.utf8) as NSData, NSMutableData(data: Data(marker.utf8)),
        Data([0xFF, 0xFE, 0x80, 0]) as NSData, Data(repeating: 0, count: 16) as NSData,
        Data(repeating: 7, count: 20) as NSData, Data("genp".utf8) as NSData,
        Data("genp1234567890123456".utf8) as NSData, Data("keys12345678".utf8) as NSData,
        Data("idnt1234567890123456".utf8) as NSData, Data("tkpr\(marker)".utf8) as NSData,
        Data(repeating: 0x6B, count: 70_000) as NSData,
    ]

    nonisolated(unsafe) static let containers: [AnyObject] = [
        NSArray(), [marker as NSString] as NSArray, [Data("genp1234567890123456".utf8)] as NSArray,
        [Data("genp1234567890123456".utf8), Data("keys1234567890123456".utf8)] as NSArray,
        [[[NSNull()]]] as NSArray, NSDictionary(), ["acct": ["acct": marker]] as NSDictionary, NSSet(array: [marker]),
        NSMutableArray(array: [1, marker]),
    ]

    nonisolated(unsafe) static let strangers: [AnyObject] = [
        NSNull(), NSUUID(), NSObject(), NSError(domain: marker, code: 3), Thread.current,
        URL(fileURLWithPath: "/" + marker) as NSURL, (1, marker) as AnyObject, IndexSet(integer: 3) as NSIndexSet,
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [], nil) ?? NSNull(),
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [.userPresence], nil) ?? NSNull(),
        { @Sendable in 7 } as AnyObject,
    ]

    /// Every key the four functions know, and some that only look like one.
    static let keys: [String] =
        [
            "class", "pdmn", "accc", "agrp", "cdat", "mdat", "labl", "alis", "sync", "vwht", "tkid", "tomb", "musr",
            "sha1", "UUID", "acct", "svce", "gena", "desc", "icmt", "crtr", "type", "invi", "nega", "prot", "scrp",
            "cusi", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "subj", "issr", "slnr", "skid", "pkhh", "ctyp",
            "cenc", "kcls", "klbl", "atag", "perm", "priv", "modi", "bsiz", "esiz", "sdat", "edat", "sens", "extr",
            "encr", "sign", "wrap", "nleg", "clip", "ggrp", "binn",
        ] + [
            "m_Limit", "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent",
            "m_HostOrSubdomainOfHost", "m_SubjectContains", "m_CaseInsensitive", "m_ItemList", "m_SearchList", "m_New",
            "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "v_Data", "v_Ref", "v_PersistentRef", "u_ItemList",
            "u_Keychain", "u_Tomb", "u_CredRef", "u_AuthCtx", "u_OpPrompt", "u_NoAuthUI", "u_AuthUI", "u_CallerName",
            "u_Other", "f_Callback", "r_Other", "v_Other", "", "x", "zzzz", "\u{1F511}\u{1F511}\u{1F511}\u{1F511}",
            "acc\0", "ACCT", "a longer key that nobody knows", "e\u{301}ab",
        ]
}
