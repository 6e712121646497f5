// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import TestSwtpm
import Testing

/// Keychains that get another enclave, and the items in them that demand somebody.
@Suite struct NewEnclaveTests {
    @Test(
        "the recovery key opens the keychain, and what its items demand is demanded as before",
        arguments: [false, true])
    func recovery(deviceIsLost: Bool) throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        let bound = try GuardedItems(in: keychain, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
        let key = try keychain.use {
            try Llavero.keybag.makeRecoveryKey(passcode: Llavero.Passcode(Passcodes.first))
        }
        keychain.restart()
        if deviceIsLost { try FileManager.default.removeItem(atPath: keychain.file("device.key")) }
        try keychain.use {
            try Llavero.keybag.recover(with: key, into: .software, passcode: Llavero.Passcode(Passcodes.second))
        }
        let item = Password("one more")
        keychain.use {
            #expect(item.add(.devicePasscode) == errSecSuccess)
            #expect(item.find(LAContext(passcode: Passcodes.first)) == .nothing(errSecAuthFailed))
        }
        keychain.person.learn(passcode: Passcodes.second)
        items.check(in: keychain)
        // Bound to the device, and behind the passcode that was not given: they stay where they are, unreadable.
        #expect(bound.statuses(in: keychain) == [errSecItemNotFound])
        keychain.restart()
        try keychain.unlock(Passcodes.second)
        items.check(in: keychain)
        #expect(keychain.use { item.find() } == item.found)
    }

    @Test("after a recovery without a passcode what demands one is closed until there is one")
    func recoveryWithoutPasscode() throws {
        let keychain = try AccessKeychain()
        let items = try GuardedItems(in: keychain)
        let typed = Password("typed")
        #expect(keychain.use { typed.add(.devicePasscode) } == errSecSuccess)
        let key = try keychain.use {
            try Llavero.keybag.makeRecoveryKey(passcode: Llavero.Passcode(Passcodes.first))
        }
        keychain.restart()
        try keychain.use { try Llavero.keybag.recover(with: key, into: .software, passcode: nil) }
        #expect(keychain.use { typed.find() } == .nothing(errSecAuthFailed))
        try keychain.setPasscode(Passcodes.second)
        keychain.person.learn(passcode: Passcodes.second)
        #expect(keychain.use { typed.find() } == typed.found)
        items.check(in: keychain)
    }

    #if TPM
        @Test("from software into a TPM and back", .enabled(if: SwtpmProcess.isInstalled))
        func thereAndBack() throws {
            let chip = try SwtpmProcess()
            let keychain = AccessKeychain(beside: try AccessKeychain(), tpm: chip.connection)
            defer { keychain.restart() }
            try keychain.unlock(Passcodes.first)
            let items = try GuardedItems(in: keychain)
            let bound = try GuardedItems(in: keychain, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
            var passcode = Passcodes.first
            for (enclave, next) in [(Llavero.Enclave.tpm, Passcodes.second), (.software, Passcodes.first)] {
                try keychain.use {
                    let move = Llavero.Keybag.Move(
                        to: enclave, passcode: try Llavero.Passcode(next), abandonsEnclaveKeys: false,
                        recoveryKey: .refused)
                    _ = try Llavero.keybag.move(move, currentPasscode: Llavero.Passcode(passcode))
                }
                passcode = next
                keychain.person.learn(passcode: next)
                for items in [items, bound] { items.check(in: keychain) }
                keychain.restart()
                try keychain.unlock(next)
                #expect(try keychain.use { try Llavero.keybag.status().enclave } == enclave)
                for items in [items, bound] { items.check(in: keychain) }
            }
        }
    #endif
}
