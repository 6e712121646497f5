// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// The variables that `llavero run` sets: of its files, and of `--env` and `--file`, which go before those.
struct RunVariables {
    struct Variable {
        let name: String
        let value: SecretValue
        /// Whether the variable gets the path of a file with the value.
        let isFile: Bool
    }

    private(set) var all: [Variable] = []
    /// The keychains that the values came from.
    private(set) var keychains: [ToolKeychain]

    init(_ options: Options) throws(CommandError) {
        let given = try RunVariables.given(options)
        var files: [(name: String, entries: [EnvironmentFile.Entry])] = []
        for path in options.values("--env-file") { files.append(try RunVariables.file(path)) }
        guard !given.isEmpty || !files.isEmpty else { throw .usage("--env, --env-file or --file is missing") }
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        var values = ReferencedValues(in: keychains, scope)
        // Of several files the later one counts.
        for (file, entries) in files {
            for variable in try RunVariables.filled(entries, of: file, &values) {
                all.removeAll { $0.name == variable.name }
                all.append(variable)
            }
        }
        for (name, word, isFile) in given {
            let value: SecretValue
            if let reference = try SecretReference.written(word) {
                value = try values.value(of: reference)
            } else {
                value = try ItemName(word).item(in: keychains, scope).secret()
            }
            if !isFile { try RunVariables.refuseNUL(in: value, name, word) }
            all.removeAll { $0.name == name }
            all.append(Variable(name: name, value: value, isFile: isFile))
        }
        self.keychains = values.opened
    }

    private static func given(
        _ options: Options
    ) throws(CommandError) -> [(name: String, word: String, isFile: Bool)] {
        var given: [(name: String, word: String, isFile: Bool)] = []
        for (option, isFile) in [("--env", false), ("--file", true)] {
            for text in options.values(option) {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, !parts[1].isEmpty else { throw .usage("\(option) requires NAME=ITEM") }
                guard EnvironmentFile.isName(parts[0]) else {
                    throw .usage(
                        "a variable name may have only letters, digits and underscores, and must not begin with a digit"
                    )
                }
                guard !given.contains(where: { $0.name == parts[0] }) else {
                    throw .usage("\(parts[0]) is given twice")
                }
                given.append((parts[0], parts[1], isFile))
            }
        }
        return given
    }

    private static func file(
        _ path: String
    ) throws(CommandError) -> (name: String, entries: [EnvironmentFile.Entry]) {
        let input = try GivenFile(path)
        do throws(EnvironmentFile.Fault) {
            return (input.name, try EnvironmentFile(input.content).entries)
        } catch { throw .failure("\(input.name):\(error.line): \(error.reason)") }
    }

    private static func filled(
        _ entries: [EnvironmentFile.Entry], of file: String, _ values: inout ReferencedValues
    ) throws(CommandError) -> [Variable] {
        var templates: [(entry: EnvironmentFile.Entry, template: ReferenceTemplate)] = []
        var references: [(reference: Result<SecretReference, ReferenceTemplate.Fault>, place: String)] = []
        for entry in entries {
            let read = Result { () throws(ReferenceTemplate.Unreadable) in try ReferenceTemplate(valueOf: entry.value) }
            references += read.written.map { ($0.reference, "\(file):\(entry.line + $0.line - 1)") }
            if case .success(let template) = read { templates.append((entry, template)) }
        }
        try values.read(references)
        var variables: [Variable] = []
        for (entry, template) in templates {
            let value = try values.filled(template)
            guard unsafe value.withUnsafeBytes({ unsafe !$0.contains(0) }) else {
                throw .failure(
                    "\(file):\(entry.line): the value for \(entry.name) has a NUL byte, which an environment variable cannot have"
                )
            }
            variables.append(Variable(name: entry.name, value: value, isFile: false))
        }
        return variables
    }

    private static func refuseNUL(in secret: SecretValue, _ name: String, _ word: String) throws(CommandError) {
        guard unsafe secret.withUnsafeBytes({ unsafe !$0.contains(0) }) else {
            throw .failure(
                "\(PlainText.shown(word)) has a NUL byte, which an environment variable cannot have; use a file: "
                    + "--file \(name)=\(PlainText.shown(word))")
        }
    }
}
