// SPDX-License-Identifier: Apache-2.0

import Glibc
import Security

/// A process that does one thing and ends: finds one password of the keychain in `LLAVERO_HOME`.
///
/// `llavero-cold ACCOUNT` finds that account once. `llavero-cold --memory ITEMS` finds a thousand of `account0` to
/// `account<ITEMS - 1>` and prints how much memory is resident, in kilobytes. `llavero-cold --rotate ITEMS` gives the
/// keychain new class keys, seals all items again, and prints the most memory it had, in kilobytes, how many
/// microseconds it took, and how often it told of its progress. `llavero-cold --large-add MEGABYTES` stores a secret of that
/// size, `llavero-cold --large-find MEGABYTES` finds it, and each prints the most memory it had, in kilobytes.
@main
struct LlaveroCold {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.dropFirst().first.flatMap({ Int($0) })) {
        case ("--memory", let items?) where items > 0: memory(items)
        case ("--rotate", _?): rotate()
        case ("--large-add", let megabytes?): addLarge(megabytes)
        case ("--large-find", let megabytes?): findLarge(megabytes)
        case (let account?, nil): exit(finds(account) ? 0 : 1)
        default: exit(2)
        }
    }

    private static func finds(_ account: String) -> Bool {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "service",
            kSecAttrAccount as String: account,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return status == errSecSuccess && (result as? Data)?.count == 32
    }

    private static func memory(_ items: Int) {
        for number in 0..<1000 where !finds("account\(number * 7919 % items)") { exit(1) }
        print(kilobytes("VmRSS:"))
    }

    private static var large: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
            kSecAttrAccount as String: "large",
        ]
    }

    private static func addLarge(_ megabytes: Int) {
        var item = large
        item[kSecValueData as String] = Data(repeating: 7, count: megabytes << 20)
        guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess else { exit(1) }
        print(kilobytes("VmHWM:"))
    }

    private static func findLarge(_ megabytes: Int) {
        var query = large
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
            (result as? Data)?.count == megabytes << 20
        else { exit(1) }
        print(kilobytes("VmHWM:"))
    }

    private static func kilobytes(_ name: String) -> String {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { exit(1) }
        return line.filter(\.isNumber)
    }

    private static func rotate() {
        let start = ContinuousClock.now
        var tellings = 0
        do {
            try Llavero.keybag.rotateKeys(passcode: nil)
            try Llavero.keybag.reseal { _, _ in
                tellings += 1
                return true
            }
            guard try !Llavero.keybag.status().isResealing else { exit(1) }
        } catch { exit(1) }
        let taken = (ContinuousClock.now - start) / Duration.microseconds(1)
        print(kilobytes("VmHWM:"), Int(taken), tellings)
    }
}
