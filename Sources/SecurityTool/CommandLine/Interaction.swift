// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// `security -i`: subcommands from standard input, one a line, of any length.
struct Interaction {
    private let session: Session
    private let prompt: String

    static let usualPrompt = "security> "

    init(_ session: Session, prompt: String) {
        self.session = session
        self.prompt = prompt
    }

    /// Does what stands there, to its end; the code of the last that failed.
    func run() -> Int32 {
        var code: Int32 = 0
        var source = LineSource()
        let isWatched = isatty(STDIN_FILENO) == 1
        while true {
            if isWatched {
                print(prompt, terminator: "")
                fflush(nil)
            }
            let line: SecretValue
            do throws(CommandError) {
                guard let next = try source.next() else { break }
                line = next
            } catch { return session.report(SecurityFailure(error, in: "read"), of: nil) }
            do throws(SecurityFailure) {
                let words = try QuotedWords.split(line)
                if words.isEmpty { continue }
                if ["quit", "exit"].contains(words[0]), words.count == 1 { break }
                let result = session.execute(words[...])
                if result != 0 { code = result }
            } catch { code = session.report(error, of: nil) }
        }
        if isWatched { print("") }
        return code
    }
}
