// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

/// A program that keeps an item which demands somebody, and one that reads it, as any program would.
enum AccessScene {
    /// `put`; `get` and how many times; `invalidated` and the path of a file with which the question is taken back.
    static func run(_ arguments: [String]) -> Int32 {
        switch arguments.first {
        case "put": return put()
        case "get":
            // A program that survives Ctrl-C, which at a pinentry reaches everybody in the foreground.
            signal(SIGINT) { _ in }
            for _ in 0..<(arguments.dropFirst().first.flatMap { Int($0) } ?? 1) { get() }
            return 0
        case "invalidated":
            let context = LAContext()
            let path = arguments.last ?? ""
            Thread.detachNewThread {
                while access(path, F_OK) != 0 { usleep(5000) }
                context.invalidate()
            }
            get([kSecUseAuthenticationContext: context])
            return 0
        default: return 64
        }
    }

    private static func put() -> Int32 {
        do { try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil) } catch {
            say("failed", error)
            return 1
        }
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .devicePasscode, nil)
        let status = SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "guarded",
                kSecAttrAccessControl: control as Any, kSecValueData: Data("kept".utf8),
            ] as [CFString: Any] as CFDictionary, nil)
        say("put", status)
        return status == errSecSuccess ? 0 : 1
    }

    private static func get(_ more: [CFString: Any] = [:]) {
        // What a program does before: then only the item's own demand is left to meet.
        try? Llavero.keybag.unlock(with: Llavero.Passcode("1234"))
        var result: CFTypeRef?
        let status = SecItemCopyMatching(
            ([
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "guarded", kSecReturnData: true,
                kSecUseOperationPrompt: "For_the_report",
            ] as [CFString: Any]).merging(more) { $1 } as CFDictionary, &result)
        say("got", status, (result as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
        if status != errSecSuccess { say("why", Llavero.lastFailure ?? "") }
    }
}
