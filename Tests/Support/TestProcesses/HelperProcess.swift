// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation

/// A process that runs the test helper, in a group of its own and with no environment but the one given and `TestEnvironment`.
package struct HelperProcess: Sendable {
    package let pid: Int32
    /// The file that receives what it prints.
    package let output: String

    /// How a process ended.
    package enum Ending: Sendable, Equatable, CustomStringConvertible {
        case exited(Int32)
        case killed(signal: Int32)
        /// It did not end in time and was killed; the text says where its threads were.
        case hung(String)

        package var description: String {
            switch self {
            case .exited(let code): "exited with \(code)"
            case .killed(let signal): "killed by signal \(signal)"
            case .hung(let stacks): "hung:\n\(stacks)"
            }
        }
    }

    /// Starts the helper; `launcher` is a program and arguments to put before it, such as `setpriv`.
    package init(
        _ arguments: [String], environment: [String: String], output: String, launcher: [String] = [],
        program: String? = nil
    ) throws {
        let program = try program ?? HelperProcess.path()
        let words = launcher + [program] + arguments
        let variables = TestEnvironment.withoutSystemDaemon.merging(environment) { $1 }
        var child: pid_t = 0
        let failure = HelperProcess.withCStrings(words) { words in
            HelperProcess.withCStrings(variables.map { "\($0.key)=\($0.value)" }) { environment in
                llt_start(&child, launcher.first ?? program, words, environment, output)
            }
        }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        pid = child
        self.output = output
    }

    package func wait(seconds: Double = EventLimit.seconds) -> Ending {
        var status: Int32 = 0
        guard llt_wait(pid, Int32(seconds * 1000), &status) else {
            let stacks = ThreadStacks.ofGroup(pid)
            kill(-pid, SIGKILL)
            _ = llt_wait(pid, 10_000, &status)
            return .hung(stacks)
        }
        let code = llt_exit_code(status)
        return code < 0 ? .killed(signal: -code) : .exited(code)
    }

    /// The lines printed so far.
    package var lines: [String] {
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Runs the helper to its end and returns what it printed.
    package static func run(
        _ arguments: [String], environment: [String: String], in folder: TestFolder, launcher: [String] = [],
        program: String? = nil
    ) throws -> (ending: Ending, lines: [String]) {
        let output = folder.file("output-\(UUID().uuidString)")
        let process = try HelperProcess(
            arguments, environment: environment, output: output, launcher: launcher, program: program)
        let ending = process.wait()
        return (ending, process.lines)
    }

    /// The helper's own file, beside the bundle this code was loaded from.
    package static func path() throws -> String {
        guard let file = llt_image_path() else { throw POSIXError(.ENOENT) }
        let folder = URL(fileURLWithPath: String(cString: file)).deletingLastPathComponent()
        let path = folder.appendingPathComponent("llavero-test-helper").path
        guard access(path, X_OK) == 0 else { throw POSIXError(.ENOENT) }
        return path
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
