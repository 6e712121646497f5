// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

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
        signed = try StatementNote.statement(in: try bytes.part(range))
        // Before anything is hashed, so that a stolen note does not have us read a file of any size.
        guard signed.statement.length == end else { throw .otherContent }
        self.bytes = bytes
    }

    /// Throws unless the owner of `publicKey` signed the statement; cheap, and to be asked first.
    package func requireSignature(by publicKey: [UInt8]) throws(SignatureFault) {
        guard try ProgramStatement.signer(of: publicKey) == statement.signer else { throw .wrongSignature }
        try signed.requireSignature(by: publicKey)
    }

    /// Throws unless the program is the one that was signed; reads all of it.
    package func requireContent() throws(SignatureFault) {
        guard try contentDigest() == statement.digest else { throw .otherContent }
    }

    package func contentDigest() throws(SignatureFault) -> [UInt8] {
        try ProgramDigest.sha256(of: bytes, end: end)
    }
}

/// What of a program has to stay as it was signed.
///
/// It is the file from its first byte to the end of the last segment: header, table of segments, name of the dynamic
/// loader, everything that is loaded, and whatever lies between these. Only the bytes of the header that tell of
/// sections count as zeros. What follows is symbols, debugging information, the table of sections and the note: `strip` and
/// packagers may change them.
///
/// The kernel maps whole pages, so that the last segment in the file brings some of what follows it into memory. Nothing
/// in the program refers to that, and the file is one that only root can change.
package enum ProgramDigest {
    internal static func sha256(of program: ProgramBytes, end: Int) throws(SignatureFault) -> [UInt8] {
        var digest: RunningDigest
        do throws(CryptoError) { digest = try RunningDigest() } catch { throw .library }
        var offset = 0
        while offset < end {
            let next = min(offset + chunk, end)
            var part = try program.part(offset..<next)
            if offset == 0 {
                for field in ELFHeader.sectionFields { for index in field { part[index] = 0 } }
            }
            do throws(CryptoError) {
                try unsafe part.lendingBytes { (bytes) throws(CryptoError) in try unsafe digest.update(bytes) }
            } catch { throw .library }
            offset = next
        }
        do throws(CryptoError) { return try digest.sha256() } catch { throw .library }
    }

    private static let chunk = 64 << 10
}

/// Why a file is no signed program.
package enum SignatureFault: Error, Sendable, Equatable {
    /// It is no program that could be signed: ELF, 64 bits, little-endian, executable.
    case notAProgram
    /// It has no note of ours.
    case unsigned
    /// A part is not as it has to be, or reaches beyond the file.
    case malformed(Part)
    /// It has more than one note, of which none is believed.
    case severalNotes
    /// A part is larger than any of its kind.
    case tooLarge(Part)
    /// The statement was not signed with the key in question.
    case wrongSignature
    /// The statement is another program's, or the program was changed.
    case otherContent
    case file(FileFault)
    /// OpenSSL refused.
    case library

    package enum Part: Sendable, Equatable, CaseIterable {
        case header
        case segments
        case sections
        case note
        case statement
    }
}

extension SignatureFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAProgram: "it is not a 64-bit little-endian ELF program"
        case .unsigned: "it is not signed"
        case .malformed(let part): "the \(part) of the file is malformed"
        case .severalNotes: "it has several signatures"
        case .tooLarge(let part): "the \(part) of the file exceeds the size limit"
        case .wrongSignature: "the signature is not valid"
        case .otherContent: "the program was changed after it was signed"
        case .file(let fault): "the file cannot be trusted: \(fault)"
        case .library: "OpenSSL reported an error"
        }
    }
}
