// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The keys that are available now.
///
/// Immutable: readers share it, and locking puts another one in its place. Whether a class can be read is decided here
/// and nowhere else: by whether its key is in this object.
package final class UnlockedKeybag: Sendable {
    /// How the keys of a class stand.
    package enum Availability {
        case available(ClassKeys)
        /// They are in the keybag, and what they hang on is not open.
        case locked
        /// The keybag has none: their record is damaged, or they were given up.
        case missing
        /// Of a generation this keybag does not have yet.
        case unknown
    }

    package let header: KeybagHeader
    let indexKey: SecretBytes
    /// By class number, of the current generation; nil where the class is not available.
    private let current: [ClassKeys?]
    /// Keys of earlier generations, for items that were not sealed again yet.
    private let earlier: [ClassKeys]
    /// Keys that exist and are not open.
    let closed: Set<ClassKeyName>
    /// The passcode's factors, while the keybag is open for a change or for a caller that just gave the passcode; none in
    /// the one that is in use.
    package let passcodeFactors: [PasscodeFactor]
    /// Whether a record of the stored keybag did not open with the key that is its own.
    package let hasUnreadableRecords: Bool

    init(
        header: KeybagHeader, indexKey: consuming SecretBytes, open: [ClassKeys], closed: Set<ClassKeyName>,
        passcodeFactors: [PasscodeFactor] = [], hasUnreadableRecords: Bool = false
    ) {
        self.passcodeFactors = passcodeFactors
        self.hasUnreadableRecords = hasUnreadableRecords
        self.header = header
        self.indexKey = indexKey
        var current: [ClassKeys?] = Array(repeating: nil, count: 16)
        for keys in open where keys.generation == header.generation {
            current[Int(keys.accessibility.rawValue)] = keys
        }
        self.current = current
        earlier = open.filter { $0.generation != header.generation }
        self.closed = closed
    }

    /// How the keys of a class in a generation stand.
    package func availability(of accessibility: Accessibility, generation: UInt32) -> Availability {
        guard generation <= header.generation else { return .unknown }
        let keys =
            generation == header.generation
            ? current[Int(accessibility.rawValue)]
            : earlier.first { $0.accessibility == accessibility && $0.generation == generation }
        if let keys { return .available(keys) }
        let isClosed = closed.contains { $0.accessibility == accessibility && $0.generation == generation }
        return isClosed ? .locked : .missing
    }

    /// Every key that is open.
    var open: [ClassKeys] { current.compactMap { $0 } + earlier }

    /// Whether no key is closed, so that the keybag can be made anew.
    package var isComplete: Bool { closed.isEmpty }

    /// Whether something can be sealed under the passcode, and opened again, as far as the open factors tell.
    package var hasWholeFactors: Bool {
        !header.passcodeFactors.isEmpty && passcodeFactors.map(\.publicKey) == header.passcodeFactors
    }

    /// Whether items may be left that are sealed under an earlier generation.
    package var hasEarlierGenerations: Bool {
        !earlier.isEmpty || closed.contains { $0.generation != header.generation }
    }

    /// Classes that have no key in the current generation and should.
    package var missingClasses: [Accessibility] {
        Accessibility.allCases.filter { accessibility in
            if accessibility == .whenPasscodeSetThisDeviceOnly, header.passcode == nil { return false }
            if case .missing = availability(of: accessibility, generation: header.generation) { return true }
            return false
        }
    }

    /// How the whole keybag stands.
    package var lockState: LockState {
        guard header.passcode != nil else { return .noPasscode }
        if isClosed(.afterFirstUnlock) || isClosed(.afterFirstUnlockThisDeviceOnly) { return .beforeFirstUnlock }
        return isClosed(.whenUnlocked) || isClosed(.whenUnlockedThisDeviceOnly) ? .locked : .unlocked
    }

    private func isClosed(_ accessibility: Accessibility) -> Bool {
        if case .locked = availability(of: accessibility, generation: header.generation) { return true }
        return false
    }

    /// The same keybag as it is in a lock state: what is not open in it is closed.
    package func limited(to state: LockState) -> UnlockedKeybag {
        // Without a passcode there is nothing that could open again what is closed.
        if header.passcode == nil { return withoutPasscodeFactors() }
        switch state {
        case .noPasscode, .unlocked: return withoutPasscodeFactors()
        case .locked: return closing { $0.needsUnlockedDevice }
        case .beforeFirstUnlock: return closing { !$0.isAlwaysAvailable }
        }
    }

    /// The same keys for everyday use: what demands the passcode is opened by giving it, each time.
    package func withoutPasscodeFactors() -> UnlockedKeybag {
        if passcodeFactors.isEmpty { return self }
        return UnlockedKeybag(
            header: header, indexKey: indexKey.clone(), open: open, closed: closed,
            hasUnreadableRecords: hasUnreadableRecords)
    }

    private func closing(_ isClosing: (Accessibility) -> Bool) -> UnlockedKeybag {
        let staying = open.filter { !isClosing($0.accessibility) }
        let leaving = open.filter { isClosing($0.accessibility) }.map(\.name)
        return UnlockedKeybag(
            header: header, indexKey: indexKey.clone(), open: staying, closed: closed.union(leaving))
    }

    /// The same keybag with those of its closed keys that are open in another one.
    ///
    /// That is how a program stays unlocked when another one changes the passcode; keys that were given up stay behind.
    package func adopting(_ other: UnlockedKeybag) -> UnlockedKeybag {
        guard other.header.keychain == header.keychain else { return self }
        let adopted = other.open.filter { closed.contains($0.name) }
        if adopted.isEmpty { return self }
        return UnlockedKeybag(
            header: header, indexKey: indexKey.clone(), open: open + adopted,
            closed: closed.subtracting(adopted.map(\.name)), passcodeFactors: passcodeFactors,
            hasUnreadableRecords: hasUnreadableRecords)
    }

    /// Whether it holds a key that the device alone does not open.
    package var isBeyondDevice: Bool {
        header.passcode != nil && open.contains { !$0.accessibility.isAlwaysAvailable }
    }

    /// What a log about this keychain is chained under.
    ///
    /// It hangs on the index key, which stays the same whatever becomes of passcode, class keys, enclave and recovery key,
    /// so that an old log can still be checked after any of them.
    package func auditKey() throws(CryptoError) -> SecretBytes {
        try FactorKey.derived(from: indexKey, salt: header.keychain.bytes, info: "llavero audit")
    }

    /// What snapshots of the keychain open with: this device's secret and the key of items that only an unlocked keychain
    /// shows; nil while it is locked.
    ///
    /// So who has the device key and a snapshot needs the passcode as for the keychain itself, and no snapshot outlives a
    /// rotation of the keys.
    package func snapshotKey(_ device: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
        guard case .available(let keys) = availability(of: .whenUnlocked, generation: header.generation) else {
            return nil
        }
        return try FactorKey.derived(
            from: SecretBytes.joined(device, keys.secretKey), salt: header.keychain.bytes, info: "llavero snapshot")
    }
}
