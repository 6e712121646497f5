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
