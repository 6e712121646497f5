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

/// A program as it is once it is signed: its first bytes anew, most of it as it was, and an end with the note.
package struct ProgramSigning: Sendable {
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
            signer: try ProgramSigner.identifier(of: publicKey),
            digest: try ProgramDigest.sha256(of: program, end: end), length: end)
        guard let statement else { throw .malformed(.statement) }
        let note = try StatementNote.bytes(SignedStatement(signing: statement, with: privateKey))
        let layout = try NoteLayout(program, sections, loadedEnd: end, note: note)
        self.header = header.withSections(at: layout.tableOffset, count: layout.sectionCount)
        kept = ELFHeader.size..<layout.keptEnd
        tail = layout.tail
    }
}
