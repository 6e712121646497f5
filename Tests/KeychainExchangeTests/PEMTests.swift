// SPDX-License-Identifier: Apache-2.0

import KeychainExchange
import KeychainModel
import TestCertificates
import Testing

@Suite("PEM is read to the letter")
struct PEMTests {
    private func blocks(_ text: String) throws -> [PEMBlock] {
        try Array(text.utf8).withUnsafeBytes { try PEM.blocks(in: $0) }
    }

    @Test("with text around, line ends of any kind, lines of any length")
    func accepted() throws {
        let text = """
            Subject: somebody
            -----BEGIN CERTIFICATE-----
            QUJD
            -----END CERTIFICATE-----
            and\r\n-----BEGIN X-----\r\nQU\r\nI=\r\n-----END X-----\r\n
            """
        let found = try blocks(text)
        #expect(found.map(\.label) == ["CERTIFICATE", "X"])
        #expect(found.map { $0.content.bytes } == [Array("ABC".utf8), Array("AB".utf8)])
    }

    @Test(
        "not otherwise",
        arguments: [
            "", "QUJD", "-----BEGIN A-----", "-----BEGIN A-----\nQUJD\n", "-----BEGIN A-----\nQUJD\n-----END B-----",
            "-----BEGIN A-----\n-----END A-----", "-----BEGIN A-----\nQUJ\n-----END A-----",
            "-----BEGIN A-----\nQUJD=\n-----END A-----", "-----BEGIN A-----\nQ===\n-----END A-----",
            "-----BEGIN A-----\nQR==\n-----END A-----", "-----BEGIN A-----\nQUJ*\n-----END A-----",
            "-----BEGIN A-----\nQQ==QQ==\n-----END A-----", "-----BEGIN A----\nQUJD\n-----END A-----",
            "-----BEGIN A-----\nDEK-Info: X,00\n\nQUJD\n-----END A-----",
        ])
    func refused(_ text: String) {
        #expect(throws: ExchangeError.undecodable) { try blocks(text) }
    }

    @Test("what is written is read again, at every length")
    func roundTrip() throws {
        for count in 1...200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = PEM.publicText("TEST", of: bytes)
            #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
            #expect(try blocks(text).map { $0.content.bytes } == [bytes])
        }
    }
}
