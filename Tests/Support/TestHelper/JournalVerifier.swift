// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Holds a keychain against the journals of everybody who worked on it.
enum JournalVerifier {
    /// `journals` is their folder.
    ///
    /// Prints what is wrong, and how many calls there were.
    static func run(journals: [String]) -> Int32 {
        guard let folder = journals.first,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder), !names.isEmpty
        else { return 64 }
        let (status, items) = Passwords(service: "own").all()
        var complaints = status == errSecSuccess ? [] : ["list: \(status) \(Llavero.lastFailure ?? "")"]
        var count = 0
        var expected: Set<String> = []
        for name in names.sorted() {
            guard let journal = Journal.read("\(folder)/\(name)") else { return 65 }
            count += journal.count
            complaints += journal.troubles.map { "\(name): \($0)" }
            for (key, value) in journal.values {
                if value != nil { expected.insert(key) }
                if items[key]?.value != value {
                    complaints.append("\(name): \(key) is \(items[key]?.value ?? "missing"), not \(value ?? "deleted")")
                }
            }
        }
        complaints += items.keys.filter { !expected.contains($0) }.map { "\($0) is there and nobody added it" }
        for (key, item) in Passwords(service: "shared").all().items where !item.value.hasPrefix("\(key)=") {
            complaints.append("\(key) is \(item.value)")
        }
        do { complaints += try Llavero.check() } catch { complaints.append("check: \(error)") }
        for complaint in complaints.prefix(60) { print("wrong: \(complaint)") }
        print("journals \(names.count) calls \(count)")
        return complaints.isEmpty ? 0 : 1
    }
}
