// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Adds, updates, finds and deletes items of all classes, unlocking whenever it is told that the keychain is locked, until
/// a file says that it is enough; then says what it was told is stored.
final class KeybagWork {
    private var values: [String: String] = [:]
    private var random: UInt64
    private let name: String
    private var calls = 0
    private(set) var troubles: [String] = []

    /// The place, the name of the one who works, and the file.
    static func run(_ arguments: [String]) -> Int32 {
        guard let place = KeybagPlace(arguments), arguments.count == 4 else { return 64 }
        do {
            let keychain = try place.open()
            let work = KeybagWork(name: arguments[2])
            keychain.use {
                while access(arguments[3], F_OK) != 0, work.troubles.count < 20 { work.step() }
            }
            for trouble in work.troubles { say("trouble", trouble) }
            for (name, value) in work.values.sorted(by: { $0.key < $1.key }) { say("stored \(name)=\(value)") }
            say("calls", work.calls)
            return work.troubles.isEmpty ? 0 : 1
        } catch {
            say("failed", error)
            return 1
        }
    }

    private init(name: String) {
        self.name = name
        random = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }

    private func step() {
        let itemClass = ["genp", "inet", "keys", "cert"][draw(4)]
        let protection = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"][draw(7)]
        let item = KeybagItem(name: "\(itemClass).\(protection).\(name)-\(draw(3))")
        calls += 1
        let value = "\(calls)"
        let before = values[item.name]
        switch draw(5) {
        case 0, 1:
            let status = persist { item.add(value) }
            if status == errSecSuccess { values[item.name] = value }
            expect(status, before == nil ? errSecSuccess : errSecDuplicateItem, item, "add")
        case 2:
            let status = persist { item.update(value) }
            if status == errSecSuccess { values[item.name] = value }
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, item, "update")
        case 3:
            let status = persist { item.delete() }
            if status == errSecSuccess { values[item.name] = nil }
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, item, "delete")
        default:
            var found: String?
            let status = persist {
                let (status, value) = item.find()
                found = value
                return status
            }
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, item, "find")
            if status == errSecSuccess, found != before {
                troubles.append("\(item.name) is \(found ?? "nothing") and not \(before ?? "gone")")
            }
        }
    }

    /// Makes a call, and makes it again after an unlock when the keychain was locked.
    private func persist(_ call: () -> OSStatus) -> OSStatus {
        for _ in 0..<50 {
            let status = call()
            if status != errSecInteractionNotAllowed { return status }
            unlock()
        }
        return errSecInteractionNotAllowed
    }

    /// Gives the passcode that somebody else changes all the time.
    private func unlock() {
        for passcode in ["A", "B"] {
            do {
                try Llavero.keybag.unlock(with: Llavero.Passcode(passcode))
                return
            } catch let error as LlaveroError {
                // Wrong, or none any more.
                if error.status != errSecAuthFailed, !error.description.contains("no passcode") {
                    troubles.append("unlock: \(error)")
                }
            } catch { troubles.append("unlock: \(error)") }
        }
    }

    private func expect(_ status: OSStatus, _ expected: OSStatus, _ item: KeybagItem, _ call: String) {
        if status == expected { return }
        if item.name.contains(".akpu.") {
            // It goes with the passcode, and there may be none to come back under.
            if status == errSecAuthFailed, call == "add" { return }
            if status == errSecItemNotFound || status == errSecSuccess {
                if status == errSecItemNotFound { values[item.name] = nil }
                return
            }
        }
        troubles.append("\(call) \(item.name): \(status) instead of \(expected) \(Llavero.lastFailure ?? "")")
    }

    private func draw(_ count: UInt64) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int(random % count)
    }
}
