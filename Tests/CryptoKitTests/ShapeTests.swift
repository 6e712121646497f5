// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Testing

/// What ordinary code does with the types, beyond the vectors.
@Suite struct ShapeTests {
    @Test("a digest is a value: a copy goes on by itself")
    func values() {
        var first = SHA256()
        first.update(data: Data("a".utf8))
        var second = first
        first.update(data: Data("b".utf8))
        second.update(data: Data("c".utf8))
        #expect(first.finalize() == SHA256.hash(data: Data("ab".utf8)))
        #expect(second.finalize() == SHA256.hash(data: Data("ac".utf8)))
        first.update(data: Data("d".utf8))
        #expect(first.finalize() == SHA256.hash(data: Data("abd".utf8)))
        var code = HMAC<SHA256>(key: SymmetricKey(data: Data()))
        let empty = code
        code.update(data: Data("x".utf8))
        #expect(code.finalize() != empty.finalize())
    }

    @Test("bytes in several places are taken in their order")
    func places() throws {
        var scattered = DispatchData.empty
        for part in ["one ", "two ", "three"] { Data(part.utf8).withUnsafeBytes { scattered.append($0) } }
        #expect(scattered.regions.count > 1)
        let whole = Data("one two three".utf8)
        #expect(SHA512.hash(data: scattered) == SHA512.hash(data: whole))
        let key = SymmetricKey(size: .bits256)
        #expect(try AES.GCM.open(AES.GCM.seal(scattered, using: key), using: key) == whole)
        #expect(
            HMAC<SHA384>.isValidAuthenticationCode(
                HMAC<SHA384>.authenticationCode(for: scattered, using: key), authenticating: whole, using: key))
    }

    @Test("digests are described, compared, hashed and walked through")
    func digests() {
        let digest = SHA256.hash(data: Data("abc".utf8))
        #expect(
            digest.description
                == "SHA256 digest: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(digest.map { String(format: "%02x", $0) }.joined().count == 64)
        #expect(digest == Data(digest) && digest != Data(count: 32))
        #expect(Set([digest, SHA256.hash(data: Data("abc".utf8))]).count == 1)
        #expect(SHA256Digest.byteCount == 32 && SHA256.byteCount == 32 && SHA256.blockByteCount == 64)
        func generic<H: HashFunction>(_: H.Type) -> Data { Data(H.hash(data: Data())) }
        #expect(generic(Insecure.SHA1.self).count == 20)
    }

    @Test("a symmetric key shows its size and nothing else")
    func symmetricKeys() {
        let key = SymmetricKey(size: .bits192)
        #expect(key.bitCount == 192 && "\(key)" == "SymmetricKey(192 bits)" && Mirror(reflecting: key).children.isEmpty)
        #expect(key != SymmetricKey(size: .bits192))
        #expect(key == key.withUnsafeBytes { SymmetricKey(data: Data($0)) })
        #expect(SymmetricKeySize(bitCount: 512).bitCount == 512)
    }

    @Test("a box goes through its parts and through its bytes in a row")
    func boxes() throws {
        let key = SymmetricKey(size: .bits256)
        let plain = Data("a message".utf8)
        let box = try AES.GCM.seal(plain, using: key)
        let combined = try #require(box.combined)
        #expect(combined == Data(box.nonce) + box.ciphertext + box.tag)
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key) == plain)
        let parts = try AES.GCM.SealedBox(nonce: box.nonce, ciphertext: box.ciphertext, tag: box.tag)
        #expect(try AES.GCM.open(parts, using: key) == plain)
        for index in combined.indices {
            var changed = combined
            changed[index] ^= 1
            let box = try AES.GCM.SealedBox(combined: changed)
            #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.SealedBox(combined: Data(count: 27)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: Data(count: 11)) }
        let odd = SymmetricKey(size: SymmetricKeySize(bitCount: 8))
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(plain, using: odd) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.seal(plain, using: odd) }
        // A longer nonce has no row.
        let long = try AES.GCM.seal(plain, using: key, nonce: AES.GCM.Nonce(data: Data(count: 16)))
        #expect(long.combined == nil)
        #expect(try AES.GCM.open(long, using: key) == plain)
        let poly = try ChaChaPoly.seal(Data(), using: key, authenticating: plain)
        #expect(try ChaChaPoly.open(.init(combined: poly.combined), using: key, authenticating: plain).isEmpty)
    }

    @Test("what is derived has any size, and more information than OpenSSL would take")
    func derivation() throws {
        let secret = SymmetricKey(size: .bits256)
        let info = Data(repeating: 7, count: 10_000)
        let long = HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: info, outputByteCount: 255 * 32)
        let short = HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: info, outputByteCount: 33)
        #expect(long.bitCount == 255 * 256)
        #expect(Hex.text(long).hasPrefix(Hex.text(short)))
        #expect(HKDF<SHA512>.deriveKey(inputKeyMaterial: SymmetricKey(data: Data()), outputByteCount: 0).bitCount == 0)
    }
}
