// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What a device key file says.
struct DeviceKey: ~Copyable {
    let keychain: KeychainUUID
    let root: SecretBytes
    let gates: GateTable
    /// Whether a part of the file is damaged that the other copy has made up for.
    let isHalfDamaged: Bool

    /// Whether that part is the second copy.
    let isSecondDamaged: Bool

    init(
        keychain: KeychainUUID, root: consuming SecretBytes, gates: GateTable, isHalfDamaged: Bool = false,
        isSecondDamaged: Bool = false
    ) {
        self.isSecondDamaged = isSecondDamaged
        self.keychain = keychain
        self.root = root
        self.gates = gates
        self.isHalfDamaged = isHalfDamaged
    }
}

/// Where things are in a device key file, which follows from its size: no damaged number leads a reader astray.
struct DeviceKeyLayout {
    let mark: [UInt8]
    /// Nil in version 1, which has no gates and no number of them.
    let gateCount: Int?

    static func current(gateCount: Int) -> DeviceKeyLayout {
        DeviceKeyLayout(mark: Array("LLAVEKY2".utf8), gateCount: gateCount)
    }

    private static let version1 = DeviceKeyLayout(mark: Array("LLAVEKEY".utf8), gateCount: nil)

    /// The layout of a file of so many bytes; nil when none has that size.
    static func ofFile(size: Int) -> DeviceKeyLayout? {
        if size == version1.fileSize { return version1 }
        return (0...GateTable.largestCount).lazy.map(current).first { $0.fileSize == size }
    }

    var payloadSize: Int { gateCount.map { Self.rootEnd + 1 + $0 * Self.entrySize } ?? Self.rootEnd }
    var copySize: Int { payloadSize + Self.digestSize }
    var fileSize: Int { Self.markSize + 2 * copySize }

    /// Where the payload of the first or the second copy is.
    func payload(_ copy: Int) -> Range<Int> {
        let start = Self.markSize + copy * copySize
        return start..<start + payloadSize
    }

    func digest(_ copy: Int) -> Range<Int> {
        let start = payload(copy).upperBound
        return start..<start + Self.digestSize
    }

    static let markSize = 8
    static let digestSize = 32
    /// In a payload: the keychain, and the root behind it.
    static let keychainSize = 16
    static let rootEnd = keychainSize + 32
    /// A gate: its name, secret and verifier, then erase after, failures, last failure, and whether it is erased.
    static let entrySize = 16 + GateKeys.secretSize + GateKeys.verifierSize + 4 + 4 + 8 + 1
}
