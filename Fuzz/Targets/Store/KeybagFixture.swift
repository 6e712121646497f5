// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// The keybag that the items of a corpus are sealed under, and the root that opens it.
package enum KeybagFixture {
    package static let keychain = KeychainUUID([UInt8](0x20..<0x30))

    package static func root() -> DeviceRoot {
        DeviceRoot(key: SecretBytes([UInt8](1...32)), binding: [UInt8](0x40..<0x50))
    }

    /// The keybag; nil when the fixture is not there.
    package static func keybag() -> UnlockedKeybag? {
        try? LockedKeybag(decoding: Fixtures.bytes("keybag.sealed")).opened(with: root())
    }

    /// The row that every item of the corpus was sealed into.
    package static func binding() -> RowBinding? {
        guard let keychain else { return nil }
        let group = Array("llavero.open".utf8)
        let accessibility = Array("ak".utf8)
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        return group.withUnsafeBytes { group in
            accessibility.withUnsafeBytes { accessibility in
                RowBinding(
                    keychain: keychain, itemClass: .genericPassword, id: PersistentID(high: 1, low: 2),
                    synchronizable: 0, tombstone: 0, group: group, accessibility: accessibility, multiUser: empty,
                    viewHint: empty, tokenID: empty, sharingGroup: empty)
            }
        }
    }
}
