// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// RSA encryption, between us and `openssl`.
@Suite struct EncryptionTests {
    private static let plain = Data("thirty-two bytes of plain text!!".utf8)

    private static let hashes = ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]

    private static func oaep(_ hash: String) -> [String] {
        ["rsa_padding_mode:oaep", "rsa_oaep_md:\(hash.lowercased())", "rsa_mgf1_md:\(hash.lowercased())"]
    }

    private static var rows: [(SecKeyAlgorithm, options: [String])] {
        [(.rsaEncryptionPKCS1, ["rsa_padding_mode:pkcs1"])]
            + hashes.map { (SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:\($0)" as CFString), oaep($0)) }
    }

    private static func words(_ options: [String]) -> [String] { options.flatMap { ["-pkeyopt", $0] } }

    private static let decrypting = ["pkeyutl", "-decrypt", "-inkey", "key.pem", "-in", "sealed"]
    private static let encrypting = ["pkeyutl", "-encrypt", "-pubin", "-inkey", "public.pem", "-in", "plain"]

    @Test("what is encrypted here is decrypted there, and the reverse", arguments: SharedKey.Maker.allCases)
    func encryption(maker: SharedKey.Maker) throws {
        let shared = try SharedKey.of(.rsa, by: maker)
        let command = try OpenSSLCommand()
        try shared.give(command)
        try command.write(Self.plain, "plain")
        for (algorithm, options) in Self.rows {
            let what = Comment(rawValue: algorithm.rawValue as String)
            let sealed = try #require(SecKeyCreateEncryptedData(shared.other, algorithm, Self.plain as CFData, nil))
            try command.write(sealed as Data, "sealed")
            #expect(try command.run(Self.decrypting + Self.words(options)) == Self.plain, what)
            let theirs = try command.run(Self.encrypting + Self.words(options))
            let opened = SecKeyCreateDecryptedData(shared.key, algorithm, theirs as CFData, nil)
            #expect(opened as Data? == Self.plain, what)
        }
    }

    @Test("a number alone is the same number on both sides")
    func raw() throws {
        let shared = try SharedKey.of(.rsa, by: .we)
        let command = try OpenSSLCommand()
        try shared.give(command)
        let number = Data([0]) + Data((1..<256).map { UInt8($0) })
        try command.write(number, "plain")
        let options = Self.words(["rsa_padding_mode:none"])
        let theirs = try command.run(Self.encrypting + options)
        for (algorithm, turn) in [
            (SecKeyAlgorithm.rsaEncryptionRaw, { (data: Data) in data }),
            (.rsaEncryptionRawCCUnit, { Data($0.reversed()) }),
        ] {
            let sealed = SecKeyCreateEncryptedData(shared.other, algorithm, turn(number) as CFData, nil)
            #expect(sealed.map { turn($0 as Data) } == theirs)
            let opened = SecKeyCreateDecryptedData(shared.key, algorithm, turn(theirs) as CFData, nil)
            #expect(opened.map { turn($0 as Data) } == number)
        }
    }

    @Test("a session's key is what OAEP has encrypted in front, as long as Apple's", arguments: hashes)
    func session(hash: String) throws {
        let shared = try SharedKey.of(.rsa, by: .we)
        let command = try OpenSSLCommand()
        try shared.give(command)
        let algorithm = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:\(hash):AESGCM" as CFString)
        let sealed = try #require(SecKeyCreateEncryptedData(shared.other, algorithm, Self.plain as CFData, nil))
        #expect(sealed.length == 256 + Self.plain.count + 16)
        try command.write((sealed as Data).prefix(256), "sealed")
        // AES-128 below moduli of 4096 bits, and this one has 2048 (semantics §11.3).
        #expect(try command.run(Self.decrypting + Self.words(Self.oaep(hash))).count == 16)
    }
}
