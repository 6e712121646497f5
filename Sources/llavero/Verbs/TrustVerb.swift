// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools
internal import SecurityTool

/// `llavero trust`: what is said of certificates, in fewer words than `security` has for it.
enum TrustVerb: Verb {
    static let name = "trust"
    static let summary = "lists and changes which certificates are trusted, besides the system's authorities"
    static let help = """
        usage: llavero trust [list | add FILE | remove FILE] [--never] [--system]

        Lists the certificates that are trusted, or never trusted, because you said so. `add` says that of the certificates of a file,
        `remove` takes it back. Programs of this library, `security verify-cert` and searches for trusted certificates obey it;
        other programs of this system know nothing of it.

          --never     says that the certificates are never trusted, nor what they issued
          --system    the settings of the machine, which only root changes
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, flags: ["--never", "--system"])
        let domain = options.has("--system") ? ["-d"] : []
        var operands = options.operands[...]
        let action = operands.popFirst() ?? "list"
        let given: [String]
        switch action {
        case "list" where operands.isEmpty && !options.has("--never"): given = ["dump-trust-settings"] + domain
        case "add":
            let file = try file(operands, action)
            given = ["add-trusted-cert"] + domain + (options.has("--never") ? ["-r", "deny"] : []) + ["--", file]
        case "remove" where !options.has("--never"):
            given = ["remove-trusted-cert"] + domain + ["--", try file(operands, action)]
        default: throw .usage("trust accepts list, add FILE and remove FILE, and --never with add alone")
        }
        let code = SecurityTool.run(given[...])
        if code != 0 { Tool.end(code) }
    }

    private static func file(_ operands: ArraySlice<String>, _ action: String) throws(CommandError) -> String {
        guard let file = operands.first, operands.count == 1 else { throw .usage("trust \(action) requires one FILE") }
        return file
    }
}
