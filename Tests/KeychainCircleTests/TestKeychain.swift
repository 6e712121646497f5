// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainCrypto
import KeychainEngine
import KeychainModel
import KeychainRequest
import TestProcesses

/// A keychain in a folder, in this process.
struct TestKeychain {
    private let folder: TestFolder
    let host: EmbeddedHost

    init() throws {
        folder = try TestFolder()
        host = EmbeddedHost(
            place: .folder(root: folder.path, name: "login"), entitlements: .open, clock: ProcessHost.systemClock,
            passcodeCost: .light, authenticators: .none, tpm: { "" }, plan: { CreationPlan() })
    }

    func add(_ name: String, isShared: Bool, in session: any KeychainSession) throws {
        var attributes = AttributeList()
        attributes[.account] = .string(name)
        _ = try session.add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.passwords.name),
                protection: .accessControl(AccessControl(protection: .afterFirstUnlock)), isSynchronizable: isShared,
                isTombstone: false, secret: SecretValue(copying: [1]), returning: [], origin: .caller))
    }

    func change(_ name: String, in session: any KeychainSession) throws {
        let changes = ItemChanges(
            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
            secret: SecretValue(copying: [2]))
        try session.update(UpdateRequest(predicate: items(named: name), changes: changes, tombstones: .never))
    }

    func remove(_ name: String, in session: any KeychainSession) throws {
        try session.delete(DeleteRequest(predicate: items(named: name), tombstones: .never))
    }

    /// What the items of the group are called.
    func names(in session: any KeychainSession) throws -> [String] {
        let request = MatchRequest(predicate: items(named: nil), returning: .attributes, limit: .all)
        return try session.match(request).compactMap { found in
            guard case .item(let item) = found else { return nil }
            return TestKeychain.name(of: item)
        }.sorted()
    }

    /// What those are called of which there are earlier versions, each as often as there are.
    func past(in session: any KeychainSession) throws -> [String] {
        guard case .past(let versions) = try session.perform(.history(of: nil, before: nil)) else { return [] }
        return versions.compactMap { TestKeychain.name(of: $0.item) }.sorted()
    }

    private static func name(of item: FoundItem) -> String? {
        guard case .string(let name)? = item.attributes?[.account] else { return nil }
        return name
    }

    private func items(named name: String?) -> ItemPredicate {
        var attributes = AttributeList()
        if let name { attributes[.account] = .string(name) }
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes,
            groups: .named(AccessGroup.passwords.name), synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .none, filters: [])
    }
}
