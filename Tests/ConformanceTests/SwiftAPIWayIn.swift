// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestDaemon
import TestSwtpm

/// The four functions, called in this process on an isolated keychain.
struct SwiftAPIWayIn: WayIn {
    let keychain: IsolatedKeychain
    let person: ScriptedPerson?
    /// Alive as long as its keychain.
    private let chip: SwtpmProcess?
    private let daemon: ServedKeychain?

    init(
        _ storage: IsolatedKeychain.Storage, _ entitlements: VectorEntitlements, _ person: ScriptedPerson?,
        on chip: SwtpmProcess? = nil, isServed: Bool = false
    ) throws {
        self.person = person
        self.chip = chip
        let hardware = chip.map { IsolatedKeychain.Hardware.tpm(connection: $0.connection) } ?? .software
        keychain = try IsolatedKeychain(
            storage, entitlements: Entitlements(entitlements), hardware: hardware, person: person)
        keychain.setClock(Date(timeIntervalSinceReferenceDate: RowRunner.startOfTime))
        daemon = isServed ? try ServedKeychain(keychain.host) : nil
        if let daemon { keychain.reach(through: daemon.host) }
    }

    func add(_ attributes: NSDictionary, wantsResult: Bool) -> Reply {
        call(wantsResult) { SecItemAdd(attributes, $0) }
    }

    func copy(_ query: NSDictionary, wantsResult: Bool) -> Reply {
        call(wantsResult) { SecItemCopyMatching(query, $0) }
    }

    func update(_ query: NSDictionary, _ attributes: NSDictionary) -> Reply {
        call(false) { _ in SecItemUpdate(query, attributes) }
    }

    func delete(_ query: NSDictionary) -> Reply {
        call(false) { _ in SecItemDelete(query) }
    }

    func setEntitlements(_ entitlements: VectorEntitlements) {
        keychain.entitlements = Entitlements(entitlements)
    }

    func setClock(_ secondsSince2001: Double) {
        keychain.setClock(Date(timeIntervalSinceReferenceDate: secondsSince2001))
    }

    func advanceClock(by seconds: Double) { keychain.advanceClock(by: seconds) }

    func setLockState(_ state: VectorLockState) {
        keychain.lockState =
            switch state {
            case .unlocked: .unlocked
            case .locked: .locked
            case .beforeFirstUnlock: .beforeFirstUnlock
            }
    }

    func restart() { keychain.reopen() }

    func end() throws -> [String] {
        let complaints = try keychain.check()
        guard chip != nil, try keychain.use({ try Llavero.keybag.status().enclave }) != .tpm else { return complaints }
        return complaints + ["its enclave is not the TPM"]
    }

    private func call(
        _ wantsResult: Bool, _ function: (UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
    ) -> Reply {
        keychain.use {
            var result: CFTypeRef?
            let status = wantsResult ? function(&result) : function(nil)
            let explanation = status == errSecSuccess ? nil : Llavero.lastFailure ?? ""
            return Reply(status: status, result: result, explanation: explanation)
        }
    }
}

extension Entitlements {
    fileprivate init(_ given: VectorEntitlements) {
        self.init(
            keychainAccessGroups: given.keychainAccessGroups, applicationIdentifier: given.applicationIdentifier,
            associatedApplicationIdentifiers: given.associatedApplicationIdentifiers,
            applicationGroups: given.applicationGroups, honoursWildcard: given.honoursWildcard)
    }
}
