// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Every signature algorithm, between us and `openssl`.
@Suite struct SignatureTests {
    @Test("the table has every algorithm")
    func complete() {
        #expect(SignatureRow.rows(.rsa).count == 25)
        for kind in KeyKind.ec { #expect(SignatureRow.rows(kind).count == 23) }
        let names = KeyKind.allCases.flatMap { SignatureRow.rows($0).map(\.algorithm) }
        #expect(Set(names).count == 25 + 23 + 2)
    }

    @Test(
        "what is signed here is verified there, and the reverse",
        arguments: [KeyKind.rsa] + KeyKind.ec + KeyKind.edwards, SharedKey.Maker.allCases)
    func signatures(kind: KeyKind, maker: SharedKey.Maker) throws {
        let shared = try SharedKey.of(kind, by: maker)
        let command = try OpenSSLCommand()
        try shared.give(command)
        for row in SignatureRow.rows(kind) {
            let what = Comment(rawValue: row.algorithm.rawValue as String)
            try command.write(row.theirInput, "input")
            let signature = try #require(
                SecKeyCreateSignature(shared.key, row.algorithm, row.input as CFData, nil), what)
            try command.write(row.theirs(signature as Data), "signature")
            #expect(try Self.isVerified(row, by: command), what)

            try command.run(Self.signing(row))
            let theirs = try #require(row.ours(command.read("signature")), what)
            #expect(
                SecKeyVerifySignature(shared.other, row.algorithm, row.input as CFData, theirs as CFData, nil), what)
            var other = row.input
            other[other.startIndex + 1] ^= 4
            let status = Refusal.status { error in
                _ = SecKeyVerifySignature(shared.other, row.algorithm, other as CFData, theirs as CFData, error)
            }
            #expect(status == errSecVerifyFailed, what)
        }
    }

    @Test("the command sees a signature of something else", arguments: [KeyKind.rsa, .p256, .ed25519])
    func wrong(kind: KeyKind) throws {
        let shared = try SharedKey.of(kind, by: .we)
        let command = try OpenSSLCommand()
        try shared.give(command)
        for row in SignatureRow.rows(kind).prefix(4) {
            try command.write(row.theirInput, "input")
            var other = row.input
            other[other.startIndex + 1] ^= 4
            let signature = try #require(SecKeyCreateSignature(shared.key, row.algorithm, other as CFData, nil))
            try command.write(row.theirs(signature as Data), "signature")
            #expect(try !Self.isVerified(row, by: command))
        }
    }

    private static func signing(_ row: SignatureRow) -> [String] {
        switch row.command {
        case .message(let options): ["dgst"] + options + ["-sign", "key.pem", "-out", "signature", "input"]
        case .digest(let options):
            ["pkeyutl", "-sign", "-inkey", "key.pem", "-in", "input", "-out", "signature"]
                + options.flatMap { ["-pkeyopt", $0] }
        // Signing and decrypting are the same thing to a number.
        case .number:
            ["pkeyutl", "-decrypt", "-inkey", "key.pem", "-in", "input", "-out", "signature", "-pkeyopt"]
                + ["rsa_padding_mode:none"]
        case .wholeMessage:
            ["pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in", "input", "-out", "signature"]
        }
    }

    private static func isVerified(_ row: SignatureRow, by command: OpenSSLCommand) throws -> Bool {
        let files = ["-pubin", "-inkey", "public.pem", "-in", "input", "-sigfile", "signature"]
        switch row.command {
        case .number:
            return try command(
                "pkeyutl", "-encrypt", "-pubin", "-inkey", "public.pem", "-in", "signature", "-pkeyopt",
                "rsa_padding_mode:none") == row.theirInput
        case .message(let options):
            return try command.succeeds(
                ["dgst"] + options + ["-verify", "public.pem", "-signature", "signature", "input"])
        case .digest(let options):
            return try command.succeeds(["pkeyutl", "-verify"] + files + options.flatMap { ["-pkeyopt", $0] })
        case .wholeMessage: return try command.succeeds(["pkeyutl", "-verify", "-rawin"] + files)
        }
    }
}
