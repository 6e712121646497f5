// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

/// ML-KEM and ML-DSA: what they do where OpenSSL has them (3.5 and newer), and what is said where it does not.
@Suite struct LatticeKeyTests {
    static let all = LatticeParameters.allCases
    static let offered = all.filter(\.isOffered)
    static let missing = all.filter { !$0.isOffered }
    static let signing = offered.filter { $0.type == .mldsa }
    static let sharing = offered.filter { $0.type == .mlkem }

    @Test("an OpenSSL has all sets of parameters or none")
    func whole() { #expect(Self.offered.isEmpty || Self.missing.isEmpty) }

    @Test("without them no key is made or read, and the error says so", arguments: missing)
    func refused(parameters: LatticeParameters) throws {
        #expect(throws: KeyError.notOffered) { try CryptoKey.generate(parameters.type, bits: parameters.bits) }
        let bytes = [UInt8](repeating: 1, count: parameters.publicSize)
        #expect(throws: KeyError.notOffered) { try CryptoKey(parameters.type, .public, representation: bytes) }
        let both = bytes + [UInt8](repeating: 1, count: parameters.privateSize)
        #expect(throws: KeyError.notOffered) { try CryptoKey(parameters.type, .private, representation: both) }
        #expect(throws: KeyError.notOffered) {
            try [UInt8](repeating: 1, count: parameters.seedSize).lend { (seed) throws(KeyError) in
                try CryptoKey(parameters, seed: seed)
            }
        }
        #expect("\(KeychainError(.notOffered))".contains("OpenSSL 3.5"))
    }

    @Test("a stored key of theirs is known by its bytes, whatever OpenSSL has", arguments: all)
    func outlined(parameters: LatticeParameters) throws {
        let bytes = (0..<parameters.publicSize + parameters.privateSize).map { UInt8(truncatingIfNeeded: $0) }
        let outline = try bytes.lend { (bytes) throws(KeyError) in try KeyOutline(parameters.type, .private, bytes) }
        #expect(outline.bits == parameters.bits)
        #expect(outline.publicRepresentation == Array(bytes.prefix(parameters.publicSize)))
        #expect(throws: KeyError.malformed) {
            try Array(bytes.dropLast()).lend { (bytes) throws(KeyError) in
                try KeyOutline(parameters.type, .private, bytes)
            }
        }
        let stored = try CryptoKey(parameters.type, .private, ofItem: SecretValue(copying: bytes))
        #expect(stored.bits == parameters.bits && stored.blockSize == parameters.privateSize)
        let algorithm = try #require(KeyAlgorithm("algid:sign:ML-DSA:message"))
        #expect(stored.isSupported(algorithm, for: .sign) == (parameters.type == .mldsa))
        if !parameters.isOffered, parameters.type == .mldsa {
            #expect(throws: KeyError.notOffered) { try stored.sign([], algorithm) }
        }
    }

    @Test("a size that they do not have is no key", arguments: [(KeyType.mldsa, 44), (.mldsa, 0), (.mlkem, 512)])
    func unmade(type: KeyType, bits: Int) {
        #expect(throws: KeyError.unsupportedKey) { try CryptoKey.generate(type, bits: bits) }
    }

    @Test("a key comes out as it went in, whole and by its seed", arguments: offered)
    func roundTrip(parameters: LatticeParameters) throws {
        let key = try CryptoKey.generate(parameters.type, bits: parameters.bits)
        let bytes = try key.representation().array
        #expect(bytes.count == parameters.publicSize + parameters.privateSize)
        #expect(key.publicRepresentation == Array(bytes.prefix(parameters.publicSize)))
        let read = try CryptoKey(parameters.type, .private, representation: bytes)
        #expect(read.isEqual(to: key))
        #expect(try read.representation().array == bytes)
        let seed = try key.seed().array
        #expect(seed.count == parameters.seedSize)
        let again = try seed.lend { (seed) throws(KeyError) in try CryptoKey(parameters, seed: seed) }
        #expect(try again.representation().array == bytes)
        let publicHalf = try key.publicKey()
        #expect(publicHalf.part == .public && publicHalf.blockSize == parameters.publicSize)
        #expect(try publicHalf.applicationLabel() == key.applicationLabel())
        // What is read from its bytes has no seed: it cannot be computed back.
        #expect(throws: KeyError.notExportable) { try read.seed().count }
    }

    @Test("halves that do not belong together, and other sizes, are refused", arguments: offered)
    func bad(parameters: LatticeParameters) throws {
        let (type, size) = (parameters.type, parameters.publicSize)
        let bytes = try CryptoKey.generate(type, bits: parameters.bits).representation().array
        let others = try CryptoKey.generate(type, bits: parameters.bits).representation().array
        #expect(throws: KeyError.mismatchedHalves) {
            try CryptoKey(type, .private, representation: Array(others.prefix(size) + bytes.dropFirst(size)))
        }
        for wrong in [Array(bytes.dropLast()), bytes + [0], Array(bytes.dropFirst(size)), []] {
            #expect(throws: KeyError.malformed) { try CryptoKey(type, .private, representation: wrong) }
        }
        #expect(throws: KeyError.malformed) {
            try CryptoKey(type, .public, representation: Array(bytes.prefix(size - 1)))
        }
        #expect(throws: KeyError.unsupportedKey) { try CryptoKey(type, .symmetric, representation: bytes) }
        // In the secret polynomials, which the public half was made of.
        var changed = bytes
        changed[size + 200] ^= 1
        #expect(throws: KeyError.malformed) { try CryptoKey(type, .private, representation: changed) }
    }

    @Test(
        "keys, signatures and secrets are those that others make of the same seeds",
        .enabled(if: !offered.isEmpty, "OpenSSL is older than 3.5"), arguments: LatticeVectors.all)
    func vectors(row: LatticeVectors.Row) throws {
        let parameters = try #require(row.parameters)
        let key = try [UInt8](hex: row.seed).lend { (seed) throws(KeyError) in try CryptoKey(parameters, seed: seed) }
        let other = try key.publicKey()
        #expect(try key.publicKeyChecksum() == [UInt8](hex: row.publicKey))
        let end = [UInt8](hex: row.privateKey)
        #expect(try key.representation().array.suffix(end.count) == end[...])
        if let signature = row.signature, let message = row.message, let context = row.context {
            let isValid = try [UInt8](hex: message).lend { (message) throws(KeyError) in
                try [UInt8](hex: signature).lend { (signature) throws(KeyError) in
                    try other.verifyLattice(signature, of: message, context: [UInt8](hex: context))
                }
            }
            #expect(isValid)
        }
        if let encapsulated = row.encapsulated, let secret = row.secret {
            let opened = try [UInt8](hex: encapsulated).lend { (bytes) throws(KeyError) in try key.decapsulate(bytes) }
            #expect(opened.withUnsafeBytes { Array($0) } == [UInt8](hex: secret))
        }
        #expect((row.signature == nil) == (parameters.type == .mlkem) && (row.secret == nil) == (row.signature != nil))
    }

    @Test("`openssl` takes what is signed and encapsulated here, and the reverse", arguments: offered)
    func command(parameters: LatticeParameters) throws {
        let command = try OpenSSLCommand()
        let key = try CryptoKey.generate(parameters.type, bits: parameters.bits)
        let other = try key.publicKey()
        let name = "ML-\(parameters.type == .mldsa ? "DSA" : "KEM")-\(parameters.bits)"
        let seed = try key.seed().array.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            try command.run(["genpkey", "-algorithm", name, "-pkeyopt", "hexseed:\(seed)", "-out", "key.pem"]))
        #expect(try command.run(["pkey", "-in", "key.pem", "-pubout", "-out", "public.pem"]))
        if parameters.type == .mldsa {
            let algorithm = try #require(KeyAlgorithm("algid:sign:ML-DSA:message"))
            let message = Array("a message".utf8)
            try command.write(message, "message")
            try command.write(key.sign(message, algorithm), "signature")
            #expect(
                try command.run([
                    "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "public.pem", "-in", "message", "-sigfile",
                    "signature",
                ]))
            #expect(
                try command.run([
                    "pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "message", "-out", "signature",
                ]))
            #expect(try other.verify(command.read("signature"), of: message, algorithm))
        } else {
            #expect(
                try command.run([
                    "pkeyutl", "-encap", "-pubin", "-inkey", "public.pem", "-out", "sent", "-secret", "secret",
                ]))
            let opened = try command.read("sent").lend { (sent) throws(KeyError) in try key.decapsulate(sent) }
            #expect(try opened.withUnsafeBytes { Array($0) } == command.read("secret"))
            let (secret, encapsulated) = try other.encapsulate()
            try command.write(encapsulated, "sent")
            #expect(
                try command.run(["pkeyutl", "-decap", "-inkey", "key.pem", "-in", "sent", "-secret", "opened"]))
            #expect(try secret.withUnsafeBytes { Array($0) } == command.read("opened"))
        }
    }

    @Test("what ML-DSA signs is verified, with its context alone", arguments: signing)
    func signs(parameters: LatticeParameters) throws {
        let key = try CryptoKey.generate(.mldsa, bits: parameters.bits)
        let read = try CryptoKey(.mldsa, .private, representation: key.representation().array)
        let other = try key.publicKey()
        let algorithm = try #require(KeyAlgorithm("algid:sign:ML-DSA:message"))
        for message in [[], Array("a message".utf8), [UInt8](repeating: 7, count: 100_000)] {
            let signature = try read.sign(message, algorithm)
            #expect(signature.count == parameters.outputSize)
            #expect(try other.verify(signature, of: message, algorithm))
            var changed = signature
            changed[changed.count / 2] ^= 1
            #expect(try !other.verify(changed, of: message, algorithm))
            #expect(try !other.verify(Array(signature.dropLast()), of: message, algorithm))
            #expect(try !other.verify([], of: message, algorithm))
            #expect(try !other.verify(signature, of: message + [0], algorithm))
        }
        let message = Array("a message".utf8)
        let context = [UInt8](repeating: 9, count: 255)
        let bound = try message.lend { (message) throws(KeyError) in try key.signLattice(message, context: context) }
        let isValid = { (context: [UInt8]) in
            try message.lend { (message) throws(KeyError) in
                try bound.lend { (bound) throws(KeyError) in
                    try other.verifyLattice(bound, of: message, context: context)
                }
            }
        }
        #expect(try isValid(context) && !isValid([]) && !isValid(Array(context.dropLast())) && !isValid(context + [9]))
        #expect(throws: KeyError.invalidParameter) {
            try message.lend { (message) throws(KeyError) in try key.signLattice(message, context: context + [9]) }
        }
        #expect(throws: KeyError.unsupportedAlgorithm) {
            try message.lend { (message) throws(KeyError) in try other.signLattice(message) }
        }
        #expect(throws: KeyError.unsupportedAlgorithm) { try other.encapsulate().encapsulated }
    }

    @Test("what ML-KEM encapsulates is opened by its key alone", arguments: sharing)
    func shares(parameters: LatticeParameters) throws {
        let key = try CryptoKey.generate(.mlkem, bits: parameters.bits)
        let read = try CryptoKey(.mlkem, .private, representation: key.representation().array)
        let (secret, encapsulated) = try key.publicKey().encapsulate()
        #expect(secret.count == 32 && encapsulated.count == parameters.outputSize)
        for own in [key, read] {
            let opened = try encapsulated.lend { (bytes) throws(KeyError) in try own.decapsulate(bytes) }
            #expect(opened.isEqualInConstantTime(to: secret))
        }
        let stranger = try CryptoKey.generate(.mlkem, bits: parameters.bits)
        let different = try encapsulated.lend { (bytes) throws(KeyError) in try stranger.decapsulate(bytes) }
        #expect(!different.isEqualInConstantTime(to: secret))
        #expect(throws: KeyError.invalidLength) {
            try Array(encapsulated.dropLast()).lend { (bytes) throws(KeyError) in try key.decapsulate(bytes) }
        }
        #expect(throws: KeyError.unsupportedAlgorithm) { try key.encapsulate().encapsulated }
        #expect(throws: KeyError.unsupportedAlgorithm) {
            try [UInt8]().lend { (message) throws(KeyError) in try key.signLattice(message) }
        }
    }
}
