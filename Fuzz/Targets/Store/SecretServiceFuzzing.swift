// SPDX-License-Identifier: Apache-2.0

internal import KeychainSecretService

/// What the Secret Service keeps of its own: an item's entry, and the list of collections.
internal enum SecretServiceFuzzing {
    static func feedEntry(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let record = try? EntryRecord(decoding: bytes) else { return .refused }
        try promise((try? record.encoded()) == bytes, "an entry is written as it was read")
        try promise(record.attributes.isSameSet(as: record.attributes), "a set of attributes is itself")
        return .accepted
    }

    static func feedList(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let list = try? CollectionList(decoding: bytes) else { return .refused }
        try promise((try? list.encoded()) == bytes, "a list of collections is written as it was read")
        try promise(list.collection(of: "default") != nil, "there is always a default collection")
        for collection in list.collections {
            try promise(list[collection.id]?.keychain == collection.keychain, "a collection is found by its name")
        }
        return .accepted
    }

    // MARK: Seeds

    static func entries() throws -> [[UInt8]] {
        let long = String(repeating: "ä", count: 200)
        let maps = [
            [:], ["": ""], ["xdg:schema": "org.freedesktop.Secret.Generic"],
            ["b": "1", "a": "2", "é": "\n", "B": long],
        ]
        return try maps.map { try EntryRecord(attributes: $0, contentType: "text/plain").encoded() }
    }

    static func lists() throws -> [[UInt8]] {
        var list = CollectionList()
        var seeds = [try list.encoded()]
        for label in ["Work", "Default keyring", "ü-ber"] { _ = try list.add(label: label, at: 1000) { _ in false } }
        _ = try list.setLabel("Mine", of: CollectionList.login, at: 2000)
        seeds.append(try list.encoded())
        for (alias, id) in [("default", "Work"), ("mine", CollectionList.login)] {
            _ = try list.setAlias(alias, to: id)
        }
        seeds.append(try list.encoded())
        return seeds
    }
}
