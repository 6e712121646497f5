// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// The extensions of a certificate that are used here; each is there once at most.
package struct CertificateExtensions: Hashable, Sendable {
    package private(set) var alternativeNames = AlternativeNames()
    package private(set) var subjectKeyIdentifier: [UInt8]?
    /// nil: not limited.
    package private(set) var keyUsage: KeyUsage?
    /// nil: not limited.
    package private(set) var extendedKeyUsage: [ObjectIdentifier]?
    package private(set) var isCertificateAuthority = false
    package private(set) var pathLength: Int?
    /// Every extension's type and whether a reader that does not know it must refuse the certificate.
    package private(set) var isCritical: [ObjectIdentifier: Bool] = [:]

    internal init() {}

    /// What stands in the SEQUENCE of extensions; nil when one of them is malformed or there twice.
    internal init?(_ sequence: DERValue) {
        guard sequence.tag == DERTag.sequence, let elements = sequence.elements, !elements.isEmpty else { return nil }
        for element in elements {
            guard element.tag == DERTag.sequence else { return nil }
            var cursor = DERCursor(element.content)
            guard let type = ObjectIdentifier(cursor.next()) else { return nil }
            let critical = cursor.next(DERTag.boolean)
            guard let value = cursor.next(DERTag.octetString), cursor.isAtEnd,
                isCritical.updateValue(critical?.content.first ?? 0 != 0, forKey: type) == nil,
                read(type, value.content)
            else { return nil }
        }
    }

    /// false when the value is not what its type says.
    private mutating func read(_ type: ObjectIdentifier, _ value: ArraySlice<UInt8>) -> Bool {
        switch type {
        case .subjectAlternativeName:
            guard let names = AlternativeNames(value) else { return false }
            alternativeNames = names
        case .subjectKeyIdentifier:
            guard let identifier = DERValue(value, tag: DERTag.octetString) else { return false }
            subjectKeyIdentifier = Array(identifier.content)
        case .keyUsage:
            guard let usage = KeyUsage(value) else { return false }
            keyUsage = usage
        case .extendedKeyUsage:
            guard let elements = DERValue(value, tag: DERTag.sequence)?.elements, !elements.isEmpty else {
                return false
            }
            let purposes = elements.compactMap { ObjectIdentifier($0) }
            guard purposes.count == elements.count else { return false }
            extendedKeyUsage = purposes
        case .basicConstraints: return readBasicConstraints(value)
        default: break
        }
        return true
    }

    private mutating func readBasicConstraints(_ value: ArraySlice<UInt8>) -> Bool {
        guard let constraints = DERValue(value, tag: DERTag.sequence), constraints.isStrict else { return false }
        var cursor = DERCursor(constraints.content)
        isCertificateAuthority = cursor.next(DERTag.boolean)?.content.first ?? 0 != 0
        if let length = cursor.next(DERTag.integer) {
            guard let number = length.smallNumber else { return false }
            pathLength = number
        }
        return cursor.isAtEnd
    }
}

/// The names beside the subject that a certificate is for.
package struct AlternativeNames: Hashable, Sendable {
    package private(set) var emailAddresses: [String] = []
    package private(set) var dnsNames: [String] = []
    /// 4 or 16 bytes each.
    package private(set) var addresses: [[UInt8]] = []
    package private(set) var uris: [String] = []

    internal init() {}

    /// The names in an extension's value; nil when it is malformed.
    internal init?(_ bytes: ArraySlice<UInt8>) {
        guard let names = DERValue(bytes, tag: DERTag.sequence)?.elements, !names.isEmpty else { return nil }
        for name in names {
            switch name.tag {
            case DERTag.context(1, isConstructed: false): append(name, to: \.emailAddresses)
            case DERTag.context(2, isConstructed: false): append(name, to: \.dnsNames)
            case DERTag.context(6, isConstructed: false): append(name, to: \.uris)
            case DERTag.context(7, isConstructed: false):
                guard name.content.count == 4 || name.content.count == 16 else { return nil }
                addresses.append(Array(name.content))
            // Other names, X.400 and EDI names, directory names, registered identifiers: they are not used here.
            case 0x88, 0xA0, 0xA3...0xA5: guard name.isStrict else { return nil }
            default: return nil
            }
        }
    }

    // IA5 texts. One with other bytes, or with a NUL, which C code would take for the end of it, is not a name.
    private mutating func append(_ name: DERValue, to list: WritableKeyPath<AlternativeNames, [String]>) {
        guard name.content.allSatisfy({ (0x01..<0x80).contains($0) }) else { return }
        self[keyPath: list].append(String(decoding: name.content, as: UTF8.self))
    }
}

/// What a certificate's key may be used for (RFC 5280 §4.2.1.3).
package struct KeyUsage: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The usages in an extension's value; nil when it is malformed.
    internal init?(_ bytes: ArraySlice<UInt8>) {
        guard let value = DERValue(bytes, tag: DERTag.bitString), value.isStrictPrimitive, value.content.count <= 3
        else { return nil }
        var rawValue: UInt16 = 0
        for (index, byte) in value.content.dropFirst().enumerated() {
            for bit in 0..<8 where byte & (0x80 >> bit) != 0 { rawValue |= 1 << (8 * index + bit) }
        }
        self.rawValue = rawValue
    }

    /// The content of the bit string that says this.
    package var bits: [UInt8] {
        var bytes: [UInt8] = [0, 0]
        for bit in 0..<16 where rawValue & 1 << bit != 0 { bytes[bit / 8] |= 0x80 >> (bit % 8) }
        // A list of named bits ends with its last one.
        while bytes.last == 0 { bytes.removeLast() }
        return [UInt8(bytes.last?.trailingZeroBitCount ?? 0)] + bytes
    }

    package static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    package static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    package static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    package static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    package static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    package static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    package static let crlSigning = KeyUsage(rawValue: 1 << 6)
    package static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    package static let decipherOnly = KeyUsage(rawValue: 1 << 8)
}
