// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// Every combination of flags with `privateKeyUsage`, on keys of the enclave of all classes, in every situation.
@Suite struct KeyTableTests {
    @Test("a key of the enclave signs when what it demands was shown, and not before", arguments: Class.all)
    func table(accessibility: Class) throws {
        let keychain = try AccessKeychain()
        let stored = keychain.use { FlagRow.keys.filter { Self.make($0, accessibility) } }
        let tried = FlagRow.tried(stored, on: accessibility)
        // What a query that skips finds of a key that it does not read is nowhere said.
        for situation in Situation.allCases where situation != .skip {
            try situation.begin(in: keychain)
            let asked = keychain.person.asked.count
            for row in tried {
                let status = Rules.status(of: row.meaning, accessibility, in: situation)
                let signed = keychain.use { EnclaveKey(row.name).sign(situation.terms) }
                #expect(signed == status, "\(row.name), \(accessibility.name), \(situation.rawValue)")
                try situation.settle(in: keychain)
            }
            #expect(!situation.isSilent || keychain.person.asked.count == asked, "\(situation.rawValue)")
        }
        #expect(try keychain.check() == [])
    }

    /// Makes the key of a row, if there can be one.
    private static func make(_ row: FlagRow, _ accessibility: Class) -> Bool {
        guard let control = row.accessControl(accessibility) else { return false }
        let key = EnclaveKey(row.name)
        let status = key.make(control)
        guard case .hopeless = row.meaning else {
            #expect(status == errSecSuccess, "\(row.name), \(accessibility.name)")
            return true
        }
        #expect(status != errSecSuccess, "\(row.name), \(accessibility.name)")
        #expect(key.sign() == errSecItemNotFound)
        return false
    }
}
