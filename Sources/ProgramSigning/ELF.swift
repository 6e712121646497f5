// SPDX-License-Identifier: Apache-2.0

/// The first 64 bytes of a program: where its two tables are.
internal struct ELFHeader {
    let bytes: [UInt8]

    /// Throws `notAProgram` for what the kernel would not start either, or only as another kind of machine.
    init(of program: ProgramBytes) throws(SignatureFault) {
        guard program.count >= ELFHeader.size else { throw .notAProgram }
        bytes = try program.part(0..<ELFHeader.size)
        // 64 bits, least significant byte first, the one version there is; a program, at a fixed place or anywhere.
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1]), [2, 3].contains(type) else { throw .notAProgram }
        guard LittleEndian.number(bytes, at: 52) == UInt16(ELFHeader.size) else { throw .malformed(.header) }
    }

    private var type: UInt16 { LittleEndian.number(bytes, at: 16) }

    var segmentsOffset: UInt64 { LittleEndian.number(bytes, at: 32) }
    var segmentSize: UInt16 { LittleEndian.number(bytes, at: 54) }
    var segmentCount: UInt16 { LittleEndian.number(bytes, at: 56) }
    var sectionsOffset: UInt64 { LittleEndian.number(bytes, at: 40) }
    var sectionSize: UInt16 { LittleEndian.number(bytes, at: 58) }
    var sectionCount: UInt16 { LittleEndian.number(bytes, at: 60) }
    var namesIndex: UInt16 { LittleEndian.number(bytes, at: 62) }

    /// The header of the same program with another section table; its names stay in the same section.
    func withSections(at offset: Int, count: Int) -> [UInt8] {
        var changed = bytes
        LittleEndian.write(UInt64(offset), to: &changed, at: 40)
        LittleEndian.write(UInt16(truncatingIfNeeded: count), to: &changed, at: 60)
        return changed
    }

    /// Where the bytes are that tell of sections: their offset, how many, and which has the names.
    ///
    /// Neither the kernel nor the dynamic loader reads them, and every tool that touches sections changes them.
    static let sectionFields = [40..<48, 60..<64]
    static let size = 64
}

/// What the kernel and the dynamic loader read of a program: its header, its segments, and what these refer to.
internal struct ELFSegments {
    /// The end of the last of it in the file: what follows is for tools alone.
    ///
    /// Linkers write sections that are not loaded behind all that are, and `strip` moves nothing before this.
    let end: Int

    init(of program: ProgramBytes, _ header: ELFHeader) throws(SignatureFault) {
        let count = Int(header.segmentCount)
        guard header.segmentSize == UInt16(ELFSegments.entrySize), count > 0 else { throw .malformed(.segments) }
        guard count <= ELFSegments.most else { throw .tooLarge(.segments) }
        let size = UInt64(count * ELFSegments.entrySize)
        guard let range = program.range(at: header.segmentsOffset, size: size) else { throw .malformed(.segments) }
        let table = try program.part(range)
        var loadedEnd = 0
        var memoryEnd: UInt64 = 0
        var interpreters = 0
        // Of all but empty ones: whatever is read by its place in the file, such as PT_INTERP, has to be covered.
        var furthest = range.upperBound
        for index in 0..<count {
            let entry = Array(table[index * ELFSegments.entrySize..<(index + 1) * ELFSegments.entrySize])
            let kind: UInt32 = LittleEndian.number(entry, at: 0)
            let inFile: UInt64 = LittleEndian.number(entry, at: 32)
            guard let place = program.range(at: LittleEndian.number(entry, at: 8), size: inFile) else {
                throw .malformed(.segments)
            }
            if !place.isEmpty { furthest = max(furthest, place.upperBound) }
            if kind == ELFSegments.interpreter { interpreters += 1 }
            guard kind == ELFSegments.load else { continue }
            // In order and apart, as the format demands; else it would depend on the kernel which of two is seen.
            let address: UInt64 = LittleEndian.number(entry, at: 16)
            let inMemory: UInt64 = LittleEndian.number(entry, at: 40)
            let (end, isTooMuch) = address.addingReportingOverflow(inMemory)
            guard !isTooMuch, inFile <= inMemory, address >= memoryEnd else { throw .malformed(.segments) }
            memoryEnd = end
            loadedEnd = max(loadedEnd, place.upperBound)
        }
        guard interpreters <= 1, loadedEnd >= ELFHeader.size, furthest <= loadedEnd else { throw .malformed(.segments) }
        guard loadedEnd <= ELFSegments.largest else { throw .tooLarge(.segments) }
        end = loadedEnd
    }

    private static let load: UInt32 = 1
    private static let interpreter: UInt32 = 3
    private static let entrySize = 56
    private static let most = 512
    /// About a second of hashing.
    private static let largest = 1 << 30
}

/// The table of sections: for tools, so nothing that a program does hangs on it.
internal struct ELFSections {
    /// As it is in the file.
    let table: [UInt8]
    let tableRange: Range<Int>
    /// Which section has the names of all.
    let namesIndex: Int
    let names: [UInt8]
    let namesRange: Range<Int>

    var count: Int { table.count / ELFSections.entrySize }

    /// Nil when there is no table, as in programs that were packed.
    init?(of program: ProgramBytes, _ header: ELFHeader) throws(SignatureFault) {
        if header.sectionsOffset == 0 { return nil }
        let count = Int(header.sectionCount)
        guard header.sectionSize == UInt16(ELFSections.entrySize), header.namesIndex != 0,
            header.namesIndex < header.sectionCount
        else { throw .malformed(.sections) }
        guard count <= ELFSections.most else { throw .tooLarge(.sections) }
        let size = UInt64(count * ELFSections.entrySize)
        guard let range = program.range(at: header.sectionsOffset, size: size) else { throw .malformed(.sections) }
        table = try program.part(range)
        tableRange = range
        namesIndex = Int(header.namesIndex)
        let entry = ELFSection(table, at: namesIndex)
        guard entry.kind == ELFSection.strings, let place = program.range(at: entry.offset, size: entry.size) else {
            throw .malformed(.sections)
        }
        guard place.count <= ELFSections.longestNames else { throw .tooLarge(.sections) }
        names = try program.part(place)
        namesRange = place
    }

    subscript(index: Int) -> ELFSection { ELFSection(table, at: index) }

    /// The one section of that name; nil when there is none.
    func only(named name: StaticString) throws(SignatureFault) -> Int? {
        let wanted = Array("\(name)\0".utf8)
        var found: Int?
        for index in 1..<max(1, count) {
            let start = Int(self[index].name)
            guard start <= names.count - wanted.count, names[start..<start + wanted.count].elementsEqual(wanted) else {
                continue
            }
            guard found == nil else { throw .severalNotes }
            found = index
        }
        return found
    }

    static let entrySize = 64
    static let most = 4096
    private static let longestNames = 1 << 20
}

/// One entry of the table.
internal struct ELFSection {
    let name: UInt32
    let kind: UInt32
    let flags: UInt64
    let offset: UInt64
    let size: UInt64

    init(_ table: [UInt8], at index: Int) {
        let start = index * ELFSections.entrySize
        name = LittleEndian.number(table, at: start)
        kind = LittleEndian.number(table, at: start + 4)
        flags = LittleEndian.number(table, at: start + 8)
        offset = LittleEndian.number(table, at: start + 24)
        size = LittleEndian.number(table, at: start + 32)
    }

    static let strings: UInt32 = 3
    static let note: UInt32 = 7
    static let withoutBytes: UInt32 = 8
}

/// Numbers in bytes, least significant first; the places are ours, not the file's.
internal enum LittleEndian {
    static func number<Number: FixedWidthInteger & UnsignedInteger>(_ bytes: [UInt8], at offset: Int) -> Number {
        var value: Number = 0
        for index in (0..<MemoryLayout<Number>.size).reversed() {
            value = value << 8 | Number(truncatingIfNeeded: bytes[offset + index])
        }
        return value
    }

    static func write<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number, to bytes: inout [UInt8], at offset: Int
    ) {
        for index in 0..<MemoryLayout<Number>.size {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> Number(8 * index))
        }
    }
}
