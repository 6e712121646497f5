// SPDX-License-Identifier: Apache-2.0

internal import Security

/// A few calls of the public functions with dictionaries that an input chooses, on a keychain that is empty before.
internal enum QueryFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let keychain else { throw BrokenPromise("a keychain in memory can be made") }
        var caller = QueryCaller(FuzzInput(bytes))
        let outcome = keychain.use { () -> Result<Bool, BrokenPromise> in
            do throws(BrokenPromise) {
                try empty()
                return .success(try caller.run())
            } catch { return .failure(error) }
        }
        let didSomething = try outcome.get()
        // The examination takes longer than all calls, so only some inputs get one.
        if bytes.reduce(UInt8(0), &+) % 16 == 0 {
            try promise((try? keychain.check()) == [], "no call leaves anything wrong in the keychain")
        }
        return didSomething ? .accepted : .refused
    }

    private static func empty() throws(BrokenPromise) {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
            let all: [CFString: Any] = [
                kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                kSecUseDataProtectionKeychain: true,
            ]
            let status = SecItemDelete(all as CFDictionary)
            try promise(
                status == errSecSuccess || status == errSecItemNotFound, "all items of a class can be deleted")
        }
    }

    private static let keychain = try? IsolatedKeychain(.inMemory)
}
