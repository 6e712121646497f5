// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding

/// The content of an OBJECT IDENTIFIER.
package struct ObjectIdentifier: Hashable, Sendable {
    package let content: [UInt8]

    package init(content: some Sequence<UInt8>) {
        self.content = Array(content)
    }

    /// The identifier of an element that is one.
    package init?(_ value: DERValue?) {
        guard let value, value.tag == DERTag.objectIdentifier, value.isStrictPrimitive else { return nil }
        content = Array(value.content)
    }

    /// The identifier of that content; nil when it is malformed.
    package init?(strict content: [UInt8]) {
        guard DERReader.isStrictPrimitive(DERTag.objectIdentifier, content.span) else { return nil }
        self.content = content
    }

    /// The identifier in dots ("2.5.29.37"); nil when it is malformed.
    package init?(dotted text: String) {
        var arcs: [UInt64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let arc = UInt64(part), arc <= Self.largestArc, String(arc) == part else { return nil }
            arcs.append(arc)
        }
        guard arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
        var content = Self.encoded(arcs[0] * 40 + arcs[1])
        for arc in arcs.dropFirst(2) { content += Self.encoded(arc) }
        self.content = content
    }

    private static func encoded(_ arc: UInt64) -> [UInt8] {
        var bytes = [UInt8(arc & 0x7F)]
        var rest = arc >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    private static let largestArc: UInt64 = 1 << 56
}

extension ObjectIdentifier: CustomStringConvertible {
    package var description: String {
        var arcs: [String] = []
        var arc: UInt64 = 0
        for byte in content {
            // Longer arcs are cut; they are for people to read.
            arc = arc << 7 | UInt64(byte & 0x7F)
            guard byte < 0x80 else { continue }
            if arcs.isEmpty {
                let first = min(arc / 40, 2)
                arcs = [String(first), String(arc - first * 40)]
            } else {
                arcs.append(String(arc))
            }
            arc = 0
        }
        return arcs.joined(separator: ".")
    }
}

extension ObjectIdentifier {
    // Attributes of names.
    package static let commonName = ObjectIdentifier(content: [0x55, 0x04, 0x03])
    package static let serialNumber = ObjectIdentifier(content: [0x55, 0x04, 0x05])
    package static let country = ObjectIdentifier(content: [0x55, 0x04, 0x06])
    package static let locality = ObjectIdentifier(content: [0x55, 0x04, 0x07])
    package static let stateOrProvince = ObjectIdentifier(content: [0x55, 0x04, 0x08])
    package static let organization = ObjectIdentifier(content: [0x55, 0x04, 0x0A])
    package static let organizationalUnit = ObjectIdentifier(content: [0x55, 0x04, 0x0B])
    package static let nameDescription = ObjectIdentifier(content: [0x55, 0x04, 0x0D])
    package static let domainComponent = ObjectIdentifier(
        content: [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x19])
    package static let emailAddress = ObjectIdentifier(content: pkcs9 + [0x01])

    // Extensions.
    package static let subjectKeyIdentifier = ObjectIdentifier(content: [0x55, 0x1D, 0x0E])
    package static let keyUsage = ObjectIdentifier(content: [0x55, 0x1D, 0x0F])
    package static let subjectAlternativeName = ObjectIdentifier(content: [0x55, 0x1D, 0x11])
    package static let basicConstraints = ObjectIdentifier(content: [0x55, 0x1D, 0x13])
    package static let extendedKeyUsage = ObjectIdentifier(content: [0x55, 0x1D, 0x25])
    package static let extensionRequest = ObjectIdentifier(content: pkcs9 + [0x0E])

    // Purposes.
    package static let anyPurpose = ObjectIdentifier(content: [0x55, 0x1D, 0x25, 0x00])
    package static let serverAuthentication = ObjectIdentifier(content: purposes + [0x01])
    package static let clientAuthentication = ObjectIdentifier(content: purposes + [0x02])
    package static let codeSigning = ObjectIdentifier(content: purposes + [0x03])
    package static let emailProtection = ObjectIdentifier(content: purposes + [0x04])
    package static let timeStamping = ObjectIdentifier(content: purposes + [0x08])
    package static let ocspSigning = ObjectIdentifier(content: purposes + [0x09])

    // Keys and curves.
    package static let rsa = ObjectIdentifier(content: pkcs1 + [0x01])
    package static let rsaPSS = ObjectIdentifier(content: pkcs1 + [0x0A])
    package static let ellipticCurve = ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    package static let x25519 = ObjectIdentifier(content: [0x2B, 0x65, 0x6E])
    package static let x448 = ObjectIdentifier(content: [0x2B, 0x65, 0x6F])
    package static let ed25519 = ObjectIdentifier(content: [0x2B, 0x65, 0x70])
    package static let ed448 = ObjectIdentifier(content: [0x2B, 0x65, 0x71])
    package static let p256 = ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    package static let p384 = ObjectIdentifier(content: [0x2B, 0x81, 0x04, 0x00, 0x22])
    package static let p521 = ObjectIdentifier(content: [0x2B, 0x81, 0x04, 0x00, 0x23])

    // Signatures.
    package static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    package static let ecdsaSHA2: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    private static let pkcs9: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09]
    private static let purposes: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03]
}

extension DERWriter {
    package static func objectIdentifier(_ identifier: ObjectIdentifier) -> [UInt8] {
        element(DERTag.objectIdentifier, identifier.content)
    }
}

/// An algorithm and its parameters.
package struct AlgorithmIdentifier: Sendable {
    package let identifier: ObjectIdentifier
    package let parameters: DERValue?

    package init?(_ value: DERValue) {
        guard value.tag == DERTag.sequence, let parts = value.elements, (1...2).contains(parts.count),
            let identifier = ObjectIdentifier(parts[0])
        else { return nil }
        self.identifier = identifier
        parameters = parts.count == 2 ? parts[1] : nil
    }

    /// Whether both are one algorithm: equal, or apart by a NULL that one of them has for parameters.
    ///
    /// To write it and to leave it out are both common, and mean the same.
    internal func isSame(as other: AlgorithmIdentifier) -> Bool {
        identifier == other.identifier
            && (parameters?.encoding == other.parameters?.encoding || hasNoParameters && other.hasNoParameters)
    }

    private var hasNoParameters: Bool { parameters.map { $0.tag == DERTag.null && $0.content.isEmpty } ?? true }
}
