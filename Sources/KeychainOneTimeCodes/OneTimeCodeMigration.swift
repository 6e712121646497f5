// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem

/// What Google Authenticator exports as QR codes: `otpauth-migration://offline?data=…`, a message of Protocol Buffers in base64.
///
/// A message has up to ten seeds; an export of more is several messages, each of which says how many there are.
package struct OneTimeCodeMigration: Sendable {
    /// A seed, or the name of one that cannot be taken over, and why.
    package enum Entry: Sendable {
        case code(OneTimeCode)
        case refused(name: String, OneTimeCodeError)
    }

    package private(set) var entries: [Entry] = []
    /// How many parts the export has, and which one this is, from 0 on.
    package private(set) var count: UInt64 = 1
    package private(set) var index: UInt64 = 0
    /// Which export this is a part of.
    package private(set) var batch: UInt64 = 0

    /// Such a URL, or one of a single seed.
    package init(text: UnsafeRawBufferPointer) throws(OneTimeCodeError) {
        if unsafe OneTimeCodeMigration.isOne(text) {
            try unsafe read(url: text)
        } else {
            guard unsafe OneTimeCode.has("otpauth://", text) else { throw .notASeed }
            entries = [.code(try unsafe OneTimeCode(text: text))]
        }
    }

    package static func isOne(_ text: UnsafeRawBufferPointer) -> Bool { unsafe OneTimeCode.has(scheme, text) }

    // What it has beside `data` is nothing that is known, so it is refused.
    private mutating func read(url text: UnsafeRawBufferPointer) throws(OneTimeCodeError) {
        let head = OneTimeCodeMigration.scheme.description + "offline?data="
        guard unsafe OneTimeCode.has(OneTimeCodeMigration.scheme, text), text.count > head.utf8.count,
            unsafe text.prefix(head.utf8.count).map({ $0 | 0x20 }).elementsEqual(head.utf8.map { $0 | 0x20 })
        else { throw .malformed }
        guard text.count <= OneTimeCodeMigration.longest else { throw .tooLong }
        let base64 = try unsafe OneTimeCode.plain(UnsafeRawBufferPointer(rebasing: text[head.utf8.count...]))
        let message = unsafe base64.withUnsafeBytes { text -> SecretBytes? in
            guard let count = unsafe Base64.decodedCount(text) else { return nil }
            return unsafe SecretBytes(count: count) { unsafe Base64.decode(text, into: $0) }
        }
        guard let message else { throw .malformed }
        try unsafe message.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try unsafe read(message: bytes) }
    }

    private mutating func read(message bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) {
        var message = MessageFields()
        var seen: Set<UInt64> = []
        while let field = try unsafe message.next(in: bytes) {
            guard field.number == 1 || seen.insert(field.number).inserted else { throw .malformed }
            switch field.number {
            case 1: entries.append(try unsafe OneTimeCodeMigration.entry(try field.bytes(of: bytes)))
            // The version; what it changed are fields that are not needed.
            case 2: _ = try field.value()
            case 3: count = try field.value()
            case 4: index = try field.value()
            case 5: batch = try field.value()
            default: break
            }
        }
        // Exports of one part may say nothing of parts.
        if count == 0 { count = 1 }
        guard index < count, count <= OneTimeCodeMigration.mostParts else { throw .malformed }
    }

    private static func entry(_ bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> Entry {
        var message = MessageFields()
        var key: SecretBytes?
        var texts: [UInt64: String] = [:]
        var values: [UInt64: UInt64] = [:]
        var seen: Set<UInt64> = []
        while let field = try unsafe message.next(in: bytes) {
            guard seen.insert(field.number).inserted else { throw .malformed }
            switch field.number {
            case 1: key = unsafe SecretBytes(copying: try field.bytes(of: bytes))
            case 2, 3: texts[field.number] = try unsafe OneTimeCode.shown(try field.bytes(of: bytes))
            case 4...7: values[field.number] = try field.value()
            default: break
            }
        }
        let (issuer, account) = OneTimeCode.names(texts[2] ?? "", texts[3].flatMap { $0.isEmpty ? nil : $0 })
        let name = [issuer, account].first { !$0.isEmpty } ?? ""
        guard let key = key.take(), key.count > 0 else { return .refused(name: name, .noSecret) }
        let hash: String
        switch values[4] ?? 0 {
        case 0, 1: hash = "SHA1"
        case 2: hash = "SHA256"
        case 3: hash = "SHA512"
        // MD5, or what came later.
        default: return .refused(name: name, .unknownAlgorithm)
        }
        let digits: Int
        switch values[5] ?? 0 {
        case 0, 1: digits = 6
        case 2: digits = 8
        default: return .refused(name: name, .digits)
        }
        let kind: OneTimeCode.Kind
        switch values[6] ?? 0 {
        case 1: kind = .counted(from: values[7] ?? 0)
        case 2: kind = .timed(period: OneTimeCode.usualPeriod)
        default: return .refused(name: name, .unknownKind)
        }
        return .code(
            OneTimeCode(
                key: key, kind: kind, hash: try OneTimeCode.hash(hash), digits: digits, issuer: issuer, account: account
            ))
    }

    private static let scheme: StaticString = "otpauth-migration://"
    /// More than a QR code holds.
    private static let longest = 16_384
    private static let mostParts: UInt64 = 1000
}

/// The fields of a message of Protocol Buffers, in its order: `next` gets the bytes that the message is in.
private struct MessageFields {
    struct Field {
        let number: UInt64
        let content: Content
        enum Content {
            case value(UInt64)
            case bytes(Range<Int>)
            /// Of a type that no known field has.
            case other
        }

        func value() throws(OneTimeCodeError) -> UInt64 {
            guard case .value(let value) = content else { throw .malformed }
            return value
        }

        func bytes(of whole: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> UnsafeRawBufferPointer {
            guard case .bytes(let range) = content else { throw .malformed }
            return unsafe UnsafeRawBufferPointer(rebasing: whole[range])
        }
    }

    private var place = 0

    /// nil at the end.
    mutating func next(in bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> Field? {
        guard place < bytes.count else { return nil }
        let key = try unsafe number(bytes)
        guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw .malformed }
        switch key & 7 {
        case 0: return Field(number: key >> 3, content: .value(try unsafe number(bytes)))
        case 1: _ = try take(8, of: bytes.count)
        case 2: return Field(number: key >> 3, content: .bytes(try take(try unsafe number(bytes), of: bytes.count)))
        case 5: _ = try take(4, of: bytes.count)
        default: throw .malformed
        }
        return Field(number: key >> 3, content: .other)
    }

    private mutating func take(_ count: UInt64, of whole: Int) throws(OneTimeCodeError) -> Range<Int> {
        guard count <= UInt64(whole - place) else { throw .malformed }
        let start = place
        place += Int(count)
        return start..<place
    }

    /// Seven bits a byte, the low ones first, in as few bytes as it takes.
    private mutating func number(_ bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard place < bytes.count else { throw .malformed }
            let byte = unsafe bytes[place]
            place += 1
            guard shift < 63 || byte <= 1, shift == 0 || byte != 0 else { throw .malformed }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .malformed
    }
}
