// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The packages that keys travel in, around the bytes that `SecKeyCopyExternalRepresentation` gives.
enum KeyPackage {
    private static let zero = Data([2, 1, 0])
    private static let one = Data([2, 1, 1])

    /// A SubjectPublicKeyInfo.
    static func info(_ kind: KeyKind, _ bytes: Data) -> Data { DER.sequence(kind.identifier, DER.bits(bytes)) }

    /// A PKCS#8 (RFC 5208; for curves RFC 5915 and RFC 8410).
    static func pkcs8(_ kind: KeyKind, _ bytes: Data) -> Data {
        let content =
            switch kind {
            case .rsa: bytes
            case .p256, .p384, .p521: DER.sequence(one, DER.octets(bytes.suffix(kind.size)))
            case .ed25519, .ed448, .x25519, .x448: DER.octets(bytes)
            }
        return DER.sequence(zero, kind.identifier, DER.octets(content))
    }

    /// The bytes of both halves out of the packages of `openssl`; nil where they are not as expected.
    static func bytes(_ kind: KeyKind, ofPrivate der: Data, ofPublic info: Data) -> (own: Data, other: Data)? {
        switch kind {
        case .rsa:
            // Behind the algorithm come tag and long length of the string, and its count of unused bits.
            let head = info.count > 4 ? 4 + kind.identifier.count + 5 : info.count
            return (der, Data(info.dropFirst(head)))
        case .p256, .p384, .p521:
            let point = Data(info.suffix(2 * kind.size + 1))
            // Version 1, then the number.
            let mark = one + Data([4, UInt8(kind.size)])
            guard let start = der.range(of: mark)?.upperBound, der.count >= start + kind.size else { return nil }
            return (point + der[start..<start + kind.size], point)
        case .ed25519, .ed448, .x25519, .x448: return (Data(der.suffix(kind.size)), Data(info.suffix(kind.size)))
        }
    }
}
