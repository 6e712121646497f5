// SPDX-License-Identifier: Apache-2.0

/// A signed statement as the content of the section `.note.llavero`: one note, in the form that all ELF notes have.
internal enum StatementNote {
    /// The bytes of a section with this statement.
    static func bytes(_ statement: SignedStatement) throws(SignatureFault) -> [UInt8] {
        let content = try statement.encoded()
        var bytes = [UInt8](repeating: 0, count: headSize)
        LittleEndian.write(UInt32(owner.count), to: &bytes, at: 0)
        LittleEndian.write(UInt32(truncatingIfNeeded: content.count), to: &bytes, at: 4)
        LittleEndian.write(kind, to: &bytes, at: 8)
        bytes += owner + content
        bytes += [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
        guard bytes.count <= largest else { throw .tooLarge(.statement) }
        return bytes
    }

    /// Reads what `bytes` writes, and nothing else.
    static func statement(in bytes: [UInt8]) throws(SignatureFault) -> SignedStatement {
        let start = headSize + owner.count
        guard bytes.count > start, bytes.count <= largest, bytes[headSize..<start].elementsEqual(owner) else {
            throw .malformed(.note)
        }
        let size: UInt32 = LittleEndian.number(bytes, at: 4)
        guard size <= UInt32(bytes.count - start) else { throw .malformed(.note) }
        let statement = try SignedStatement(decoding: Array(bytes[start..<start + Int(size)]))
        guard try StatementNote.bytes(statement) == bytes else { throw .malformed(.note) }
        return statement
    }

    static let section: StaticString = ".note.llavero"
    static let largest = 16 << 10
    // A multiple of four bytes, so that what follows it is where notes of every alignment have it.
    private static let owner = Array("Llavero\0".utf8)
    private static let kind: UInt32 = 1
    private static let headSize = 12
}
