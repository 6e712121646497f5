// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCrypto
import LocalAuthentication
import Security
import Testing

/// Items whose own password was stretched for less than today's software spends.
@Suite struct CostlierPasswordTests {
    private func context() -> LAContext {
        let context = LAContext()
        context.setCredential(Data("own".utf8), type: .applicationPassword)
        return context
    }

    @Test("they are read and changed, and what is sealed anew is sealed at today's cost")
    func update() throws {
        let earlier = try AccessKeychain()
        let item = Password("old")
        let stored = earlier.use { item.add(.applicationPassword, [kSecUseAuthenticationContext: context()]) }
        #expect(stored == errSecSuccess)
        let today = AccessKeychain(beside: earlier, cost: PasscodeCost(log2N: 11, r: 8, p: 1))
        try today.unlock(Passcodes.first)
        today.use {
            let terms: Password.Terms = [kSecUseAuthenticationContext: context()]
            #expect(item.find(terms) == item.found)
            #expect(item.update([kSecAttrLabel: "changed"], terms) == errSecSuccess)
            #expect(item.find(terms) == item.found)
        }
    }

    @Test("with one password at two costs a list has both")
    func list() throws {
        let earlier = try AccessKeychain()
        let old = Password("old")
        #expect(
            earlier.use { old.add(.applicationPassword, [kSecUseAuthenticationContext: context()]) } == errSecSuccess)
        let today = AccessKeychain(beside: earlier, cost: PasscodeCost(log2N: 11, r: 8, p: 1))
        try today.unlock(Passcodes.first)
        today.use {
            let terms: Password.Terms = [kSecUseAuthenticationContext: context()]
            #expect(Password("new").add(.applicationPassword, terms) == errSecSuccess)
            var result: CFTypeRef?
            let query: Password.Terms = [
                kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
            ]
            let status = SecItemCopyMatching(query.merging(terms) { $1 } as CFDictionary, &result)
            #expect(status == errSecSuccess)
            #expect((result as? [Data])?.count == 2)
        }
    }
}
