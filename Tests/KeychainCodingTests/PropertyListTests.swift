// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import Testing

@Suite struct PropertyListTests {
    static let vectors: [(PropertyList, String)] = [
        (.null, "0500"),
        (.boolean(false), "010100"),
        (.boolean(true), "010101"),
        (.number(0), "020100"),
        (.number(1), "020101"),
        (.number(127), "02017F"),
        (.number(128), "02020080"),
        (.number(-1), "0201FF"),
        (.number(-128), "020180"),
        (.number(-129), "0202FF7F"),
        (.number(256), "02020100"),
        (.number(0x8000_0001), "02050080000001"),
        (.number(.max), "02087FFFFFFFFFFFFFFF"),
        (.number(.min), "02088000000000000000"),
        (.string(""), "0C00"),
        (.string("abc"), "0C03616263"),
        (.string("ñ"), "0C02C3B1"),
        (.data([]), "0400"),
        (.data([0xFF, 0]), "0402FF00"),
        (.data([UInt8](repeating: 7, count: 127)), "047F" + String(repeating: "07", count: 127)),
        (.data([UInt8](repeating: 7, count: 128)), "048180" + String(repeating: "07", count: 128)),
        (.data([UInt8](repeating: 7, count: 256)), "04820100" + String(repeating: "07", count: 256)),
        (.date(0), "180F 32303031303130313030303030305A"),
        (.array([]), "3000"),
        (.array([.number(1), .null]), "3005 020101 0500"),
        (.dictionary([:]), "3100"),
        (
            .dictionary(["b": .number(1), "a": .number(2), "c": .null, "aa": .boolean(true), "d": .data([0, 0, 0])]),
            "312A 3005 0C0163 0500 3006 0C0161 020102 3006 0C0162 020101 3007 0C026161 010101 3008 0C0164 0403000000"
        ),
        // A shorter key sorts first among entries of one size.
        (.dictionary(["bb": .null, "z": .number(0)]), "3110 3006 0C017A 020100 3006 0C026262 0500"),
    ]

    @Test("every kind of value has one encoding, and true is 01", arguments: vectors)
    func vector(value: PropertyList, text: String) throws {
        #expect(try value.encoded() == hex(text))
        #expect(try PropertyList(decoding: hex(text)) == value)
    }

    @Test(
        "bytes that are not the one encoding of a value are refused",
        arguments: [
            ("", CodingError.truncated), ("02", .truncated), ("0201", .truncated), ("0C0261", .truncated),
            ("0481", .truncated), ("04FF00", .truncated), ("0489FFFFFFFFFFFFFFFFFF", .truncated),
            ("0488FFFFFFFFFFFFFFFF", .truncated), ("04877FFFFFFFFFFFFF", .truncated), ("3003020101FF", .trailingBytes),
            ("050000", .trailingBytes), ("3004020101FF", .unknownTag), ("30050201013100FF", .trailingBytes),
            // Lengths.
            ("04810100", .notCanonical), ("048200" + "80" + String(repeating: "07", count: 128), .notCanonical),
            ("0480", .notCanonical), ("3080 0000", .notCanonical), ("0500 0500", .trailingBytes),
            ("050100", .notCanonical),
            // Numbers and booleans.
            ("0200", .notCanonical), ("02020001", .notCanonical), ("0202FFFF", .notCanonical),
            ("0202007F", .notCanonical),
            ("0209 010000000000000000", .numberOutOfRange), ("0209 00FFFFFFFFFFFFFFFF", .numberOutOfRange),
            ("0101FF", .notCanonical), ("010102", .notCanonical), ("0100", .notCanonical), ("01020101", .notCanonical),
            // Text.
            ("0C01FF", .invalidString), ("0C02C0AF", .invalidString), ("0C03EDA080", .invalidString),
            ("0C02C3", .truncated), ("0C01C3", .invalidString),
            // Tags.
            ("0000", .unknownTag), ("0A0101", .unknownTag), ("1600", .unknownTag), ("1000", .unknownTag),
            ("D100", .unknownTag), ("1F8100", .unknownTag), ("2400", .unknownTag),
            // Dictionaries.
            ("3110 3006 0C0162 020101 3006 0C0161 020102", .notCanonical),
            ("310F 3006 0C0161 020101 3005 0C0162 0500", .notCanonical),
            ("3110 3006 0C0161 020101 3006 0C0161 020101", .duplicateKey),
            ("3110 3006 0C0161 020101 3006 0C0161 020102", .duplicateKey),
            ("3117 3005 0C0161 0500 3006 0C0162 020101 3006 0C0161 020102", .duplicateKey),
            // é in two spellings is one key.
            ("3113 3006 0C02C3A9 0500 3007 0C0365CC81 0500", .truncated),
            ("3111 3006 0C02C3A9 0500 3007 0C0365CC81 0500", .duplicateKey),
            ("3105 3003 0C0161", .truncated), ("3107 3005 020161 0500", .wrongType),
            ("3102 0500", .wrongType), ("3109 3007 0C0161 0500 0500", .trailingBytes), ("3102 3000", .truncated),
        ])
    func refused(text: String, error: CodingError) {
        #expect(throws: error) { try PropertyList(decoding: hex(text)) }
    }

    @Test("32 containers may stand inside each other, 33 may not", arguments: [true, false])
    func depth(array: Bool) throws {
        func nested(_ depth: Int) -> PropertyList {
            (1..<depth).reduce(array ? .array([]) : .dictionary([:])) { inner, _ in
                array ? .array([inner]) : .dictionary(["k": inner])
            }
        }
        let deepest = try nested(32).encoded()
        #expect(try PropertyList(decoding: deepest) == nested(32))
        #expect(throws: CodingError.depthExceeded) { try nested(33).encoded() }
        #expect(throws: CodingError.depthExceeded) {
            let count = [UInt8(deepest.count)]
            return try PropertyList(decoding: [0x30] + (array ? count : [0x81] + count) + deepest)
        }
    }

    @Test("a hostile nesting of a megabyte is refused before the stack ends")
    func hostileDepth() {
        let bytes = [UInt8]((0..<250_000).flatMap { _ in [0x30, 0x83, 0x0F, 0xFF] as [UInt8] })
        #expect(throws: CodingError.self) { try PropertyList(decoding: bytes) }
    }

    @Test("decoding from lent memory gives what decoding an array gives")
    func lentMemory() throws {
        let value = PropertyList.dictionary(["key": .array([.string("text"), .date(0.5)])])
        let bytes = try value.encoded()
        #expect(try bytes.withUnsafeBytes { try unsafe PropertyList(decoding: $0) } == value)
        #expect(try PropertyList(decoding: bytes.span) == value)
        #expect(throws: CodingError.truncated) {
            try unsafe PropertyList(decoding: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    @Test("a description never shows a value")
    func redaction() {
        let value = PropertyList.dictionary(["hunter2": .array([.string("hunter2"), .data([1]), .number(77)])])
        for text in ["\(value)", String(reflecting: value), "\([value])"] {
            #expect(!text.contains("hunter2") && !text.contains("77"))
        }
        var dumped = ""
        dump(value, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
