// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

extension UnlockedKeybag {
    /// The form to store while no passcode is set: everything hangs on the device.
    package func sealed(with root: borrowing DeviceRoot) throws(KeybagError) -> LockedKeybag {
        guard header.passcode == nil else { throw .incomplete }
        return try sealed(root) { (content, wrapping) throws(CryptoError) in
            (.device, try wrapping.wrap(under: root.key, slot: .device, content: content))
        }
    }

    /// The form to store while a passcode is set.
    package func sealed(
        with root: borrowing DeviceRoot, gate: borrowing SecretBytes, passcode: borrowing StretchedPasscode
    ) throws(KeybagError) -> LockedKeybag {
        guard header.passcode != nil else { throw .incomplete }
        let gateSecret = RecordWrapping.gateSecret(root: root.key, gate: gate, passcode: passcode)
        return try sealed(root) { (content, wrapping) throws(CryptoError) in
            if content.hangsOnPasscode {
                return (
                    .deviceAndGate, try wrapping.wrap(under: gateSecret, slot: .deviceAndGate, content: content)
                )
            }
            return (.device, try wrapping.wrap(under: root.key, slot: .device, content: content))
        }
    }

    private func sealed(
        _ root: borrowing DeviceRoot,
        _ wrap: (LockedKeybag.Content, RecordWrapping) throws(CryptoError) -> (LockedKeybag.Slot, KeyWrap)
    ) throws(KeybagError) -> LockedKeybag {
        // What is not open now would be lost.
        guard isComplete else { throw .incomplete }
        guard root.binding == header.enclaveBinding else { throw .otherEnclave }
        guard passcodeFactors.count == header.passcodeFactors.count else { throw .incomplete }
        let headerBytes: [UInt8]
        do throws(CodingError) { headerBytes = try header.encoded() } catch { throw .damaged }
        var records: [LockedKeybag.Record] = []
        do throws(CryptoError) {
            let wrapping = try RecordWrapping(headerBytes: headerBytes, version: header.version)
            let recovery = try header.recovery.map { (key) throws(CryptoError) in try RecoverySealing(key, wrapping) }
            func append(_ content: LockedKeybag.Content, _ key: borrowing SecretBytes) throws(CryptoError) {
                let (slot, wrap) = try wrap(content, wrapping)
                records.append(
                    LockedKeybag.Record(slot: slot, content: content, point: [], wrapped: try wrap.wrapped(key)))
                if let record = try recovery?.record(of: content, key) { records.append(record) }
            }
            try append(.indexKey, indexKey)
            for keys in open { try append(.classKeys(keys.name), SecretBytes.joined(keys.secretKey, keys.metadataKey)) }
            for (index, factor) in passcodeFactors.enumerated() {
                try append(.passcodeFactor(UInt8(index)), factor.privateKey)
            }
        } catch { throw .crypto(error) }
        return LockedKeybag(header: header, headerBytes: headerBytes, records: records)
    }
}

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
                    // An attacker who knows what the record depends on could put another in its place.
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

/// Makes the key that wraps one record: bound to the header, the slot and the content, so that no record can be moved,
/// and a header cannot be changed under its records.
struct RecordWrapping {
    private let headerDigest: [UInt8]
    private let version: KeybagHeader.Version

    init(headerBytes: [UInt8], version: KeybagHeader.Version) throws(CryptoError) {
        headerDigest = try unsafe headerBytes.lendingBytes { (bytes) throws(CryptoError) in
            try unsafe Digest.sha256(bytes)
        }
        self.version = version
    }

    /// The wrap of one record below a secret; `point` belongs to the recovery slot alone.
    func wrap(
        under secret: borrowing SecretBytes, slot: LockedKeybag.Slot, content: LockedKeybag.Content,
        point: [UInt8] = []
    ) throws(CryptoError) -> KeyWrap {
        var info = Array("llavero keybag".utf8) + [UInt8(version.rawValue), slot.rawValue, content.number]
        if version != .first {
            if case .classKeys(let name) = content {
                info += (0..<4).map { UInt8(truncatingIfNeeded: name.generation >> (24 - 8 * UInt32($0))) }
                info += name.id.bytes
            }
            if case .passcodeFactor(let index) = content { info.append(index) }
            info += point
        }
        let key = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
            try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe KeyDerivation.hkdf(secret: secret, salt: headerDigest, info: info, into: buffer)
            }
        }
        return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyWrap(key: key) }
    }

    /// What the gate slot hangs on: device root, gate secret and passcode, of which none alone helps.
    static func gateSecret(
        root: borrowing SecretBytes, gate: borrowing SecretBytes, passcode: borrowing StretchedPasscode
    ) -> SecretBytes {
        SecretBytes.joined(.joined(root, gate), passcode.wrappingKey)
    }
}

extension KeyWrap {
    func wrapped(_ key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
            try unsafe [UInt8](count: key.count + KeyWrap.overhead) { (output) throws(CryptoError) in
                try unsafe wrap(key, into: output)
            }
        }
    }

    func unwrapped(_ wrapped: [UInt8]) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: wrapped.count - KeyWrap.overhead) { (buffer) throws(CryptoError) in
            try unsafe wrapped.lendingBytes { (wrapped) throws(CryptoError) in
                try unsafe unwrap(wrapped, into: buffer)
            }
        }
    }

    /// The key, or nil when the bytes are not what was wrapped.
    fileprivate func unwrappedIfWhole(_ bytes: [UInt8]) throws(CryptoError) -> SecretBytes? {
        do throws(CryptoError) { return try unwrapped(bytes) } catch {
            guard error == .authenticationFailed else { throw error }
            return nil
        }
    }
}

/// Wraps for the recovery key's public half, with a key of its own that is thrown away after one keybag.
private final class RecoverySealing {
    private let shared: SecretBytes
    private let point: [UInt8]
    private let wrapping: RecordWrapping

    init(_ recovery: RecoveryPublicKey, _ wrapping: RecordWrapping) throws(CryptoError) {
        let once = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        point = try KeyAgreement.publicKey(of: once)
        shared = try KeyAgreement.sharedSecret(of: once, with: recovery.bytes)
        self.wrapping = wrapping
    }

    /// The record of a key that may leave the device, or nil.
    func record(
        of content: LockedKeybag.Content, _ key: borrowing SecretBytes
    ) throws(CryptoError) -> LockedKeybag.Record? {
        if case .classKeys(let name) = content, name.accessibility.isThisDeviceOnly { return nil }
        let wrap = try wrapping.wrap(under: shared, slot: .recovery, content: content, point: point)
        return LockedKeybag.Record(slot: .recovery, content: content, point: point, wrapped: try wrap.wrapped(key))
    }
}

extension LockedKeybag.Content {
    /// Whether it is there only for who gave the passcode, while there is one.
    fileprivate var hangsOnPasscode: Bool {
        switch self {
        case .classKeys(let name): !name.accessibility.isAlwaysAvailable
        case .passcodeFactor: true
        case .indexKey: false
        }
    }
}
