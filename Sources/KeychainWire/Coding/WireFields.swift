// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// Reads a message where it lies, element by element, and takes nothing but what `WireWriter` would have written.
///
/// How deep lists lie in each other is the reader's doing, not the bytes': every list is entered because its type has one.
@safe
struct WireFields {
    // Safe: every access is inside `bytes`, because `end` is; the memory outlives the reader because one exists only
    // inside a function that was lent the memory.
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// Where the list ends that is being read.
    private var end: Int
    /// Where the secrets begin that were not read yet; the end of the head until one was.
    private var secretOffset: Int
    private var nextSecret: Int64 = 0

    /// A reader of a message: its head is the element it begins with, and the rest are secrets.
    init(unsafeMessage bytes: UnsafeRawBufferPointer) throws(WireError) {
        unsafe self.bytes = unsafe bytes
        end = bytes.count
        secretOffset = bytes.count
        let start = offset
        secretOffset = try contentEnd(of: DERTag.sequence)
        offset = start
        end = secretOffset
    }

    /// Whether everything of the message was read, its secrets too.
    var isAtEnd: Bool { unsafe offset == end && secretOffset == bytes.count }

    mutating func next<Value: WireElement>() throws(WireError) -> Value { try Value.read(from: &self) }

    /// Whether the next element is a null, which is then read.
    mutating func isNull() throws(WireError) -> Bool {
        guard offset < end, unsafe bytes[offset] == DERTag.null else { return false }
        guard try contentEnd(of: DERTag.null) == offset else { throw .malformed }
        return true
    }

    mutating func boolean() throws(WireError) -> Bool {
        let content = try unsafe content(of: DERTag.boolean)
        do throws(CodingError) {
            return try DERReader.boolean(unsafe Span<UInt8>(_unsafeBytes: content), from: 0, to: content.count)
        } catch { throw .malformed }
    }

    mutating func number() throws(WireError) -> Int64 {
        let content = try unsafe content(of: DERTag.integer)
        do throws(CodingError) {
            return try DERReader.integer(unsafe Span<UInt8>(_unsafeBytes: content), from: 0, to: content.count)
        } catch { throw .malformed }
    }

    mutating func number(in range: ClosedRange<Int64>) throws(WireError) -> Int64 {
        let number = try number()
        guard range.contains(number) else { throw .outOfRange }
        return number
    }

    mutating func string() throws(WireError) -> String {
        let content = try unsafe content(of: DERTag.utf8String)
        do throws(CodingError) {
            return try DERReader.string(unsafe Span<UInt8>(_unsafeBytes: content), from: 0, to: content.count)
        } catch { throw .malformed }
    }

    mutating func string(atMost count: Int) throws(WireError) -> String {
        let text = try string()
        guard text.utf8.count <= count else { throw .outOfRange }
        return text
    }

    mutating func data(atMost count: Int = .max) throws(WireError) -> [UInt8] {
        let content = try unsafe content(of: DERTag.octetString)
        guard content.count <= count else { throw .outOfRange }
        return unsafe [UInt8](content)
    }

    mutating func date() throws(WireError) -> Double {
        guard case .date(let date) = try list(of: DERTag.generalizedTime) else { throw .malformed }
        return date
    }

    /// Lends a whole element to another coding.
    mutating func element<Value>(
        of tag: UInt8, _ read: (UnsafeRawBufferPointer) throws(CodingError) -> Value
    ) throws(WireError) -> Value {
        let start = offset
        _ = try unsafe content(of: tag)
        do throws(CodingError) {
            return try unsafe read(UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
        } catch { throw WireError(error) }
    }

    func isNext(_ tag: UInt8) -> Bool { unsafe offset < end && bytes[offset] == tag }

    /// A whole element as the property list it is.
    mutating func list(of tag: UInt8) throws(WireError) -> PropertyList {
        try unsafe element(of: tag) { (bytes) throws(CodingError) in try unsafe PropertyList(decoding: bytes) }
    }

    /// Reads a list, to its end.
    mutating func list<Value>(
        _ read: (inout WireFields) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        let contentEnd = try contentEnd(of: DERTag.sequence)
        let outerEnd = end
        end = contentEnd
        let value = try read(&self)
        guard offset == end else { throw .wrongParts }
        end = outerEnd
        return value
    }

    mutating func array<Value: WireElement>(atMost count: Int) throws(WireError) -> [Value] {
        try list { (fields) throws(WireError) in
            var values: [Value] = []
            while fields.offset < fields.end {
                guard values.count < count else { throw .tooLarge }
                values.append(try fields.next())
            }
            return values
        }
    }

    /// The secret whose turn it is: straight from the message, where nothing else reads it.
    mutating func secret() throws(WireError) -> SecretValue {
        let size = try list { (fields) throws(WireError) in
            guard try fields.number() == fields.nextSecret else { throw .wrongSecret }
            return try fields.number()
        }
        guard size >= 0, unsafe size <= bytes.count - secretOffset else { throw .wrongSecret }
        let start = secretOffset
        secretOffset += Int(size)
        nextSecret += 1
        return unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<secretOffset]))
    }

    private mutating func content(of tag: UInt8) throws(WireError) -> UnsafeRawBufferPointer {
        let contentEnd = try contentEnd(of: tag)
        let start = offset
        offset = contentEnd
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<contentEnd])
    }

    /// Reads tag and size, which must be written in the fewest bytes; where the content ends.
    private mutating func contentEnd(of tag: UInt8) throws(WireError) -> Int {
        guard isNext(tag) else { throw .wrongParts }
        let bytes = unsafe self.bytes
        do throws(CodingError) {
            return try DERReader.expect(tag, unsafe Span<UInt8>(_unsafeBytes: bytes), at: &offset, end: end)
        } catch { throw .malformed }
    }
}
