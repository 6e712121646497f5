// SPDX-License-Identifier: Apache-2.0

/// Where the lines of a file are, without the newlines.
internal struct SourceLines {
    internal let bytes: ImportedBytes
    private let ends: [Int]

    internal init(_ bytes: ImportedBytes) throws(ImportError) {
        self.bytes = bytes
        var ends: [Int] = []
        var start = 0
        while let end = bytes.index(of: ASCII.newline, in: start..<bytes.count) {
            guard ends.count < ImportLimits.mostLines else { throw .tooLarge }
            ends.append(end)
            start = end + 1
        }
        if start < bytes.count { ends.append(bytes.count) }
        self.ends = ends
    }

    internal var count: Int { ends.count }

    /// The line without its newline; empty past the last.
    internal subscript(index: Int) -> Range<Int> {
        guard index >= 0, index < ends.count else { return bytes.count..<bytes.count }
        return (index == 0 ? 0 : ends[index - 1] + 1)..<ends[index]
    }

    /// The line without a carriage return at its end either.
    internal func withoutReturn(_ index: Int) -> Range<Int> {
        let line = self[index]
        guard !line.isEmpty, bytes[line.upperBound - 1] == ASCII.carriageReturn else { return line }
        return line.lowerBound..<line.upperBound - 1
    }

    internal func isBlank(_ index: Int) -> Bool { bytes.trimmed(self[index]).isEmpty }

    internal func has(_ text: String, at index: Int) -> Bool {
        let line = self[index]
        return text.utf8.count <= line.count && bytes.has(text, at: line.lowerBound)
    }
}
