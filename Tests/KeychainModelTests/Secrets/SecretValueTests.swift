// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite struct SecretValueTests {
    private struct Refusal: Error, Equatable {}

    private func value(_ text: String) -> SecretValue {
        Array(text.utf8).withUnsafeBytes { SecretValue(copying: $0) }
    }

    @Test("a value lends what it was filled with, both ways", arguments: ["", "a", "correct horse battery staple"])
    func lends(text: String) {
        let bytes = Array(text.utf8)
        let copied = value(text)
        #expect(copied.count == bytes.count)
        #expect(copied.withUnsafeBytes { Array($0) } == bytes)
        #expect(Array(UnsafeRawBufferPointer(start: copied.bytes, count: copied.count)) == bytes)
        let filled = SecretValue(count: bytes.count) { $0.copyBytes(from: bytes) }
        #expect(filled.isEqualInConstantTime(to: copied))
    }

    @Test("values differ in content or in length")
    func equality() {
        #expect(!value("secret").isEqualInConstantTime(to: value("secreT")))
        #expect(!value("secret").isEqualInConstantTime(to: value("secrets")))
    }

    @Test("printing a value in any way shows nothing of it")
    func redacted() {
        let secret = value("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        dump([secret], to: &dumped)
        let shown = ["\(secret)", String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)", dumped]
        for text in shown {
            #expect(text.contains("SecretValue(redacted)"))
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("0x"), "an address was shown")
            #expect(!text.contains("7"), "the size was shown")
        }
    }

    @Test("a value in digits, and in base64, is a value again")
    func encoded() {
        #expect(value("a\u{0}~\n").hexadecimal().isEqualInConstantTime(to: value("61007e0a")))
        #expect(value("~\n").hexadecimal(uppercase: true).isEqualInConstantTime(to: value("7E0A")))
        #expect(value("hunter2").base64().isEqualInConstantTime(to: value("aHVudGVyMg==")))
        #expect(value("").hexadecimal().count == 0 && value("").base64().count == 0)
    }

    @Test("an error thrown while filling arrives as its own type")
    func throwing() {
        do throws(Refusal) {
            _ = try SecretValue(count: 8) { _ throws(Refusal) in throw Refusal() }
            Issue.record("made a value")
        } catch {
            #expect(error == Refusal())
        }
    }
}
