// SPDX-License-Identifier: Apache-2.0

extension Attribute {
    /// All raw values in ascending order.
    private static let sorted = allCases.map(\.rawValue).sorted()

    /// The attribute's place among all, for tables by attribute: a search in sixty numbers costs less than hashing.
    package var ordinal: Int {
        let wanted = rawValue
        let all = Attribute.sorted
        var low = 0
        var high = all.count - 1
        while low < high {
            let middle = (low + high) / 2
            if all[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A table with a value for every attribute.
    package static func table<Value>(_ value: (Attribute) -> Value) -> [Value] {
        allCases.sorted { $0.rawValue < $1.rawValue }.map(value)
    }
}
