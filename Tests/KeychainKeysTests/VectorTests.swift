// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

@Suite struct VectorTests {
    @Test("published vectors", arguments: KeyVectors.published.rows)
    func published(row: KeyVectors.Row) throws { try check(row, of: KeyVectors.published) }

    @Test("the algorithms by their definitions, computed elsewhere", arguments: KeyVectors.reference.rows)
    func reference(row: KeyVectors.Row) throws { try check(row, of: KeyVectors.reference) }

    private func check(_ row: KeyVectors.Row, of vectors: KeyVectors) throws {
        switch row.op {
        case "sign", "verify": try checkSignature(row, of: vectors)
        case "decrypt":
            let (own, _) = try vectors.pair(of: row)
            let algorithm = try #require(KeyAlgorithm(row.algorithm))
            let plain = try #require(own).decrypt(row.inputBytes, algorithm)
            #expect(plain == row.outputBytes)
            #expect(own?.isSupported(algorithm, for: .decrypt) == true)
        case "exchange":
            let (own, other) = try vectors.pair(of: row)
            let algorithm = try #require(KeyAlgorithm(row.algorithm))
            let peer = try CryptoKey(other.type, .public, representation: [UInt8](hex: row.peer ?? ""))
            let secret = try #require(own).exchange(with: peer, algorithm, row.requestedSize, row.info)
            #expect(secret == row.outputBytes)
        case "x963":
            let hash = try #require(HashFunction(rawValue: row.algorithm))
            let size = try #require(row.requestedSize)
            let derived = try X963.derive(row.inputBytes.secret(), info: row.info, hash, count: size).array
            #expect(derived == row.outputBytes)
        case "pbkdf2":
            let hash = try #require(PasswordKey.hash(named: row.algorithm))
            let rounds = try #require(row.rounds)
            let key = try #require(PasswordKey(hash: hash, salt: row.info, rounds: rounds))
            let size = try #require(row.requestedSize)
            let derived = try row.inputBytes.lend { (password) throws(KeyError) in
                try key.derive(from: password, count: size).array
            }
            #expect(derived == row.outputBytes)
        default: Issue.record("an operation nobody knows: \(row.op)")
        }
    }

    private func checkSignature(_ row: KeyVectors.Row, of vectors: KeyVectors) throws {
        let (own, other) = try vectors.pair(of: row)
        let algorithm = try #require(KeyAlgorithm(row.algorithm))
        let signature = row.outputBytes
        #expect(try other.verify(signature, of: row.inputBytes, algorithm))
        var changed = signature
        changed[changed.count / 2] ^= 1
        #expect(try !other.verify(changed, of: row.inputBytes, algorithm))
        #expect(try !other.verify([UInt8](signature.dropLast()), of: row.inputBytes, algorithm))
        #expect(try !other.verify(signature + [0], of: row.inputBytes, algorithm))
        #expect(try !other.verify([], of: row.inputBytes, algorithm))
        guard let own else { return }
        #expect(own.publicRepresentation == other.publicRepresentation)
        let mine = try own.sign(row.inputBytes, algorithm)
        #expect(try other.verify(mine, of: row.inputBytes, algorithm))
        if row.op == "sign" { #expect(mine == signature) }
    }
}
