// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

/// The messages; what a TPM does is modelled by keys that lie in the open.
@Suite struct ChipJoiningTests {
    private func secret() -> SecretBytes {
        unsafe SecretBytes(count: ChipSponsor.secretSize) { unsafe $0.copyBytes(from: [UInt8](1...32)) }
    }

    @Test("the device in a listed TPM is admitted, once")
    func listed() throws {
        var circle = try TestCircle()
        let sponsor = try circle.admit(Roles(isSponsor: true))
        let (device, chip) = (try TestCircleDevice(kind: .tpm), try ModelChip())
        try circle.append(.allow([try chip.allowance()]), by: circle.founder)
        let applicant = try ChipApplicant(to: circle.log.circle, device, chip)
        let asked = try ChipSponsor(
            ChipRequest(applicant.request), log: circle.log, by: sponsor, ModelVerifier(), secret: secret())
        // Both may end between two messages: each goes on with what lies in the box.
        let resumed = try ChipSponsor(
            resuming: asked.challenge, ChipRequest(applicant.request), log: circle.log, by: sponsor.card,
            secret: secret())
        let proof = try ChipApplicant(resuming: applicant.request, device).take(challenge: asked.challenge, chip)
        #expect(try resumed.take(proof: proof) == asked.take(proof: proof))
        #expect(throws: JoiningError.foreign) {
            try ChipSponsor(
                resuming: asked.challenge, ChipRequest(applicant.request), log: circle.log, by: circle.founder.card,
                secret: secret())
        }
        try circle.append(asked.take(proof: proof), by: sponsor)
        #expect(try circle.log.membership.member(device.card.id()) != nil)
        let again = try ChipApplicant(to: circle.log.circle, TestCircleDevice(kind: .tpm), chip)
        #expect(throws: JoiningError.refused) {
            try ChipSponsor(ChipRequest(again.request), log: circle.log, by: sponsor, ModelVerifier(), secret: secret())
        }
    }

    @Test("another endorsement key, another's attestation key, and another card are refused")
    func others() throws {
        var circle = try TestCircle()
        let sponsor = try circle.admit(Roles(isSponsor: true))
        let (device, chip, other) = (try TestCircleDevice(kind: .tpm), try ModelChip(), try ModelChip())
        try circle.append(.allow([try chip.allowance()]), by: circle.founder)
        func ask(_ request: [UInt8]) throws -> ChipSponsor {
            try ChipSponsor(ChipRequest(request), log: circle.log, by: sponsor, ModelVerifier(), secret: secret())
        }
        #expect(throws: JoiningError.refused) {
            try ask(ChipApplicant(to: circle.log.circle, device, other).request)
        }
        #expect(throws: JoiningError.refused) {
            try ask(ChipApplicant(to: circle.log.circle, TestCircleDevice(), chip).request)
        }
        // The listed key's name, and an attestation key of another TPM.
        let mixed = ModelChip(endorsement: chip, attestation: other)
        let applicant = try ChipApplicant(to: circle.log.circle, device, mixed)
        let asked = try ask(applicant.request)
        #expect(throws: JoiningError.self) { try applicant.take(challenge: asked.challenge, other) }
        // The owner of the listed TPM is asked to help with a key that it does not have.
        #expect(throws: JoiningError.self) { try applicant.take(challenge: asked.challenge, chip) }
        // Evidence that was made for another card.
        let honest = try ChipApplicant(to: circle.log.circle, device, chip)
        let thief = try ChipApplicant(
            to: circle.log.circle, TestCircleDevice(kind: .tpm), CopiedEvidence(chip, for: device.card))
        #expect(throws: JoiningError.wrongProof) { try ask(thief.request) }
        // Challenges and proofs of another attempt, or another circle.
        let (first, second) = (try ask(honest.request), try ask(honest.request))
        let proof = try honest.take(challenge: first.challenge, chip)
        #expect(throws: JoiningError.foreign) { try second.take(proof: proof) }
        #expect(throws: JoiningError.foreign) { try applicant.take(challenge: first.challenge, chip) }
        #expect(throws: JoiningError.foreign) {
            try ChipSponsor(
                ChipRequest(honest.request), log: TestCircle(chance: 2).log, by: sponsor, ModelVerifier(),
                secret: secret())
        }
        for place in proof.indices {
            var changed = proof
            changed[place] ^= 1
            #expect(throws: JoiningError.self, "byte \(place)") { try first.take(proof: changed) }
        }
    }
}

/// A chip of two keys: certification is a signature, a challenge is sealed to the one and names the other.
private struct ModelChip: AttestingChip {
    let endorsement: TestCircleDevice
    let attestation: TestCircleDevice

    init() throws { (endorsement, attestation) = (try TestCircleDevice(), try TestCircleDevice()) }

    init(endorsement: ModelChip, attestation: ModelChip) {
        (self.endorsement, self.attestation) = (endorsement.endorsement, attestation.attestation)
    }

    func allowance() throws -> Allowance {
        Allowance(
            endorsementKey: try Digest.sha256(of: endorsement.card.agreementKey), roles: Roles(), sealedName: [])
    }

    func evidence(of card: Card, over digest: [UInt8]) throws(CircleError) -> ChipEvidence {
        ChipEvidence(
            endorsementKey: endorsement.card.agreementKey, attestationKey: attestation.card.signingKey,
            certification: try attestation.signature(of: ModelVerifier.certified(card, digest)))
    }

    func activate(_ challenge: [UInt8], for evidence: ChipEvidence) throws(CircleError) -> SecretBytes {
        // A chip gives the secret for a key that it has itself.
        guard evidence.attestationKey == attestation.card.signingKey else { throw .device("no such key") }
        return try HPKE.open(challenge, of: endorsement.card.agreementKey, info: evidence.attestationKey) {
            (key) throws(CircleError) in try endorsement.sharedSecret(with: key)
        }
    }
}

/// A chip whose owner gives away what it once signed.
private struct CopiedEvidence: AttestingChip {
    let chip: ModelChip
    let card: Card

    init(_ chip: ModelChip, for card: Card) { (self.chip, self.card) = (chip, card) }

    func evidence(of card: Card, over digest: [UInt8]) throws(CircleError) -> ChipEvidence {
        try chip.evidence(of: self.card, over: digest)
    }

    func activate(_ challenge: [UInt8], for evidence: ChipEvidence) throws(CircleError) -> SecretBytes {
        throw .device("not here")
    }
}

private struct ModelVerifier: ChipVerifier {
    func certifies(_ evidence: ChipEvidence, _ card: Card, over digest: [UInt8]) throws(CircleError) -> Bool {
        P256.isValid(
            signature: evidence.certification, of: try ModelVerifier.certified(card, digest),
            publicKey: evidence.attestationKey)
    }

    func challenge(_ secret: borrowing SecretBytes, for evidence: ChipEvidence) throws(CircleError) -> [UInt8] {
        do throws(CryptoError) {
            return try HPKE.seal(secret, to: evidence.endorsementKey, info: evidence.attestationKey)
        } catch { throw .crypto(error) }
    }

    static func certified(_ card: Card, _ digest: [UInt8]) throws(CircleError) -> [UInt8] {
        do throws(CryptoError) { return try Digest.sha256(of: card.signingKey + card.agreementKey + digest) } catch {
            throw .crypto(error)
        }
    }
}
