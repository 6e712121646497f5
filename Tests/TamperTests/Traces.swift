// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The forms in which a value could show in a file.
enum Traces {
    static func of(_ word: String) -> [(form: String, bytes: [UInt8])] {
        let bytes = Array(word.utf8)
        let hexadecimal = hexadecimal(bytes)
        var forms = [
            ("text", bytes), ("backwards", bytes.reversed()),
            ("UTF-16", word.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }),
            ("hexadecimal", hexadecimal), ("HEXADECIMAL", hexadecimal.map { $0 > 0x60 ? $0 - 0x20 : $0 }),
        ]
        for shift in 0..<3 {
            // What comes before and after changes the letters at the edges, so those are left out.
            let encoded = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            forms.append(("base64", Array(encoded.utf8.dropFirst(shift == 0 ? 0 : 4).dropLast(4))))
        }
        return forms
    }

    /// The beginnings of what `md5sum` and its relatives say of some values: bare, and in DER as text and as bytes.
    ///
    /// A part of a digest is enough to confirm a guess.
    static func digests(of values: [[UInt8]], in folder: String) throws -> [[UInt8]] {
        var paths: [String] = []
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for value in values {
            let length = value.count < 128 ? [UInt8(value.count)] : [0x81, UInt8(value.count)]
            for content in [value, [0x04] + length + value, [0x0C] + length + value] {
                paths.append("\(folder)/\(paths.count)")
                try Data(content).write(to: URL(fileURLWithPath: paths[paths.count - 1]))
            }
        }
        return try ["md5sum", "sha1sum", "sha256sum"].flatMap { program in
            try String(decoding: Child.run([program] + paths), as: UTF8.self).split(separator: "\n").map { line in
                let digits = Array(line.prefix(20))
                return stride(from: 0, to: 20, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
            }
        }
    }

    static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

/// Many traces, looked for in one pass.
struct TraceSearch {
    private let traces: [(name: String, bytes: [UInt8])]
    /// Which traces begin with eight bytes; none is shorter.
    private var beginnings: [UInt64: [Int]] = [:]

    init(_ traces: [(name: String, bytes: [UInt8])]) {
        self.traces = traces
        for (index, trace) in traces.enumerated() {
            let beginning = trace.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            beginnings[beginning, default: []].append(index)
        }
    }

    /// The names of those that are somewhere in some bytes.
    func found(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        var window: UInt64 = 0
        for (position, byte) in bytes.enumerated() {
            window = window << 8 | UInt64(byte)
            guard position >= 7, window != 0, let candidates = beginnings[window] else { continue }
            for index in candidates where bytes[(position - 7)...].starts(with: traces[index].bytes) {
                found.insert(traces[index].name)
            }
        }
        return found
    }
}
