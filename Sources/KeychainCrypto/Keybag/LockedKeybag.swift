// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// A keybag as it is stored: a header in the clear and keys that are wrapped.
///
/// Nothing here is a secret.
package struct LockedKeybag: Sendable, Equatable {
    /// What a record hangs on.
    enum Slot: UInt8, Sendable {
        case device = 1
        case deviceAndGate = 2
        case recovery = 3
    }

    /// What a record holds: the two keys of a class, the index key, or one of the passcode's factors.
    enum Content: Sendable, Hashable {
        case classKeys(ClassKeyName)
        case indexKey
        /// By its place in the header.
        case passcodeFactor(UInt8)

        /// A class key and its metadata key, or one key alone.
        var byteCount: Int {
            switch self {
            case .classKeys: 64
            case .indexKey, .passcodeFactor: 32
            }
        }

        /// The number written for it: the class's own, or one that no class has.
        var number: UInt8 {
            switch self {
            case .classKeys(let name): name.accessibility.rawValue
            case .indexKey: 0
            case .passcodeFactor: 1
            }
        }
    }

    struct Record: Sendable, Equatable {
        let slot: Slot
        let content: Content
        /// What a recovery record was wrapped with, for the one who has the other half; empty in the other slots.
        let point: [UInt8]
        let wrapped: [UInt8]
    }

    package let header: KeybagHeader
    /// The header's own bytes, to which the records are bound.
    let headerBytes: [UInt8]
    let records: [Record]
    /// Whether one of the two stored copies is damaged.
    package let isHalfDamaged: Bool

    init(header: KeybagHeader, headerBytes: [UInt8], records: [Record], isHalfDamaged: Bool = false) {
        self.header = header
        self.headerBytes = headerBytes
        self.records = records
        self.isHalfDamaged = isHalfDamaged
    }

    /// The same keybag without keys that nothing is sealed under any more.
    package func dropping(_ unused: Set<ClassKeyName>) -> LockedKeybag {
        let kept = records.filter { record in
            guard case .classKeys(let name) = record.content else { return true }
            return !unused.contains(name)
        }
        return LockedKeybag(header: header, headerBytes: headerBytes, records: kept)
    }

    /// The same keybag without what a recovery key opens.
    package func droppingRecovery() -> LockedKeybag {
        LockedKeybag(header: header, headerBytes: headerBytes, records: records.filter { $0.slot != .recovery })
    }

    /// Whether another keybag is a later one of the same keychain.
    package func isOlder(than other: LockedKeybag) -> Bool {
        other.header.keychain == header.keychain && other.header.rollbackCounter > header.rollbackCounter
    }

    /// The class keys of generations before the current one.
    package var earlierNames: Set<ClassKeyName> {
        Set(
            records.compactMap { record in
                guard case .classKeys(let name) = record.content, name.generation != header.generation else {
                    return nil
                }
                return name
            })
    }
}
