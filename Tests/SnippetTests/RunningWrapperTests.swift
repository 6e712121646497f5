// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// Wrappers of the keychain, tasks, prompts and the classic calls in the folder Snippets do what they do on a Mac.
@Suite struct RunningWrapperTests {
    private let keychain: IsolatedKeychain
    private let person = ScriptedPerson(usually: .types("1234"))

    init() throws {
        keychain = try IsolatedKeychain(person: person)
        try keychain.use { try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil) }
    }

    @Test("a wrapper stores, changes, lists and removes, by subscript, by property and by type")
    func vault() throws {
        try keychain.use {
            let vault = Vault(service: "mail")
            #expect(vault["ada"] == nil && vault.keys().isEmpty)
            vault["ada"] = "first"
            vault["ada"] = "second"
            vault["eve"] = "apple"
            #expect(vault["ada"] == "second" && vault.keys().sorted() == ["ada", "eve"])
            #expect(vault.accessibility(of: "ada") == .afterFirstUnlock)
            #expect(vault.attributes("ada")?[kSecValueData as String] as? Data == Data("second".utf8))
            #expect(try #require(vault.created("ada")).timeIntervalSinceNow < 600)
            vault.accessibility = .thisDevice
            vault["ada"] = "third"
            #expect(vault.accessibility(of: "ada") == .thisDevice)
            try vault.setValue(["a": [1, 2]], "codable")
            #expect(try vault.value([String: [Int]].self, "codable") == ["a": [1, 2]])
            #expect(try vault.group()?.isEmpty == false && vault["probe"] == nil)
            vault["eve"] = nil
            #expect(vault.keys().sorted() == ["ada", "codable"])
            try vault.removeAll()
            try vault.removeAll()
            #expect(vault.keys().isEmpty)

            let session = Session()
            session.token = "t"
            #expect(session.token == "t" && session.$token.keys() == ["token"])
            session.token = nil
            #expect(session.token == nil)
        }
    }

    @Test("statuses have words, and queries are put together by type")
    func queries() {
        #expect(VaultError.status(errSecItemNotFound).errorDescription == errSecItemNotFound.text)
        #expect(!errSecDuplicateItem.text.isEmpty && throwing(errSecDuplicateItem) == .status(errSecDuplicateItem))
        keychain.use {
            let query = Query(kSecClassInternetPassword).with(AccountName.self, "ada").with(PortNumber.self, 443)
            #expect(query.with(kSecValueData, Data([1])).add() == errSecSuccess)
            #expect(query.add() == errSecDuplicateItem)
            #expect(query.first(kSecAttrPort, as: Int.self) == 443)
            #expect(query.with(ServiceName.self, "none").first(kSecAttrAccount, as: String.self) == nil)
        }
    }

    private func throwing(_ status: OSStatus) -> VaultError? {
        do { try status.orThrow() } catch { return error as? VaultError }
        return nil
    }

    @Test("the wrapper of the early days finds what it wrote, by dictionaries that are changed")
    func holder() {
        keychain.use {
            let first = ItemHolder(identifier: "password")
            #expect(first.object(kSecAttrAccount) as? String == "")
            #expect(first.set("ada", kSecAttrAccount) == errSecSuccess)
            #expect(first.set("gold", kSecValueData) == errSecSuccess)
            let second = ItemHolder(identifier: "password")
            #expect(second.object(kSecAttrAccount) as? String == "ada")
            #expect(second.object(kSecValueData) as? String == "gold")
            #expect(second.set("silver", kSecValueData) == errSecSuccess)
            #expect(ItemHolder(identifier: "password").object(kSecValueData) as? String == "silver")
            #expect(ItemHolder(identifier: "other").object(kSecValueData) as? String == "")
            let query =
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecReturnData: true] as [CFString: Any]
            #expect(withSecret(query as CFDictionary) { Data($0) } == Data("silver".utf8))
        }
    }

    @Test("actors and tasks share a keychain")
    func tasks() async throws {
        try await keychain.use {
            let store = TokenStore(service: "api")
            #expect(try await store.token(for: "ada") == nil)
            try await store.setToken(Data([1]), for: "ada")
            try await store.setToken(Data([2]), for: "ada")
            #expect(try await store.token(for: "ada") == Data([2]))
            #expect(try await TokenStore(service: "api").token(for: "ada") == Data([2]))
            try await store.setToken(nil, for: "ada")
            #expect(try await TokenStore(service: "api").token(for: "ada") == nil)
            #expect(await inParallel(8, service: "many") == 8)
        }
    }

    @Test("a person is asked, and what they show opens an item")
    func person() async throws {
        try await keychain.use {
            let isUnlocked = try await unlock("Open").get()
            #expect(isUnlocked)
            let model = await MainActor.run { LockModel() }
            await model.open()
            #expect(await model.isOpen)
            await model.close()
            #expect(await !model.isOpen)
            #expect(LAContext.protect(Data("gold".utf8), account: "safe") == errSecSuccess)
            let context = LAContext()
            let (status, data) = context.secret("safe")
            #expect(status == errSecSuccess && data == Data("gold".utf8))
            context.invalidate()
            #expect(context.secret("safe").0 == errSecAuthFailed)
        }
    }

    @Test("a right opens its secret and signs, and the machine says what can be shown")
    func rights() async throws {
        try await keychain.use {
            #expect(try await Rights.safe(Data("gold".utf8)) == Data("gold".utf8))
            #expect(try await Rights.sign(Data("message".utf8)))
            try await Rights.forget()
            await #expect(throws: (any Error).self) { try await Rights.forget() }
            #expect(await Rights.login(LARight()) == "welcome")
            #expect(await Rights.login(LARight(requirement: .biometry)) != "welcome")
            #expect(Machine.mechanisms() == ["Passcode"] && Machine.hasPasscode() && Machine.fingers() == nil)
            #expect(!Machine.hasChanged(since: nil, LAContext()) && Machine.hasChanged(since: Data([1]), LAContext()))
        }
    }

    @Test("access lists are made and changed, and classic items by their references")
    func classic() throws {
        try keychain.use {
            let access = try #require(AccessLists.make("mail", programs: ["/bin/ls"]))
            #expect(AccessLists.entries(access).contains { $0.programs == 1 && $0.text == "mail" })
            #expect(AccessLists.allowAll(access))
            #expect(AccessLists.entries(access).contains { $0.programs == nil && $0.text == "everybody" })

            #expect(ClassicItem(service: "mail", account: "ada") == nil)
            #expect(ClassicItem.add(service: "mail", account: "ada", password: "gold") == errSecSuccess)
            let item = try #require(ClassicItem(service: "mail", account: "ada"))
            #expect(item.password == "gold" && item.setPassword("silver") == errSecSuccess && item.password == "silver")
            #expect(item.setLabel("My mail") == errSecSuccess && item.persistentReference?.isEmpty == false)
            #expect(item.remove() == errSecSuccess && ClassicItem(service: "mail", account: "ada") == nil)
        }
    }

    @Test("a keychain of its own has a path, settings and a lock")
    func keychains() throws {
        let own = try IsolatedKeychain(.temporaryFolder)
        try own.use {
            let path = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID())").path
            let keychain = try #require(Keychains.temporary(path, password: "secret"))
            defer { SecKeychainDelete(keychain) }
            #expect(Keychains.path(keychain) == path && Keychains.isUnlocked(keychain))
            #expect(Keychains.settings(keychain) != nil)
            SecKeychainLock(keychain)
            #expect(!Keychains.isUnlocked(keychain))
        }
    }
}
