// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainCrypto
import KeychainEngine
import KeychainSQLite
import Security
import TestProcesses
import Testing

/// What trying a passcode costs: recorded in the keybag, and raised by an unlock.
@Suite struct PasscodeCostTests {
    private static let stronger = PasscodeCost(log2N: 11, r: 8, p: 2)

    /// Software of a day when trying a passcode cost so much.
    private struct Software {
        private let host: EmbeddedHost
        private let folder: TestFolder

        init(_ cost: PasscodeCost, in folder: TestFolder) {
            self.folder = folder
            host = EmbeddedHost(
                place: .folder(root: folder.path, name: "login"),
                entitlements: ProgramEntitlements(
                    keychainAccessGroups: ["llavero.open"], applicationIdentifier: nil,
                    associatedApplicationIdentifiers: [], applicationGroups: [], honoursWildcard: false),
                clock: { 800_000_000 }, passcodeCost: cost, authenticators: .none, tpm: { Scene.noTPM },
                plan: { CreationPlan() })
        }

        func use<Result>(_ body: (Llavero.Keybag) throws -> Result) throws -> Result {
            try CurrentKeychain.$isolated.withValue(host) { try body(Llavero.keybag) }
        }

        func forgetKeys() { host.forgetKeys() }
        func check() throws -> [String] { try host.check() }

        /// What is recorded.
        func cost() throws -> PasscodeCost? {
            let database = try SQLiteConnection(path: folder.file("login/keychain.db"), mode: .readWrite)
            return try LockedKeybag(decoding: StoredKeybag.bytes(in: database)).header.passcode?.cost
        }
    }

    @Test("an unlock with today's software makes trying a passcode cost what it should today")
    func raised() throws {
        let folder = try TestFolder()
        let old = Software(.light, in: folder)
        let new = Software(Self.stronger, in: folder)
        try old.use { try $0.setPasscode(Passcodes.first(), erasingAfter: 7) }
        #expect(try old.cost() == .light)
        // Verifying changes nothing, and neither does a wrong passcode.
        try new.use { try $0.verify(Passcodes.first()) }
        #expect(throws: LlaveroError.self) { try new.use { try $0.unlock(with: Passcodes.wrong()) } }
        #expect(try new.cost() == .light)
        try new.use { try $0.unlock(with: Passcodes.first()) }
        #expect(try new.cost() == Self.stronger)
        let state = try new.use { try $0.status() }
        #expect(state.lockState == .unlocked && state.erasesAfter == 7)
        // The old software has it unlocked still, opens it again, and lowers nothing.
        #expect(try old.use { try $0.status() }.lockState == .unlocked)
        old.forgetKeys()
        try old.use { try $0.unlock(with: Passcodes.first()) }
        #expect(try old.cost() == Self.stronger)
        #expect(try new.check() == [])
    }

    @Test("a cost is compared as work, whichever parameter it is in")
    func compared() {
        #expect(PasscodeCost.light.isWeaker(than: .standard) && !PasscodeCost.standard.isWeaker(than: .light))
        #expect(!PasscodeCost.standard.isWeaker(than: .standard))
        let parallel = PasscodeCost(log2N: 16, r: 8, p: 2)
        #expect(!parallel.isWeaker(than: .standard) && !PasscodeCost.standard.isWeaker(than: parallel))
    }

    @Test("the user's own keychain takes the standard cost")
    func standard() {
        #expect(PasscodeCost.standard == PasscodeCost(log2N: 17, r: 8, p: 1))
    }
}
