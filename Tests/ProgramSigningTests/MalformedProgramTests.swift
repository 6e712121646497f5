// SPDX-License-Identifier: Apache-2.0

internal import ProgramSigning
internal import TestPrograms
internal import Testing

/// Signed programs with one thing wrong.
@Suite struct MalformedProgramTests {
    private let signer: TestSigner
    private let signed: [UInt8]

    init() throws {
        signer = try TestSigner()
        signed = try signer.sign(ProgramFixture.client)
    }

    private func fault(writing number: UInt64, size: Int, at offset: Int) -> SignatureFault? {
        signer.fault(of: ProgramFixture.writing(number, size: size, at: offset, to: signed))
    }

    @Test(
        "a header of another machine, or of no program, is refused",
        arguments: [
            (4, 1, "32 bits"), (5, 2, "most significant byte first"), (6, 0, "no version"), (16, 1, "an object file"),
            (16, 4, "a core dump"), (0, 0x7E, "no magic"),
        ])
    func header(offset: Int, value: UInt8, what: String) {
        #expect(fault(writing: UInt64(value), size: 1, at: offset) == .notAProgram)
    }

    @Test(
        "a header whose tables cannot be is refused",
        arguments: [
            (52, 2, 63, SignatureFault.Part.header), (54, 2, 57, .segments), (54, 2, 0, .segments),
            (56, 2, 0, .segments),
            (32, 8, UInt64.max, .segments), (32, 8, UInt64.max - 55, .segments), (32, 8, 1 << 40, .segments),
            (58, 2, 63, .sections), (60, 2, 0, .sections), (62, 2, 0, .sections), (62, 2, 0xFFFF, .sections),
            (62, 2, 1, .sections), (40, 8, UInt64.max, .sections), (40, 8, UInt64.max - 63, .sections),
            (40, 8, 1 << 62, .sections),
        ])
    func tables(offset: Int, size: Int, value: UInt64, part: SignatureFault.Part) {
        #expect(fault(writing: value, size: size, at: offset) == .malformed(part))
    }

    @Test("tables of more entries than any program has are refused before they are read")
    func counts() {
        #expect(fault(writing: 0xFFFF, size: 2, at: 56) == .tooLarge(.segments))
        #expect(fault(writing: 0xFFFF, size: 2, at: 60) == .tooLarge(.sections))
        // Without a table there is no note.
        #expect(fault(writing: 0, size: 8, at: 40) == .unsigned)
    }

    @Test(
        "a segment that reaches beyond the file, or over the end of memory, is refused",
        arguments: [
            (8, UInt64.max), (8, 1 << 40), (32, UInt64.max), (32, 1 << 40), (16, UInt64.max), (40, UInt64.max), (40, 0),
        ])
    func segments(field: Int, value: UInt64) throws {
        let entry = try #require(ProgramFixture.segment(1, of: signed))
        #expect(fault(writing: value, size: 8, at: entry + field) == .malformed(.segments))
    }

    @Test("segments that lie over each other, or out of order, are refused")
    func overlapping() throws {
        let first = try #require(ProgramFixture.segment(1, of: signed))
        let memory = ProgramFixture.number(signed, at: first + 40, size: 8)
        #expect(ProgramFixture.number(signed, at: first + 56, size: 4) == 1)
        #expect(fault(writing: UInt64(memory - 1), size: 8, at: first + 56 + 16) == .malformed(.segments))
        #expect(fault(writing: 1 << 40, size: 8, at: first + 16) == .malformed(.segments))
    }

    @Test(
        "a dynamic loader that is named where nothing is covered, or twice, is refused; another one is another program")
    func interpreter() throws {
        let entry = try #require(ProgramFixture.segment(3, of: signed))
        let behind = UInt64(ProgramFixture.loadedEnd(of: signed))
        #expect(fault(writing: behind, size: 8, at: entry + 8) == .malformed(.segments))
        let other = try #require(ProgramFixture.segment(4, of: signed))
        #expect(fault(writing: 3, size: 4, at: other) == .malformed(.segments))
        let name = ProgramFixture.number(signed, at: entry + 8, size: 8)
        #expect(fault(writing: UInt64(signed[name + 1] ^ 1), size: 1, at: name + 1) == .otherContent)
        #expect(fault(writing: 4, size: 4, at: entry) == .otherContent)
    }

    @Test("an entry point, or a right to a segment, that is another than was signed is refused")
    func entry() throws {
        #expect(fault(writing: 0x1000, size: 8, at: 24) == .otherContent)
        let stack = try #require(ProgramFixture.segment(0x6474_E551, of: signed))
        #expect(fault(writing: 7, size: 4, at: stack + 4) == .otherContent)
    }

    @Test("two notes are none")
    func twoNotes() {
        #expect(signer.fault(of: ProgramFixture.withTwoNotes(signed)) == .severalNotes)
    }

    @Test(
        "a note of another kind, loaded, beyond the file, or where it would cover itself, is refused",
        arguments: [(4, 4, 1), (4, 4, 8), (8, 8, 2), (8, 8, 0x800), (24, 8, 0), (24, 8, UInt64.max), (32, 8, 1 << 40)])
    func misplaced(field: Int, size: Int, value: UInt64) {
        #expect(
            fault(writing: value, size: size, at: ProgramFixture.note(of: signed) + field) == .malformed(.note))
    }

    @Test("a note is written one way")
    func noteBytes() {
        let entry = ProgramFixture.note(of: signed)
        let start = ProgramFixture.number(signed, at: entry + 24, size: 8)
        let size = ProgramFixture.number(signed, at: entry + 32, size: 8)
        for place in start..<start + size {
            #expect(fault(writing: UInt64(signed[place] ^ 1), size: 1, at: place) != nil)
        }
        for other in [0, 1, 12, 20, size - 4, size - 1, size + 4] {
            #expect(fault(writing: UInt64(other), size: 8, at: entry + 32) != nil)
        }
        #expect(fault(writing: 17 << 10, size: 8, at: entry + 32) != nil)
    }

    @Test("a file that ends early is refused, wherever it does")
    func truncated() {
        for count in stride(from: 0, to: signed.count, by: 97) {
            #expect(signer.fault(of: Array(signed.prefix(count))) != nil)
        }
        #expect(signer.fault(of: Array(signed.dropLast())) == .malformed(.sections))
    }
}
