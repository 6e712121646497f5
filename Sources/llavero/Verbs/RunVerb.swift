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
        usage: llavero run [--env NAME=ITEM]… [--file NAME=ITEM]… -- COMMAND [ARGUMENT…]

        Runs a command with secrets in its environment, so that they do not appear in the shell or its history. The command replaces
        this process, and so has its process number and signals, and its own exit status.

        --file provides a file in memory, already open in the command, which no process can change and which disappears with the last
        process that has it open; it is never written to disk. NAME is its path, /proc/self/fd/N, which works in the command and in
        its child processes, unless they close inherited descriptors (ssh and sudo do).

          --env NAME=ITEM…      sets the variable NAME to the item's secret
          --file NAME=ITEM…     sets the variable NAME to the path of a file with exactly the secret's bytes
          --apps                also searches items that programs keep
          --keychain KEYCHAIN   uses another keychain, by name or path

        If this tool is installed setuid or setgid, it drops those rights first, so the command has only your rights.

        It ends with 127 when there is no such command, 126 when it cannot be run, and with 1, 2, 36 or 44 when it fails before that.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard !options.operands.isEmpty else { throw .usage("COMMAND is missing; it comes after --") }
        var variables: [(name: String, item: String, isFile: Bool)] = []
        for (option, isFile) in [("--env", false), ("--file", true)] {
            for text in options.values(option) {
                let (name, item) = try variable(text, option)
                guard !variables.contains(where: { $0.name == name }) else { throw .usage("\(name) is given twice") }
                variables.append((name, item, isFile))
            }
        }
        guard !variables.isEmpty else { throw .usage("--env or --file is missing") }
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        var secrets: [SecretValue] = []
        for variable in variables {
            let secret = try ItemName(variable.item).item(in: keychains, scope).secret()
            if !variable.isFile { try refuseNUL(in: secret, of: variable) }
            secrets.append(secret)
        }
        for (variable, secret) in zip(variables, secrets) {
            variable.isFile ? try setPath(variable.name, secret) : try set(variable.name, secret)
        }
        for keychain in keychains.searched { keychain.host.embedded.closeIdle() }
        fflush(nil)
        try Tool.giveBackForExecution()
        throw execute(options.operands)
    }

    private static func variable(_ text: String, _ option: String) throws(CommandError) -> (String, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { throw .usage("\(option) requires NAME=ITEM") }
        let name = parts[0]
        let isName = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
        }
        guard isName, let first = name.utf8.first, !(0x30...0x39).contains(first) else {
            throw .usage(
                "a variable name may have only letters, digits and underscores, and must not begin with a digit")
        }
        return (name, parts[1])
    }

    private static func refuseNUL(
        in secret: SecretValue, of variable: (name: String, item: String, isFile: Bool)
    ) throws(CommandError) {
        guard unsafe secret.withUnsafeBytes({ unsafe !$0.contains(0) }) else {
            throw .failure(
                "\(PlainText.shown(variable.item)) has a NUL byte, which an environment variable cannot have; use a file: "
                    + "--file \(variable.name)=\(PlainText.shown(variable.item))")
        }
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

    /// Returns only on failure.
    private static func execute(_ words: [String]) -> CommandError {
        var arguments = unsafe raw(words)
        unsafe arguments.append(nil)
        if let command = unsafe arguments[0] { unsafe execvp(command, &arguments) }
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
