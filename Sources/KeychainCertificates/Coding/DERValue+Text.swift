// SPDX-License-Identifier: Apache-2.0

extension DERValue {
    /// The text of a string element; nil when it is none, or its bytes are no text of its kind.
    ///
    /// T61 is read as Latin-1: what it defines otherwise nobody writes, and everybody reads it so.
    var text: String? {
        switch tag {
        case DERTag.printableString, DERTag.ia5String, DERTag.visibleString, DERTag.numericString:
            guard content.allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(decoding: content, as: UTF8.self)
        case DERTag.utf8String: return String(validating: content, as: UTF8.self)
        case DERTag.t61String: return Self.text(of: content.map { Unicode.Scalar($0) })
        case DERTag.bmpString:
            guard let units = codeUnits(of: UInt16.self) else { return nil }
            return String(validating: units, as: UTF16.self)
        case DERTag.universalString:
            guard let units = codeUnits(of: UInt32.self) else { return nil }
            return String(validating: units, as: UTF32.self)
        default: return nil
        }
    }

    private func codeUnits<Unit: FixedWidthInteger>(of type: Unit.Type) -> [Unit]? {
        let size = Unit.bitWidth / 8
        guard content.count % size == 0 else { return nil }
        return stride(from: content.startIndex, to: content.endIndex, by: size).map { start in
            content[start..<start + size].reduce(0) { $0 << 8 | Unit($1) }
        }
    }

    private static func text(of scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
