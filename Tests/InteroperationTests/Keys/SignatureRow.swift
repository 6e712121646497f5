// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A signature algorithm (semantics §1.9), what is signed with it, and what `openssl` calls it.
struct SignatureRow: Sendable {
    /// How `openssl` signs and verifies.
    enum Command: Sendable {
        /// A message, through `dgst` with these options.
        case message([String])
        /// What was digested already, through `pkeyutl` with these.
        case digest([String])
        /// A number as large as the modulus, which `pkeyutl` takes for no digest.
        case number
        /// A message in one piece.
        case wholeMessage
    }

    /// How our signature differs from that of `openssl`.
    enum Form: Sendable {
        case same
        /// r and s side by side, each of so many bytes.
        case fixed(Int)
        /// The least significant byte first, and so is what is signed.
        case reversed
    }

    let algorithm: SecKeyAlgorithm
    let input: Data
    let command: Command
    var form = Form.same

    /// What `openssl` signs.
    var theirInput: Data {
        if case .reversed = form { Data(input.reversed()) } else { input }
    }

    /// A signature of ours as `openssl` reads it.
    func theirs(_ signature: Data) -> Data {
        switch form {
        case .same: signature
        case .fixed(let size): DER.sequence(DER.number(signature.prefix(size)), DER.number(signature.suffix(size)))
        case .reversed: Data(signature.reversed())
        }
    }

    /// A signature of theirs as we read it.
    func ours(_ signature: Data) -> Data? {
        switch form {
        case .same: signature
        case .fixed(let size): DER.fixed(signature, size: size)
        case .reversed: Data(signature.reversed())
        }
    }

    /// All that a kind of key signs with.
    static func rows(_ kind: KeyKind) -> [SignatureRow] {
        switch kind {
        case .rsa: rsa
        case .p256, .p384, .p521: ec(kind)
        case .ed25519:
            [row("EdDSA:message-Curve25519:SHA512", message, .wholeMessage)]
        case .ed448:
            [row("EdDSA:message-Curve448:SHAKE256", message, .wholeMessage)]
        case .x25519, .x448: []
        }
    }

    private static let hashes = [("SHA1", 20), ("SHA224", 28), ("SHA256", 32), ("SHA384", 48), ("SHA512", 64)]
    private static let message = Data("a message for both".utf8)

    private static func row(
        _ name: String, _ input: Data, _ command: Command, _ form: Form = .same
    ) -> SignatureRow {
        SignatureRow(
            algorithm: SecKeyAlgorithm(rawValue: "algid:sign:\(name)" as CFString), input: input, command: command,
            form: form)
    }

    private static func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: 91 &* $0 &+ 7) })
    }

    private static var rsa: [SignatureRow] {
        // Less than any modulus of as many bytes.
        let number = Data([0]) + bytes(255)
        var rows = [
            row("RSA:raw", number, .number),
            row("RSA:raw-cc", Data(number.reversed()), .number, .reversed),
            row("RSA:digest-PKCS1v15", bytes(50), .digest(["rsa_padding_mode:pkcs1"])),
        ]
        for (hash, size) in [("MD5", 16)] + hashes {
            let name = hash.lowercased()
            rows.append(row("RSA:message-PKCS1v15:\(hash)", message, .message(["-\(name)"])))
            rows.append(
                row("RSA:digest-PKCS1v15:\(hash)", bytes(size), .digest(["rsa_padding_mode:pkcs1", "digest:\(name)"])))
        }
        for (hash, size) in hashes {
            let name = hash.lowercased()
            // The salt is as long as the digest, no shorter and no longer; Apple's name for SHA-224 says otherwise.
            let options = ["rsa_padding_mode:pss", "rsa_pss_saltlen:\(size)"]
            let named = hash == "SHA224" ? 24 : size
            rows.append(
                row(
                    "RSA:message-PSS:\(hash):\(hash):\(named)", message,
                    .message(["-\(name)"] + options.flatMap { ["-sigopt", $0] })))
            rows.append(
                row("RSA:digest-PSS:\(hash):\(hash):\(named)", bytes(size), .digest(options + ["digest:\(name)"])))
        }
        return rows
    }

    private static func ec(_ kind: KeyKind) -> [SignatureRow] {
        let forms = [("X962", Form.same), ("RFC4754", .fixed(kind.size))]
        return forms.flatMap { form, fixed in
            [row("ECDSA:digest-\(form)", bytes(32), .digest([]), fixed)]
                + hashes.flatMap { hash, size in
                    [
                        row("ECDSA:message-\(form):\(hash)", message, .message(["-\(hash.lowercased())"]), fixed),
                        row("ECDSA:digest-\(form):\(hash)", bytes(size), .digest([]), fixed),
                    ]
                }
        } + [row("ECDSA:RFC4754", bytes(32), .digest([]), .fixed(kind.size))]
    }
}
