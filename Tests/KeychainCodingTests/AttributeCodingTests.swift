// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainCoding
import KeychainModel
import TestSeed
import Testing

/// The same dictionary for the slow, obvious encoder, which sorts what it encoded.
func propertyList(_ list: AttributeList, data: [UInt8]? = nil) -> PropertyList {
    var values: [String: PropertyList] = [:]
    for entry in list.entries {
        switch entry.value {
        case .string(let string): values[entry.attribute.key] = .string(string)
        case .data(let bytes): values[entry.attribute.key] = .data(bytes)
        case .number(let number): values[entry.attribute.key] = .number(number)
        case .date(let date): values[entry.attribute.key] = .date(date)
        }
    }
    if let data { values["v_Data"] = .data(data) }
    return .dictionary(values)
}

@Suite struct AttributeCodingTests {
    static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    static func decode(_ bytes: [UInt8]) throws -> AttributeList {
        try bytes.withUnsafeBytes { try unsafe AttributeCoding.decode($0) }
    }

    @Test("attributes are written under their four letters, small entries first")
    func vector() throws {
        var list = AttributeList()
        list[.service] = .string("s")
        list[.account] = .string("a")
        list[.type] = .number(2_147_483_649)
        list[.synchronizable] = .number(0)
        let bytes = hex(
            """
            3130 3009 0C0461636374 0C0161 3009 0C0473766365 0C0173 3009 0C0473796E63 020100
            300D 0C0474797065 02050080000001
            """)
        #expect(try AttributeCoding.encode(list) == bytes)
        #expect(try Self.decode(bytes) == list)
        #expect(try AttributeCoding.encode(AttributeList()) == [0x31, 0])
        #expect(try Self.decode([0x31, 0]) == AttributeList())
    }

    @Test("the order of sizes and keys is the order of the encoded bytes")
    func agreesWithPropertyList() throws {
        var seed = Seed(for: "AttributeCoding")
        for _ in 0..<1500 {
            let list = seed.attributes()
            let bytes = try AttributeCoding.encode(list)
            let agrees = try propertyList(list).encoded() == bytes
            let sized = try AttributeCoding.encodedSize(list) == bytes.count
            let back = try Self.decode(bytes)
            guard agrees, sized, back == list else {
                Issue.record("\(list.entries.count) attributes came out differently")
                return
            }
        }
    }

    @Test(
        "what is no dictionary of attributes is refused",
        arguments: [
            ("", CodingError.truncated), ("3000", .wrongType), ("310000", .trailingBytes), ("3101", .truncated),
            ("310A 3008 0C0461636374 0500", .wrongType), ("310B 3009 0C0461636374 010101", .wrongType),
            ("310A 3008 0C0461636374 3000", .wrongType), ("310A 3008 0C0461636374 3100", .wrongType),
            ("310A 3008 0C0441414141 0C00", .unknownKey), ("3109 3007 0C03616263 0C00", .unknownKey),
            ("310C 300A 0C06765F44617461 0400", .unknownKey), ("310A 3008 040461636374 0C00", .wrongType),
            ("3108 3006 0C0461636374", .truncated), ("310C 300A 0C0461636374 0C00 0C00", .trailingBytes),
            ("310C 3008 0C0461636374 0C00 0500", .wrongType), ("310B 3009 0C0461636374 0C01FF", .invalidString),
            // acct before agrp; twice; twice with another between.
            ("3114 3008 0C0461677270 0C00 3008 0C0461636374 0C00", .notCanonical),
            ("3115 3009 0C0461636374 0C0161 3008 0C0461677270 0C00", .notCanonical),
            ("3114 3008 0C0461636374 0C00 3008 0C0461636374 0C00", .duplicateKey),
            ("3120 3008 0C0461636374 0C00 3009 0C0461677270 0C0161 3009 0C0461636374 0C0161", .duplicateKey),
            // The item of scenario L8: a date that does not exist.
            ("3119 3017 0C0463646174 180F 32303233303233303030303030305A", .invalidDate),
            ("311C 301A 0C0463646174 1812 3230323330323031303030303030 2E3130 5A", .notCanonical),
            ("311B 3019 0C0463646174 1811 3230323330323031303030303030 2E30 5A", .notCanonical),
        ])
    func refused(text: String, error: CodingError) {
        #expect(throws: error) { try Self.decode(hex(text)) }
    }

    @Test(
        "an attribute that comes again in another size is refused, whatever stands between",
        arguments: [
            [] as [Attribute], [.account], Attribute.allCases,
        ])
    func repeated(between others: [Attribute]) throws {
        for attribute in Attribute.allCases {
            var entries = try AttributeList(attribute, .number(1)).encodedEntries()
            for other in others.sorted(by: { $0.rawValue < $1.rawValue }) where other != attribute {
                entries += try AttributeList(other, .number(128)).encodedEntries()
            }
            entries += try AttributeList(attribute, .number(32768)).encodedEntries()
            let count = (high: UInt8(entries.count >> 8), low: UInt8(entries.count & 0xFF))
            let length = entries.count < 128 ? [count.low] : [0x82, count.high, count.low]
            let bytes = [0x31] + length + entries
            #expect(throws: CodingError.duplicateKey) { try Self.decode(bytes) }
            #expect(throws: CodingError.duplicateKey) { try PropertyList(decoding: bytes) }
        }
    }

    @Test("a list that repeats an attribute, or has a date without text, is not written")
    func unwritable() {
        var list = AttributeList()
        list.append(unchecked: .account, .string("a"))
        list.append(unchecked: .label, .string("ab"))
        list.append(unchecked: .account, .string("abc"))
        #expect(throws: CodingError.duplicateKey) { try AttributeCoding.encode(list) }
        #expect(throws: CodingError.duplicateKey) { try AttributeCoding.encodedSize(list) }
        list = AttributeList()
        list[.creationDate] = .date(.nan)
        #expect(throws: CodingError.dateOutOfRange) { try AttributeCoding.encode(list) }
    }

    @Test("the digest covers the secret and every attribute but the five that differ between copies")
    func digestEncoding() throws {
        var seed = Seed(for: "Digest")
        for size in [nil, 0, 1, 18, 127, 128, 70_000] + (0..<200).map({ _ in seed.size() }) {
            let list = seed.attributes()
            var digested = list
            for attribute in [Attribute.syncIdentifier, .circleFacts, .multiUser, .digest, .accessControl] {
                digested[attribute] = nil
            }
            let data = size.map { seed.bytes($0) }
            let expected = try propertyList(digested, data: data).encoded()
            let bytes =
                if let data {
                    try data.withUnsafeBytes { data in
                        try unsafe AttributeCoding.withDigestEncoding(list, data: data) { unsafe Array($0) }
                    }
                } else {
                    try unsafe AttributeCoding.withDigestEncoding(list, data: nil) { unsafe Array($0) }
                }
            guard bytes == expected else {
                Issue.record("the digest of an item with \(size ?? -1) bytes is taken of something else")
                return
            }
        }
    }

    // The sanitizers rightly object to the read after free that is the point of it.
    @Test("the encoding of a digest is wiped when its reader returns", .disabled(if: isSanitized))
    func digestIsWiped() throws {
        // Large enough to come from the heap, in a block the next allocation of that size gets again.
        let secret = [UInt8](repeating: 0xA5, count: 3000)
        let address = try secret.withUnsafeBytes { secret in
            try unsafe AttributeCoding.withDigestEncoding(AttributeList(), data: secret) { bytes in
                Int(bitPattern: bytes.baseAddress)
            }
        }
        // Reads freed memory on purpose: the allocator may have written its own links into it, never the secret.
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else { return }
        let left = unsafe UnsafeRawBufferPointer(start: start, count: 3000).count { $0 == 0xA5 }
        #expect(left < 32)
    }
}

extension AttributeList {
    fileprivate init(_ attribute: Attribute, _ value: AttributeValue) {
        self.init()
        self[attribute] = value
    }

    /// The encoding of a short list, without the header of the dictionary.
    fileprivate func encodedEntries() throws -> [UInt8] {
        Array(try AttributeCoding.encode(self).dropFirst(2))
    }
}
