// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Keybags made from keybags.
///
/// None is in force before it was sealed and stored.
extension UnlockedKeybag {
    /// A new keychain's keys: fresh ones for every class, hanging on the device root alone until there is a passcode.
    package static func fresh(
        keychain: KeychainUUID, enclave: EnclaveKind, binding: [UInt8], recovery: RecoveryPublicKey?
    ) throws(CryptoError) -> UnlockedKeybag {
        let header = KeybagHeader(
            keychain: keychain, generation: 1, enclave: enclave, enclaveBinding: binding, recovery: recovery)
        let indexKey = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer)
        }
        return UnlockedKeybag(
            header: header, indexKey: indexKey, open: try freshKeys(for: header), closed: [])
    }

    /// With factors of the passcode's own that are all there, the last of them for what is sealed from now on.
    ///
    /// One whose record is damaged opens nothing any more, and nothing more is to be sealed under it.
    package func withWholeFactors() throws(CryptoError) -> UnlockedKeybag {
        if hasWholeFactors { return self }
        return changed(header, open, try withNewest(passcodeFactors, if: true))
    }

    /// The factors with another one behind them, if that is wanted or there is none.
    private func withNewest(
        _ factors: [PasscodeFactor], if wanted: Bool
    ) throws(CryptoError) -> [PasscodeFactor] {
        guard wanted || factors.isEmpty, factors.count < KeybagHeader.mostFactors else { return factors }
        return factors + [try PasscodeFactor.fresh()]
    }

    /// With a passcode; the class that needs one gets its key now.
    package func withPasscode(
        _ passcode: PasscodeParameters, eraseAfter: UInt32
    ) throws(CryptoError) -> UnlockedKeybag {
        var header = header
        header.passcode = passcode
        header.eraseAfterAttempts = eraseAfter
        var keys = open
        let needsClass = !keys.contains {
            $0.accessibility == .whenPasscodeSetThisDeviceOnly && $0.generation == header.generation
        }
        if needsClass {
            keys.append(try .fresh(.whenPasscodeSetThisDeviceOnly, generation: header.generation))
        }
        // What an older keybag opened without any passcode opens nothing of what comes now.
        let isFirst = self.header.passcode == nil
        // Those that are not open stay in the header, which then cannot be sealed: no factor goes unnoticed.
        guard passcodeFactors.count == header.passcodeFactors.count else { return changed(header, keys) }
        return changed(header, keys, try withNewest(passcodeFactors, if: isFirst))
    }

    /// Without a passcode, and without the keys that exist only while there is one: what they seal is gone for good.
    package func withoutPasscode() -> UnlockedKeybag {
        var header = header
        header.passcode = nil
        header.eraseAfterAttempts = 0
        return changed(header, open.filter { $0.accessibility != .whenPasscodeSetThisDeviceOnly })
    }

    /// One generation on: fresh keys for what is sealed from now on, the old ones beside them for what was.
    package func nextGeneration() throws(KeybagError) -> UnlockedKeybag {
        var header = header
        guard header.generation < UInt32.max else { throw .damaged }
        header.generation += 1
        return changed(
            header,
            open + (try KeybagError.translating { () throws(CryptoError) in try UnlockedKeybag.freshKeys(for: header) })
        )
    }

    /// Hanging on another enclave, or on another root of the same kind.
    package func moved(to enclave: EnclaveKind, binding: [UInt8]) -> UnlockedKeybag {
        var header = header
        header.enclave = enclave
        header.enclaveBinding = binding
        return changed(header, open)
    }

    /// With another recovery key, or none.
    package func withRecovery(_ recovery: RecoveryPublicKey?) -> UnlockedKeybag {
        var header = header
        header.recovery = recovery
        return changed(header, open)
    }

    /// Without the keys that are not open, for good: what they seal stays unreadable.
    ///
    /// And without a passcode, so that the class that needs one goes too, unless another passcode is set next.
    package func givingUpClosedKeys(beforeAnotherPasscode: Bool) -> UnlockedKeybag {
        var header = header
        header.passcode = nil
        header.eraseAfterAttempts = 0
        let keys = open.filter { beforeAnotherPasscode || $0.accessibility != .whenPasscodeSetThisDeviceOnly }
        return UnlockedKeybag(
            header: header, indexKey: indexKey.clone(), open: keys, closed: [], passcodeFactors: passcodeFactors
        ).changed(header, keys, passcodeFactors)
    }

    /// With a counter that is greater than another keybag's too.
    package func outliving(_ other: KeybagHeader) -> UnlockedKeybag {
        var header = header
        header.rollbackCounter = max(header.rollbackCounter, other.rollbackCounter)
        return changed(header, open)
    }

    /// Without keys that nothing is sealed under any more.
    package func dropping(_ unused: Set<ClassKeyName>) -> UnlockedKeybag {
        UnlockedKeybag(
            header: header, indexKey: indexKey.clone(), open: open.filter { !unused.contains($0.name) },
            closed: closed.subtracting(unused), passcodeFactors: passcodeFactors)
    }

    /// The same keys, in the format of this software.
    private func changed(
        _ header: KeybagHeader, _ keys: [ClassKeys], _ factors: [PasscodeFactor]? = nil
    ) -> UnlockedKeybag {
        var header = header
        if let factors { header.passcodeFactors = factors.map(\.publicKey) }
        header.version = .current
        header.rollbackCounter &+= 1
        return UnlockedKeybag(
            header: header, indexKey: indexKey.clone(), open: keys, closed: closed,
            passcodeFactors: factors ?? passcodeFactors, hasUnreadableRecords: hasUnreadableRecords)
    }

    private static func freshKeys(for header: KeybagHeader) throws(CryptoError) -> [ClassKeys] {
        var keys: [ClassKeys] = []
        for accessibility in Accessibility.allCases {
            if accessibility == .whenPasscodeSetThisDeviceOnly, header.passcode == nil { continue }
            keys.append(try .fresh(accessibility, generation: header.generation))
        }
        return keys
    }
}
