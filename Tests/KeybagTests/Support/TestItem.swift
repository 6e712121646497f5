// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A protection class, by the value of `pdmn`.
enum Protection: String, Sendable, CaseIterable {
    case ak
    case ck
    case dk
    case aku
    case cku
    case dku
    case akpu

    var isThisDeviceOnly: Bool { rawValue.hasSuffix("u") }

    /// Those an item may have while there is no passcode.
    static let withoutPasscode = allCases.filter { $0 != .akpu }
    /// Those a recovery key opens.
    static let movable = allCases.filter { !$0.isThisDeviceOnly }
    static let thisDeviceOnly = allCases.filter(\.isThisDeviceOnly)
}

/// A generic password whose parts all follow from its name.
struct TestItem: Sendable, Hashable {
    let name: String
    let protection: Protection
    var isSynchronizable = false

    init(_ name: String, _ protection: Protection, synchronizable: Bool = false) {
        self.name = "\(protection.rawValue) \(name)"
        self.protection = protection
        isSynchronizable = synchronizable
    }

    var secret: Data { Data("the secret of \(name)".utf8) }

    /// What finds it and nothing else.
    var key: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "keybag tests",
            kSecAttrAccount as String: name,
        ]
        if isSynchronizable { query[kSecAttrSynchronizable as String] = true }
        return query
    }

    /// What adds it.
    var whole: [String: Any] {
        key.merging([kSecAttrAccessible as String: protection.rawValue, kSecValueData as String: secret]) { $1 }
    }

    /// One of each class.
    static func each(_ name: String, of protections: [Protection] = Protection.allCases) -> [TestItem] {
        protections.map { TestItem(name, $0) }
    }

    /// Numbered ones of one class.
    static func many(_ count: Int, _ protection: Protection) -> [TestItem] {
        (0..<count).map { TestItem("number \($0)", protection) }
    }
}
