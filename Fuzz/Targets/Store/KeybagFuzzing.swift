// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel

/// A keybag as it is stored: whole, and as what its digests protect, which they would else keep a fuzzer away from.
internal enum KeybagFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var outcome = FuzzOutcome.refused
        if let keybag = try? LockedKeybag(decoding: bytes) {
            try check(keybag)
            if keybag.isHalfDamaged {
                let repaired = (try? keybag.encoded()).flatMap { try? LockedKeybag(decoding: $0) }
                try promise(repaired?.isHalfDamaged == false, "what is written again is whole")
            }
            outcome = .accepted
        }
        if let record = try? TwinRecord.encode(bytes, magic: magic), let keybag = try? LockedKeybag(decoding: record) {
            try promise(!keybag.isHalfDamaged, "two copies that agree are no damage")
            try check(keybag)
            outcome = .accepted
        }
        return outcome
    }

    private static func check(_ keybag: LockedKeybag) throws(BrokenPromise) {
        guard let written = try? keybag.encoded(), let again = try? LockedKeybag(decoding: written) else {
            throw BrokenPromise("a keybag that was read is written and read")
        }
        try promise((try? again.encoded()) == written, "a keybag is written one way")
        try promise(again.header == keybag.header, "a keybag that is read again has the same header")
        try promise(!keybag.isOlder(than: again), "a keybag is not older than itself")
        try promise(keybag.header.generation > 0, "generations are counted from one")
        try promise(
            keybag.earlierNames.allSatisfy { $0.generation < keybag.header.generation },
            "no key is of a later generation than the keybag")
        if let cost = keybag.header.passcode?.cost { _ = cost.isWeaker(than: .standard) }
        try open(keybag)
    }

    /// With the root of the corpus's keybags, which opens theirs and no other.
    private static func open(_ keybag: LockedKeybag) throws(BrokenPromise) {
        guard let open = try? keybag.opened(with: KeybagFixture.root()) else { return }
        try promise(open.header == keybag.header, "opening a keybag does not change its header")
        try promise(open.header.keychain == KeybagFixture.keychain, "a root opens the keybags of one keychain")
    }

    static let magic = Array("LLAVEBAG".utf8)
}
