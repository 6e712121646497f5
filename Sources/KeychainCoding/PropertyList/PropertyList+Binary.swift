// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
    /// The value of a property list file in Apple's binary form.
    ///
    /// As in XML, a date or a fraction is read as null.
    package init(binary bytes: [UInt8]) throws(CodingError) {
        var reader = try BinaryListReader(bytes)
        self = try reader.value(try reader.top(), depthLeft: PropertyList.greatestDepth)
    }

    /// The value of a property list file in either form.
    package init(file bytes: [UInt8]) throws(CodingError) {
        if BinaryListReader.begins(bytes) { try self.init(binary: bytes) } else { try self.init(xml: bytes) }
    }
}

/// Reads the objects of a binary property list: a table says where each begins, and those that hold others number them.
struct BinaryListReader {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objects: UInt64
    private let topObject: UInt64
    private let table: Int
    /// An object may stand in many others, so that a small file could hold a value without end.
    private var visitsLeft = 1 << 16

    static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    init(_ bytes: [UInt8]) throws(CodingError) {
        let trailer = bytes.count - BinaryListReader.trailerSize
        guard BinaryListReader.begins(bytes), trailer >= BinaryListReader.magic.count else { throw .truncated }
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        objects = BinaryListReader.number(bytes[(trailer + 8)..<(trailer + 16)])
        topObject = BinaryListReader.number(bytes[(trailer + 16)..<(trailer + 24)])
        let table = BinaryListReader.number(bytes[(trailer + 24)...])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), objects <= UInt64(trailer),
            table <= UInt64(trailer), objects * UInt64(offsetSize) <= UInt64(trailer) - table
        else { throw .truncated }
        self.table = Int(table)
    }

    func top() throws(CodingError) -> Int { try start(of: topObject) }

    /// The value of the object that begins there.
    mutating func value(_ start: Int, depthLeft: Int) throws(CodingError) -> PropertyList {
        guard visitsLeft > 0, depthLeft > 0 else { throw .depthExceeded }
        visitsLeft -= 1
        let (kind, low) = (bytes[start] >> 4, bytes[start] & 15)
        switch kind {
        case 0:
            guard low == 8 || low == 9 else { throw .unknownTag }
            return .boolean(low == 9)
        case 1: return .number(try integer(at: start).value)
        case 2, 3:
            _ = try content(from: start + 1, count: 1 << Int(low), of: 1)
            return .null
        case 4:
            let (first, count) = try count(at: start)
            return .data([UInt8](try content(from: first, count: count, of: 1)))
        case 5, 6: return .string(try text(at: start))
        case 10:
            let (first, count) = try count(at: start)
            var values: [PropertyList] = []
            for element in try references(from: first, count: count) {
                values.append(try value(element, depthLeft: depthLeft - 1))
            }
            return .array(values)
        case 13: return .dictionary(try dictionary(at: start, depthLeft: depthLeft - 1))
        default: throw .unknownTag
        }
    }

    private mutating func dictionary(at start: Int, depthLeft: Int) throws(CodingError) -> [String: PropertyList] {
        let (first, count) = try count(at: start)
        let keys = try references(from: first, count: count)
        let elements = try references(from: first + count * referenceSize, count: count)
        var values: [String: PropertyList] = [:]
        for (key, element) in zip(keys, elements) {
            let name = try text(at: key)
            let element = try value(element, depthLeft: depthLeft)
            guard values.updateValue(element, forKey: name) == nil else { throw .duplicateKey }
        }
        return values
    }

    private func text(at start: Int) throws(CodingError) -> String {
        let isWide = bytes[start] >> 4 == 6
        guard isWide || bytes[start] >> 4 == 5 else { throw .wrongType }
        let (first, count) = try count(at: start)
        let content = try content(from: first, count: count, of: isWide ? 2 : 1)
        guard isWide else {
            guard content.allSatisfy({ $0 < 0x80 }) else { throw .invalidString }
            return String(decoding: content, as: UTF8.self)
        }
        let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map { index in
            UInt16(content[index]) << 8 | UInt16(content[index + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw .invalidString }
        return text
    }

    /// How much an object holds, and where that begins: fifteen stands for a number that follows.
    private func count(at start: Int) throws(CodingError) -> (first: Int, count: Int) {
        let low = Int(bytes[start] & 15)
        guard low == 15 else { return (start + 1, low) }
        guard start + 1 < table, bytes[start + 1] >> 4 == 1 else { throw .truncated }
        let (value, end) = try integer(at: start + 1)
        guard (0...Int64(bytes.count)).contains(value) else { throw .truncated }
        return (end, Int(value))
    }

    private func integer(at start: Int) throws(CodingError) -> (value: Int64, end: Int) {
        let size = 1 << Int(bytes[start] & 15)
        guard size <= 8 else { throw .numberOutOfRange }
        let content = try content(from: start + 1, count: size, of: 1)
        return (Int64(bitPattern: BinaryListReader.number(content)), content.endIndex)
    }

    private func references(from first: Int, count: Int) throws(CodingError) -> [Int] {
        let content = try content(from: first, count: count, of: referenceSize)
        var starts: [Int] = []
        for index in stride(from: content.startIndex, to: content.endIndex, by: referenceSize) {
            starts.append(try start(of: BinaryListReader.number(content[index..<index + referenceSize])))
        }
        return starts
    }

    private func start(of object: UInt64) throws(CodingError) -> Int {
        guard object < objects else { throw .truncated }
        let entry = table + Int(object) * offsetSize
        let start = BinaryListReader.number(bytes[entry..<entry + offsetSize])
        guard start >= UInt64(BinaryListReader.magic.count), start < UInt64(table) else { throw .truncated }
        return Int(start)
    }

    /// So many units of so many bytes, all before the table.
    private func content(from first: Int, count: Int, of size: Int) throws(CodingError) -> ArraySlice<UInt8> {
        guard first <= table, count <= (table - first) / size else { throw .truncated }
        return bytes[first..<first + count * size]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static let magic = Array("bplist00".utf8)
    private static let trailerSize = 32
}
