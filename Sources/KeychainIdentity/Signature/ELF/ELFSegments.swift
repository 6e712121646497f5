// SPDX-License-Identifier: Apache-2.0

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
        let table: [UInt8]
        do throws(FileFault) { table = try program.bytes(range) } catch { throw .file(error) }
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
