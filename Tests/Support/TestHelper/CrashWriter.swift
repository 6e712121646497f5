// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Works through the script and prints the number of each operation once its call has returned.
enum CrashWriter {
    static func run() {
        let passwords = Passwords(service: "crash")
        // In the run that lists the kill points, the list is cut into the script's parts.
        let list = getenv("LLT_KILL_LOG").map { open(String(cString: $0), O_WRONLY | O_APPEND | O_CREAT, 0o600) }
        var index = 0
        for part in CrashScript.parts {
            if let list { write("part \(part.name)\n", to: list) }
            for _ in part.operations {
                let status = CrashScript.perform(index, on: passwords)
                if status != 0 { write("status \(status) from \(index)\n", to: 1) }
                index += 1
                write("\(index)\n", to: 1)
            }
        }
    }

    /// Unbuffered: what is written here has happened.
    private static func write(_ text: String, to file: Int32) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(file, bytes, bytes.count)
    }
}
