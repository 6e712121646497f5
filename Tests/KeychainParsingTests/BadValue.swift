// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// Sendable: the objects are made once and never changed.
/// One wrong entry of a dictionary, and how the four functions refuse it.
struct BadValue: @unchecked Sendable, CustomStringConvertible {
    let itemClass: String
    let key: AnyObject
    let value: AnyObject
    /// In what is added and in queries.
    let status: OSStatus
    /// Among the attributes to update.
    let inChanges: OSStatus

    init(
        _ key: AnyObject, _ value: AnyObject, _ status: OSStatus = errSecParam, inChanges: OSStatus? = nil,
        of itemClass: String = "genp"
    ) {
        self.itemClass = itemClass
        self.key = key
        self.value = value
        self.status = status
        self.inChanges = inChanges ?? status
    }

    init(
        _ key: String, _ value: AnyObject, _ status: OSStatus = errSecParam, inChanges: OSStatus? = nil,
        of itemClass: String = "genp"
    ) {
        self.init(key as NSString, value, status, inChanges: inChanges, of: itemClass)
    }

    var description: String { "\(itemClass) \(key): \(type(of: value)) \("\(value)".prefix(40))" }

    private static func each(_ key: String, _ values: [AnyObject], of itemClass: String = "genp") -> [BadValue] {
        values.map { BadValue(key, $0, of: itemClass) }
    }

    private static let half = NSNumber(value: 1.5)
    private static let nan = NSNumber(value: Double.nan)
    private static let huge = NSNumber(value: UInt64.max)
    nonisolated(unsafe) private static let text: NSString = "kumquat"
    private static let truth = NSNumber(value: true)
    nonisolated(unsafe) private static let bytes = Data([1, 2, 3]) as NSData
    private static let date = NSDate(timeIntervalSinceReferenceDate: 0)
    nonisolated(unsafe) private static let empty = NSArray()
    nonisolated(unsafe) private static let nested = ["acct": "kumquat"] as NSDictionary

    private static func date(_ seconds: Double) -> NSDate { NSDate(timeIntervalSinceReferenceDate: seconds) }

    static let all: [BadValue] = attributes + keys + others

    private static let attributes =
        ["acct", "labl", "svce", "cdat", "pdmn", "accc", "sync", "v_Data", "vwht", "type"].map {
            BadValue($0, NSNull())
        }
        + each("acct", [ObjectZoo.loneSurrogate, truth, date, empty, nested, half, nan, huge, NSUUID(), NSObject()])
        + each("acct", [NSDecimalNumber(string: "1.5"), NSDecimalNumber.notANumber, NSDecimalNumber.maximum])
        + each("gena", [truth, date, empty, half]) + each("type", [bytes, date, empty, half, nan, huge])
        + each("type", [NSDecimalNumber(string: "1.5"), NSNumber(value: 1e300), ObjectZoo.loneSurrogate])
        + each("port", [bytes, date, half], of: "inet") + each("srvr", [truth, date, empty], of: "inet")
        + each("klbl", [truth, half, huge, date], of: "keys") + each("issr", [truth, nan, empty], of: "cert")
        + each("sdat", [text, NSNumber(value: 3), bytes, date(.nan), date(.infinity)], of: "keys")
        + each("cdat", [text, bytes, date(-.infinity), date(252_423_993_600), date(-63_145_526_401), date(1e300)])
        + each("sync", [text, NSNumber(value: 2), bytes, half, "yes" as NSString]) + each("tomb", [text, bytes])
        + each("pdmn", [text, NSNumber(value: 7), truth, "f" as NSString])
        + each("accc", [text, "ak" as NSString, bytes])
        + each("vwht", [truth, NSNumber(value: 3), Data([0xFF]) as NSData]) + each("musr", [bytes, text])
        + each("sha1", [Data(count: 19) as NSData, text, Data() as NSData])
        + each("v_Data", [text, NSNumber(value: 3), empty, NSUUID()])

    private static let keys = [
        BadValue("zzzz", text, errSecNoSuchAttr), BadValue("srvr", text, errSecNoSuchAttr),
        BadValue("UUID", bytes, errSecNoSuchAttr), BadValue("acc\0", text, errSecNoSuchAttr),
        BadValue("clip", truth), BadValue(NSNumber(value: 7), text, errSecNoSuchAttr), BadValue(bytes, text),
        BadValue("", text, inChanges: errSecNoSuchAttr), BadValue("x", text, inChanges: errSecNoSuchAttr),
        BadValue("kumquats", text, inChanges: errSecNoSuchAttr), BadValue("v_Other", text, inChanges: errSecNoSuchAttr),
        BadValue("\0class", text, inChanges: errSecNoSuchAttr),
        BadValue("\0r_Data", truth, inChanges: errSecNoSuchAttr),
        BadValue(ObjectZoo.loneSurrogate, text, inChanges: errSecNoSuchAttr),
    ]

    private static let others =
        [
            ("r_Data", text), ("r_Data", NSNumber(value: 1)), ("r_Other", truth), ("u_AuthUI", text), ("u_Tomb", bytes),
            ("u_CredRef", bytes), ("u_AuthCtx", NSObject()), ("u_Other", truth), ("u_ItemList", text),
            ("u_ItemList", [text] as NSArray), ("m_ItemList", text), ("m_Limit", text),
            ("m_Limit", NSNumber(value: -2)),
            ("m_Limit", half), ("m_Limit", nan), ("m_Limit", truth), ("m_Policy", text), ("m_TrustedOnly", text),
            ("v_PersistentRef", text), ("v_PersistentRef", bytes), ("v_Ref", NSObject()), ("v_Ref", text),
        ].map { (key: String, value: AnyObject) in BadValue(key, value, inChanges: errSecNoSuchAttr) } + [
            BadValue("class", NSNumber(value: 3), inChanges: errSecNoSuchAttr),
            BadValue("class", text, errSecNoSuchClass, inChanges: errSecNoSuchAttr),
            BadValue("agrp", NSNumber(value: 3), errSecMissingEntitlement),
            BadValue("agrp", "" as NSString, errSecMissingEntitlement),
            BadValue("agrp", "llavero.open\0" as NSString, errSecMissingEntitlement),
        ]
}
