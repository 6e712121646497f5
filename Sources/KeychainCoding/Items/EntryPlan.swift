// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What a dictionary of attributes, perhaps with a secret, will look like: which entries, in which order, how large.
@safe
internal struct EntryPlan {
    // Safe: an index below `count` is inside the memory, which `withPlan` lends for as long as the plan exists.
    private let entries: UnsafeMutableBufferPointer<EntryOrder>
    private var count = 0
    private(set) var contentSize = 0

    var encodedSize: Int { DERSize.ofElement(contentSize) }

    /// Plans the dictionary of the attributes that are included, and of a secret of `dataCount` bytes.
    static func withPlan<Result: ~Copyable>(
        for list: AttributeList, dataCount: Int? = nil, including isIncluded: (Attribute) -> Bool = everything,
        _ body: (borrowing EntryPlan) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        let entries = list.entries
        return try unsafe withUnsafeTemporaryAllocation(of: EntryOrder.self, capacity: entries.count + 1) {
            memory throws(CodingError) in
            var plan = unsafe EntryPlan(entries: memory)
            for index in entries.indices where isIncluded(entries[index].attribute) {
                try plan.insert(entries[index], index: index)
            }
            if let dataCount {
                plan.insert(
                    EntryOrder(
                        contentSize: secretKeySize + DERSize.ofElement(dataCount), key: EntryOrder.secret, index: -1,
                        seconds: nil))
            }
            return try body(plan)
        }
    }

    /// Writes what was planned.
    ///
    /// `list` and the size of `data` must be what the plan was made for.
    func write(_ list: AttributeList, data: UnsafeRawBufferPointer?, to writer: inout DERWriter) {
        writer.header(DERTag.set, contentSize: contentSize)
        for position in 0..<count {
            let entry = unsafe entries[position]
            writer.header(DERTag.sequence, contentSize: entry.contentSize)
            if entry.key == EntryOrder.secret {
                writer.header(DERTag.utf8String, contentSize: 6)
                writer.bigEndian(SecretCoding.dataKey, count: 6)
                if let data = unsafe data { unsafe writer.data(data) }
                continue
            }
            writer.header(DERTag.utf8String, contentSize: 4)
            writer.bigEndian(entry.key, count: 4)
            switch list.entries[entry.index].value {
            case .string(let string): writer.string(string)
            case .data(let bytes): writer.data(bytes)
            case .number(let number): writer.integer(number)
            case .date: if let seconds = entry.seconds { writer.date(seconds) }
            }
        }
    }

    static func everything(_ attribute: Attribute) -> Bool { true }

    private mutating func insert(_ entry: AttributeList.Entry, index: Int) throws(CodingError) {
        let key = UInt64(entry.attribute.rawValue)
        for position in 0..<count where unsafe entries[position].key == key { throw .duplicateKey }
        var seconds: DecimalSeconds?
        let valueSize: Int
        switch entry.value {
        case .string(let string): valueSize = string.utf8.count
        case .data(let bytes): valueSize = bytes.count
        case .number(let number): valueSize = DERSize.ofInteger(number)
        case .date(let date):
            let decimal = try DecimalSeconds(date)
            valueSize = GeneralizedTime.size(decimal)
            seconds = decimal
        }
        insert(
            EntryOrder(
                contentSize: attributeKeySize + DERSize.ofElement(valueSize), key: key, index: index, seconds: seconds))
    }

    /// Puts an entry in its place: there are few, so nothing faster is needed.
    private mutating func insert(_ entry: EntryOrder) {
        var position = count
        while position > 0, unsafe entry < entries[position - 1] {
            unsafe entries[position] = unsafe entries[position - 1]
            position -= 1
        }
        unsafe entries[position] = entry
        count += 1
        contentSize += DERSize.ofElement(entry.contentSize)
    }
}

/// The place of one entry in an encoded dictionary of attributes, found without encoding it.
///
/// An entry is SEQUENCE { UTF8String key, value }, and entries stand in the order of their bytes. That is the order of
/// (content size, key size, key):
/// - All begin with the byte 30, then the length of the content. Lengths are minimal, so a greater one has either a
///   greater first byte (00–7F, then 81, 82, …, which counts the bytes that follow) or as many bytes, most significant
///   first. Their order as bytes is their order as numbers, and none is the beginning of another.
/// - With equal lengths comes 0C and the length of the key, to which the same applies.
/// - With equal key lengths come the keys. No two are the same, so the values are never compared.
internal struct EntryOrder: Sendable {
    /// Size of the SEQUENCE's content.
    let contentSize: Int
    /// The packed key, or `secret`.
    let key: UInt64
    /// Where the value is in the list of attributes; not used for the secret.
    let index: Int
    /// A date's value, taken apart; nil for what is no date.
    let seconds: DecimalSeconds?

    /// Sorts behind every four-letter key of the same content size: `v_Data` has six letters.
    static let secret = UInt64.max

    @inline(__always)
    static func < (left: EntryOrder, right: EntryOrder) -> Bool {
        left.contentSize != right.contentSize ? left.contentSize < right.contentSize : left.key < right.key
    }
}

/// A UTF8String of four letters.
private let attributeKeySize = 6
/// A UTF8String of six letters.
private let secretKeySize = 8
