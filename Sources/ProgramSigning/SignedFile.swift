// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What a signer wants to say of a program.
package struct SigningRequest: Sendable {
    package let applicationIdentifier: String
    package let keychainAccessGroups: [String]
    package let applicationGroups: [String]
    package let serial: Int64

    package init(
        applicationIdentifier: String, keychainAccessGroups: [String], applicationGroups: [String], serial: Int64
    ) {
        self.applicationIdentifier = applicationIdentifier
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationGroups = applicationGroups
        self.serial = serial
    }
}

/// A program's file as it is once it is signed: its first bytes anew, most of it as it was, and an end with the note.
package struct SignedFile: Sendable {
    package let header: [UInt8]
    /// What of the old file stays in its place, after the header.
    package let kept: Range<Int>
    /// What follows that.
    package let tail: [UInt8]

    /// Signs the program; a note that is there already is replaced.
    package init(
        _ program: ProgramBytes, _ request: SigningRequest, with privateKey: borrowing SecretBytes, publicKey: [UInt8]
    ) throws(SignatureFault) {
        let header = try ELFHeader(of: program)
        let end = try ELFSegments(of: program, header).end
        guard let sections = try ELFSections(of: program, header) else { throw .malformed(.sections) }
        let statement = ProgramStatement(
            applicationIdentifier: request.applicationIdentifier, keychainAccessGroups: request.keychainAccessGroups,
            applicationGroups: request.applicationGroups, serial: request.serial,
            signer: try ProgramStatement.signer(of: publicKey),
            digest: try ProgramDigest.sha256(of: program, end: end), length: end)
        guard let statement else { throw .malformed(.statement) }
        let note = try StatementNote.bytes(SignedStatement(signing: statement, with: privateKey))
        let layout = try NoteLayout(program, sections, loadedEnd: end, note: note)
        self.header = header.withSections(at: layout.tableOffset, count: layout.sectionCount)
        kept = ELFHeader.size..<layout.keptEnd
        tail = layout.tail
    }
}

/// Where a note goes: behind everything, followed by the names and the table of the sections, which then know of it.
///
/// Every other byte stays where it was, also those that no section names, such as an archive at the end.
internal struct NoteLayout {
    /// Where what is kept ends.
    let keptEnd: Int
    let tail: [UInt8]
    let tableOffset: Int
    let sectionCount: Int

    init(
        _ program: ProgramBytes, _ sections: ELFSections, loadedEnd: Int, note: [UInt8]
    ) throws(SignatureFault) {
        let old = try sections.only(named: StatementNote.section)
        // A name from beyond the names would begin in what we add to them, and they are no note themselves.
        guard (0..<sections.count).allSatisfy({ Int(sections[$0].name) < sections.names.count }),
            old != sections.namesIndex
        else { throw .malformed(.sections) }
        var table = sections.table
        var names = sections.names
        let index: Int
        if let old {
            index = old
        } else {
            guard sections.count < ELFSections.most else { throw .tooLarge(.sections) }
            index = sections.count
            // Names end in NUL; were the last one cut off, it would go on into ours.
            guard names.last ?? 0 == 0 else { throw .malformed(.sections) }
            table += [UInt8](repeating: 0, count: ELFSections.entrySize)
            LittleEndian.write(UInt32(names.count), to: &table, at: index * ELFSections.entrySize)
            names += Array("\(StatementNote.section)\0".utf8)
        }
        keptEnd = try NoteLayout.keptEnd(program, sections, loadedEnd: loadedEnd, oldNote: old)
        var tail = [UInt8](repeating: 0, count: NoteLayout.padding(keptEnd))
        let noteOffset = keptEnd + tail.count
        tail += note
        let namesOffset = keptEnd + tail.count
        tail += names
        tail += [UInt8](repeating: 0, count: NoteLayout.padding(keptEnd + tail.count))
        tableOffset = keptEnd + tail.count
        NoteLayout.writeNote(&table, index, at: noteOffset, count: note.count)
        NoteLayout.place(&table, sections.namesIndex, at: namesOffset, count: names.count)
        sectionCount = table.count / ELFSections.entrySize
        self.tail = tail + table
    }

    /// Cuts off what is written anew anyway, as far as it is the end of the file: so signing twice gives the same as once.
    private static func keptEnd(
        _ program: ProgramBytes, _ sections: ELFSections, loadedEnd: Int, oldNote: Int?
    ) throws(SignatureFault) -> Int {
        var rewritten = [sections.tableRange, sections.namesRange]
        var others = loadedEnd
        for index in 1..<max(1, sections.count) {
            let section = sections[index]
            if section.kind == ELFSection.withoutBytes || index == sections.namesIndex { continue }
            guard let range = program.range(at: section.offset, size: section.size) else { throw .malformed(.sections) }
            if index == oldNote { rewritten.append(range) } else { others = max(others, range.upperBound) }
        }
        var end = program.count
        while let range = rewritten.first(where: { range in
            !range.isEmpty && range.lowerBound >= others && range.upperBound <= end
                && end - range.upperBound < alignment
        }) {
            // Between them is only what aligns them; something else would be kept.
            let gap = try program.part(range.upperBound..<end)
            guard gap.allSatisfy({ $0 == 0 }) else { break }
            end = range.lowerBound
        }
        return end
    }

    /// A note that is not loaded, aligned like most.
    private static func writeNote(_ table: inout [UInt8], _ index: Int, at offset: Int, count: Int) {
        let start = index * ELFSections.entrySize
        for place in start + 4..<start + ELFSections.entrySize { table[place] = 0 }
        LittleEndian.write(ELFSection.note, to: &table, at: start + 4)
        LittleEndian.write(UInt64(4), to: &table, at: start + 48)
        place(&table, index, at: offset, count: count)
    }

    private static func place(_ table: inout [UInt8], _ index: Int, at offset: Int, count: Int) {
        let start = index * ELFSections.entrySize
        LittleEndian.write(UInt64(offset), to: &table, at: start + 24)
        LittleEndian.write(UInt64(count), to: &table, at: start + 32)
    }

    private static func padding(_ offset: Int) -> Int { (alignment - offset % alignment) % alignment }

    private static let alignment = 8
}
