// SPDX-License-Identifier: Apache-2.0

/// Where, in an export of KeePass, entries and groups begin or end: reading goes on there after what is damaged.
internal struct XMLBeginnings {
    private let positions: [Int]

    internal init(_ bytes: ImportedBytes) {
        var found: [Int] = []
        // Since the last mark that is no entry: which of them are in a history is known at its end.
        var entries: [Int] = []
        var index = 0
        while let tag = bytes.index(of: ASCII.less, in: index..<bytes.count) {
            index = tag + 1
            if bytes.has("<Entry>", at: tag) {
                entries.append(tag)
            } else if bytes.has("</History>", at: tag) {
                entries = []
            } else if bytes.has("<History>", at: tag) {
                found += entries
                entries = []
            } else if bytes.has("<Group>", at: tag) || bytes.has("</Group>", at: tag) {
                found += entries + [tag]
                entries = []
            }
        }
        positions = found + entries
    }

    /// The first behind a place.
    internal func first(after place: Int) -> Int? {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] > place { high = middle } else { low = middle + 1 }
        }
        return low < positions.count ? positions[low] : nil
    }
}
