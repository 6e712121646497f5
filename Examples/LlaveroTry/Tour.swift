// SPDX-License-Identifier: Apache-2.0

import Security

/// The steps, in order; each prints the call it makes, makes it, and prints what came of it.
struct Tour {
    private let service = "mail.example.org"
    private let account = "ada.lovelace"
    private let secret = "correct horse battery"
    private let newSecret = "staple of the engine"
    private let group = "org.example.tour"
    private let keychain: IsolatedKeychain

    init() throws {
        keychain = try IsolatedKeychain(
            .temporaryFolder, entitlements: Entitlements(keychainAccessGroups: [group]))
    }

    func run() throws {
        try keychain.use {
            add()
            find()
            update()
            list()
            try showFiles()
            try lock()
            delete()
            refuse()
        }
        print("\nThat was all. The keychain was a throw-away one; yours was not touched.")
    }

    /// What names the one item the tour is about.
    private var item: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }

    private func add() {
        Page.step(
            "Add a password",
            """
            let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword,
                                         kSecAttrService: "\(service)", kSecAttrAccount: "\(account)"]
            var new = item
            new[kSecValueData] = Data("\(secret)".utf8)
            SecItemAdd(new as CFDictionary, nil)
            """)
        var attributes = item
        attributes[kSecValueData] = Data(secret.utf8)
        Page.answer(SecItemAdd(attributes as CFDictionary, nil))
    }

    private func find() {
        Page.step(
            "Find it",
            """
            var query = item
            query[kSecReturnData] = true
            var result: CFTypeRef?
            SecItemCopyMatching(query as CFDictionary, &result) // then result as? Data
            """)
        Page.answer(errSecSuccess, password() == secret ? "\"\(secret)\"" : nil)
    }

    private func update() {
        Page.step(
            "Change it",
            """
            let change = [kSecValueData: Data("\(newSecret)".utf8)]
            SecItemUpdate(item as CFDictionary, change as CFDictionary)
            """)
        let change = [kSecValueData: Data(newSecret.utf8)]
        let status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
        Page.answer(status, password() == newSecret ? "the same search now finds \"\(newSecret)\"" : nil)
    }

    private func list() {
        Page.step(
            "Add two more, then list all",
            """
            let all: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true,
                                        kSecMatchLimit: kSecMatchLimitAll]
            SecItemCopyMatching(all as CFDictionary, &result)
            """)
        for (account, label) in [("charles.babbage", "Difference engine"), ("ada.king", "Old address")] {
            var attributes = item
            attributes[kSecAttrAccount] = account
            attributes[kSecAttrLabel] = label
            attributes[kSecValueData] = Data(secret.utf8)
            Page.require(SecItemAdd(attributes as CFDictionary, nil))
        }
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        let found = result as? [[CFString: Any]] ?? []
        Page.answer(status, found.count == 3 ? "\(found.count) items" : nil)
        Page.table(
            [["Account", "Service", "Label", "Group"]]
                + found.map { attributes in
                    [kSecAttrAccount, kSecAttrService, kSecAttrLabel, kSecAttrAccessGroup].map {
                        attributes[$0] as? String ?? "-"
                    }
                })
    }

    private func showFiles() throws {
        Page.step("Look at the disk, as a thief would", "every byte of every file, searched for what is stored")
        guard let folder = keychain.folder else { Page.surprise("the keychain has no folder") }
        let files = try StoredFile.all(in: folder)
        let words = [service, account, "charles.babbage", secret, newSecret]
        Page.table(
            [["File", "Bytes", "Mode", "Any service, account, secret"]]
                + files.map { file in
                    let isFound = words.contains { file.contains($0) }
                    return [file.name, String(file.bytes.count), file.mode, isFound ? "FOUND" : "not found"]
                })
        guard !words.contains(where: { word in files.contains { $0.contains(word) } }) else {
            Page.surprise("what is stored can be read from the files")
        }
        // A search that never finds anything would look just as good.
        guard files.contains(where: { $0.contains("SQLite format 3") }) else {
            Page.surprise("the search does not find even the name of the file format")
        }
        // The group is stored in the clear, so it leads to a row.
        for file in files.reversed() {
            guard let lines = file.glimpse(of: group) else { continue }
            print("    A row in \(file.name); of its text, only the group's name can be read:")
            for line in lines { print("      " + line) }
            break
        }
        // Said because it is true: with the software enclave alone, the key lies beside what it opens.
        print("    Whoever takes device.key as well can open it all: so far, its mode is what guards it.")
    }

    private func lock() throws {
        Page.step(
            "Set a passcode, lock, and find again",
            """
            try Llavero.keybag.setPasscode(passcode, erasingAfter: nil)
            try Llavero.keybag.lock()
            """)
        let passcode = try Llavero.Passcode("open sesame")
        try Llavero.keybag.setPasscode(passcode, erasingAfter: nil)
        try Llavero.keybag.lock()
        let status = SecItemCopyMatching(item as CFDictionary, nil)
        guard status == errSecInteractionNotAllowed else { Page.surprise("locked, and answered with \(status)") }
        Page.show(status)
        print("    Why: \(Llavero.lastFailure ?? "")")
        do {
            try Llavero.keybag.unlock(with: try Llavero.Passcode("open barley"))
            Page.surprise("a wrong passcode unlocks")
        } catch let error as LlaveroError {
            print("    A wrong passcode: \(error.status), \(error)")
        }
        try Llavero.keybag.unlock(with: passcode)
        print("    The right one: unlocked. " + (try Llavero.keybag.status().enclaveSummary))
    }

    private func delete() {
        Page.step("Delete it", "SecItemDelete(item as CFDictionary)")
        let status = SecItemDelete(item as CFDictionary)
        let isGone = SecItemCopyMatching(item as CFDictionary, nil) == errSecItemNotFound
        Page.answer(status, isGone ? "the same search now finds nothing" : nil)
    }

    private func refuse() {
        Page.step(
            "Ask a wrong question: which class of item is not said",
            """
            SecItemCopyMatching([kSecAttrAccount: "\(account)"] as CFDictionary, nil)
            Llavero.lastFailure
            """)
        let query = [kSecAttrAccount: account]
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        guard status == errSecParam else { Page.surprise("a wrong query was answered with \(status)") }
        Page.show(status)
        guard let explanation = Llavero.lastFailure else { Page.surprise("the refusal is not explained") }
        print("    Why: \(explanation)")
    }

    private func password() -> String? {
        var query = item
        query[kSecReturnData] = true
        var result: CFTypeRef?
        Page.require(SecItemCopyMatching(query as CFDictionary, &result))
        return (result as? Data).flatMap { String(bytes: $0, encoding: .utf8) }
    }
}
