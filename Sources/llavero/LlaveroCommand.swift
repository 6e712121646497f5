// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The command line tool: one verb a call, `llavero help` names them.
@main
enum LlaveroCommand {
    static func main() {
        var words = CommandLine.arguments.dropFirst()
        let name = words.popFirst() ?? ""
        do throws(CommandError) {
            guard let verb = VerbTable.verb(name) else {
                throw .usage(name.isEmpty ? "say what to do" : "there is no verb \(name)")
            }
            try verb.run(words)
        } catch {
            say(error.description)
            exit(error.code)
        }
        fflush(nil)
        exit(0)
    }

    /// A line on standard error.
    static func say(_ text: String) {
        let line = Array("llavero: \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
