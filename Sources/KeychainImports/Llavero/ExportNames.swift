// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// The names in an export of `llavero`, and in the tools' other output.
package enum ExportNames {
    /// The version of the format.
    package static let version = 2

    /// The columns of an export as a table.
    ///
    /// A spreadsheet takes some cells for formulas, which may start programs, so an apostrophe is put before such cells. The last
    /// column lists the columns with an added apostrophe, so that an import does not remove one that belongs to a password.
    package static let columns = ["Title", "URL", "Username", "Password", "Notes", "OTPAuth", "Escaped"]

    /// Whether a cell that begins with this byte may be taken for a formula; spreadsheets skip leading tabs and line ends.
    package static func beginsFormula(_ byte: UInt8) -> Bool { "=+-@\t\r\n".utf8.contains(byte) }

    package static func name(of itemClass: ItemClass) -> String {
        switch itemClass {
        case .genericPassword: "password"
        case .internetPassword: "internet"
        case .certificate: "certificate"
        case .key: "key"
        }
    }

    package static func itemClass(named name: String) -> ItemClass? {
        ItemClass.allCases.first { ExportNames.name(of: $0).hasSameBytes(as: name) }
    }

    package static func name(of protection: Accessibility) -> String {
        switch protection {
        case .whenUnlocked: "when-unlocked"
        case .afterFirstUnlock: "after-first-unlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
        case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
        case .alwaysThisDeviceOnly: "always-this-device-only"
        case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
        }
    }

    package static func protection(named name: String) -> Accessibility? {
        Accessibility.allCases.first { ExportNames.name(of: $0).hasSameBytes(as: name) }
    }

    /// Apple's four-letter name where there is no word.
    package static func name(of attribute: Attribute) -> String { words[attribute] ?? attribute.key }

    package static func attribute(named name: String) -> Attribute? { attributes[Array(name.utf8)] }

    /// Attributes that an export omits, or has as separate members: the access control, and values that the keychain sets.
    package static func isLeftOut(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .accessible, .accessControl, .multiUser, .digest, .syncIdentifier, .tombstone, .tokenID: true
        default: false
        }
    }

    private static let attributes: [[UInt8]: Attribute] = {
        var attributes: [[UInt8]: Attribute] = [:]
        for attribute in Attribute.allCases { attributes[Array(name(of: attribute).utf8)] = attribute }
        return attributes
    }()

    private static let words: [Attribute: String] = [
        .label: "label", .account: "user", .service: "service", .server: "server", .protocol: "protocol",
        .port: "port", .path: "path", .securityDomain: "domain", .authenticationType: "authentication",
        .comment: "note", .itemDescription: "description", .generic: "generic", .creator: "creator",
        .type: "type", .isInvisible: "invisible", .isNegative: "negative", .creationDate: "created",
        .modificationDate: "changed", .accessGroup: "group", .synchronizable: "synchronizable",
        .subject: "subject", .issuer: "issuer", .serialNumber: "serial", .publicKeyHash: "public-key-hash",
        .applicationLabel: "application-label", .applicationTag: "application-tag", .keyClass: "key-class",
        .keySizeInBits: "bits", .effectiveKeySize: "effective-bits", .canSign: "signs", .canVerify: "verifies",
        .canEncrypt: "encrypts", .canDecrypt: "decrypts", .canDerive: "derives", .canWrap: "wraps",
        .canUnwrap: "unwraps", .isPermanent: "permanent", .isExtractable: "extractable", .isSensitive: "sensitive",
        .startDate: "begins", .endDate: "ends", .tokenID: "token", .alias: "alias", .viewHint: "view",
        .subjectKeyID: "subject-key-id", .certificateType: "certificate-type",
        .certificateEncoding: "certificate-encoding",
    ]
}

/// Dates in an export: ISO 8601 in UTC, with as many digits as the date has.
package enum ExportDate {
    /// nil for a date outside of the calendar.
    package static func text(_ date: Double) -> String? {
        guard let digits = try? GeneralizedTime.encode(date) else { return nil }
        var text: [UInt8] = []
        for (place, byte) in digits.enumerated() {
            if let mark = marks[place] { text.append(mark) }
            text.append(byte)
        }
        return String(validating: text, as: UTF8.self)
    }

    /// nil for any text other than the one that `text` returns.
    package static func date(_ text: String) -> Double? {
        let digits = text.utf8.filter { !marks.values.contains($0) }
        guard let date = try? GeneralizedTime.decode(digits), self.text(date) == text else { return nil }
        return date
    }

    /// The separators, by the index of the digit after them.
    private static let marks: [Int: UInt8] = [
        4: UInt8(ascii: "-"), 6: UInt8(ascii: "-"), 8: UInt8(ascii: "T"), 10: UInt8(ascii: ":"),
        12: UInt8(ascii: ":"),
    ]
}
