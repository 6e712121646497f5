// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed
import Testing

@Suite struct SecretTests {
    /// A message with two secrets.
    private func message(_ first: [UInt8], _ second: [UInt8]) -> WireMessage {
        let requests = [first, second].map { bytes in
            AddRequest(
                itemClass: .key, attributes: AttributeList(), group: .everyGroupOfCaller, protection: .byClassAndGroup,
                isSynchronizable: false, isTombstone: false, secret: SecretValue(copying: bytes), returning: [],
                origin: .caller)
        }
        let all = AddAllRequest(entries: requests.map { .item($0) }, returning: [])
        return WireMessage(number: 1, .call(.addAll(all)))
    }

    /// Where the request's list of entries is, and in each the secret's name.
    private static let entries = [3, 1, 0]
    private static func name(_ entry: Int) -> [Int] { entries + [entry, 1, 6] }

    @Test("what a context is to keep is no larger than passwords are")
    func credentials() throws {
        let context = AuthenticationContextID.random()
        for (size, isTaken) in [(4096, true), (4097, false)] {
            let secret = SecretValue(copying: [UInt8](repeating: 7, count: size))
            for credential in [AuthenticationCredential.passcode(secret), .applicationPassword(secret)] {
                let message = WireMessage(number: 1, .call(.set(credential, credential.kind, context)))
                if isTaken {
                    _ = try message.bytes()
                } else {
                    #expect(throws: WireError.tooLarge) { try message.bytes() }
                }
            }
        }
    }

    @Test("secrets stand behind the head in their order, and are nowhere in it")
    func apart() throws {
        var seed = Seed(for: "SecretTests.apart")
        let (first, second) = (seed.bytes(40), seed.bytes(50))
        let parts = try WireBytes(message(first, second))
        #expect(parts.secrets == first + second)
        let head = try parts.head.encoded()
        for secret in [first, second] {
            #expect(!head.indices.contains { head[$0...].starts(with: secret[..<8]) })
        }
    }

    @Test(
        "every kind of message keeps its secrets out of its head",
        arguments: [0, 3, 6, 9, 16, Seed.calls + 1, Seed.calls + 2, Seed.calls + 4])
    func everywhere(kind: Int) throws {
        var seed = Seed(for: "SecretTests.everywhere \(kind)")
        var sawSecret = false
        for _ in 0..<60 {
            let parts = try WireBytes(seed.message(kind))
            let head = try parts.head.encoded()
            guard parts.secrets.count >= 16 else { continue }
            sawSecret = true
            let start = parts.secrets[..<8]
            #expect(!head.indices.contains { head[$0...].starts(with: start) })
        }
        #expect(sawSecret)
    }

    @Test("an empty secret is another thing than none")
    func empty() throws {
        let read = try WireMessage(message([], []).bytes())
        guard case .call(.addAll(let request)) = read.content, case .item(let item)? = request.entries.first else {
            Issue.record("another call arrived")
            return
        }
        #expect(item.secret?.count == 0)
    }

    @Test("a secret that is named twice, out of turn, or not at all is refused")
    func names() throws {
        let parts = try WireBytes(message([1, 2, 3], [4, 5]))
        func name(_ number: Int64, _ size: Int64) -> PropertyList { .array([.number(number), .number(size)]) }
        #expect(try parts.refusal(setting: Self.name(1), name(1, 2)) == nil)
        #expect(try parts.refusal(setting: Self.name(1), name(0, 3)) == .wrongSecret)
        #expect(try parts.refusal(setting: Self.name(1), name(0, 2)) == .wrongSecret)
        #expect(try parts.refusal(setting: Self.name(1), name(2, 2)) == .wrongSecret)
        #expect(try parts.refusal(setting: Self.name(0), name(1, 3)) == .wrongSecret)
        #expect(try parts.refusal(setting: Self.name(1), .null) == .wrongSecret)
        #expect(try parts.refusal(setting: Self.name(1), .data([4, 5])) == .wrongParts)
    }

    @Test("a secret of another size than there is, is refused", arguments: [-1, 1, 3, .max, .min])
    func sizes(size: Int64) throws {
        let parts = try WireBytes(message([1, 2, 3], [4, 5]))
        let refusal = try parts.refusal(setting: Self.name(1), .array([.number(1), .number(size)]))
        #expect(refusal == .wrongSecret)
    }
}
