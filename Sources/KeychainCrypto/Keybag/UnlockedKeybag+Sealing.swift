// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainEnclave
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
            for keys in open { try append(.classKeys(keys.name), keys.joined()) }
            for (index, factor) in passcodeFactors.enumerated() {
                try append(.passcodeFactor(UInt8(index)), factor.privateKey)
            }
        } catch { throw .crypto(error) }
        return LockedKeybag(header: header, headerBytes: headerBytes, records: records)
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
