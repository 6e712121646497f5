// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A kind of key that both sides know.
enum KeyKind: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case rsa = "RSA"
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case ed25519 = "ED25519"
    case ed448 = "ED448"
    case x25519 = "X25519"
    case x448 = "X448"

    static let ec: [KeyKind] = [.p256, .p384, .p521]
    static let edwards: [KeyKind] = [.ed25519, .ed448]
    static let agreeing: [KeyKind] = ec + [.x25519, .x448]

    var testDescription: String { rawValue }

    var type: CFString {
        switch self {
        case .rsa: kSecAttrKeyTypeRSA
        case .p256, .p384, .p521: kSecAttrKeyTypeECSECPrimeRandom
        case .ed25519: kSecAttrKeyTypeEd25519
        case .ed448: kSecAttrKeyTypeEd448
        case .x25519: kSecAttrKeyTypeX25519
        case .x448: kSecAttrKeyTypeX448
        }
    }

    var bits: Int {
        switch self {
        case .rsa: 2048
        case .p256, .ed25519, .x25519: 256
        case .p384: 384
        case .p521: 521
        case .ed448, .x448: 448
        }
    }

    /// The bytes of a coordinate, or of a key that is one number.
    var size: Int {
        switch self {
        case .rsa: 256
        case .p256, .ed25519, .x25519: 32
        case .p384: 48
        case .p521: 66
        case .ed448: 57
        case .x448: 56
        }
    }

    /// What `genpkey` is told.
    var making: [String] {
        switch self {
        case .rsa: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        case .p256, .p384, .p521: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(rawValue)"]
        case .ed25519, .ed448, .x25519, .x448: ["-algorithm", rawValue]
        }
    }

    /// The algorithm and its parameters in a SubjectPublicKeyInfo or a PKCS#8 (RFC 5480, RFC 8410).
    var identifier: Data {
        switch self {
        case .rsa: DER.sequence(DER.identifier([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]), Data([5, 0]))
        case .p256, .p384, .p521: DER.sequence(DER.identifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]), curve)
        case .ed25519: DER.sequence(DER.identifier([0x2b, 0x65, 0x70]))
        case .ed448: DER.sequence(DER.identifier([0x2b, 0x65, 0x71]))
        case .x25519: DER.sequence(DER.identifier([0x2b, 0x65, 0x6e]))
        case .x448: DER.sequence(DER.identifier([0x2b, 0x65, 0x6f]))
        }
    }

    private var curve: Data {
        switch self {
        case .p384: DER.identifier([0x2b, 0x81, 4, 0, 0x22])
        case .p521: DER.identifier([0x2b, 0x81, 4, 0, 0x23])
        default: DER.identifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7])
        }
    }
}
