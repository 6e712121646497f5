// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The text as it is after what does not count was taken away, which taking it away again does not change.
///
/// Searching costs the length of the pattern for every character, with a lane in hand: it has a limit.
extension TextPattern: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let text = try fields.string(atMost: WireLimits.pattern)
        let position: TextMatching.Position = try fields.next()
        let ignored = TextMatching.Ignored(rawValue: UInt8(try fields.number(in: 0...7)))
        self.init(text, at: position, matching: TextMatching(ignoring: ignored))
        guard self.text.hasSameBytes(as: text) else { throw .malformed }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.string(text)
        try writer.write(position)
        writer.number(Int64(matching.ignored.rawValue))
    }
}

extension TextMatching.Position: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .anywhere: 1
        case .start: 2
        case .end: 3
        case .whole: 4
        }
    }
}
