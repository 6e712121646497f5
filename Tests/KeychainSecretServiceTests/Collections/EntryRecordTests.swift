// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainSecretService
import Testing

@Suite struct EntryRecordTests {
    @Test(
        "a record is read as it was written",
        arguments: [[:], ["": ""], ["b": "1", "a": "2", "ä": "\n", "B": "3"], ["xdg:schema": "org.example"]])
    func roundTrip(attributes: [String: String]) throws {
        let bytes = try EntryRecord(attributes: attributes, contentType: "text/plain").encoded()
        let record = try EntryRecord(decoding: bytes)
        #expect(record.attributes == attributes && record.contentType == "text/plain")
        #expect(try record.encoded() == bytes)
    }

    @Test("what could have been written in another way is no record")
    func strict() throws {
        func refusal(_ texts: String...) throws -> CodingError? {
            try refusal(.array(texts.map { .string($0) }))
        }
        func refusal(_ value: PropertyList) throws -> CodingError? {
            let bytes = try value.encoded()
            do throws(CodingError) {
                _ = try EntryRecord(decoding: bytes)
                return nil
            } catch { return error }
        }
        #expect(try refusal("t") == nil)
        #expect(try refusal("t", "a", "1", "b", "") == nil)
        #expect(try refusal("t", "b", "1", "a", "") == .notCanonical)
        #expect(try refusal("t", "a", "1", "a", "") == .notCanonical)
        #expect(try refusal("t", "e\u{301}", "1", "é", "1") == .duplicateKey)
        for value in [
            PropertyList.array([]), .array([.string("t"), .string("a")]), .array([.number(1)]), .string("t"), .null,
            .array([.string("t"), .string("a"), .data([1])]), .dictionary(["t": .string("a")]),
        ] { #expect(try refusal(value) == .wrongType) }
    }
}
