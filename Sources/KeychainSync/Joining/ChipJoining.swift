// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel

// Joining by the TPM that a machine has, of which the circle knows the endorsement key.
//
//     device                                                       sponsor
//       | -- request: card, endorsement and attestation key,        |  the endorsement key is listed;
//       |    certification of the card's keys ---------------------> |  the certification is the attestation key's
//       | <- challenge: a secret that only a TPM with both keys ---- |
//       |    gives out                                              |
//       | -- proof: HMAC under the secret ------------------------> |  admits the card
//
// That both keys are in one TPM shows the challenge (TPM2_MakeCredential, TPM2_ActivateCredential); that the card's keys are in
// it, the certification (TPM2_Certify). The device was told of its circle and an entry by who set it up: no TPM knows that.

/// What a TPM says of itself and of a card's keys, in its own encoding.
package struct ChipEvidence: Sendable, Equatable {
    /// Public areas.
    package let endorsementKey: [UInt8]
    package let attestationKey: [UInt8]
    /// What the attestation key signed of the two keys of the card.
    package let certification: [UInt8]

    package init(endorsementKey: [UInt8], attestationKey: [UInt8], certification: [UInt8]) {
        (self.endorsementKey, self.attestationKey) = (endorsementKey, attestationKey)
        self.certification = certification
    }

    static let largestPart = 8192
}

/// What the device's TPM does.
package protocol AttestingChip {
    /// Evidence that the keys of a card are in this TPM; `digest` is signed with it.
    func evidence(of card: Card, over digest: [UInt8]) throws(CircleError) -> ChipEvidence
    /// The secret in a challenge; `refused` when the TPM does not give it.
    func activate(_ challenge: [UInt8], for evidence: ChipEvidence) throws(CircleError) -> SecretBytes
}

/// What a sponsor does with another's evidence; it needs no TPM of its own for that.
package protocol ChipVerifier {
    /// Whether the attestation key is one that signs for its TPM alone, and certifies both keys of the card over the digest.
    func certifies(_ evidence: ChipEvidence, _ card: Card, over digest: [UInt8]) throws(CircleError) -> Bool
    /// A challenge that gives the secret only to the TPM with both keys.
    func challenge(_ secret: borrowing SecretBytes, for evidence: ChipEvidence) throws(CircleError) -> [UInt8]
}

/// A request in the box, of somebody who has the card in it.
package struct ChipRequest: Sendable, Equatable {
    package let circle: CircleID
    package let card: Card
    package let evidence: ChipEvidence
    /// SHA-256 of the endorsement key's public area, by which it is listed.
    package let endorsementKey: [UInt8]
    /// SHA-256 of what was signed.
    package let digest: [UInt8]

    package init(_ bytes: [UInt8]) throws(JoiningError) {
        let (signed, card, read) = try JoiningMail.read(ChipMessages.requestTitle, bytes)
        (circle, evidence) = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let request = (
                try parts.circle(),
                ChipEvidence(
                    endorsementKey: try parts.data(atMost: ChipEvidence.largestPart),
                    attestationKey: try parts.data(atMost: ChipEvidence.largestPart),
                    certification: try parts.data(atMost: ChipEvidence.largestPart))
            )
            try parts.end()
            return request
        }
        endorsementKey = try JoiningMail.digest(of: evidence.endorsementKey)
        digest = try JoiningMail.digest(of: signed.content)
        self.card = card
    }
}

/// The device that wants to join.
package struct ChipApplicant<Device: CircleDevice>: Sendable {
    private let circle: CircleID
    private let device: Device
    private let evidence: ChipEvidence
    private let digest: [UInt8]
    package let request: [UInt8]

    package init(to circle: CircleID, _ device: Device, _ chip: some AttestingChip) throws(JoiningError) {
        (self.circle, self.device) = (circle, device)
        evidence = try JoiningError.of { () throws(CircleError) in
            try chip.evidence(of: device.card, over: ChipMessages.certified(device.card, in: circle))
        }
        let signed = try JoiningMail.signed(
            ChipMessages.requestTitle,
            [
                .data(circle.bytes), .data(evidence.endorsementKey), .data(evidence.attestationKey),
                .data(evidence.certification),
            ], by: device)
        digest = try JoiningMail.digest(of: signed.content)
        request = try JoiningError.of { () throws(CircleError) in try signed.encoded() }
    }

    /// One that asked before, and kept its request.
    package init(resuming request: [UInt8], _ device: Device) throws(JoiningError) {
        let asked = try ChipRequest(request)
        guard asked.card == device.card else { throw .foreign }
        (circle, evidence, digest) = (asked.circle, asked.evidence, asked.digest)
        (self.device, self.request) = (device, request)
    }

    /// Who challenges, and which challenge that is, where it is one for this request.
    package func challenger(_ bytes: [UInt8]) throws(JoiningError) -> (sponsor: Card, challenge: [UInt8]) {
        let challenge = try ChipChallenge(bytes)
        guard challenge.circle == circle, challenge.answered == digest else { throw .foreign }
        return (challenge.card, challenge.digest)
    }

    /// The proof for a challenge; `foreign` of one that is not for this request.
    package func take(challenge bytes: [UInt8], _ chip: some AttestingChip) throws(JoiningError) -> [UInt8] {
        let challenge = try ChipChallenge(bytes)
        guard challenge.circle == circle, challenge.answered == digest else { throw .foreign }
        let secret = try JoiningError.of { () throws(CircleError) in
            try chip.activate(challenge.credential, for: evidence)
        }
        let proof = try ChipMessages.proof(challenge.digest, secret)
        let answer = try JoiningMail.signed(
            ChipMessages.proofTitle, [.data(circle.bytes), .data(challenge.digest), .data(proof)], by: device)
        return try JoiningError.of { () throws(CircleError) in try answer.encoded() }
    }
}

/// A sponsor that has challenged a device.
///
/// It need not be kept until the proof comes: with the same secret it is made again of request and challenge, as they lie in the
/// box.
package struct ChipSponsor: Sendable {
    package let card: Card
    package let challenge: [UInt8]
    private let circle: CircleID
    private let endorsementKey: [UInt8]
    /// SHA-256 of what was signed of the challenge, by which a proof answers it.
    package let digest: [UInt8]
    private let proof: [UInt8]

    /// Challenges who sent a request; `refused` when its endorsement key is not listed, or the evidence is none.
    package init(
        _ request: ChipRequest, log: CircleLog, by sponsor: some CircleDevice, _ verifier: some ChipVerifier,
        secret: consuming SecretBytes
    ) throws(JoiningError) {
        try ChipSponsor.check(request, log, secret)
        guard
            try JoiningError.of({ () throws(CircleError) in
                try verifier.certifies(
                    request.evidence, request.card, over: ChipMessages.certified(request.card, in: log.circle))
            })
        else { throw .wrongProof }
        let blob = try JoiningError.of { () throws(CircleError) in
            try verifier.challenge(secret, for: request.evidence)
        }
        challenge = try ChipChallenge.made(for: request, blob, by: sponsor)
        digest = try ChipChallenge(challenge).digest
        proof = try ChipMessages.proof(digest, secret)
        (card, circle, endorsementKey) = (request.card, request.circle, request.endorsementKey)
    }

    /// The same sponsor, of a challenge of its own in the box; `foreign` of any other.
    ///
    /// Nobody but this device signs with its card, and it signed when it had verified the request.
    package init(
        resuming challenge: [UInt8], _ request: ChipRequest, log: CircleLog, by sponsor: Card,
        secret: consuming SecretBytes
    ) throws(JoiningError) {
        try ChipSponsor.check(request, log, secret)
        let made = try ChipChallenge(challenge)
        guard made.card == sponsor, made.circle == request.circle, made.answered == request.digest else {
            throw .foreign
        }
        (digest, self.challenge) = (made.digest, challenge)
        proof = try ChipMessages.proof(digest, secret)
        (card, circle, endorsementKey) = (request.card, request.circle, request.endorsementKey)
    }

    private static func check(
        _ request: ChipRequest, _ log: CircleLog, _ secret: borrowing SecretBytes
    ) throws(JoiningError) {
        guard secret.count == ChipSponsor.secretSize else { throw .malformed }
        guard request.circle == log.circle else { throw .foreign }
        guard log.membership.allowances[request.endorsementKey] != nil, request.card.kind == .tpm else {
            throw .refused
        }
    }

    /// What to append when the proof is right.
    package func take(proof bytes: [UInt8]) throws(JoiningError) -> LogAction { try take(ChipProof(bytes)) }

    package func take(_ read: ChipProof) throws(JoiningError) -> LogAction {
        guard read.circle == circle, read.answered == digest, read.card == card else { throw .foreign }
        let isRight = unsafe read.proof.lendingBytes { given in
            unsafe proof.lendingBytes { unsafe isEqualInConstantTime(given, $0) }
        }
        guard isRight else { throw .wrongProof }
        return .admit(card, .allowed(endorsementKey))
    }

    package static let secretSize = 32
}

/// A sponsor's answer to a request.
package struct ChipChallenge: Sendable {
    package let card: Card
    package let circle: CircleID
    /// The digest of the request.
    package let answered: [UInt8]
    package let credential: [UInt8]
    /// SHA-256 of what was signed, by which a proof answers it.
    package let digest: [UInt8]

    package init(_ bytes: [UInt8]) throws(JoiningError) {
        let (signed, card, read) = try JoiningMail.read(ChipMessages.challengeTitle, bytes)
        (circle, answered, credential) = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let challenge = (
                try parts.circle(), try parts.hash(), try parts.data(atMost: ChipEvidence.largestPart)
            )
            try parts.end()
            return challenge
        }
        digest = try JoiningMail.digest(of: signed.content)
        self.card = card
    }

    /// The message with a credential for who sent the request.
    package static func made(
        for request: ChipRequest, _ credential: [UInt8], by sponsor: some CircleDevice
    ) throws(JoiningError) -> [UInt8] {
        let signed = try JoiningMail.signed(
            ChipMessages.challengeTitle,
            [.data(request.circle.bytes), .data(request.digest), .data(credential)], by: sponsor)
        return try JoiningError.of { () throws(CircleError) in try signed.encoded() }
    }
}

/// A device's answer to a challenge.
package struct ChipProof: Sendable {
    package let card: Card
    package let circle: CircleID
    /// The digest of the challenge.
    package let answered: [UInt8]
    let proof: [UInt8]

    package init(_ bytes: [UInt8]) throws(JoiningError) {
        let (_, card, read) = try JoiningMail.read(ChipMessages.proofTitle, bytes)
        (circle, answered, proof) = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let proof = (try parts.circle(), try parts.hash(), try parts.hash())
            try parts.end()
            return proof
        }
        self.card = card
    }
}

private enum ChipMessages {
    static let requestTitle = "llavero joining chip"
    static let challengeTitle = "llavero joining challenge"
    static let proofTitle = "llavero joining proof"

    /// What the TPM signs with its certification: evidence of another circle or card is none.
    static func certified(_ card: Card, in circle: CircleID) throws(CircleError) -> [UInt8] {
        try CircleCoding.digest(
            of: CircleCoding.encode(
                .array([.string("llavero certified"), .data(circle.bytes), .data(try card.encoded())])))
    }

    static func proof(_ challenge: [UInt8], _ secret: borrowing SecretBytes) throws(JoiningError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                let hash = try unsafe KeyedHash(key: secret)
                try hash.begin()
                try unsafe (Array("llavero chip proof".utf8) + challenge).lendingBytes {
                    (bytes) throws(CryptoError) in try unsafe hash.update(bytes)
                }
                return try unsafe [UInt8](count: KeyedHash.size) { (output) throws(CryptoError) in
                    try unsafe hash.finish(into: output)
                }
            }
        } catch { throw .circle(.crypto(error)) }
    }
}
