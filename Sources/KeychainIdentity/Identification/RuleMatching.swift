// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem
internal import ProgramSigning

/// Holds rules against one peer; what costs something is looked up at most once.
struct RuleMatching {
    let peer: Peer
    let policy: IdentityPolicy
    let digests: ImageDigests
    /// nil before it was looked up.
    private var unit: Looked?

    private enum Looked { case up(String?) }

    init(_ peer: Peer, _ policy: IdentityPolicy, _ digests: ImageDigests) {
        self.peer = peer
        self.policy = policy
        self.digests = digests
    }

    mutating func verdict(on match: EntitlementMatch) -> RuleVerdict {
        var verdicts: [RuleVerdict] = []
        if let group = match.group { verdicts.append(verdict(onGroup: group)) }
        if let unit = match.unit { verdicts.append(verdict(onUnit: unit)) }
        if let path = match.path, !verdicts.contains(.unrelated) {
            verdicts.append(verdict(onPath: path, match.digest))
        }
        if verdicts.contains(.unrelated) { return .unrelated }
        // A service may have file systems of its own, which systemd made, and their libraries are root's choice too. Who
        // else has some, made them itself. A setgid program hides its own from a server that is not root.
        if match.unit == nil,
            peer.evidence.namespaces == .other || (match.path != nil && peer.evidence.namespaces != .same)
        {
            // Where nothing is guarded it is but another program.
            return policy.guardsNothing ? .unrelated : .fails("the program is in other namespaces")
        }
        if let users = match.users, !users.contains(peer.process.user) {
            return .fails("it does not list user \(peer.process.user)")
        }
        return verdicts.first { $0 != .holds } ?? .holds
    }

    private func verdict(onGroup group: UInt32) -> RuleVerdict {
        guard peer.process.group == group else { return .unrelated }
        // Someone whose login gave it to them has it as the real one too, and runs whatever they like.
        guard peer.realGroup != group else {
            return .fails("the program has the group from its user, not from its file")
        }
        // A member of the group can have it as the effective one alone, and could mark files of theirs with it.
        switch policy.groups.includes(peer.process.user, group) {
        case false?: break
        case true?: return .fails("its user is in the group")
        case nil: return .fails("the members of the group cannot be read")
        }
        // The kernel hides such a program from a daemon without root's right to look.
        guard let image = peer.evidence.image else {
            return policy.guardsNothing ? .holds : .fails("its file cannot be examined")
        }
        // A file that a former member marked still gives the group, and is that user's.
        guard image.facts.givesGroup, image.facts.group == group else {
            return .fails("the program's file does not give it the group")
        }
        guard !image.isInterpreter else { return .fails("the file is an interpreter") }
        return verdict(onFile: image, at: image.path)
    }

    private mutating func verdict(onUnit wanted: String) -> RuleVerdict {
        guard let unit = systemUnit() else { return .unrelated }
        return SystemUnit.isUnit(unit, called: wanted) ? .holds : .unrelated
    }

    private mutating func systemUnit() -> String? {
        if case .up(let unit)? = unit { return unit }
        let found = policy.controlGroups(peer.process).flatMap { SystemUnit.named(in: $0) }
        unit = .up(found)
        return found
    }

    private func verdict(onPath path: String, _ digest: [UInt8]?) -> RuleVerdict {
        guard let image = peer.evidence.image, image.path.hasSameBytes(as: path) else { return .unrelated }
        guard !image.isInterpreter else { return .fails("the file is an interpreter") }
        let verdict = verdict(onFile: image, at: path)
        guard verdict == .holds, let digest else { return verdict }
        do throws(FileFault) {
            return try digests.sha256(of: image) == digest ? .holds : .fails("the file has another SHA-256")
        } catch { return .fails("the file cannot be read: \(error)") }
    }

    /// Whether the program executes the file at `path`, which only trusted owners can change.
    private func verdict(onFile image: ProgramImage, at path: String) -> RuleVerdict {
        guard !image.isDeleted else {
            return .fails("the file was replaced or deleted since the program was started; start it again")
        }
        let listed: TrustedPath
        do throws(FileFault) { listed = try TrustedPath(path, owners: policy.owners) } catch {
            return .fails("the path cannot be trusted: \(error)")
        }
        // Where the program is, another file may be mounted over that path.
        guard listed.facts.isSameFile(as: image.facts), listed.facts.kind == .regularFile else {
            return .fails("the program executes another file than the one at this path")
        }
        return .holds
    }
}

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
            return "an entitlement file reserves \(program.statement.applicationIdentifier) for another program"
        }
        guard !image.isDeleted else {
            return "the file was replaced or deleted since the program was started; start it again"
        }
        do throws(FileFault) {
            let path = try TrustedPath(image.path, owners: policy.owners)
            guard path.facts.isSameFile(as: image.facts), path.facts.kind == .regularFile else {
                return "the program executes another file than the one at its path"
            }
        } catch { return "its path cannot be trusted: \(error)" }
        do throws(SignatureFault) {
            let digest = try digests.contentDigest(of: program, in: image, facts)
            guard digest == program.statement.digest else { throw .otherContent }
        } catch { return error.description }
        return nil
    }
}

/// What became of holding one rule against one peer.
enum RuleVerdict: Sendable, Equatable {
    case holds
    /// It is about another program.
    case unrelated
    /// It is about this program, and something is wrong: worth telling its author.
    case fails(String)
}

/// What became of looking for a signature in a peer's program.
enum SignatureVerdict: Sendable, Equatable {
    case holds(GrantedEntitlements, signer: String)
    /// It has none, or one of an untrusted signer, which counts as none.
    case absent
    /// It claims to have one that would count, and something is wrong.
    case fails(signer: String, String)
}
