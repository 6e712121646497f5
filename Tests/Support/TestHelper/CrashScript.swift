// SPDX-License-Identifier: Apache-2.0

/// The same sequence of operations in every run, and what a keychain holds after the first `n` of them.
enum CrashScript {
    enum Operation {
        case add(String, size: Int)
        case update(String, size: Int)
        case delete(String)
        /// One call that changes, or deletes, every item of the service.
        case labelAll(String)
        case deleteAll
    }

    /// The names of the parts are those of the kill points in the test.
    static let parts: [(name: String, operations: [Operation])] = [
        ("birth", [.add("first", size: 20)]),
        ("add", (0..<8).map { .add("a\($0)", size: 24 + $0 * 300) }),
        ("update", (0..<6).map { .update("a\($0)", size: 40 + $0 * 500) } + [.labelAll("one"), .labelAll("two")]),
        ("delete", [.delete("a0"), .delete("first"), .delete("a7"), .deleteAll, .add("again", size: 30)]),
        // The log is folded into the database once it has a thousand pages.
        (
            "checkpoint",
            (0..<14).map { .add("large\($0)", size: 190_000) } + (0..<14).map { .update("large\($0)", size: 170_000) }
        ),
        ("close", []),
    ]

    static let operations = parts.flatMap(\.operations)

    /// What the service holds after `count` operations.
    static func state(after count: Int) -> [String: Passwords.Entry] {
        var state: [String: Passwords.Entry] = [:]
        for (index, operation) in operations.prefix(count).enumerated() {
            let label = "label \(index)"
            switch operation {
            case .add(let account, let size), .update(let account, let size):
                state[account] = Passwords.Entry(value: value(of: index, size: size), label: label)
            case .delete(let account): state[account] = nil
            case .labelAll(let label): for account in state.keys { state[account]?.label = label }
            case .deleteAll: state = [:]
            }
        }
        return state
    }

    static func perform(_ index: Int, on passwords: Passwords) -> Int32 {
        let label = "label \(index)"
        switch operations[index] {
        case .add(let account, let size):
            return passwords.add(account, value(of: index, size: size), label: label)
        case .update(let account, let size):
            return passwords.update(account, value(of: index, size: size), label: label)
        case .delete(let account): return passwords.delete(account)
        case .labelAll(let label): return passwords.updateAll(label: label)
        case .deleteAll: return passwords.deleteAll()
        }
    }

    private static func value(of index: Int, size: Int) -> String {
        "\(index) " + String(repeating: "abcdefghij", count: size / 10)
    }
}
