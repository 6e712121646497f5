// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Where the threads of hanging processes are: by gdb if it is installed, else in the kernel's words.
enum ThreadStacks {
    static func ofGroup(_ group: pid_t) -> String {
        processes(in: group).map { "process \($0):\n" + stacks(of: $0) }.joined(separator: "\n")
    }

    private static func processes(in group: pid_t) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { getpgid($0) == group }
    }

    private static func stacks(of pid: pid_t) -> String {
        let words = ["30", "gdb", "-nx", "-p", "\(pid)", "-batch", "-ex", "thread apply all backtrace 24"]
        if let text = output(of: "/usr/bin/timeout", words), text.contains("#0") { return text }
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.map { task in
            let folder = "/proc/\(pid)/task/\(task)"
            let parts = ["wchan", "syscall", "stack"].map { part in
                let text = (try? String(contentsOfFile: "\(folder)/\(part)", encoding: .utf8)) ?? "?"
                return "\(part) \(text.trimmingCharacters(in: .whitespacesAndNewlines))"
            }
            return "thread \(task): " + parts.joined(separator: ", ")
        }.joined(separator: "\n")
    }

    private static func output(of program: String, _ arguments: [String]) -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(data: data, encoding: .utf8)
    }
}
