// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
    /// The one encoding of the value: `.depthExceeded` or `.dateOutOfRange` when it has none.
    package func encoded() throws(CodingError) -> [UInt8] {
        try encoded(depthLeft: PropertyList.greatestDepth)
    }

    private func encoded(depthLeft: Int) throws(CodingError) -> [UInt8] {
        switch self {
        case .null: return [DERTag.null.rawValue, 0]
        case .boolean(let value): return [DERTag.boolean.rawValue, 1, value ? 1 : 0]
        case .number(let value):
            return DERWriter.bytes(count: DERSize.ofElement(DERSize.ofInteger(value))) { $0.integer(value) }
        case .string(let value):
            return DERWriter.bytes(count: DERSize.ofElement(value.utf8.count)) { $0.string(value) }
        case .data(let value): return DERWriter.bytes(count: DERSize.ofElement(value.count)) { $0.data(value) }
        case .date(let value):
            let seconds = try DecimalSeconds(value)
            return DERWriter.bytes(count: DERSize.ofElement(GeneralizedTime.size(seconds))) { $0.date(seconds) }
        case .array(let values):
            guard depthLeft > 0 else { throw .depthExceeded }
            var elements: [[UInt8]] = []
            for value in values { elements.append(try value.encoded(depthLeft: depthLeft - 1)) }
            return PropertyList.container(.sequence, elements)
        case .dictionary(let values):
            guard depthLeft > 0 else { throw .depthExceeded }
            var entries: [[UInt8]] = []
            for (key, value) in values {
                let name = try PropertyList.string(key).encoded(depthLeft: 0)
                entries.append(PropertyList.container(.sequence, [name, try value.encoded(depthLeft: depthLeft - 1)]))
            }
            // As bytes. No entry is the beginning of another, because each says how long it is.
            entries.sort { $0.lexicographicallyPrecedes($1) }
            return PropertyList.container(.set, entries)
        }
    }

    private static func container(_ tag: DERTag, _ elements: [[UInt8]]) -> [UInt8] {
        let contentSize = elements.reduce(0) { $0 + $1.count }
        return DERWriter.bytes(count: DERSize.ofElement(contentSize)) { writer in
            writer.header(tag, contentSize: contentSize)
            for element in elements { writer.bytes(element) }
        }
    }
}
