// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainRequest
import KeychainWire
import Testing

/// What goes to OpenSSL and to the enclave has the size of such things.
@Suite struct KeyRefusalTests {
    private static let request = [3, 1]

    private func bytes(_ call: WireCall) throws -> WireBytes { try WireBytes(WireMessage(number: 1, .call(call))) }

    private func use(_ task: UseKeyRequest.Task) throws -> WireBytes {
        let key = UseKeyRequest.Key.loose(
            LooseEnclaveKey(publicKey: [4] + [UInt8](repeating: 1, count: 64), blob: [1]))
        return try bytes(.useKey(UseKeyRequest(key: key, task: task)))
    }

    @Test("a key to be made has a size, no bytes, and comes from nowhere")
    func generate() throws {
        var item = AddRequest(
            itemClass: .key, attributes: AttributeList(), group: .everyGroupOfCaller, protection: .byClassAndGroup,
            isSynchronizable: false, isTombstone: false, secret: nil, returning: [], origin: .caller)
        func generate(_ key: AddRequest) throws -> WireBytes {
            try bytes(.generateKey(GenerateKeyRequest(type: 42, bits: 256, place: .software, key: key, publicKey: nil)))
        }
        let request = try generate(item)
        for bits: Int64 in [0, -1, 16_385, .max] {
            #expect(try request.refusal(setting: Self.request + [1], .number(bits)) == .outOfRange)
        }
        for type: Int64 in [-1, 1 << 32] {
            #expect(try request.refusal(setting: Self.request + [0], .number(type)) == .outOfRange)
        }
        #expect(try request.refusal(setting: Self.request + [3, 0], .number(1)) == .contradiction)
        let id = PropertyList.array([.number(1), .number(2)])
        #expect(try request.refusal(setting: Self.request + [3, 8], id) == .contradiction)
        item.secret = SecretValue(copying: [1])
        #expect(WireBytes.refusal(of: try generate(item).bytes()) == .contradiction)
    }

    @Test("the name of an algorithm has at most 200 bytes")
    func algorithm() throws {
        let sign = try use(.sign(SecretValue(copying: [1]), algorithm: "a"))
        let path = Self.request + [1, 2]
        #expect(try sign.refusal(setting: path, .string(String(repeating: "a", count: 200))) == nil)
        #expect(try sign.refusal(setting: path, .string(String(repeating: "a", count: 201))) == .outOfRange)
        #expect(try sign.refusal(setting: Self.request + [1, 0], .number(9)) == .unknownNumber)
    }

    @Test("what a chip signs over has at most 64 bytes, and what is sealed to it the size of a blob")
    func attestation() throws {
        let certify = try use(.certify([1]))
        let path = Self.request + [1, 1]
        #expect(try certify.refusal(setting: path, .data([UInt8](repeating: 1, count: 64))) == nil)
        #expect(try certify.refusal(setting: path, .data([UInt8](repeating: 1, count: 65))) == .outOfRange)
        let activate = try use(.activate([1]))
        #expect(try activate.refusal(setting: path, .data([UInt8](repeating: 1, count: 65_537))) == .outOfRange)
    }

    @Test("an exchange derives as much as memory has, from a key of a key's size")
    func exchange() throws {
        let exchange = try use(.exchange(publicKey: [4], algorithm: "a", size: nil, sharedInfo: []))
        let sizes: [(Int64, WireError?)] = [
            (0, nil), (1 << 20, nil), (1 << 21, .outOfRange), (.min, .outOfRange),
        ]
        for (size, refusal) in sizes {
            #expect(try exchange.refusal(setting: Self.request + [1, 3], .number(size)) == refusal)
        }
        let long = PropertyList.data([UInt8](repeating: 4, count: 16_385))
        #expect(try exchange.refusal(setting: Self.request + [1, 1], long) == .outOfRange)
    }

    @Test("a loose key has the public half of its curve", arguments: [0, 64, 66])
    func loose(count: Int) throws {
        let release = try use(.release)
        let path = Self.request + [0, 1, 0]
        #expect(try release.refusal(setting: path, .data([UInt8](repeating: 4, count: count))) == .outOfRange)
        #expect(try release.refusal(setting: path, .data([UInt8](repeating: 2, count: 65))) == .outOfRange)
        let blob = PropertyList.data([UInt8](repeating: 4, count: 65_537))
        #expect(try release.refusal(setting: Self.request + [0, 1, 1], blob) == .outOfRange)
    }

    @Test("an access control is as deep and as wide as one can be, and has one form")
    func accessControl() throws {
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        let terms = AuthenticationTerms.usual
        let authenticate = try bytes(
            .authenticate(AuthenticateRequest(.accessControl(control, .decrypt, isForNew: false), terms)))
        let path = Self.request + [0, 1]
        func rules(_ constraint: PropertyList) -> PropertyList {
            .dictionary(["prot": .string("ak"), "ops": .dictionary(["decrypt": constraint])])
        }
        func atLeast(_ part: PropertyList) -> PropertyList {
            .dictionary(["least": .number(1), "of": .array([part])])
        }
        #expect(try authenticate.refusal(setting: path, .number(6)) == nil)
        #expect(try authenticate.refusal(setting: path, .number(5)) == .unknownNumber)
        #expect(try authenticate.refusal(setting: path, .dictionary(["prot": .string("ak")])) == .malformed)
        #expect(try authenticate.refusal(setting: path, rules(atLeast(atLeast(.boolean(true))))) == nil)
        let deep = rules(atLeast(atLeast(atLeast(.boolean(true)))))
        #expect(try authenticate.refusal(setting: path, deep) == .wrongParts)
        let short = PropertyList.dictionary(["factor": .string("biometrySet"), "set": .data([1])])
        #expect(try authenticate.refusal(setting: path, rules(short)) == .wrongParts)
    }
}
