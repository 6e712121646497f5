// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// `llavero copy`.
enum CopyVerb: Verb {
    static let name = "copy"
    static let summary = "copies a password to the clipboard, for a while"
    static let help = """
        usage: llavero copy NAME [--user USER] [--field FIELD] [--clear-after N]

        Copies a password to the clipboard, and removes it after 45 seconds, unless something else was copied by then. It uses
        wl-copy, xclip or xsel, as the display needs; without a display it uses the terminal's own clipboard, also over ssh, if the
        terminal supports OSC 52: that clipboard is cleared whatever it contains. Programs that keep a history of the clipboard may
        keep the password.

        In tmux it is a buffer of tmux, which prefix ] pastes; tmux sends it on to the terminal, where that is one that has a
        clipboard for it (terminal-features). After the time the buffer is removed, and the terminal's clipboard has a blank. What is
        said tells what is known: no terminal answers. In screen, and on a console, copy is refused.

          --field FIELD     another value: user, url, note, code (the one-time code), or a field that `llavero show NAME` lists
          --clear-after N   removes it after N seconds
          --user USER       the item of that user, if several have the name
          --apps            also searches items that programs keep
          --all             also searches invisible items
          --group GROUP     searches only that access group
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        guard !words.prefix(while: { $0 != "--" }).contains("--code") else {
            throw .usage("there is no --code: `llavero code NAME --copy` copies a one-time code")
        }
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        let seconds = try options.number("--clear-after", in: 1...3600, "a number from 1 to 3600") ?? 45
        let clipboard = try Clipboard.here("`llavero get` prints the password")
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        let field = options.value("--field").map(ItemField.init) ?? .password
        let secret = try item.value(of: field)
        guard secret.count > 0 else {
            let word = ShellWord.operand(PlainText.shown(name.text))
            let hasCode = options.value("--field") == nil && (try? item.code()) != nil
            let more = hasCode ? ", and a one-time code: `llavero code \(word) --copy` copies that" : ""
            throw .failure(
                "nothing was copied: \(item.title) has an empty \(options.value("--field").map { PlainText.shown($0) } ?? "password")\(more)"
            )
        }
        try copy(secret, of: item, options.value("--field"), to: clipboard, for: seconds)
    }

    /// What `pass` has as a letter of its other verbs is this verb.
    static func refuseLetter(in words: ArraySlice<String>) throws(CommandError) {
        guard !words.prefix(while: { $0 != "--" }).contains("-c") else {
            throw .usage("there is no -c: `llavero copy` fills the clipboard")
        }
    }

    static func copy(
        _ secret: SecretValue, of item: ToolItem, _ field: String? = nil, to clipboard: Clipboard, for seconds: Int
    ) throws(CommandError) {
        try put(secret, into: clipboard, for: seconds)
        if Screen.complaints.isTerminal {
            let what = PlainText.shown(item.name) + (field.map { " (\(PlainText.shown($0)))" } ?? "")
            Tool.say("\(what) \(clipboard.place(for: seconds))")
        }
    }

    /// The same without a word.
    static func put(_ secret: SecretValue, into clipboard: Clipboard, for seconds: Int) throws(CommandError) {
        switch clipboard {
        case .program(let words):
            let hasNUL = unsafe secret.withUnsafeBytes { unsafe $0.contains(0) }
            guard !hasNUL || !words[0].hasSuffix("/xsel") else {
                throw .failure(
                    "the password has a NUL byte, where xsel would cut it; install xclip, which copies all of it")
            }
            try offer(secret, words, seconds)
        case .tmux(let tmux):
            try tmux.keep(secret, "`llavero get` prints it")
            let words = ClipboardKeeperVerb.words(for: seconds, removing: tmux.buffer)
            _ = try ChildProcess(words, input: nil, output: nil, inSessionOfItsOwn: true)
        case .terminal:
            let words = ["/proc/self/exe", ClipboardKeeperVerb.name, "--seconds", "\(seconds)"]
            try SecretOutput.write(Clipboard.escape(secret), to: Clipboard.screen)
            _ = try ChildProcess(words, input: nil, output: Clipboard.screen, inSessionOfItsOwn: true)
        }
    }

    /// Through a process that outlives this one.
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
                "\(words[0]) did not accept the password; check that the display works, or use `llavero get`, which prints it"
            )
        }
    }
}
