// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The keys that are available now.
///
/// Immutable: readers share it, and locking puts another one in its place.
package final class UnlockedKeybag: Sendable {
    package let header: KeybagHeader
    let indexKey: SecretBytes
    /// By class number, of the current generation; nil where the class is not available.
    private let current: [ClassKeys?]
    /// Keys of earlier generations, for items that were not sealed again yet.
    private let earlier: [ClassKeys]

    init(header: KeybagHeader, indexKey: consuming SecretBytes, classKeys: [ClassKeys]) {
        self.header = header
        self.indexKey = indexKey
        var current: [ClassKeys?] = Array(repeating: nil, count: 16)
        for keys in classKeys where keys.generation == header.generation {
            current[Int(keys.accessibility.rawValue)] = keys
        }
        self.current = current
        earlier = classKeys.filter { $0.generation != header.generation }
    }

    /// Whether keys of a generation exist at all, available now or not.
    package func knows(generation: UInt32) -> Bool { generation == header.generation }

    /// The keys of a class, or nil when they are not available: locked, or no passcode is set.
    package func keys(of accessibility: Accessibility, generation: UInt32) -> ClassKeys? {
        if generation == header.generation { return current[Int(accessibility.rawValue)] }
        return earlier.first { $0.accessibility == accessibility && $0.generation == generation }
    }

    /// The same keybag without the keys of some classes.
    package func dropping(_ dropped: Set<Accessibility>) -> UnlockedKeybag {
        let kept = (current.compactMap { $0 } + earlier).filter { !dropped.contains($0.accessibility) }
        return UnlockedKeybag(header: header, indexKey: indexKey.clone(), classKeys: kept)
    }
}
