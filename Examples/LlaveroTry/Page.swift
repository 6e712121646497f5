// SPDX-License-Identifier: Apache-2.0

import Security

/// How the tour looks on a terminal.
enum Page {
    /// A heading, and the call that is about to be made.
    static func step(_ title: String, _ code: String) {
        print("\n\(title)")
        for line in code.split(separator: "\n") { print("    | \(line)") }
    }

    /// What came of the call; nil for `note`, or a status other than success, ends the program.
    static func answer(_ status: OSStatus, _ note: String? = "") {
        require(status)
        guard let note else { surprise("the call succeeded, but its result is wrong") }
        print("    → " + (note.isEmpty ? text(of: status) : note))
    }

    /// A status that is expected, success or not.
    static func show(_ status: OSStatus) {
        print("    → \(status): \(text(of: status))")
    }

    static func require(_ status: OSStatus) {
        guard status == errSecSuccess else {
            surprise("\(status): \(text(of: status)) \(Llavero.lastFailure ?? "")")
        }
    }

    /// Rows in columns as wide as their widest cell; the first row is the heading.
    static func table(_ rows: [[String]]) {
        guard let columns = rows.first?.indices else { return }
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { cell, width in
                cell.padding(toLength: width, withPad: " ", startingAt: 0)
            }
            print("      " + cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces))
        }
    }

    static func surprise(_ text: String) -> Never {
        print("    That should not have happened: \(text)")
        exit(1)
    }

    private static func text(of status: OSStatus) -> String {
        SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
    }
}
