// SPDX-License-Identifier: Apache-2.0

extension RuleMatching {
    /// Looks for a signature in the file that the peer executes.
    ///
    /// The file has to lie where only root can change it, although it says itself who made it. A user's own file could be
    /// exchanged between our look at it and the kernel's: not by writing to it as long as it runs, which most kernels
    /// refuse, but by a file system of the user's making (FUSE), which shows each reader what it likes. So a signature
    /// spares the list of paths and digests, and not the installation.
    ///
    /// `claimedElsewhere` are identifiers that entitlement files keep for other programs.
    func signature(_ signers: SignerTable, claimedElsewhere: Set<String>) -> SignatureVerdict {
        guard !signers.signers.isEmpty, peer.evidence.namespaces == .same, let image = peer.evidence.image,
            !image.isInterpreter
        else { return .absent }
        let facts: FileFacts
        let program: SignedProgram
        do throws(FileFault) {
            facts = try FileFacts(of: image.descriptor.number)
            let bytes = try ProgramBytes(of: image.descriptor)
            do throws(SignatureFault) { program = try SignedProgram(in: bytes) } catch {
                switch error {
                case .notAProgram, .unsigned: return .absent
                default: return .fails(signer: image.path, error.description)
                }
            }
        } catch { return .fails(signer: image.path, SignatureFault.file(error).description) }
        guard let signer = signers.signer(program.statement.signer) else { return .absent }
        if let reason = reason(against: program, image, facts, signer, claimedElsewhere) {
            return .fails(signer: signer.file, reason)
        }
        return .holds(program.statement.granted, signer: signer.file)
    }

    /// Why the program is not what its note says; nil when it is.
    private func reason(
        against program: SignedProgram, _ image: ProgramImage, _ facts: FileFacts, _ signer: ProgramSigner,
        _ claimedElsewhere: Set<String>
    ) -> String? {
        do throws(SignatureFault) { try program.requireSignature(by: signer.publicKey) } catch {
            return error.description
        }
        if let refusal = signer.refusal(of: program.statement, user: peer.process.user) { return refusal.description }
        guard !claimedElsewhere.contains(program.statement.applicationIdentifier) else {
            return "an entitlement file keeps \(program.statement.applicationIdentifier) for another program"
        }
        guard !image.isDeleted else {
            return "the file was replaced or deleted since the program was started; start it again"
        }
        do throws(FileFault) {
            let path = try TrustedPath(image.path, owners: policy.owners)
            guard path.facts.isSameFile(as: image.facts), path.facts.kind == .regularFile else {
                return "the program executes another file than the one at its path"
            }
        } catch { return "its path cannot be relied on: \(error)" }
        do throws(SignatureFault) {
            let digest = try digests.contentDigest(of: program, in: image, facts)
            guard digest == program.statement.digest else { throw .otherContent }
        } catch { return error.description }
        return nil
    }
}
