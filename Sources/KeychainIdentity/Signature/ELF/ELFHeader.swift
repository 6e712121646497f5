// SPDX-License-Identifier: Apache-2.0

/// The first 64 bytes of a program: where its two tables are.
internal struct ELFHeader {
    let bytes: [UInt8]

    /// Throws `notAProgram` for what the kernel would not start either, or only as another kind of machine.
    init(of program: ProgramBytes) throws(SignatureFault) {
        guard program.count >= ELFHeader.size else { throw .notAProgram }
        do throws(FileFault) { bytes = try program.bytes(0..<ELFHeader.size) } catch { throw .file(error) }
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
