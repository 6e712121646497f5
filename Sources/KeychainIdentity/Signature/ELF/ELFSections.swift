// SPDX-License-Identifier: Apache-2.0

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
        do throws(FileFault) { table = try program.bytes(range) } catch { throw .file(error) }
        tableRange = range
        namesIndex = Int(header.namesIndex)
        let entry = ELFSection(table, at: namesIndex)
        guard entry.kind == ELFSection.strings, let place = program.range(at: entry.offset, size: entry.size) else {
            throw .malformed(.sections)
        }
        guard place.count <= ELFSections.longestNames else { throw .tooLarge(.sections) }
        do throws(FileFault) { names = try program.bytes(place) } catch { throw .file(error) }
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
