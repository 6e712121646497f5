// SPDX-License-Identifier: Apache-2.0

/// How much dearer an operation becomes between two sizes, beside how much dearer the limit's becomes.
enum Growth {
    static func rows(from small: Int, to large: Int, in rows: [Row]) -> [Row] {
        [RowName.find, RowName.add].compactMap { name in
            guard let before = rows.first(where: { $0.name == name && $0.items == small }),
                let after = rows.first(where: { $0.name == name && $0.items == large }),
                let ours = growth(before.ours, after.ours), let limit = growth(before.limit, after.limit)
            else { return nil }
            return Row(
                name: "growth from \(small): \(name)", items: large, ours: ours, limit: limit, unit: .times,
                target: .ratio(atMost: 1.2))
        }
    }

    private static func growth(_ before: Double?, _ after: Double?) -> Double? {
        guard let before, let after, before > 0 else { return nil }
        return after / before
    }
}
