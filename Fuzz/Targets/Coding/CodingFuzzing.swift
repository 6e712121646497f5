// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// The encodings of what is stored: whatever is read is written as the same bytes.
internal enum CodingFuzzing {
    static func feedPropertyList(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let value = try? PropertyList(decoding: bytes) else { return .refused }
        try promise((try? value.encoded()) == bytes, "a property list is written as it was read")
        try promise((try? PropertyList(decoding: bytes)) == value, "a property list that is read twice is the same")
        try promise((try? PropertyList(decoding: bytes + [0])) == nil, "nothing may follow a property list")
        return .accepted
    }

    /// A file that an administrator or a program wrote, in either form.
    static func feedPropertyListFile(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let value = try? PropertyList(file: bytes) else { return .refused }
        try promise((try? PropertyList(file: bytes)) == value, "a property list file that is read twice is the same")
        guard let encoded = try? value.encoded() else { return .accepted }
        try promise((try? PropertyList(decoding: encoded)) == value, "what a file says can be written and read")
        return .accepted
    }

    /// The attributes of an item.
    static func feedAttributes(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let list = bytes.withUnsafeBytes({ try? AttributeCoding.decode($0) }) else { return .refused }
        try promise((try? AttributeCoding.encode(list)) == bytes, "attributes are written as they were read")
        try promise((try? AttributeCoding.encodedSize(list)) == bytes.count, "the size of attributes is known before")
        guard case .dictionary(let fields)? = try? PropertyList(decoding: bytes) else {
            throw BrokenPromise("attributes are a property list")
        }
        try promise(fields.count == list.entries.count, "every attribute is there once")
        let digest = Self.digestEncoding(list)
        try promise(digest.map { (try? PropertyList(decoding: $0)) != nil } ?? false, "what is digested is readable")
        return .accepted
    }

    private static func digestEncoding(_ list: AttributeList) -> [UInt8]? {
        let secret: [UInt8] = [1, 2, 3]
        return secret.withUnsafeBytes { secret in
            try? AttributeCoding.withDigestEncoding(list, data: secret) { Array($0) }
        }
    }

    /// The secret of an item with its digest.
    static func feedSecret(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let (dataRange, digestRange) = bytes.withUnsafeBytes({ try? SecretCoding.decode($0) }) else {
            return .refused
        }
        let data = dataRange.map { Array(bytes[$0]) }
        let digest = Array(bytes[digestRange])
        try promise(digest.count == 20, "a digest is a SHA-1")
        try promise(
            SecretCoding.encodedSize(dataCount: data?.count) == bytes.count, "the size of a secret is known before")
        var again = [UInt8](repeating: 0, count: bytes.count)
        again.withUnsafeMutableBytes { memory in
            digest.withUnsafeBytes { digest in
                if let data {
                    data.withUnsafeBytes { SecretCoding.encode(data: $0, digest: digest, into: memory) }
                } else {
                    SecretCoding.encode(data: nil, digest: digest, into: memory)
                }
            }
        }
        try promise(again == bytes, "a secret is written as it was read")
        try promise((try? PropertyList(decoding: bytes)) != nil, "a secret is a property list")
        return .accepted
    }

    /// A date as text.
    static func feedTime(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let date = try? GeneralizedTime.decode(bytes) else { return .refused }
        try promise(date.isFinite, "a date is a number")
        try promise((try? GeneralizedTime.encode(date)) == bytes, "a date is written as it was read")
        return .accepted
    }
}
