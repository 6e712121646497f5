// SPDX-License-Identifier: Apache-2.0

import Security

/// Opens a keychain that a writer left behind and says what is wrong with it; nothing if nothing is.
enum CrashVerifier {
    /// `acknowledged` operations were reported as done; the next one may have happened or not, but wholly.
    static func run(acknowledged: Int) -> Int32 {
        let passwords = Passwords(service: "crash")
        var complaints: [String] = []
        let (status, items) = passwords.all()
        if status != errSecSuccess && status != errSecItemNotFound {
            complaints.append("list: \(status) \(Llavero.lastFailure ?? "")")
        }
        let next = min(acknowledged + 1, CrashScript.operations.count)
        if items != CrashScript.state(after: acknowledged) && items != CrashScript.state(after: next) {
            complaints.append("after \(acknowledged) operations, not what they made of it: \(outline(items))")
            complaints.append("expected \(outline(CrashScript.state(after: acknowledged)))")
        }
        do { complaints += try Llavero.check() } catch { complaints.append("check: \(error)") }
        // And it still takes writes.
        let other = Passwords(service: "after the crash")
        for (name, status) in [
            ("add", other.add("x", "1")), ("update", other.update("x", "2")), ("delete", other.delete("x")),
        ] where status != errSecSuccess {
            complaints.append("\(name) afterwards: \(status) \(Llavero.lastFailure ?? "")")
        }
        for complaint in complaints { print(complaint) }
        return complaints.isEmpty ? 0 : 1
    }

    private static func outline(_ items: [String: Passwords.Entry]) -> String {
        items.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.value.count) \($0.value.label)" }
            .joined(separator: "; ")
    }
}
