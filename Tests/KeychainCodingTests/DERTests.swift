// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel
internal import Testing

@Suite("DER is read and written to the letter")
struct DERTests {
    private static func tags(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { DERReader(unsafeBytes: $0).tags(atMost: 9) }
    }

    private static func isStrict(_ bytes: [UInt8]) -> Bool {
        let isStrict = DERReader.isStrict(bytes.span)
        let isStrictWhereItLies = bytes.withUnsafeBytes { DERReader.isStrict($0) }
        #expect(isStrictWhereItLies == isStrict)
        return isStrict
    }

    private static func firstUnsigned(in bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { lent in
            var reader = DERReader(unsafeBytes: lent)
            guard let place = reader.unsigned() else { return nil }
            return reader.unsecretBytes(place)
        }
    }

    @Test(
        "a length that is cut, indefinite, reserved or longer than it has to be is refused",
        arguments: [
            [0x30], [0x30, 1], [0x30, 0x80, 0, 0], [0x30, 0xFF], [0x30, 0x81], [0x30, 0x81, 0x7F],
            [0x30, 0x82, 0, 0x80],
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1], [0x1F, 1, 0], [0xBF, 1, 0],
            [5, 0, 5],
        ] as [[UInt8]])
    func refused(_ bytes: [UInt8]) {
        // Enough behind it for the lengths that are only too long.
        for more in [[], [UInt8](repeating: 0, count: 200)] where more.isEmpty || bytes.count > 2 && bytes[0] == 0x30 {
            #expect(Self.tags(bytes + more) == nil)
            #expect(DERValue((bytes + more)[...]) == nil)
            #expect(!Self.isStrict(bytes + more))
        }
    }

    @Test(
        "every way to write an element gives the same bytes, which are read again",
        arguments: [0, 1, 127, 128, 255, 256, 65535, 65536])
    func roundTrip(size: Int) throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let bytes = DERWriter.element(DERTag.octetString, content)
        #expect(bytes.count == DERSize.ofElement(size))
        let secret = DERWriter.secret(count: bytes.count) { $0.data(content) }
        let written = secret.withUnsafeBytes { [UInt8]($0) }
        #expect(written == bytes)
        var grown: [UInt8] = []
        DERWriter.appendHeader(DERTag.octetString, contentSize: size, to: &grown)
        #expect(grown + content == bytes)
        var ended: [UInt8] = [5, 0]
        let start = DERWriter.begin(DERTag.octetString, in: &ended)
        ended += content
        DERWriter.end(contentStart: start, in: &ended)
        #expect(ended == DERWriter.null + bytes)

        #expect(Self.tags(bytes + bytes) == [DERTag.octetString, DERTag.octetString])
        let value = try #require(DERValue(bytes[...], tag: DERTag.octetString))
        #expect(Array(value.content) == content)
        #expect(value.isStrict)
        bytes.withUnsafeBytes { lent in
            var reader = DERReader(unsafeBytes: lent)
            let element = reader.next(DERTag.octetString)
            let isAtEnd = reader.isAtEnd
            let found = element.map { reader.unsecretBytes($0.content) }
            #expect(element?.whole == 0..<bytes.count)
            #expect(found == content)
            #expect(isAtEnd)
        }
    }

    @Test(
        "a number that is not negative is written with one zero at most, and read without it",
        arguments: [
            ([], [0], [2, 1, 0]), ([0, 0], [0], [2, 1, 0]), ([0x7F], [0x7F], [2, 1, 0x7F]),
            ([0x80], [0x80], [2, 2, 0, 0x80]), ([0, 0, 1, 0], [1, 0], [2, 2, 1, 0]),
        ] as [([UInt8], [UInt8], [UInt8])])
    func unsigned(_ digits: [UInt8], _ read: [UInt8], _ bytes: [UInt8]) {
        #expect(DERWriter.unsigned(digits) == bytes)
        #expect(Self.firstUnsigned(in: bytes) == read)
    }

    @Test(
        "no other number is one that is not negative",
        arguments: [[2, 0], [2, 1, 0x80], [2, 2, 0, 0x7F], [2, 2, 0, 0], [4, 1, 1]] as [[UInt8]])
    func noUnsigned(_ bytes: [UInt8]) {
        #expect(Self.firstUnsigned(in: bytes) == nil)
    }

    @Test(
        "numbers take the fewest bytes", arguments: [0, 1, 127, 128, 255, 256, -1, -128, -129, .max, .min] as [Int64])
    func integers(_ number: Int64) throws {
        let bytes = DERWriter.integer(number)
        var appended: [UInt8] = []
        DERWriter.appendInteger(number, to: &appended)
        #expect(appended == bytes)
        #expect(try PropertyList(decoding: bytes) == .number(number))
        #expect(Self.isStrict(bytes))
    }

    @Test(
        "strict is only what DER would write, however deep it stands",
        arguments: [
            ([5, 0], true), ([5, 1, 0], false), ([1, 1, 0xFF], true), ([1, 1, 1], false), ([2, 2, 0, 1], false),
            ([2, 2, 0xFF, 0x80], false), ([3, 1, 0], true), ([3, 1, 1], false), ([3, 2, 3, 8], true),
            ([3, 2, 3, 4], false),
            ([3, 0], false), ([6, 1, 0x2A], true), ([6, 1, 0x80], false), ([6, 1, 0x81], false), ([6, 0], false),
            ([0x24, 2, 4, 0], false), ([0, 0], false), ([0x10, 0], false), ([0xA0, 2, 5, 0], true),
            ([0xA0, 2, 5, 1], false), ([0x82, 3, 0, 0, 0], true), ([0x30, 3, 1, 1, 1], false), ([5, 0, 5, 0], false),
        ] as [([UInt8], Bool)])
    func strict(_ bytes: [UInt8], _ isStrict: Bool) {
        #expect(Self.isStrict(bytes) == isStrict)
        let inside = DERWriter.element(DERTag.sequence, bytes)
        // Two elements are no single one, and may well stand in a sequence.
        let isStrictInside = isStrict || bytes == [5, 0, 5, 0]
        #expect(Self.isStrict(inside) == isStrictInside)
        #expect(DERValue(inside[...])?.isStrict == isStrictInside)
    }

    @Test("what stands deeper than anything does is not looked at")
    func depth() {
        func nested(_ count: Int) -> [UInt8] {
            (1..<count).reduce(DERWriter.null) { inner, _ in DERWriter.element(DERTag.sequence, inner) }
        }
        #expect(Self.isStrict(nested(32)))
        #expect(!Self.isStrict(nested(33)))
    }
}
