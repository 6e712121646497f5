// SPDX-License-Identifier: Apache-2.0

/// What reading the encrypted keys of one text costs: each may demand ten seconds, and a text has room for thousands.
struct WrappedKeyCost {
    private var spent = 0

    /// Counts one encrypted key; throws when it is too much with those before.
    mutating func spend(on key: UnsafeRawBufferPointer) throws(ExchangeFailure) {
        // What cannot be read costs nothing: it is refused before anything is hashed.
        let (cost, isTooLarge) = spent.addingReportingOverflow(unsafe Self.rounds(of: key) ?? 0)
        guard !isTooLarge, cost <= Self.most else {
            throw ExchangeFailure(.undecodable, "its passphrase is hashed more often than anybody could want")
        }
        spent = cost
    }

    /// The first number of the algorithm is how often the passphrase is hashed; scrypt has three to be multiplied.
    private static func rounds(of key: UnsafeRawBufferPointer) -> Int? {
        var outer = unsafe DERReader(unsafeBytes: key)
        guard var fields = outer.enter(DERTag.sequence), var algorithm = fields.enter(DERTag.sequence) else {
            return nil
        }
        var numbers: [Int] = []
        collect(&numbers, &algorithm, depth: 0)
        guard numbers.count >= 3 else { return numbers.first }
        return numbers.reduce(1) { product, number in
            let (larger, isTooLarge) = product.multipliedReportingOverflow(by: number)
            return isTooLarge ? .max : larger
        }
    }

    private static func collect(_ numbers: inout [Int], _ reader: inout DERReader, depth: Int) {
        while let element = reader.next() {
            switch element.tag {
            case DERTag.sequence where depth < 8:
                var inside = reader.inside(element)
                collect(&numbers, &inside, depth: depth + 1)
            case DERTag.integer where element.content.count <= 8:
                let number = reader.unsecretBytes(element.content).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                numbers.append(Int(clamping: number))
            case DERTag.integer: numbers.append(.max)
            default: break
            }
        }
    }

    // As much as one key alone may cost.
    private static let most = 20_000_000
}
