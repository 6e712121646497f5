// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

/// A store in memory whose keychain has a passcode and is unlocked, and beside it what only a person has.
final class ConstrainedStore {
    /// What the keychain's rules demand in these tests.
    enum Guard: String, CaseIterable, Sendable {
        case passcode
        case password
        case both

        var flags: AccessFlags {
            switch self {
            case .passcode: .devicePasscode
            case .password: .applicationPassword
            case .both: [.devicePasscode, .applicationPassword]
            }
        }
    }

    let sqlite: SQLiteConnection
    let connection: StoreConnection
    /// The keys an engine has in its hands while everything is unlocked.
    let keys: UnlockedKeybag
    let keybag: LockedKeybag
    let root: DeviceRoot
    /// What the passcode's gate gave when it was opened, which is over.
    let gate: SecretBytes
    let uuid: KeychainUUID
    /// What a person shows, who knows passcode and password.
    let person: FactorSecrets
    /// The same, in a context that remembers what it opened.
    let rememberingPerson: FactorSecrets

    static let cost = PasscodeCost.light
    static let group = "llavero.open"

    init(_ name: UInt8 = 1) throws {
        uuid = try #require(KeychainUUID([UInt8](repeating: name, count: 16)))
        let enclave = try MemoryEnclave()
        root = try enclave.deviceRoot()
        let newborn = try UnlockedKeybag.fresh(
            keychain: uuid, enclave: .software, binding: root.binding, recovery: nil)
        let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
        let salt = try StretchedPasscode.freshSalt()
        let stretched = try StretchedPasscode(Self.bytes("the passcode"), salt: salt, cost: Self.cost)
        let made = try enclave.makeGate(for: stretched.gateKey, eraseAfter: 0, turn)
        let parameters = PasscodeParameters(cost: Self.cost, salt: salt, gate: made.id)
        keybag = try newborn.withPasscode(parameters, eraseAfter: 0).sealed(
            with: root, gate: made.secret, passcode: stretched)
        let opened = try keybag.opened(with: root, gate: made.secret, passcode: stretched)
        gate = try enclave.openGate(made.id, with: stretched.gateKey, at: 0, turn)
        keys = opened.withoutPasscodeFactors()
        let password = try Self.password("the password", keys, uuid)
        person = FactorSecrets(
            passcode: opened.passcodeFactors, openedBy: parameters, password: password, hasFinger: false, fingers: nil)
        rememberingPerson = FactorSecrets(
            passcode: opened.passcodeFactors, openedBy: parameters, password: password, hasFinger: false, fingers: nil,
            seals: OpenedSeals())
        sqlite = try SQLiteConnection(path: "", mode: .memory)
        try DatabaseSchema.create(in: sqlite, keychain: uuid, keybag: try keybag.encoded())
        connection = try StoreConnection(
            sqlite: sqlite,
            keybag: LoadedKeybag(
                keychain: uuid, keys: keys, version: try sqlite.userVersion(), mayWrite: true))
    }

    static func bytes(_ text: String) -> SecretBytes {
        let value = SecretValue(copying: Array(text.utf8))
        return SecretBytes(copying: UnsafeRawBufferPointer(start: value.bytes, count: value.count))
    }

    static func password(
        _ text: String, _ keys: UnlockedKeybag, _ uuid: KeychainUUID, cost: PasscodeCost = cost
    ) throws -> PasswordFactor {
        try PasswordFactor(bytes(text), of: uuid, pepper: try keys.passwordPepper(), cost: cost)
    }

    /// A control with the flags of a guard.
    static func control(_ flags: AccessFlags, _ protection: Accessibility = .whenUnlocked) throws -> AccessControl {
        try #require(AccessControl(protection: protection, flags: flags))
    }

    var caller: Caller {
        Caller(
            groups: [AccessGroup(Self.group)].compactMap(\.self), seesEveryGroup: false, administersKeys: false,
            program: nil)
    }

    /// Stores a password; row numbers count from 1.
    @discardableResult
    func add(
        _ account: String, _ secret: String, _ control: AccessControl, _ shown: FactorSecrets? = nil
    ) throws -> ConstrainedStore {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(control), isSynchronizable: false, isTombstone: false,
            secret: SecretValue(copying: Array(secret.utf8)), returning: [], origin: .caller)
        let shown = ShownFactors(
            secrets: shown ?? person, currentFingers: nil, areFingersKnown: true, passwordCost: Self.cost)
        _ = try connection.add(try Authorization.authorize(request, from: caller), shown, at: moment)
        return self
    }

    /// The secret that the store gives out for what was shown.
    func find(_ account: String, _ shown: FactorSecrets) throws -> SecretValue? {
        let request = MatchRequest(predicate: Self.predicate(account), returning: .data, limit: .single)
        let found = try connection.match(
            try Authorization.authorize(request, from: caller), shown, unmet: .told, now: { 0 })
        guard case .item(let item)? = found.first else { return nil }
        return item.secret
    }

    /// Changes an item's label.
    func update(_ account: String, _ shown: FactorSecrets) throws {
        var changes = AttributeList()
        changes[.label] = .string("changed")
        let request = UpdateRequest(
            predicate: Self.predicate(account),
            changes: ItemChanges(
                attributes: changes, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil),
            tombstones: .never)
        let shown = ShownFactors(secrets: shown, currentFingers: nil, areFingersKnown: true, passwordCost: Self.cost)
        try connection.update([try Authorization.authorize(request, from: caller)], shown, at: moment)
    }

    private static func predicate(_ account: String) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    var moment: WriteContext {
        WriteContext(now: 0) {
            var generator = SystemRandomNumberGenerator()
            return (generator.next(), generator.next(), generator.next(), generator.next())
        }
    }
}

extension SecretValue {
    /// Whether it is the text, without showing it to a test's report.
    func says(_ text: String) -> Bool { isEqualInConstantTime(to: SecretValue(copying: Array(text.utf8))) }
}
