// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A text of any bytes in which references stand, each to be replaced by what it refers to.
///
/// `{{ llavero://… }}` is one, with or without spaces and tabs inside the braces; other braces stay as they are. Without braces a
/// reference ends before the first byte that is no letter, digit, `-`, `.`, `_`, `~`, `%` or `/`; behind a letter, a digit, `-`,
/// `+`, `.` or a backslash none begins.
package struct ReferenceTemplate: Sendable {
    package enum Piece: Sendable {
        /// Bytes of the text, to be copied.
        case bytes(Range<Int>)
        case reference(SecretReference, line: Int)
    }

    package let pieces: [Piece]
    private let source: SecretValue

    /// A text that begins as a reference and is none; empty where it is no text, or has no end.
    package struct Fault: Error, Sendable {
        package let text: String
        package let reason: ReferenceFault
    }

    /// What stands where a reference begins, and in which line.
    package typealias Written = (reference: Result<SecretReference, Fault>, line: Int)

    /// There are references that cannot be read; all that were found, also those that can be.
    package struct Unreadable: Error, Sendable { package let written: [Written] }

    /// With `onlyEnclosed`, references without braces stay as they are.
    package init(_ text: SecretValue, onlyEnclosed: Bool = false) throws(Unreadable) {
        let pieces = try unsafe text.withUnsafeBytes { (bytes) throws(Unreadable) in
            var reader = unsafe Reader(bytes, onlyEnclosed: onlyEnclosed)
            return try reader.pieces()
        }
        self.init(pieces: pieces, of: text)
    }

    /// The value of a variable: one reference and nothing else, or text with references in braces.
    package init(valueOf text: SecretValue) throws(Unreadable) {
        let isReference = unsafe text.withUnsafeBytes { unsafe $0.starts(with: SecretReference.beginning.utf8) }
        guard isReference else {
            try self.init(text, onlyEnclosed: true)
            return
        }
        let word = unsafe text.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        do throws(ReferenceFault) {
            guard let word, let reference = try SecretReference(word) else { throw .notText }
            self.init(pieces: [.reference(reference, line: 1)], of: text)
        } catch { throw Unreadable(written: [(.failure(Fault(text: word ?? "", reason: error)), 1)]) }
    }

    private init(pieces: [Piece], of source: SecretValue) { (self.pieces, self.source) = (pieces, source) }

    package var references: [(reference: SecretReference, line: Int)] {
        pieces.compactMap { if case .reference(let reference, let line) = $0 { (reference, line) } else { nil } }
    }

    package var written: [Written] { references.map { (.success($0.reference), $0.line) } }

    /// Lends each part in order: text of the template, or the value that `find` has for a reference.
    package func forEachPart<Failure: Error>(
        _ find: (SecretReference) throws(Failure) -> SecretValue,
        _ put: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        for piece in pieces {
            switch piece {
            case .bytes(let range):
                try unsafe source.withUnsafeBytes { (bytes) throws(Failure) in
                    try unsafe put(UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
            case .reference(let reference, _):
                let value = try find(reference)
                try unsafe value.withUnsafeBytes { (bytes) throws(Failure) in try unsafe put(bytes) }
            }
        }
    }
}

extension ReferenceTemplate {
    @safe
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private let onlyEnclosed: Bool
        private var place = 0
        private var line = 1
        /// Where the bytes begin that are not yet in a piece.
        private var start = 0
        private var found: [Piece] = []
        private var written: [Written] = []
        private var isUnreadable = false

        init(_ bytes: UnsafeRawBufferPointer, onlyEnclosed: Bool) {
            unsafe self.bytes = unsafe bytes
            self.onlyEnclosed = onlyEnclosed
        }

        mutating func pieces() throws(Unreadable) -> [Piece] {
            while let byte = byte(at: place) {
                switch byte {
                case UInt8(ascii: "{"):
                    if let inside = enclosed() { try takeEnclosed(from: inside) } else { place += 1 }
                case UInt8(ascii: "l"):
                    if !onlyEnclosed, begins(at: place), !isPartOfWord { takeBare() } else { place += 1 }
                case UInt8(ascii: "\n"):
                    line += 1
                    place += 1
                default: place += 1
                }
            }
            copy(to: place)
            guard !isUnreadable else { throw Unreadable(written: written) }
            return found
        }

        private func byte(at index: Int) -> UInt8? {
            unsafe index < bytes.count ? bytes[index] : nil
        }

        private func begins(at index: Int) -> Bool {
            var index = index
            for letter in SecretReference.beginning.utf8 {
                guard byte(at: index) == letter else { return false }
                index += 1
            }
            return true
        }

        /// Whether the byte before makes it the end of another word, or says that it is to stay.
        private var isPartOfWord: Bool {
            guard place > 0, let before = byte(at: place - 1) else { return false }
            return (0x30...0x39).contains(before) || (0x41...0x5A).contains(before) || (0x61...0x7A).contains(before)
                || "-+.\\".utf8.contains(before)
        }

        /// Where the reference begins behind two braces; nil where there is none.
        private func enclosed() -> Int? {
            guard byte(at: place + 1) == UInt8(ascii: "{") else { return nil }
            let inside = spaces(from: place + 2)
            return begins(at: inside) ? inside : nil
        }

        private func spaces(from index: Int) -> Int {
            var index = index
            while let byte = byte(at: index), byte == 0x20 || byte == 0x09 { index += 1 }
            return index
        }

        private mutating func takeEnclosed(from inside: Int) throws(Unreadable) {
            var end = inside
            while !(byte(at: end) == UInt8(ascii: "}") && byte(at: end + 1) == UInt8(ascii: "}")) {
                // A reference is in one line.
                guard let byte = byte(at: end), byte != UInt8(ascii: "\n") else {
                    fail("", .unclosed)
                    throw Unreadable(written: written)
                }
                end += 1
            }
            var last = end
            while let byte = byte(at: last - 1), byte == 0x20 || byte == 0x09 { last -= 1 }
            take(inside..<last)
            place = end + 2
            start = place
        }

        private mutating func takeBare() {
            var end = place + SecretReference.beginning.utf8.count
            while let byte = byte(at: end), SecretReference.continues(with: byte) { end += 1 }
            take(place..<end)
            place = end
            start = place
        }

        private mutating func take(_ range: Range<Int>) {
            copy(to: place)
            let word = unsafe String(validating: bytes[range], as: UTF8.self)
            guard let word else { return fail("", .notText) }
            do throws(ReferenceFault) {
                guard let reference = try SecretReference(word) else { return }
                found.append(.reference(reference, line: line))
                written.append((.success(reference), line))
            } catch { fail(word, error) }
        }

        private mutating func fail(_ text: String, _ reason: ReferenceFault) {
            written.append((.failure(Fault(text: text, reason: reason)), line))
            isUnreadable = true
        }

        private mutating func copy(to end: Int) {
            if start < end { found.append(.bytes(start..<end)) }
        }
    }
}

extension Result where Success == ReferenceTemplate, Failure == ReferenceTemplate.Unreadable {
    /// All references of a template, whether it could be read or not.
    package var written: [ReferenceTemplate.Written] {
        switch self {
        case .success(let template): template.written
        case .failure(let unreadable): unreadable.written
        }
    }
}
