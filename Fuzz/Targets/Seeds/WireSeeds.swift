// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainWire

/// Messages as programs and the daemon send them.
internal enum WireSeeds {
    static func messages() throws -> [[UInt8]] { try all.map { try $0.encoded().array } }

    static func packets() throws -> [[UInt8]] {
        try all.flatMap { message -> [[UInt8]] in
            let bytes = try message.encoded().array
            return try FrameSplitter(message, total: bytes.count).map { frame in
                var packet = [UInt8](repeating: 0, count: WireFrame.headerSize)
                packet.withUnsafeMutableBytes { frame.write(to: $0) }
                return packet + bytes[frame.range]
            }
        }
    }

    private static var all: [WireMessage] {
        var attributes = AttributeList()
        attributes[.account] = .string("somebody")
        attributes[.service] = .string("something")
        let secret = SecretValue(copying: Array("kept".utf8))
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let add = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: secret,
            returning: [.attributes, .data], origin: .caller)
        let id = PersistentID(high: 1, low: 2)
        let found = FoundItem(
            itemClass: .genericPassword, persistentID: id, attributes: attributes,
            accessControl: AccessControl(protection: .whenUnlocked), secret: secret)
        let context = AuthenticationContextID(high: 3, low: 4)
        let question = PersonQuestion(
            title: "t", description: "d", prompt: "p", error: "e", confirms: true, okTitle: nil, cancelTitle: "c",
            timeout: 120)
        let contents: [WireMessage.Content] = [
            .call(.add(add)), .call(.match(MatchRequest(predicate: predicate, returning: .data, limit: .single))),
            .call(.means), .call(.set(.passcode(secret), .passcode, context)), .call(.begin(context)),
            .call(.useKey(UseKeyRequest(key: .stored(id, publicKey: [4, 5]), task: .sign(secret, algorithm: "a")))),
            .call(.attend), .call(.answer(.secret(secret))), .call(.answer(.refused)),
            .reply(.question(question)), .reply(.withdrawn), .reply(.nothing), .reply(.item(found)),
            .reply(.found([.item(found)])), .reply(.secret(secret)),
            .reply(.failure(KeychainError(.itemNotFound, "nothing"))), .reply(.boolean(true)),
        ]
        return contents.enumerated().map { WireMessage(number: UInt64($0), $1) }
    }
}
