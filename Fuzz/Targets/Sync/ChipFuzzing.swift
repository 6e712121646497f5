// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSync

/// What machines that join by a TPM send, and the endorsement keys that people list: TPMs' structures from anywhere.
internal enum ChipFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var wasRead = false
        if let key = try? EndorsementKey(publicArea: bytes) {
            wasRead = true
            try promise(key.publicArea == bytes, "an endorsement key is kept as it was read")
            try promise((try? key.hash()) == (try? Digest.sha256(of: bytes)), "its hash is that of its area")
        }
        if let key = try? EndorsementKey(publicKey: bytes) {
            wasRead = true
            try promise((try? EndorsementKey(publicArea: key.publicArea)) == key, "a public key has one area")
        }
        if let certification = try? ChipCertification(decoding: bytes) {
            wasRead = true
            try promise((try? certification.encoded()) == bytes, "a certification is written as it was read")
        }
        if let request = try? ChipRequest(bytes) {
            wasRead = true
            let digest = [UInt8](repeating: 1, count: Digest.sha256Size)
            // No key of this fuzzer's is in a TPM, so nothing certifies one.
            try promise(
                (try? TPMVerifier().certifies(request.evidence, request.card, over: digest)) != true,
                "what certifies nothing is no evidence")
            _ = try? TPMVerifier().challenge(SecretBytes(digest), for: request.evidence)
        }
        if (try? ChipChallenge(bytes)) != nil || (try? ChipProof(bytes)) != nil { wasRead = true }
        return wasRead ? .accepted : .refused
    }

    static func seeds() throws -> [[UInt8]] {
        guard let device = FuzzDevice.one, let sponsor = FuzzDevice.two, let circle = FuzzDevice.circle else {
            throw Seeds.Missing()
        }
        let modulus = [UInt8](repeating: 0xff, count: ChipCredential.modulusSize)
        let ofRSA = ChipCredential.publicKeyHead + modulus + ChipCredential.publicKeyTail
        let keys = [ofP256 + device.card.agreementKey, ofRSA]
        let areas = try keys.map { try EndorsementKey(publicKey: $0).publicArea }
        let part = (
            [UInt8](repeating: 0, count: 173), try device.signature(of: [UInt8](repeating: 2, count: 32))
        )
        let certification = try ChipCertification(signing: part, agreement: part).encoded()
        var seeds = keys + areas + [certification]
        for area in areas {
            let chip = OpenChip(
                evidence: ChipEvidence(
                    endorsementKey: area, attestationKey: attestation + point(device.card.signingKey),
                    certification: certification))
            let applicant = try ChipApplicant(to: circle, device, chip)
            seeds.append(applicant.request)
            let request = try ChipRequest(applicant.request)
            let blob = try TPMVerifier().challenge(OpenChip.secret, for: request.evidence)
            let challenge = try ChipChallenge.made(for: request, blob, by: sponsor)
            seeds += [challenge, try applicant.take(challenge: challenge, chip)]
        }
        return seeds
    }

    private static func point(_ key: [UInt8]) -> [UInt8] {
        [0, 32] + key.dropFirst().prefix(32) + [0, 32] + key.suffix(32)
    }

    private static let ofP256: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    private static let attestation: [UInt8] = [
        0, 0x23, 0, 0x0b, 0, 5, 4, 0x72, 0, 0, 0, 0x10, 0, 0x18, 0, 0x0b, 0, 3, 0, 0x10,
    ]
}

/// A chip that says what it was told to.
private struct OpenChip: AttestingChip {
    let evidence: ChipEvidence

    static var secret: SecretBytes { SecretBytes([UInt8](repeating: 4, count: ChipSponsor.secretSize)) }

    func evidence(of card: Card, over digest: [UInt8]) throws(CircleError) -> ChipEvidence { evidence }

    func activate(_ challenge: [UInt8], for evidence: ChipEvidence) throws(CircleError) -> SecretBytes {
        OpenChip.secret
    }
}
