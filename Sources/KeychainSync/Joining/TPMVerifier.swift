// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
package import KeychainModel

/// A TPM's endorsement key, as the TCG's profile has it: nothing else is read.
package struct EndorsementKey: Sendable, Equatable {
    /// TPMT_PUBLIC.
    package let publicArea: [UInt8]
    package let recipient: ChipCredential.Recipient

    /// Throws `malformed` for every area but the two that the profile makes ("L-1", RSA of 2048 bits; "L-2", P-256).
    package init(publicArea area: [UInt8]) throws(CircleError) {
        if let modulus = ChipArea.unique(of: area, like: ChipArea.endorsementOfRSA, [ChipCredential.modulusSize]) {
            guard modulus[0] >= 0x80 else { throw .malformed }
            recipient = .modulus(modulus)
        } else if let point = ChipArea.unique(of: area, like: ChipArea.endorsementOfP256, [32, 32]) {
            recipient = .point([4] + point)
        } else {
            throw .malformed
        }
        publicArea = area
    }

    /// The same of a public key as X.509 has it (SubjectPublicKeyInfo), which is how others hand endorsement keys on.
    package init(publicKey bytes: [UInt8]) throws(CircleError) {
        let (head, tail) = (ChipCredential.publicKeyHead, ChipCredential.publicKeyTail)
        if bytes.count == head.count + ChipCredential.modulusSize + tail.count, bytes.starts(with: head),
            bytes.suffix(tail.count).elementsEqual(tail)
        {
            let modulus = Array(bytes[head.count..<bytes.count - tail.count])
            try self.init(publicArea: ChipArea.endorsementOfRSA + ChipArea.sized(modulus))
        } else if bytes.count == EndorsementKey.headOfP256.count + P256.publicKeySize,
            bytes.starts(with: EndorsementKey.headOfP256), P256.isPublicKey(Array(bytes.suffix(P256.publicKeySize)))
        {
            let (x, y) = (Array(bytes.suffix(64).prefix(32)), Array(bytes.suffix(32)))
            try self.init(publicArea: ChipArea.endorsementOfP256 + ChipArea.sized(x) + ChipArea.sized(y))
        } else {
            throw .malformed
        }
    }

    /// What an owner allows it by: the digest that is in the key's name in the TPM.
    package func hash() throws(CircleError) -> [UInt8] { try CircleCoding.digest(of: publicArea) }

    private static let headOfP256: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
}

/// What a sponsor does with another's evidence.
///
/// A TPM's attestation key signs nothing that came from outside, so a statement that begins as one is one. The two keys of a
/// card have one form, so their names in the TPM are computed from the card: that they never were outside and never will be is
/// in them.
package struct TPMVerifier: ChipVerifier {
    package init() {}

    package func certifies(
        _ evidence: ChipEvidence, _ card: Card, over digest: [UInt8]
    ) throws(CircleError) -> Bool {
        let attestationKey = try attestationKey(of: evidence)
        let signer = try ChipArea.qualified(ChipArea.name(of: evidence.attestationKey), under: ChipArea.endorsement)
        let certification = try ChipCertification(decoding: evidence.certification)
        for (key, part) in zip([card.signingKey, card.agreementKey], [certification.signing, certification.agreement]) {
            guard
                P256.isValid(
                    signature: part.signature, of: try CircleCoding.digest(of: part.statement),
                    publicKey: attestationKey)
            else { return false }
            guard try ChipArea.isStatement(part.statement, by: signer, of: ChipArea.name(ofKey: key), over: digest)
            else { return false }
        }
        return true
    }

    package func challenge(
        _ secret: borrowing SecretBytes, for evidence: ChipEvidence
    ) throws(CircleError) -> [UInt8] {
        let recipient = try EndorsementKey(publicArea: evidence.endorsementKey).recipient
        let name = try ChipArea.name(of: evidence.attestationKey)
        do throws(CryptoError) { return try ChipCredential.seal(secret, to: recipient, for: name) } catch {
            // A point that is none is the sender's fault.
            throw error == .invalidParameters ? .malformed : .crypto(error)
        }
    }

    /// The point; `malformed` for an area of any other form than an attestation key of ours has.
    private func attestationKey(of evidence: ChipEvidence) throws(CircleError) -> [UInt8] {
        guard let point = ChipArea.unique(of: evidence.attestationKey, like: ChipArea.attestation, [32, 32]) else {
            throw .malformed
        }
        return [4] + point
    }
}

/// What the attestation key said of the two keys of a card, as it goes in a request.
package struct ChipCertification: Sendable, Equatable {
    /// TPMS_ATTEST, and its signature (DER).
    package typealias Part = (statement: [UInt8], signature: [UInt8])

    package let signing: Part
    package let agreement: Part

    package init(signing: Part, agreement: Part) { (self.signing, self.agreement) = (signing, agreement) }

    package static func == (left: ChipCertification, right: ChipCertification) -> Bool {
        left.signing == right.signing && left.agreement == right.agreement
    }

    package func encoded() throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([
                .data(signing.statement), .data(signing.signature), .data(agreement.statement),
                .data(agreement.signature),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        var parts = try CircleParts(CircleCoding.decode(bytes))
        let read = { (parts: inout CircleParts) throws(CircleError) -> Part in
            (
                try parts.data(exactly: ChipArea.statementSize),
                try parts.data(atMost: LogAction.largestSignature)
            )
        }
        signing = try read(&parts)
        agreement = try read(&parts)
        try parts.end()
    }
}

/// Structures of a TPM's: all that we take have one form, so reading is comparing.
private enum ChipArea {
    // TPMT_PUBLIC up to what differs: type, digest, attributes, policy, cipher, scheme, curve or size.
    static let endorsementOfP256: [UInt8] =
        [0x00, 0x23, 0x00, 0x0b, 0x00, 0x03, 0x00, 0xb2] + sized(endorsementPolicy)
        + [0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10]
    static let endorsementOfRSA: [UInt8] =
        [0x00, 0x01, 0x00, 0x0b, 0x00, 0x03, 0x00, 0xb2] + sized(endorsementPolicy)
        + [0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x10, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00]
    /// Fixed in its TPM, made there, restricted, for signing alone: ECDSA with SHA-256.
    static let attestation: [UInt8] = [
        0x00, 0x23, 0x00, 0x0b, 0x00, 0x05, 0x04, 0x72, 0x00, 0x00, 0x00, 0x10, 0x00, 0x18, 0x00, 0x0b, 0x00, 0x03,
        0x00, 0x10,
    ]
    /// Fixed in its TPM, made there: a key of an enclave's, which signs and agrees.
    static let key: [UInt8] = [
        0x00, 0x23, 0x00, 0x0b, 0x00, 0x06, 0x04, 0x72, 0x00, 0x00, 0x00, 0x10, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10,
    ]
    /// The password of the endorsement hierarchy.
    private static let endorsementPolicy: [UInt8] = [
        0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xb3, 0xf8, 0x1a, 0x90, 0xcc, 0x8d, 0x46, 0xa5, 0xd7, 0x24, 0xfd, 0x52,
        0xd7, 0x6e, 0x06, 0x52, 0x0b, 0x64, 0xf2, 0xa1, 0xda, 0x1b, 0x33, 0x14, 0x69, 0xaa,
    ]
    /// The handle of that hierarchy.
    static let endorsement: [UInt8] = [0x40, 0x00, 0x00, 0x0b]

    static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    /// What differs in an area that is otherwise so, without the sizes.
    static func unique(of area: [UInt8], like head: [UInt8], _ sizes: [Int]) -> [UInt8]? {
        guard area.starts(with: head) else { return nil }
        var (rest, unique) = (area.dropFirst(head.count), [UInt8]())
        for size in sizes {
            guard rest.count >= 2 + size,
                rest.prefix(2).elementsEqual([UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size)])
            else { return nil }
            unique += rest.dropFirst(2).prefix(size)
            rest = rest.dropFirst(2 + size)
        }
        return rest.isEmpty ? unique : nil
    }

    /// SHA-256, and its digest of the area.
    static func name(of area: [UInt8]) throws(CircleError) -> [UInt8] {
        try [0x00, 0x0b] + CircleCoding.digest(of: area)
    }

    /// That of an enclave's key, by its point.
    static func name(ofKey point: [UInt8]) throws(CircleError) -> [UInt8] {
        try name(of: key + sized(Array(point.dropFirst().prefix(32))) + sized(Array(point.suffix(32))))
    }

    /// The name of a primary key with that of its hierarchy.
    static func qualified(_ name: [UInt8], under hierarchy: [UInt8]) throws(CircleError) -> [UInt8] {
        try [0x00, 0x0b] + CircleCoding.digest(of: hierarchy + name)
    }

    /// Whether it is TPMS_ATTEST of a certification by such a signer, of such a key, over these 32 bytes.
    ///
    /// Between them are the TPM's clock and the version of its firmware, and at the end which key the key lies under: nothing
    /// of that decides anything.
    static func isStatement(_ bytes: [UInt8], by signer: [UInt8], of name: [UInt8], over digest: [UInt8]) -> Bool {
        let head = [0xff, 0x54, 0x43, 0x47, 0x80, 0x17] + sized(signer) + sized(digest)
        let subject = sized(name) + [0x00, 0x22, 0x00, 0x0b]
        return bytes.count == statementSize && bytes.starts(with: head)
            && bytes.dropFirst(head.count + clockAndFirmware).starts(with: subject)
    }

    private static let clockAndFirmware = 25
    static let statementSize = 173
}
