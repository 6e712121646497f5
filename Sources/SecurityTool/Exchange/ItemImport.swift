// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// Puts what a file held into a keychain: all of it, or nothing.
enum ItemImport {
    /// What is there already stays as it is; when that is everything, it is a duplicate.
    static func store(
        _ things: [ImportedThing], in keychain: ToolKeychain, isExtractable: Bool, call: String
    ) throws(SecurityFailure) {
        var added: [FoundItem] = []
        for thing in things.filter({ !$0.isKey }) + things.filter(\.isKey) {
            do throws(SecurityFailure) {
                let request = try SecurityFailure.translating(keychain: call) { () throws(KeychainError) in
                    try thing.addRequest(isExtractable: isExtractable)
                }
                let item = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
                    try keychain.add(request, of: .programs)
                }
                if let item { added.append(item) }
            } catch {
                if case .status(.duplicateItem, _, _) = error { continue }
                for item in added {
                    let request = DeleteRequest(
                        predicate: .item(item.itemClass, item.persistentID), tombstones: .whenSynchronizable)
                    try? keychain.delete(request, of: .programs)
                }
                throw error
            }
        }
        guard !added.isEmpty else { throw .status(.duplicateItem, call: call, why: nil) }
    }

    /// What is said afterwards: identities, then keys and certificates that are no part of one.
    static func summary(_ things: [ImportedThing]) -> [String] {
        let keys = things.filter(\.isKey)
        let certificates = things.filter { !$0.isKey }
        let identities = keys.count { key in
            key.isPrivateKey && certificates.contains { $0.publicKey == key.publicKey }
        }
        let paired = certificates.count { one in
            keys.contains { $0.isPrivateKey && $0.publicKey == one.publicKey }
        }
        return [
            (identities, "identity", "identities"), (keys.count - identities, "key", "keys"),
            (certificates.count - paired, "certificate", "certificates"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2) imported." }
    }
}
