// SPDX-License-Identifier: Apache-2.0

internal import ProgramSigning

/// Which word of an interpreter's command line names its script.
///
/// Options before it are passed over where it is known what they take. At any other, and at those that give code or a module's
/// name, there is none: the words that follow can be anything.
enum ScriptWord {
    /// Of the words after the program's own name.
    static func find(in words: ArraySlice<Substring>, of interpreter: String) -> Substring? {
        let name = Interpreters.name(of: interpreter)
        guard !editors.contains(name) else { return nil }
        let options = known.first { $0.interpreters.contains(name) }?.options
        var words = words
        while let word = words.popFirst() {
            guard word.hasPrefix("-") else { return word }
            guard let options else { return nil }
            if word == "--" || word == options.beforeFile { return words.first }
            if options.long.contains(String(word)) { continue }
            guard let takesNext = options.takesNext(word) else { return nil }
            if takesNext { words = words.dropFirst() }
        }
        return nil
    }

    private struct Options {
        /// Letters of options that take nothing, in one word or several.
        var flags = ""
        /// Those that take the rest of their word, or else the next word.
        var values = ""
        /// Those that take the rest of their word only.
        var attached = ""
        /// Whole words that take nothing.
        var long: Set<String> = []
        /// The word before the file.
        var beforeFile: Substring?

        /// Whether the next word belongs to `word`; nil where it has an option that is not among these.
        func takesNext(_ word: Substring) -> Bool? {
            var letters = word.dropFirst()
            guard !letters.isEmpty else { return nil }
            while let letter = letters.popFirst() {
                if flags.contains(letter) { continue }
                if attached.contains(letter) { return false }
                return values.contains(letter) ? letters.isEmpty : nil
            }
            return false
        }
    }

    private static let known: [(interpreters: Set<String>, options: Options)] = [
        (["python", "pypy"], Options(flags: "bBdEiIOPqRsStuvx", values: "WX")),
        (
            ["ash", "bash", "dash", "ksh", "mksh", "sh", "yash", "zsh"],
            Options(flags: "abefhiklmnprtuvxBCEHPT", long: ["--login", "--noprofile", "--norc", "--posix"])
        ),
        (["perl"], Options(flags: "acfnptTuUwWX", values: "I", attached: "FimM")),
        (["ruby"], Options(flags: "adlnpsUvwy", values: "EIr", attached: "KTW")),
        (
            ["node", "nodejs"],
            Options(
                values: "Cr",
                long: ["--enable-source-maps", "--no-deprecation", "--no-warnings", "--trace-warnings"])
        ),
        (["gjs", "gjs-console"], Options(flags: "m", values: "CI")),
        (["java"], Options(attached: "DX", beforeFile: "-jar")),
    ]

    /// They open documents, whose names are nobody's business.
    private static let editors: Set<String> = ["emacs", "nvim", "vim", "vim.basic", "vim.tiny"]
}
