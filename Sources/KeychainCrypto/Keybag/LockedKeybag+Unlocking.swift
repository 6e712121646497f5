// SPDX-License-Identifier: Apache-2.0

package import KeychainEnclave
internal import KeychainModel

extension LockedKeybag {
    /// Opens every record that hangs on the device alone.
    ///
    /// The class that needs a passcode is left out while none is set: its keys exist, and nothing can be sealed with
    /// them before somebody chose a passcode.
    package func unlock(with enclave: some Enclave) throws(KeybagError) -> UnlockedKeybag {
        guard enclave.kind == header.enclave else { throw .otherEnclave }
        // A class without a record is damage; it must not look like one that is locked.
        for accessibility in Accessibility.allCases {
            guard records.contains(where: { $0.content == .classKeys(accessibility) }) else { throw .damaged }
        }
        let root: DeviceRoot
        do throws(EnclaveError) { root = try enclave.deviceRoot() } catch { throw .enclave(error) }
        guard root.binding == header.enclaveBinding else { throw .otherEnclave }
        var classKeys: [ClassKeys] = []
        do throws(CryptoError) {
            var indexKey: SecretBytes?
            for record in records where record.slot == .device {
                if record.content == .classKeys(.whenPasscodeSetThisDeviceOnly), header.passcode == nil { continue }
                let wrap = try LockedKeybag.wrappingKey(
                    root: root.key, headerBytes: headerBytes, slot: record.slot, content: record.content)
                let key = try wrap.unwrapped(record.wrapped)
                switch record.content {
                case .indexKey: indexKey = consume key
                case .classKeys(let accessibility):
                    classKeys.append(
                        ClassKeys(accessibility: accessibility, generation: header.generation, both: key))
                }
            }
            if let key = indexKey.take() {
                return UnlockedKeybag(header: header, indexKey: key, classKeys: classKeys)
            }
        } catch { throw error == .authenticationFailed ? .damaged : .crypto(error) }
        throw .damaged
    }
}
