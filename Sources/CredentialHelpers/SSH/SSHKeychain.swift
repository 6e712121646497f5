// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The private keys of the keychains that SSH can use; those stored for SSH have the tag "ssh".
struct SSHKeychain {
    private let keychains: HelperKeychains

    init(_ keychains: HelperKeychains) { self.keychains = keychains }

    enum Choice {
        case tagged
        case labels([String])
        case all
    }

    /// A key of the keychain, with its bytes if they may leave.
    struct Entry {
        let key: SSHKey
        let mayLeave: Bool

        fileprivate func isOfSameKey(as other: Entry) -> Bool {
            key.publicBlob.isEqualInConstantTime(to: other.key.publicBlob)
        }
    }

    /// Keys of a kind that SSH supports, those of each keychain in the order that they were added.
    func entries(_ choice: Choice) throws(CommandError) -> [Entry] {
        var entries: [Entry] = []
        for keychain in keychains.searched {
            for entry in try SSHKeychain.entries(choice, in: keychain) {
                // One that may leave goes before the same key where it may not.
                guard let index = entries.firstIndex(where: { $0.isOfSameKey(as: entry) }) else {
                    entries.append(entry)
                    continue
                }
                if !entries[index].mayLeave { entries[index] = entry }
            }
        }
        return entries
    }

    private static func entries(_ choice: Choice, in keychain: ToolKeychain) throws(CommandError) -> [Entry] {
        var wanted = AttributeList()
        wanted[.keyClass] = .number(Int64(KeyPart.private.rawValue))
        if case .tagged = choice { wanted[.applicationTag] = SSHKeychain.tag }
        let found = try keychain.match(
            MatchRequest(
                predicate: SSHKeychain.predicate(wanted, .none), returning: [.attributes, .persistentReference],
                limit: .all), of: .person)
        var entries: [Entry] = []
        for candidate in found {
            guard case .item(let item) = candidate else { continue }
            let label = SSHKeychain.label(item)
            if case .labels(let labels) = choice, !labels.contains(where: { $0.hasSameBytes(as: label) }) { continue }
            // One by one, so that only the requested keys are opened.
            let whole = try keychain.match(
                MatchRequest(
                    predicate: SSHKeychain.predicate(
                        AttributeList(), .items([.persistent(.item(item.itemClass, item.persistentID))])),
                    returning: [.attributes, .reference], limit: .single), of: .person)
            if case .item(let item)? = whole.first, let entry = SSHKeychain.entry(item, label) { entries.append(entry) }
        }
        return entries
    }

    /// Stores it in the default keychain.
    func store(_ key: SSHKey, label: String) throws(CommandError) {
        guard try !entries(.all).contains(where: { $0.key.publicBlob.isEqualInConstantTime(to: key.publicBlob) }) else {
            throw SSHKeychain.isThere
        }
        let (digest, secret): ([UInt8]?, SecretValue)
        do throws(KeyError) {
            (digest, secret) = (try key.key.applicationLabel(), SecretValue(copying: try key.key.representation()))
        } catch { throw .failure("the key cannot be stored") }
        var attributes = AttributeList()
        attributes[.keyClass] = .number(Int64(KeyPart.private.rawValue))
        attributes[.type] = .number(Int64(key.key.type.rawValue))
        attributes[.keySizeInBits] = .number(Int64(key.key.bits))
        attributes[.effectiveKeySize] = .number(Int64(key.key.bits))
        attributes[.isPermanent] = .number(1)
        if let digest { attributes[.applicationLabel] = .data(digest) }
        attributes[.applicationTag] = SSHKeychain.tag
        attributes[.label] = .string(label)
        do throws(CommandError) {
            try keychains.standard.add(
                AddRequest(
                    itemClass: .key, attributes: attributes, group: .everyGroupOfCaller, protection: .byClassAndGroup,
                    isSynchronizable: false, isTombstone: false, secret: secret, returning: [], origin: .caller),
                of: .person)
        } catch {
            if case .keychain(let reason) = error, reason.reason == .duplicateItem {
                throw SSHKeychain.isThere
            }
            throw error
        }
    }

    private static func entry(_ item: FoundItem, _ label: String) -> Entry? {
        guard case .number(let number)? = item.attributes?[.type],
            let type = UInt32(exactly: number).flatMap(KeyType.init(rawValue:))
        else { return nil }
        let key: CryptoKey?
        if let kept = item.keptKey {
            key = kept.publicKey.flatMap { try? CryptoKey(type, .public, representation: $0) }
        } else {
            key = item.secret.flatMap { secret in
                unsafe secret.withUnsafeBytes { bytes in try? unsafe CryptoKey(type, .private, representation: bytes) }
            }
        }
        return key.flatMap { SSHKey($0, label: label) }.map { Entry(key: $0, mayLeave: item.keptKey == nil) }
    }

    private static func label(_ item: FoundItem) -> String {
        switch item.attributes?[.label] {
        case .string(let text)?: text
        case .data(let bytes)?: String(validating: bytes, as: UTF8.self) ?? ""
        case .number, .date, nil: ""
        }
    }

    private static func predicate(
        _ attributes: AttributeList, _ restriction: ItemPredicate.Restriction
    ) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(.key), attributes: attributes, groups: .everyGroupOfCaller, synchronizable: .any,
            tombstones: false, accessibility: nil, restriction: restriction, filters: [])
    }

    private static let isThere = CommandError.failure("the keychain has this key already")

    private static let tag = AttributeValue.data(Array("ssh".utf8))
}
