// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainRequest

extension DaemonRules {
    /// The rules of a user's own daemon: it serves that user's programs, as the entitlement files say, and a program that
    /// none of them names as one of the group that everybody is in.
    package static func ofUser(_ user: UInt32, entitlements folder: String) -> DaemonRules {
        let folder = EntitlementFolder(path: folder)
        let policy = IdentityPolicy()
        let digests = ImageDigests()
        return DaemonRules { peer in
            guard peer.process.user == user else { return nil }
            let identifier = ProgramIdentifier(table: folder.load(), policy: policy, digests: digests)
            guard let identity = try? identifier.identify(peer) else { return nil }
            let granted = identity.granted
            let program = ProgramEntitlements(
                keychainAccessGroups: granted.keychainAccessGroups,
                applicationIdentifier: granted.applicationIdentifier, associatedApplicationIdentifiers: [],
                applicationGroups: granted.applicationGroups, honoursWildcard: granted.honoursWildcard)
            let image = peer.evidence.image?.path
            let caller = program.caller(program: image)
            return AdmittedProgram(level: identity.level, image: image) { caller }
        }
    }
}
