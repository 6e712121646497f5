// SPDX-License-Identifier: Apache-2.0

internal import Security

extension ItemCalls {
    /// Gives the item that `query` finds these attributes, or adds one that has those of both.
    ///
    /// Each call is a transaction of its own, so nobody ever sees the item gone. Somebody else may add or delete it
    /// between two calls: then the other call is tried again.
    static func replaceOrAdd(_ query: Attributes, with attributes: Attributes) throws(StatusFailure) {
        let item = query.merging(attributes) { _, new in new }
        var triesLeft = 3
        while true {
            if try isFound({ () throws(StatusFailure) in try update(query, with: attributes) }) { return }
            do throws(StatusFailure) {
                return try add(item)
            } catch {
                triesLeft -= 1
                guard error.status == errSecDuplicateItem, triesLeft > 0 else { throw error }
            }
        }
    }
}
