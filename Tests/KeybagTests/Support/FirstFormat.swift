// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses

/// The keychains of earlier formats that are kept for ever: fifty items each, the one of format 1 without a passcode, the one of
/// format 2 with the first passcode.
enum FirstFormat {
    static let items = (0..<50).map(Item.init)

    struct Item: Sendable {
        let number: Int

        var protection: Protection { Protection.withoutPasscode[number % 6] }
        var secret: Data { Data("secret-\(number)".utf8) }

        var key: [String: Any] {
            let account = [kSecAttrAccount as String: "account-\(number)"]
            guard number % 5 == 4 else {
                return account.merging([
                    kSecClass as String: kSecClassGenericPassword as String,
                    kSecAttrService as String: "service-\(number)",
                ]) { $1 }
            }
            return account.merging([
                kSecClass as String: kSecClassInternetPassword as String,
                kSecAttrServer as String: "host-\(number).example",
            ]) { $1 }
        }
    }

    /// A copy of the fixture to work with.
    static func scene(format: Int = 1) throws -> Scene {
        let root = try TestFolder()
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Vectors/formats/\(format)/login")
        // A checkout does not keep these modes.
        try Child.shell(
            "cp -r \"$1\" \"$2\" && chmod 700 \"$2\" && chmod 600 \"$2\"/*", fixture.path, root.file("login"))
        return try Scene(in: root)
    }

    /// The statuses of finding them all with their secrets, by class.
    static func found(by program: Program) -> [Protection: Set<OSStatus>] {
        var statuses: [Protection: Set<OSStatus>] = [:]
        for item in items {
            let (status, result) = program.find(item.key, kSecReturnData)
            let isRight = status != errSecSuccess || result as? Data == item.secret
            statuses[item.protection, default: []].insert(isRight ? status : errSecDecode)
        }
        return statuses
    }

    /// What `found` gives when everything that is not in `closed` is there.
    static func all(except closed: Set<Protection> = []) -> [Protection: Set<OSStatus>] {
        Dictionary(
            uniqueKeysWithValues: Protection.withoutPasscode.map {
                ($0, [closed.contains($0) ? errSecInteractionNotAllowed : errSecSuccess])
            })
    }
}
