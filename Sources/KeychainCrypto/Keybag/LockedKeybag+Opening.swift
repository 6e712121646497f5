// SPDX-License-Identifier: Apache-2.0

package import KeychainEnclave
package import KeychainModel

extension LockedKeybag {
    /// Opens what hangs on the device alone.
    package func opened(with root: borrowing DeviceRoot) throws(KeybagError) -> UnlockedKeybag {
        guard root.binding == header.enclaveBinding else { throw .otherEnclave }
        return try opened { (record, wrapping) throws(CryptoError) in
            guard record.slot == .device else { return nil }
            return try wrapping.wrap(under: root.key, slot: .device, content: record.content)
        }
    }

    /// Opens everything this device can: what hangs on it alone, and what hangs on the passcode whose gate was opened.
    package func opened(
        with root: borrowing DeviceRoot, gate: borrowing SecretBytes, passcode: borrowing StretchedPasscode
    ) throws(KeybagError) -> UnlockedKeybag {
        guard root.binding == header.enclaveBinding else { throw .otherEnclave }
        let gateSecret = RecordWrapping.gateSecret(root: root.key, gate: gate, passcode: passcode)
        return try opened { (record, wrapping) throws(CryptoError) in
            switch record.slot {
            case .device: try wrapping.wrap(under: root.key, slot: .device, content: record.content)
            case .deviceAndGate: try wrapping.wrap(under: gateSecret, slot: .deviceAndGate, content: record.content)
            case .recovery: nil
            }
        }
    }

    /// Opens what may leave the device, without the device.
    package func opened(with recovery: RecoveryKey) throws(KeybagError) -> UnlockedKeybag {
        guard header.recovery == recovery.publicKey else { throw .otherRecoveryKey }
        return try opened { (record, wrapping) throws(CryptoError) in
            guard record.slot == .recovery else { return nil }
            let shared = try KeyAgreement.sharedSecret(of: recovery.privateKey, with: record.point)
            return try wrapping.wrap(
                under: shared, slot: .recovery, content: record.content, point: record.point)
        }
    }

    /// Opens the records for which there is a wrap.
    ///
    /// One that its wrap does not open is damaged, which is its own matter as long as the index key opens: that one tells
    /// that header and secrets are the right ones.
    private func opened(
        _ wrap: (Record, RecordWrapping) throws(CryptoError) -> KeyWrap?
    ) throws(KeybagError) -> UnlockedKeybag {
        var open: [ClassKeys] = []
        var closed: Set<ClassKeyName> = []
        var indexKey: SecretBytes?
        var passcodeFactors: [UInt8: PasscodeFactor] = [:]
        var hasUnreadableRecords = false
        do throws(CryptoError) {
            let wrapping = try RecordWrapping(headerBytes: headerBytes, version: header.version)
            for record in records {
                guard let wrap = try wrap(record, wrapping) else {
                    if case .classKeys(let name) = record.content, record.slot != .recovery { closed.insert(name) }
                    continue
                }
                guard let key = try wrap.unwrappedIfWhole(record.wrapped) else {
                    hasUnreadableRecords = true
                    continue
                }
                switch record.content {
                case .indexKey: indexKey = consume key
                case .passcodeFactor(let index):
                    let factor = try PasscodeFactor(key)
                    // Whoever knows what the record hangs on could put another in its place.
                    if factor.publicKey == header.passcodeFactors[Int(index)] {
                        passcodeFactors[index] = factor
                    } else {
                        hasUnreadableRecords = true
                    }
                case .classKeys(let name):
                    if let name = try settled(name) { open.append(ClassKeys(name, both: key)) }
                }
            }
        } catch { throw .crypto(error) }
        guard let indexKey = indexKey.take() else { throw .damaged }
        closed.subtract(open.map(\.name))
        return UnlockedKeybag(
            header: header, indexKey: indexKey, open: open, closed: closed,
            passcodeFactors: passcodeFactors.sorted { $0.key < $1.key }.map(\.value),
            hasUnreadableRecords: hasUnreadableRecords)
    }

    /// The name a key goes by from now on; nil for a key that was made and could never be used.
    private func settled(_ name: ClassKeyName) throws(CryptoError) -> ClassKeyName? {
        guard header.version == .first else { return name }
        // The first format drew a key for the class that needs a passcode when there was none.
        if name.accessibility == .whenPasscodeSetThisDeviceOnly { return nil }
        return ClassKeyName(
            accessibility: name.accessibility, generation: name.generation, id: try KeyID.fresh())
    }
}

extension KeyWrap {
    /// The key, or nil when the bytes are not what was wrapped.
    fileprivate func unwrappedIfWhole(_ bytes: [UInt8]) throws(CryptoError) -> SecretBytes? {
        do throws(CryptoError) { return try unwrapped(bytes) } catch {
            guard error == .authenticationFailed else { throw error }
            return nil
        }
    }
}
