// SPDX-License-Identifier: Apache-2.0

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
        case .notAProgram: "it is no 64-bit little-endian ELF program"
        case .unsigned: "it is not signed"
        case .malformed(let part): "the \(part) of the file cannot be relied on"
        case .severalNotes: "it has several signatures"
        case .tooLarge(let part): "the \(part) of the file are larger than they may be"
        case .wrongSignature: "the signature is not valid"
        case .otherContent: "the program was changed after it was signed"
        case .file(let fault): "the file cannot be relied on: \(fault)"
        case .library: "the library for cryptography refused"
        }
    }
}
