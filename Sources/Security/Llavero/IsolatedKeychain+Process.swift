// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel

extension IsolatedKeychain {
    /// Makes a keychain and has every call of this test run act on it: of every thread, queue and task, and of every
    /// `LAContext`, also one that was made before, in a property's initial value.
    ///
    /// ```swift
    /// enum TestKeychain {
    ///     static let installed: Void = try! IsolatedKeychain.installForProcess(
    ///         passcode: "1234", person: ScriptedPerson(usually: .types("1234")))
    /// }
    /// ```
    ///
    /// A suite says `_ = TestKeychain.installed` where it begins: in `init` with Swift Testing, in
    /// `override class func setUp()` with XCTest. `use` still puts another keychain before it for a task.
    ///
    /// It is for test runs, where calls go to a fresh keychain in memory anyway; anywhere else it throws
    /// ``errSecNotAvailable``, since a program that ran so would lose whatever it stores. There is one for a process: to
    /// install a second one throws ``errSecDuplicateItem``, so keep what the first call returns.
    ///
    /// - Parameters:
    ///   - storage: Where its items are kept.
    ///   - entitlements: What the program declares.
    ///   - passcode: The keychain's passcode; nil for a keychain without one.
    ///   - person: Who is there when an item demands somebody; nil for nobody.
    @discardableResult
    public static func installForProcess(
        _ storage: Storage = .inMemory,
        entitlements: Entitlements = Entitlements(keychainAccessGroups: ["llavero.open"]),
        passcode: String? = nil, person: ScriptedPerson? = nil
    ) throws -> IsolatedKeychain {
        guard ProcessHost.isTestRun else {
            throw LlaveroError(
                KeychainError(
                    .notAvailable,
                    "a keychain is installed for a whole process in test runs alone; this is none, and what it stored would be lost"
                ))
        }
        let keychain = try IsolatedKeychain(storage, entitlements: entitlements, person: person)
        if let passcode {
            let passcode = try Llavero.Passcode(passcode)
            try keychain.use { try Llavero.keybag.setPasscode(passcode, erasingAfter: nil) }
        }
        do throws(KeychainError) { try KeychainConnection.install(keychain.host, keeping: keychain) } catch {
            throw LlaveroError(error)
        }
        return keychain
    }
}
