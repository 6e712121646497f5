// SPDX-License-Identifier: Apache-2.0

/// What `security dump-keychain -d` prints on macOS: an item after the other, with its attributes and its secret.
internal struct MacDump {
    private let lines: SourceLines
    private let file: String
    private var item: MacItem?
    private var count = 0

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        bytes.has("keychain: \"", at: 0) || bytes.has("class: \"", at: 0)
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        var dump = MacDump(lines: try SourceLines(bytes), file: file)
        guard (0..<dump.lines.count).contains(where: { dump.lines.has("class: ", at: $0) }) else {
            throw .notThisFormat
        }
        try dump.read(into: &report)
    }

    private init(lines: SourceLines, file: String) {
        self.lines = lines
        self.file = file
    }

    private mutating func read(into report: inout ImportReport) throws(ImportError) {
        var index = 0
        while index < lines.count {
            if lines.has("keychain: ", at: index) || lines.has("class: ", at: index) {
                try begin(at: index, &report)
            } else if lines.has("data:", at: index) {
                index = takeData(at: index)
            } else if lines.has("    ", at: index) {
                // Behind a secret they are another item's, of which the first lines are damaged.
                if item?.hasSecret == true { try begin(at: index, &report) }
                takeAttribute(lines.withoutReturn(index))
            } else if !lines.isBlank(index), !lines.has("version: ", at: index), !lines.has("attributes:", at: index) {
                item?.isDamaged = true
            }
            index += 1
        }
        try item?.finish(into: &report)
    }

    /// Begins an item with any line that stands before its secret, so that the first ones may be damaged.
    private mutating func begin(at index: Int, _ report: inout ImportReport) throws(ImportError) {
        let isClass = lines.has("class: ", at: index)
        if !isClass || item == nil || item?.itemClass != nil || item?.hasContent == true {
            try item?.finish(into: &report)
            count += 1
            item = MacItem(source: SourceLocation(file, line: index + 1, item: count))
        }
        if isClass {
            let line = lines.withoutReturn(index)
            let value = line.lowerBound + 7..<line.upperBound
            item?.itemClass = MacValue.bytes(lines.bytes, value).map { $0.text ?? "" } ?? "?"
        }
    }

    private mutating func takeAttribute(_ line: Range<Int>) {
        let bytes = lines.bytes
        guard let less = bytes.index(of: ASCII.less, in: line),
            let equals = bytes.index(of: ASCII.equals, in: less..<line.upperBound), bytes[equals - 1] == ASCII.greater,
            let name = bytes.text(bytes.trimmed(line.lowerBound..<less)),
            let value = MacValue.bytes(bytes, equals + 1..<line.upperBound)
        else {
            item?.isDamaged = true
            return
        }
        item?.values[name] = value
    }

    /// Takes the secret, in the line of the word or in the next one; returns the line that it is in.
    private mutating func takeData(at index: Int) -> Int {
        let line = lines.withoutReturn(index)
        if line.count > 5 {
            item?.setSecret(MacValue.bytes(lines.bytes, line.lowerBound + 5..<line.upperBound))
            return index
        }
        guard index + 1 < lines.count, !lines.has("keychain: ", at: index + 1), !lines.has("class: ", at: index + 1)
        else { return index }
        item?.setSecret(MacValue.bytes(lines.bytes, lines.withoutReturn(index + 1)))
        return index + 1
    }
}
