// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainRequest

extension DaemonRules {
    /// The rules of a user's own daemon: it serves that user's programs, as the entitlement files and those of signers say.
    ///
    /// A program that none of them knows is in the group of all such programs, or in none when `isClosed`.
    package static func ofUser(
        _ user: UInt32, entitlements folder: String, signers signerFolder: String, isClosed: Bool
    ) -> DaemonRules {
        let folder = EntitlementFolder(path: folder)
        let signers = SignerFolder(path: signerFolder)
        let policy = IdentityPolicy(opensToUnlisted: !isClosed)
        let digests = ImageDigests()
        return DaemonRules { peer in
            guard peer.process.user == user else { return nil }
            let identifier = ProgramIdentifier(
                table: folder.load(), signers: signers.load(), policy: policy, digests: digests)
            guard let identity = try? identifier.identify(peer) else { return nil }
            let granted = identity.granted
            let program = ProgramEntitlements(
                keychainAccessGroups: granted.keychainAccessGroups,
                applicationIdentifier: granted.applicationIdentifier,
                associatedApplicationIdentifiers: granted.associatedApplicationIdentifiers,
                applicationGroups: granted.applicationGroups, honoursWildcard: granted.honoursWildcard)
            let image = peer.evidence.image?.path
            let caller = program.caller(program: image)
            return AdmittedProgram(level: identity.level, image: image) { caller }
        }
    }
}
