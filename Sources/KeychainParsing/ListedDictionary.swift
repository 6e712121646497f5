// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import KeychainModel

/// A dictionary of a few entries that are read once, one after the other: nothing is hashed to make it.
///
/// What C hands over is one: to hash its keys would cost as much as to parse them twice.
package final class ListedDictionary: NSDictionary {
    private let keys: [NSObject]
    private let values: [AnyObject]

    /// As many keys as values; no two keys are equal.
    package init(keys: [NSObject], values: [AnyObject]) {
        self.keys = keys
        self.values = values
        unsafe super.init(objects: nil, forKeys: nil, count: 0)
    }

    package required init(objects: UnsafePointer<AnyObject>!, forKeys: UnsafePointer<NSObject>!, count: Int) {
        keys = unsafe Array(UnsafeBufferPointer(start: forKeys, count: count))
        values = unsafe Array(UnsafeBufferPointer(start: objects, count: count))
        unsafe super.init(objects: nil, forKeys: nil, count: 0)
    }

    package required convenience init?(coder: NSCoder) { nil }

    package override var count: Int { keys.count }

    package override func object(forKey key: Any) -> Any? {
        keys.firstIndex { $0.isEqual(key) }.map { values[$0] }
    }

    package override func keyEnumerator() -> NSEnumerator { NSArray(array: keys).objectEnumerator() }

    func forEach(_ body: (AnyObject, AnyObject) throws(KeychainError) -> Void) throws(KeychainError) {
        for index in keys.indices { try body(keys[index], values[index]) }
    }
}
