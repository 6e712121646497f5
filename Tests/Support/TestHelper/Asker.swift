// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A program that adds and finds passwords as its standard input says, line by line, and answers each line.
enum Asker {
    static func run() -> Int32 {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.dropFirst().first) {
            case ("add", let name?): say("add", name, add(name))
            case ("get", let name?):
                let (status, value) = get(name)
                say("get", name, status, value ?? "nothing")
            case ("keys", let name?): say("keys", name, keys(name, words.dropFirst(2).first ?? ""))
            default: return 64
            }
        }
        return 0
    }

    private static func add(_ name: String) -> OSStatus {
        SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: name, kSecAttrService: "asked",
                kSecValueData: Data("value of \(name)".utf8),
            ] as [CFString: Any] as CFDictionary, nil)
    }

    /// Locks, unlocks, sets a passcode, or says how the keychain stands.
    private static func keys(_ wish: String, _ passcode: String) -> String {
        do {
            switch wish {
            case "lock": try Llavero.keybag.lock()
            case "unlock": try Llavero.keybag.unlock(with: Llavero.Passcode(passcode))
            case "set": try Llavero.keybag.setPasscode(Llavero.Passcode(passcode), erasingAfter: nil)
            case "words":
                let key = try Llavero.keybag.makeRecoveryKey(passcode: Llavero.Passcode(passcode))
                return "\(try key.words.split(separator: " ").count)"
            case "rotate":
                try Llavero.keybag.rotateKeys(passcode: Llavero.Passcode(passcode))
                try Llavero.keybag.reseal()
            case "check": return "\(try Llavero.check().count)"
            default: break
            }
            return "\(try Llavero.keybag.status().lockState)"
        } catch let error as LlaveroError { return "\(error.status)" } catch { return "strange" }
    }

    private static func get(_ name: String) -> (OSStatus, String?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: name, kSecAttrService: "asked",
                kSecReturnData: true,
            ] as [CFString: Any] as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }
}
