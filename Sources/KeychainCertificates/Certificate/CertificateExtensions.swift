// SPDX-License-Identifier: Apache-2.0

/// The extensions of a certificate that anybody here asks for; each is there once at most.
package struct CertificateExtensions: Hashable, Sendable {
    package private(set) var alternativeNames = AlternativeNames()
    package private(set) var subjectKeyIdentifier: [UInt8]?
    /// nil: not limited.
    package private(set) var keyUsage: KeyUsage?
    /// nil: not limited.
    package private(set) var extendedKeyUsage: [ObjectIdentifier]?
    package private(set) var isCertificateAuthority = false
    package private(set) var pathLength: Int?
    /// Every extension's type and whether whoever does not know it must refuse the certificate.
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
