// SPDX-License-Identifier: Apache-2.0

/// A program with a note of ours; what that says is believed after `requireSignature` and `requireContent`.
package struct SignedProgram: Sendable {
    package let signed: SignedStatement
    private let bytes: ProgramBytes
    private let end: Int

    package var statement: ProgramStatement { signed.statement }

    /// Reads the note and looks at the form of the file, not yet at its content.
    ///
    /// Throws `notAProgram` or `unsigned` of files that claim nothing; every other fault is of one that does, or that is
    /// damaged.
    package init(in bytes: ProgramBytes) throws(SignatureFault) {
        let header = try ELFHeader(of: bytes)
        guard let sections = try ELFSections(of: bytes, header),
            let index = try sections.only(named: StatementNote.section)
        else { throw .unsigned }
        end = try ELFSegments(of: bytes, header).end
        let section = sections[index]
        // Not loaded, so behind all that is: a note inside would have to cover itself.
        guard section.kind == ELFSection.note, section.flags == 0,
            let range = bytes.range(at: section.offset, size: section.size), range.lowerBound >= end,
            sections.tableRange.lowerBound >= end
        else { throw .malformed(.note) }
        guard range.count <= StatementNote.largest else { throw .tooLarge(.note) }
        let note: [UInt8]
        do throws(FileFault) { note = try bytes.bytes(range) } catch { throw .file(error) }
        signed = try StatementNote.statement(in: note)
        // Before anything is hashed, so that a stolen note does not have us read a file of any size.
        guard signed.statement.length == end else { throw .otherContent }
        self.bytes = bytes
    }

    /// Throws unless the owner of `publicKey` signed the statement; cheap, and to be asked first.
    package func requireSignature(by publicKey: [UInt8]) throws(SignatureFault) {
        guard try ProgramSigner.identifier(of: publicKey) == statement.signer else { throw .wrongSignature }
        try signed.requireSignature(by: publicKey)
    }

    /// Throws unless the program is the one that was signed; reads all of it.
    package func requireContent() throws(SignatureFault) {
        guard try contentDigest() == statement.digest else { throw .otherContent }
    }

    internal func contentDigest() throws(SignatureFault) -> [UInt8] {
        try ProgramDigest.sha256(of: bytes, end: end)
    }
}
