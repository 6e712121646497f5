// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// `llavero run`.
enum RunVerb: Verb {
    static let name = "run"
    static let summary = "runs a command with secrets in its environment"
    static let help = """
        usage: llavero run [--env NAME=ITEM]… [--env-file FILE]… [--file NAME=ITEM]… -- COMMAND [ARGUMENT…]

        Runs a command with secrets in its environment, so that they do not appear in the shell or its history. The command replaces
        this process, and so has its process number and signals, and its own exit status. ITEM is a name, or a reference such as
        llavero://mail/user, which `llavero help inject` explains; a slash within a name of a reference is written %2F, as in
        llavero://mail%2Fada.

        --env-file reads lines NAME=value, of which `export NAME=value`, empty lines and remarks behind # are understood. A value that is a
        reference is replaced, and so is each {{ llavero://… }} within a value; others are taken as they are. In 'single quotes' every
        character stands for itself, in "double quotes" \\n \\r \\t \\" \\\\ and \\$ are what they are in a shell; both may go over several
        lines. Nothing else is expanded. References that the command's environment has already stay as they are. Such a file may name any
        of your items, and its variables may choose what the command loads and runs: use those that you would run.

        --file provides a file in memory, already open in the command, which no process can change and which disappears with the last
        process that has it open; it is never written to disk. NAME is its path, /proc/self/fd/N, which works in the command and in
        its child processes, unless they close inherited descriptors (ssh and sudo do).

          --env NAME=ITEM…      sets the variable NAME to the item's secret, or to what a reference refers to
          --env-file FILE…      sets the variables of a file; of several the later one counts, and --env and --file before them
          --file NAME=ITEM…     sets the variable NAME to the path of a file with exactly the secret's bytes
          --apps                also searches items that programs keep
          --group GROUP         searches only that access group, as a service does that has no other
          --keychain KEYCHAIN   uses another keychain, by name or path

        If this tool is installed setuid or setgid, it drops those rights first, so the command has only your rights.

        It ends with 127 when there is no such command, 126 when it cannot be run, and with 1, 2, 36 or 44 when it fails before that.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options: Options
        do throws(CommandError) { options = try Options(words, help: help) } catch {
            // Options of the command were taken for its own.
            guard case .usage(let text) = error, !words.contains("--") else { throw error }
            throw .usage("\(text); COMMAND and its options come after --")
        }
        guard !options.operands.isEmpty else { throw .usage("COMMAND is missing; it comes after --") }
        let variables = try RunVariables(options)
        // A file's PATH is for the command, and does not choose which command that is.
        let program = unsafe program(of: options.operands)
        for variable in variables.all {
            variable.isFile ? try setPath(variable.name, variable.value) : try set(variable.name, variable.value)
        }
        for keychain in variables.keychains { keychain.host.embedded.closeIdle() }
        fflush(nil)
        try Tool.giveBackForExecution()
        throw unsafe execute(program, options.operands)
    }

    private static func set(_ name: String, _ secret: SecretValue) throws(CommandError) {
        let text = unsafe secret.withUnsafeBytes { bytes in
            unsafe SecretValue(count: bytes.count + 1) { unsafe $0.copyMemory(from: bytes) }
        }
        let result = unsafe text.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe setenv(name, start.assumingMemoryBound(to: CChar.self), 1)
        }
        guard result == 0 else { throw .failure("the variable \(name) cannot be set") }
    }

    private static func setPath(_ name: String, _ secret: SecretValue) throws(CommandError) {
        let file = unsafe secret.withUnsafeBytes { bytes in
            unsafe llv_sealed_file("llavero", bytes.baseAddress, bytes.count)
        }
        guard file >= 0 else { throw .failure("the file for \(name) cannot be made (\(-file))") }
        guard unsafe setenv(name, "/proc/self/fd/\(file)", 1) == 0 else {
            throw .failure("the variable \(name) cannot be set")
        }
    }

    /// The file of the command, by the PATH of who calls; nil if there is none.
    ///
    /// A word with a slash is the file itself.
    private static func program(of words: [String]) -> UnsafeMutablePointer<CChar>? {
        guard let word = unsafe raw(words).first ?? nil else { return nil }
        if unsafe strchr(word, CInt(UInt8(ascii: "/"))) != nil { return unsafe word }
        return unsafe ProgramSearch.path(of: words[0], inRelativeFolders: true).flatMap { unsafe strdup($0) }
    }

    /// Returns only on failure.
    private static func execute(_ program: UnsafeMutablePointer<CChar>?, _ words: [String]) -> CommandError {
        var arguments = unsafe raw(words)
        unsafe arguments.append(nil)
        errno = ENOENT
        // Of a path with a slash this looks nowhere else, and has a shell run what says nothing else.
        if let program = unsafe program { unsafe execvp(program, &arguments) }
        let reason = errno
        Tool.say("\(PlainText.shown(words[0])): \(unsafe String(cString: strerror(reason)))")
        exit(reason == ENOENT ? 127 : 126)
    }

    /// The last words of the command line as raw bytes, which need not be UTF-8.
    private static func raw(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        let first = Int(llv_argument_count()) - words.count
        return unsafe words.enumerated().map { index, word in
            if first > 0, let given = unsafe llv_argument(Int32(first + index)),
                unsafe String(cString: given).hasSameBytes(as: word)
            {
                return unsafe strdup(given)
            }
            return unsafe strdup(word)
        }
    }
}
