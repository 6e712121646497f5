// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
package import KeychainModel

/// A key of the enclave's that no item stands for, with its access control, as whoever made it keeps it.
///
/// What is demanded is sealed as for items; that its class has to be open is the engine's word, because what lies outside
/// cannot be sealed anew when class keys change.
///
/// ```
/// { control: access control, key: data, factor: data }
/// ```
package enum OutsideKey {
    /// Seals a key under what an access control demands; throws what is demanded and was not shown.
    package static func seal(
        _ key: EnclaveKey, under control: AccessControl, _ shown: ShownFactors, _ keybag: UnlockedKeybag
    ) throws(StoreError) -> [UInt8] {
        try check(control.protection, keybag)
        var control = control
        if var rules = control.rules, rules.needsBinding, let fingers = shown.currentFingers {
            rules = rules.bound(to: fingers)
            control.operations = .rules(rules)
        }
        var secret: SecretValue
        do throws(KeychainError) { secret = try EnclaveKeyCoding.encode(key) } catch { throw .sealing(.unencodable) }
        if let rules = control.rules, rules.isDemanding {
            secret = try rules.sealing(secret, front: nil, shown.secrets, keybag, cost: shown.passwordCost)
        }
        var fields: [String: PropertyList] = [
            "control": AccessControlCoding.list(control),
            "key": .data(unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }),
        ]
        if control.protection == .whenPasscodeSetThisDeviceOnly {
            guard let factor = keybag.header.passcodeFactors.last else { throw .passcodeWithoutFactor }
            fields["factor"] = .data(factor)
        }
        let bytes: [UInt8]
        do throws(CodingError) { bytes = try PropertyList.dictionary(fields).encoded() } catch {
            throw .sealing(.unencodable)
        }
        do throws(CryptoError) { return try keybag.sealedForOutside(SecretValue(copying: bytes)) } catch {
            throw .sealing(.crypto(error))
        }
    }

    /// Opens a key for what its access control has to allow; nil for what was not sealed in this keychain, or was changed.
    package static func open(
        _ bytes: [UInt8], _ shown: FactorSecrets, _ keybag: UnlockedKeybag,
        for operation: (AccessControl) -> ProtectedOperation
    ) throws(StoreError) -> EnclaveKey? {
        let plain: SecretValue
        do throws(CryptoError) { plain = try keybag.openedFromOutside(bytes) } catch {
            if error == .authenticationFailed { return nil }
            throw .sealing(.crypto(error))
        }
        guard
            case .dictionary(let fields)? = unsafe plain.withUnsafeBytes({ bytes in
                unsafe try? PropertyList(decoding: Array(bytes))
            }),
            case .data(let key)? = fields["key"], let list = fields["control"],
            let control = try? AccessControlCoding.control(list)
        else { return nil }
        try check(control.protection, keybag)
        // With the passcode that it was made under, the class went for good, whether or not there is another one.
        if control.protection == .whenPasscodeSetThisDeviceOnly {
            guard case .data(let factor)? = fields["factor"], factor == keybag.header.passcodeFactors.last else {
                return nil
            }
        }
        let revealed = try SecretValue(copying: key).revealed(
            under: control.constraint(on: operation(control)), control, shown, keybag)
        return revealed.flatMap { secret in
            unsafe secret.withUnsafeBytes { bytes in unsafe EnclaveKeyCoding.decode(bytes) }
        }
    }

    private static func check(_ protection: Accessibility, _ keybag: UnlockedKeybag) throws(StoreError) {
        switch keybag.availability(of: protection, generation: keybag.header.generation) {
        case .available: return
        case .locked: throw .locked(protection)
        case .missing, .unknown:
            let needsPasscode = protection == .whenPasscodeSetThisDeviceOnly && keybag.header.passcode == nil
            throw needsPasscode ? .passcodeNeeded : .classKeyMissing(protection)
        }
    }
}
