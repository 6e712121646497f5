// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// Every combination of flags, on passwords of all classes, in every situation.
@Suite struct PasswordTableTests {
    private static let rows = FlagRow.plain + FlagRow.keysAlone

    @Test("what an access control demands has to be shown, and nothing comes out before", arguments: Class.all)
    func table(accessibility: Class) throws {
        let keychain = try AccessKeychain()
        let stored = keychain.use { Self.rows.filter { Self.store($0, accessibility) } }
        let tried = FlagRow.tried(stored, on: accessibility)
        for situation in Situation.allCases {
            try situation.begin(in: keychain)
            let asked = keychain.person.asked.count
            for row in tried {
                let password = Password(row.name)
                let status = Rules.status(of: row.meaning, accessibility, in: situation)
                let answer = keychain.use { password.find(situation.terms) }
                let expected = status == errSecSuccess ? password.found : .nothing(status)
                #expect(answer == expected, "\(row.name), \(accessibility.name), \(situation.rawValue)")
                try situation.settle(in: keychain)
            }
            #expect(!situation.isSilent || keychain.person.asked.count == asked, "\(situation.rawValue)")
        }
        #expect(try keychain.check() == [])
    }

    /// Stores an item of a row, if there can be one.
    private static func store(_ row: FlagRow, _ accessibility: Class) -> Bool {
        guard let control = row.accessControl(accessibility) else { return false }
        let password = Password(row.name)
        let context = LAContext(password: Person.password)
        let added = password.add(control, [kSecUseAuthenticationContext: context])
        guard case .hopeless = row.meaning else {
            #expect(added == errSecSuccess, "\(row.name), \(accessibility.name)")
            return true
        }
        #expect(added != errSecSuccess, "\(row.name), \(accessibility.name)")
        #expect(password.find() == .nothing(errSecItemNotFound))
        return false
    }
}
