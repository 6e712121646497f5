// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSecretService
import TestProcesses
import TestSeed
import Testing

@Suite struct SecretTransportTests {
    /// RFC 2409 §6.2, typed in here so that it is not OpenSSL's constant again.
    static let prime: [UInt8] =
        Hex.bytes(
            """
            FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
            EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
            EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF
            """)

    @Test(
        "2000 agreements with numbers of Python's own give one key on both sides, and each reads what the other sealed")
    func agreements() throws {
        let folder = try TestFolder()
        let python = try Arithmetic(folder)
        let peers = try python.makeKeys(2000)
        var transports: [SecretTransport] = []
        var lines: [String] = []
        for (index, peer) in peers.enumerated() {
            let (transport, publicKey) = try SecretTransport.agree(withPublicKey: SecretValue(copying: peer))
            #expect(publicKey.count == 128)
            let text = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: index % 50)
            let (parameters, value) = try transport.seal(SecretValue(copying: text))
            lines.append([publicKey, parameters, value.array, text].map(Hex.text).joined(separator: " "))
            transports.append(transport)
        }
        // Python answers with the same text, sealed by itself under the key that it found.
        for (index, answer) in try python.check(lines).enumerated() {
            let opened = try transports[index].open(
                parameters: SecretValue(copying: answer.vector), value: SecretValue(copying: answer.sealed))
            #expect(opened.array == [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: index % 50))
        }
    }

    @Test("a shared secret that is short has zeros in front, so that both sides derive one key")
    func shortSecret() throws {
        // With the generator itself as the other's key, what is shared is our public key.
        let generator = SecretValue(copying: [2])
        for _ in 0..<20_000 {
            let (transport, publicKey) = try SecretTransport.agree(withPublicKey: generator)
            guard publicKey.first == 0 else { continue }
            let (parameters, value) = try transport.seal(SecretValue(copying: Array("short".utf8)))
            let folder = try TestFolder()
            let text = try Arithmetic(folder).open(shared: publicKey, parameters, value.array)
            #expect(text == Array("short".utf8))
            return
        }
        Issue.record("no public key begins with a zero")
    }

    @Test("a public key may be short, and may have zeros in front", arguments: [1, 127, 128, 129, 200])
    func oddKeys(count: Int) throws {
        var key = [UInt8](repeating: 0, count: count)
        // Short ones are the number 5; long ones have zeros before 128 bytes that are smaller than the prime.
        if count < 128 {
            key[0] = 5
        } else {
            key.replaceSubrange((count - 127)..., with: [UInt8](repeating: 7, count: 127))
        }
        let (transport, publicKey) = try SecretTransport.agree(withPublicKey: SecretValue(copying: key))
        #expect(publicKey.count == 128)
        let (parameters, value) = try transport.seal(SecretValue(copying: [1, 2, 3]))
        #expect(parameters.count == 16 && value.count == 16)
        #expect(try transport.open(parameters: SecretValue(copying: parameters), value: value).array == [1, 2, 3])
    }

    static let refused: [[UInt8]] = [
        [], [0], [1], [UInt8](repeating: 0, count: 128), [UInt8](repeating: 0, count: 127) + [1],
        prime, changed(prime, by: -1), changed(prime, by: 1), [0, 0, 0] + prime, [0] + changed(prime, by: -1),
        [UInt8](repeating: 0xFF, count: 128), [UInt8](repeating: 0xFF, count: 129),
        [1] + [UInt8](repeating: 0, count: 128),
        [UInt8](repeating: 0xFF, count: 200), [UInt8](repeating: 0, count: 200) + [5],
    ]

    @Test(
        "a public key that everybody knows the outcome of, or that is no number of the group, is refused",
        arguments: refused)
    func refusedKeys(key: [UInt8]) {
        #expect(throws: SecretTransportError.refusedKey) {
            try SecretTransport.agree(withPublicKey: SecretValue(copying: key))
        }
    }

    @Test("the numbers beside those that are refused are taken")
    func limits() throws {
        for key in [[2], Self.changed(Self.prime, by: -2)] {
            _ = try SecretTransport.agree(withPublicKey: SecretValue(copying: key))
        }
    }

    @Test("what was sealed for another session, or changed, never opens as the same text")
    func foreignText() throws {
        let key = SecretValue(copying: [5])
        let ours = try SecretTransport.agree(withPublicKey: key).transport
        let theirs = try SecretTransport.agree(withPublicKey: key).transport
        let text = [UInt8](repeating: 99, count: 40)
        let (parameters, value) = try ours.seal(SecretValue(copying: text))
        let vector = SecretValue(copying: parameters)
        #expect((try? theirs.open(parameters: vector, value: value))?.array != text)
        for size in [0, 1, 15, 17, 32] {
            #expect(throws: SecretTransportError.unreadable) {
                try ours.open(parameters: SecretValue(copying: [UInt8](repeating: 0, count: size)), value: value)
            }
        }
        for size in [0, 1, 15, 47] {
            #expect(throws: SecretTransportError.unreadable) {
                try ours.open(parameters: vector, value: SecretValue(copying: Array(value.array.prefix(size))))
            }
        }
        // The end of the text is no padding.
        #expect(throws: SecretTransportError.unreadable) {
            try ours.open(parameters: vector, value: SecretValue(copying: Array(value.array.prefix(32))))
        }
    }

    @Test("every size of secret comes back", arguments: [0, 1, 15, 16, 17, 31, 32, 1 << 20])
    func sizes(count: Int) throws {
        let transport = try SecretTransport.agree(withPublicKey: SecretValue(copying: [5])).transport
        let text = SecretValue(copying: [UInt8](repeating: 0, count: count))
        let (parameters, value) = try transport.seal(text)
        #expect(value.count == (count / 16 + 1) * 16)
        let opened = try transport.open(parameters: SecretValue(copying: parameters), value: value)
        #expect(opened.isEqualInConstantTime(to: text))
    }

    @Test("each secret has an initial vector of its own")
    func vectors() throws {
        let transport = try SecretTransport.agree(withPublicKey: SecretValue(copying: [5])).transport
        let vectors = try (0..<100).map { _ in try transport.seal(SecretValue(copying: [1])).parameters }
        #expect(Set(vectors).count == 100)
    }

    @Test("a plain session changes nothing, and takes no notice of parameters")
    func plain() throws {
        let text = SecretValue(copying: [0, 255, 10])
        let (parameters, value) = try SecretTransport.plain.seal(text)
        #expect(parameters.isEmpty && value.array == [0, 255, 10])
        #expect(try SecretTransport.plain.open(parameters: text, value: text).array == [0, 255, 10])
    }

    @Test("printing a transport shows no key")
    func redaction() throws {
        let transport = try SecretTransport.agree(withPublicKey: SecretValue(copying: [5])).transport
        #expect("\(transport)".contains("redacted"))
    }

    /// A number of 128 bytes with a little added to its last byte.
    static func changed(_ number: [UInt8], by amount: Int) -> [UInt8] {
        var number = number
        let last = Int(number[127]) + amount
        number[127] = UInt8(last & 255)
        if last > 255 {
            for index in (0..<127).reversed() {
                number[index] &+= 1
                if number[index] != 0 { break }
            }
        }
        return number
    }
}

/// The other side of the agreement: Python's integers, and `hmac` and `hashlib` for the derivation.
private struct Arithmetic {
    let folder: TestFolder

    init(_ folder: TestFolder) throws {
        self.folder = folder
        try Self.program.write(toFile: folder.file("peer.py"), atomically: true, encoding: .utf8)
    }

    func makeKeys(_ count: Int) throws -> [[UInt8]] {
        try run("make", "\(count)").map { Hex.bytes($0) }
    }

    func check(_ lines: [String]) throws -> [(vector: [UInt8], sealed: [UInt8])] {
        try lines.joined(separator: "\n").write(toFile: folder.file("ours"), atomically: true, encoding: .utf8)
        let answers = try run("check").map { $0.split(separator: " ").map { Hex.bytes(String($0)) } }
        guard answers.count == lines.count, answers.allSatisfy({ $0.count == 2 }) else {
            throw Trouble("Python answered \(answers.count) of \(lines.count)")
        }
        return answers.map { ($0[0], $0[1]) }
    }

    func open(shared: [UInt8], _ vector: [UInt8], _ sealed: [UInt8]) throws -> [UInt8] {
        Hex.bytes(try run("open", Hex.text(shared), Hex.text(vector), Hex.text(sealed)).first ?? "")
    }

    private func run(_ words: String...) throws -> [String] {
        let (ending, lines) = try HelperProcess.run(
            [folder.file("peer.py"), folder.path] + words, environment: ["PATH": "/usr/bin:/bin"], in: folder,
            program: "/usr/bin/python3")
        guard ending == .exited(0) else { throw Trouble("Python \(ending): \(lines.suffix(3))") }
        return lines
    }

    static let program = """
        import hashlib, hmac, secrets, sys
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        P = int("\(Hex.text(SecretTransportTests.prime))", 16)
        folder, verb, *words = sys.argv[1:]

        def key(shared):
            early = hmac.new(bytes(32), shared, hashlib.sha256).digest()
            return hmac.new(early, b"\\x01", hashlib.sha256).digest()[:16]

        def cipher(shared, vector):
            return Cipher(algorithms.AES(key(shared)), modes.CBC(vector))

        def opened(shared, vector, sealed):
            reader = cipher(shared, vector).decryptor()
            text = reader.update(sealed) + reader.finalize()
            count = text[-1]
            assert 1 <= count <= 16 and text[-count:] == bytes([count]) * count, text
            return text[:-count]

        def sealed(shared, vector, text):
            count = 16 - len(text) % 16
            writer = cipher(shared, vector).encryptor()
            return writer.update(text + bytes([count]) * count) + writer.finalize()

        if verb == "make":
            with open(folder + "/exponents", "w") as kept:
                for index in range(int(words[0])):
                    exponent = secrets.randbits(256) | 2
                    number = pow(2, exponent, P)
                    kept.write(f"{exponent:x}\\n")
                    # As programs send them: all bytes, the fewest, or one zero more.
                    size = [128, (number.bit_length() + 7) // 8, 129][index % 3]
                    print(number.to_bytes(size, "big").hex())
        elif verb == "check":
            exponents = [int(line, 16) for line in open(folder + "/exponents")]
            for exponent, line in zip(exponents, open(folder + "/ours"), strict=True):
                number, vector, text_sealed, text = map(bytes.fromhex, (line.rstrip("\\n") + " ").split(" ")[:4])
                shared = pow(int.from_bytes(number, "big"), exponent, P).to_bytes(128, "big")
                assert opened(shared, vector, text_sealed) == text, line
                vector = secrets.token_bytes(16)
                print(vector.hex(), sealed(shared, vector, text).hex())
        else:
            print(opened(*map(bytes.fromhex, words)).hex())
        """
}

private enum Hex {
    static func text(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    static func bytes(_ text: String) -> [UInt8] {
        let digits = text.utf8.compactMap { Character(.init($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension SecretValue {
    fileprivate var array: [UInt8] { unsafe withUnsafeBytes { Array($0) } }
}
