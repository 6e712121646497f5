// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// `llavero copy`.
enum CopyVerb: Verb {
    static let name = "copy"
    static let summary = "copies a password to the clipboard, for a while"
    static let help = """
        usage: llavero copy NAME [--user USER] [--clear-after N]

        Copies a password to the clipboard, and takes it out after 45 seconds, unless something else was copied by then. It asks
        wl-copy, xclip or xsel, whichever the display needs; without a display the terminal's own clipboard is used, also through
        ssh, if the terminal has the escape for it (OSC 52): that is cleared whatever is in it. Programs that keep a history of the
        clipboard may keep the password.

          --clear-after N   takes it out after so many seconds
          --user USER       the one of that user, where several have the name
          --apps            looks at what programs keep, too
          --all             at what is invisible, too
          --group GROUP     looks in that access group
          --kind KIND       looks at one kind only: password, internet, certificate, key
          --keychain NAME   looks in another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        let seconds = try options.number("--clear-after", in: 1...3600, "a number from 1 to 3600") ?? 45
        guard let clipboard = Clipboard.here() else {
            throw .failure(
                "there is no clipboard: no display with wl-copy, xclip or xsel, and no terminal; `llavero get` prints the password"
            )
        }
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        let secret = try item.secret()
        switch clipboard {
        case .program(let words):
            let hasNUL = unsafe secret.withUnsafeBytes { unsafe $0.contains(0) }
            guard !hasNUL || !words[0].hasSuffix("/xsel") else {
                throw .failure("the password has a NUL byte, where xsel would cut it; xclip takes it whole")
            }
            try offer(secret, words, seconds)
        case .terminal:
            let words = ["/proc/self/exe", ClipboardKeeperVerb.name, "--seconds", "\(seconds)"]
            try SecretOutput.write(Clipboard.escape(secret), to: Clipboard.screen)
            _ = try ChildProcess(words, input: nil, output: Clipboard.screen, inSessionOfItsOwn: true)
        }
        if Screen.complaints.isTerminal {
            Tool.say("\(PlainText.shown(item.name)) is in the clipboard for \(seconds) seconds")
        }
    }

    /// Through a process that goes on when this one has ended.
    private static func offer(_ secret: SecretValue, _ words: [String], _ seconds: Int) throws(CommandError) {
        signal(SIGPIPE, SIG_IGN)
        let (input, output) = (try ChildProcess.line(), try ChildProcess.line())
        let keeper = ["/proc/self/exe", ClipboardKeeperVerb.name, "--seconds", "\(seconds)", "--"] + words
        _ = try ChildProcess(keeper, input: input.reading, output: output.writing, inSessionOfItsOwn: true)
        close(input.reading)
        close(output.writing)
        try SecretOutput.write(secret, to: input.writing)
        close(input.writing)
        var byte: UInt8 = 0
        guard unsafe read(output.reading, &byte, 1) == 1 else {
            throw .failure(
                "\(words[0]) took nothing, or not all of it: is there a display? `llavero get` prints the password")
        }
    }
}
