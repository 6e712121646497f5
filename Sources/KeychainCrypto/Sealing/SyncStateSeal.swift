// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The state of a circle as it is stored: readable once the keychain was unlocked for the first time, and each of its parts good in
/// this keychain, in its place and under its version alone.
extension ItemSealer {
    /// Seals a part of a state under the current key of items that are readable after the first unlock.
    package func sealSyncState(
        _ plain: [UInt8], as part: SyncStateSeal.Part, version: UInt64
    ) throws(SealingError) -> [UInt8] {
        let keys = try wrapsForSealing(.afterFirstUnlock).keys
        return try SealingError.translating { () throws(CryptoError) in
            var sealed = SyncStateSeal.mark
            for shift in stride(from: 24, through: 0, by: -8) {
                sealed.append(UInt8(truncatingIfNeeded: keys.generation >> UInt32(shift)))
            }
            let salt = try unsafe [UInt8](count: SyncStateSeal.saltSize) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            }
            sealed += salt
            // A salt gives a key that seals once.
            let key = try FactorKey.derived(from: keys.secretKey, salt: salt, info: part.rawValue)
            let binding = binding(part, version)
            sealed += try unsafe [UInt8](count: plain.count + GCM.tagSize) { (output) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe plain.lendingBytes { (plain) throws(CryptoError) in
                        try unsafe binding.lendingBytes { (binding) throws(CryptoError) in
                            try unsafe oneTime.seal(key: key, additional: binding, plain: plain, into: output)
                        }
                    }
                }
            }
            return sealed
        }
    }

    /// Opens what `sealSyncState` made of this part in this keychain under this version.
    package func openSyncState(
        _ sealed: [UInt8], as part: SyncStateSeal.Part, version: UInt64
    ) throws(SealingError) -> [UInt8] {
        guard let generation = SyncStateSeal.generation(of: sealed) else { throw .undecodable }
        let keys = try wraps(of: .afterFirstUnlock, generation: generation).keys
        let textAt = SyncStateSeal.headSize + SyncStateSeal.saltSize
        let text = Array(sealed[textAt...])
        let binding = binding(part, version)
        do throws(CryptoError) {
            let key = try FactorKey.derived(
                from: keys.secretKey, salt: SyncStateSeal.name(of: sealed), info: part.rawValue)
            return try unsafe [UInt8](count: text.count - GCM.tagSize) { (output) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe text.lendingBytes { (text) throws(CryptoError) in
                        try unsafe binding.lendingBytes { (binding) throws(CryptoError) in
                            try unsafe oneTime.open(key: key, additional: binding, sealed: text, into: output)
                        }
                    }
                }
            }
        } catch { throw error == .authenticationFailed ? .undecodable : .crypto(error) }
    }

    private func binding(_ part: SyncStateSeal.Part, _ version: UInt64) -> [UInt8] {
        let number = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: version >> $0) }
        return Array(part.rawValue.utf8) + keybag.header.keychain.bytes + number
    }
}

package enum SyncStateSeal {
    package enum Part: String {
        /// What most rounds change.
        case state = "llavero sync state"
        /// What changes with the circle's members.
        case base = "llavero sync base"
    }

    /// The generation of the key that a part is sealed under; nil of what is no such part.
    package static func generation(of sealed: [UInt8]) -> UInt32? {
        guard sealed.count >= headSize + saltSize + GCM.tagSize, sealed.starts(with: mark) else { return nil }
        return sealed[mark.count..<headSize].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The salt, by which one seal is told from all others: the key that comes of it has sealed nothing else.
    package static func name(of sealed: [UInt8]) -> [UInt8] { Array(sealed.dropFirst(headSize).prefix(saltSize)) }

    fileprivate static let mark = Array("LvState".utf8) + [2]
    fileprivate static let headSize = mark.count + 4
    package static let saltSize = 32
}
