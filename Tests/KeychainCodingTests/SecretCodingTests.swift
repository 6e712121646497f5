// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import Testing

@Suite struct SecretCodingTests {
    static let digest = [UInt8](1...20)

    static func encode(_ data: [UInt8]?, digest: [UInt8] = digest) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: SecretCoding.encodedSize(dataCount: data?.count))
        digest.withUnsafeBytes { digest in
            bytes.withUnsafeMutableBytes { memory in
                if let data {
                    data.withUnsafeBytes { unsafe SecretCoding.encode(data: $0, digest: digest, into: memory) }
                } else {
                    unsafe SecretCoding.encode(data: nil, digest: digest, into: memory)
                }
            }
        }
        return bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> (data: [UInt8]?, digest: [UInt8]) {
        let found = try bytes.withUnsafeBytes { try unsafe SecretCoding.decode($0) }
        return (found.dataRange.map { Array(bytes[$0]) }, Array(bytes[found.digestRange]))
    }

    @Test(
        "a secret of any size comes back, and is written as a property list would be",
        arguments: [
            nil, 0, 1, 16, 17, 18, 19, 20, 107, 108, 109, 127, 128, 245, 246, 247, 255, 256, 65535, 65536, 10 << 20,
        ] as [Int?])
    func roundTrip(size: Int?) throws {
        let data = size.map { [UInt8](repeating: 0x5A, count: $0) }
        let bytes = Self.encode(data)
        var values: [String: PropertyList] = ["sha1": .data(Self.digest)]
        if let data { values["v_Data"] = .data(data) }
        let agrees = try PropertyList.dictionary(values).encoded() == bytes
        #expect(agrees)
        let back = try Self.decode(bytes)
        let same = back.data == data && back.digest == Self.digest
        #expect(same)
    }

    @Test(
        "what is no secret with its digest is refused",
        arguments: [
            ("", CodingError.truncated), ("3100", .truncated), ("310C 300A 0C06765F44617461 0400", .truncated),
            ("3000", .wrongType), ("\(digestOnly) 00", .trailingBytes),
            ("310D 300B 0C0473686131 0403010203", .wrongType), ("310A 3008 0C0473686131 0C00", .wrongType),
            ("310A 3008 0C0473686132 0400", .unknownKey), ("310C 300A 0C06765F44617462 0400", .unknownKey),
            ("310D 300B 0C07765F4461746100 0400", .unknownKey), ("3108 3006 0C00 0402 0000", .unknownKey),
            ("313C \(digestEntry) \(digestEntry)", .duplicateKey),
            ("3118 300A 0C06765F44617461 0400 300A 0C06765F44617461 0400", .duplicateKey),
            ("312A \(digestEntry) 300A 0C06765F44617461 0400", .notCanonical),
            ("313C 301C 0C06765F44617461 0412 \(String(repeating: "00", count: 18)) \(digestEntry)", .notCanonical),
        ])
    func refused(text: String, error: CodingError) {
        #expect(throws: error) { try Self.decode(hex(text)) }
    }

    private static let digestEntry = "301C 0C0473686131 0414 \(String(repeating: "01", count: 20))"
    private static let digestOnly = "311E \(digestEntry)"
}
