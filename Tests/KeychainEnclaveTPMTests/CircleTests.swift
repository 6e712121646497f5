// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import KeychainModel
    internal import KeychainRequest
    internal import KeychainSync
    internal import TestSwtpm
    internal import Testing

    /// Joining a circle by a TPM that the circle allows, with TPMs (moving, row 5).
    @Suite struct CircleTests {
        @Test("the device in a listed TPM is admitted, by either of its endorsement keys", arguments: [false, true])
        func listed(isRSA: Bool) throws {
            let (owner, device) = (try ChipDevice(), try ChipDevice())
            var log = try circle(of: owner, allowing: device, isRSA: isRSA)
            let applicant = try ChipApplicant(to: log.circle, device, TestChip(device, isRSA: isRSA))
            let sponsor = try challenge(applicant.request, log, by: owner)
            let proof = try applicant.take(challenge: sponsor.challenge, TestChip(device, isRSA: isRSA))
            try append(sponsor.take(proof: proof), to: &log, by: owner)
            #expect(try log.membership.member(device.card.id()) != nil)
            // Once.
            #expect(throws: JoiningError.refused) { try challenge(applicant.request, log, by: owner) }
        }

        @Test("another TPM is not challenged, and neither that TPM nor the listed one answers for a mixture of them")
        func others() throws {
            let (owner, device, other) = (try ChipDevice(), try ChipDevice(), try ChipDevice())
            let log = try circle(of: owner, allowing: device, isRSA: false)
            #expect(throws: JoiningError.refused) {
                try challenge(ChipApplicant(to: log.circle, other, TestChip(other)).request, log, by: owner)
            }
            // The listed key's name with what the other's attestation key says of the other's keys.
            let mixed = try ChipApplicant(to: log.circle, other, TestChip(other, endorsedBy: device))
            let sponsor = try challenge(mixed.request, log, by: owner)
            for chip in [TestChip(other), TestChip(device)] {
                #expect(throws: JoiningError.circle(.device("foreignCredential"))) {
                    try mixed.take(challenge: sponsor.challenge, chip)
                }
            }
        }

        @Test("what an attestation key did not say of these keys, for this circle, is no evidence")
        func evidence() throws {
            let (owner, device, other) = (try ChipDevice(), try ChipDevice(), try ChipDevice())
            let (chip, verifier) = (TestChip(device), TPMVerifier())
            let digest = [UInt8](repeating: 5, count: 32)
            let honest = try chip.evidence(of: device.card, over: digest)
            #expect(try verifier.certifies(honest, device.card, over: digest))
            #expect(try !verifier.certifies(honest, device.card, over: [UInt8](repeating: 6, count: 32)))
            #expect(try !verifier.certifies(honest, other.card, over: digest))
            #expect(try !verifier.certifies(honest, #require(device.card.exchanged), over: digest))
            func refuses(_ evidence: ChipEvidence) -> Bool {
                (try? verifier.certifies(evidence, device.card, over: digest)) != true
            }
            for place in honest.certification.indices {
                var changed = honest.certification
                changed[place] ^= 1
                #expect(refuses(honest.with(certification: changed)), "byte \(place)")
            }
            for place in honest.attestationKey.indices {
                var changed = honest.attestationKey
                changed[place] ^= 1
                #expect(refuses(honest.with(attestationKey: changed)), "byte \(place)")
            }
            // Its own user key signs anything, and so also what looks like a statement; it is no attestation key.
            let certified = try ChipCertification(decoding: honest.certification)
            let forge = { (part: ChipCertification.Part) in
                (part.statement, try device.signature(of: Digest.sha256(of: part.statement)))
            }
            let forged = try ChipCertification(
                signing: forge(certified.signing), agreement: forge(certified.agreement)
            ).encoded()
            #expect(refuses(honest.with(certification: forged)))
            let point = Array(device.card.signingKey.dropFirst())
            let named = [0, 32] + point.prefix(32) + [0, 32] + point.suffix(32)
            let asItIs = ChipDevice.keyHead + named
            #expect(refuses(honest.with(certification: forged).with(attestationKey: asItIs)))
            // It says that it is one: then there is none of its name in the TPM, and nothing comes out.
            let lie = honest.with(certification: forged).with(
                attestationKey: Array(honest.attestationKey.dropLast(named.count)) + named)
            let credential = try verifier.challenge(TestEnclave.key(3), for: lie)
            #expect(
                failure { () throws(EnclaveError) in try device.test.enclave.activate(credential) }
                    == .foreignCredential)
            _ = owner
        }

        @Test("an endorsement key has one hash, in whatever form it is handed on", arguments: [false, true])
        func forms(isRSA: Bool) throws {
            let tpm = try SwtpmProcess()
            let area = try TPMEnclave(path: "", connection: tpm.connection).endorsementKey(isRSA: isRSA)
            try tpm.tool("tpm2_createek", "-G", isRSA ? "rsa" : "ecc", "-c", "ek.ctx", "-u", "ek.pem", "-f", "pem")
            let lines = try String(contentsOfFile: tpm.folder + "/ek.pem", encoding: .utf8).split(separator: "\n")
            let coded = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
            let (key, same) = (try EndorsementKey(publicArea: area), try EndorsementKey(publicKey: [UInt8](coded)))
            #expect(key == same && key.publicArea == area)
            // The hash is what tpm2-tools call its name, without the algorithm.
            try tpm.tool("tpm2_flushcontext", "-t")
            try tpm.tool("tpm2_readpublic", "-c", "ek.ctx", "-n", "ek.name")
            let name = try [UInt8](Data(contentsOf: URL(fileURLWithPath: tpm.folder + "/ek.name")))
            #expect(try name == [0, 0x0b] + key.hash())
            for place in 0..<area.count where place < 70 || place == area.count - 1 {
                var changed = area
                changed[place] ^= 1
                // All but the key itself has one form.
                let other = try? EndorsementKey(publicArea: changed)
                #expect(other == nil || other != key && place >= area.count - (isRSA ? 256 : 66), "byte \(place)")
            }
            #expect(throws: CircleError.malformed) { try EndorsementKey(publicArea: area + [0]) }
            #expect(throws: CircleError.malformed) { try EndorsementKey(publicArea: Array(area.dropLast())) }
            #expect(throws: CircleError.malformed) { try EndorsementKey(publicKey: [UInt8](coded) + [0]) }
        }

        private func circle(of owner: ChipDevice, allowing device: ChipDevice, isRSA: Bool) throws -> CircleLog {
            let hash = [UInt8](repeating: 1, count: 32)
            var log = try CircleLog.found(
                by: owner, named: [1], commitment: hash, now: 1000,
                chance: [UInt8](repeating: 2, count: Founding.chanceSize)
            ).log
            let key = try EndorsementKey(publicArea: device.test.enclave.endorsementKey(isRSA: isRSA))
            let allowance = Allowance(endorsementKey: try key.hash(), roles: Roles(), sealedName: [])
            try append(.allow([allowance]), to: &log, by: owner)
            return log
        }

        private func append(_ action: LogAction, to log: inout CircleLog, by device: ChipDevice) throws {
            guard case .accepted? = try log.take([log.body(action, by: device, now: 1000)]).first else {
                Issue.record("not accepted")
                return
            }
        }

        private func challenge(_ request: [UInt8], _ log: CircleLog, by owner: ChipDevice) throws -> ChipSponsor {
            try ChipSponsor(
                ChipRequest(request), log: log, by: owner, TPMVerifier(), secret: TestEnclave.key(8))
        }
    }

    /// A device of a circle whose keys are in a TPM of its own.
    private struct ChipDevice: CircleDevice {
        let test: TestEnclave
        let signing: EnclaveKey
        let agreement: EnclaveKey
        let card: Card

        init() throws {
            test = try TestEnclave()
            (signing, agreement) = (try test.enclave.makeKey(), try test.enclave.makeKey())
            card = try #require(
                Card(signingKey: signing.publicKey, agreementKey: agreement.publicKey, kind: .tpm))
        }

        func signature(of digest: [UInt8]) throws(CircleError) -> [UInt8] {
            do throws(EnclaveError) { return try test.enclave.signature(of: digest, with: signing) } catch {
                throw .device("\(error)")
            }
        }

        func sharedSecret(with publicKey: [UInt8]) throws(CircleError) -> SecretBytes {
            do throws(EnclaveError) { return try test.enclave.sharedSecret(of: agreement, with: publicKey) } catch {
                throw .device("\(error)")
            }
        }

        /// TPMT_PUBLIC of an enclave's key, up to its point.
        static let keyHead: [UInt8] = [0, 0x23, 0, 0x0b, 0, 6, 4, 0x72, 0, 0, 0, 0x10, 0, 0x10, 0, 3, 0, 0x10]
    }

    private struct TestChip: AttestingChip {
        let device: ChipDevice
        let endorser: ChipDevice
        let isRSA: Bool

        init(_ device: ChipDevice, endorsedBy endorser: ChipDevice? = nil, isRSA: Bool = false) {
            (self.device, self.endorser, self.isRSA) = (device, endorser ?? device, isRSA)
        }

        func evidence(of card: Card, over digest: [UInt8]) throws(CircleError) -> ChipEvidence {
            do throws(EnclaveError) {
                let enclave = device.test.enclave
                let signing = try enclave.certify(device.signing, over: digest)
                let agreement = try enclave.certify(device.agreement, over: digest)
                return ChipEvidence(
                    endorsementKey: try endorser.test.enclave.endorsementKey(isRSA: isRSA),
                    attestationKey: signing.attestationKey,
                    certification: (try? ChipCertification(
                        signing: (signing.statement, signing.signature),
                        agreement: (agreement.statement, agreement.signature)
                    ).encoded()) ?? [])
            } catch { throw .device("\(error)") }
        }

        func activate(_ challenge: [UInt8], for evidence: ChipEvidence) throws(CircleError) -> SecretBytes {
            do throws(EnclaveError) { return try device.test.enclave.activate(challenge) } catch {
                throw .device("\(error)")
            }
        }
    }

    extension ChipEvidence {
        fileprivate func with(certification: [UInt8]) -> ChipEvidence {
            ChipEvidence(
                endorsementKey: endorsementKey, attestationKey: attestationKey, certification: certification)
        }

        fileprivate func with(attestationKey: [UInt8]) -> ChipEvidence {
            ChipEvidence(
                endorsementKey: endorsementKey, attestationKey: attestationKey, certification: certification)
        }
    }

    extension Card {
        /// The same keys, each in the other's place.
        fileprivate var exchanged: Card? { Card(signingKey: agreementKey, agreementKey: signingKey, kind: kind) }
    }
#endif
