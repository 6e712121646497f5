// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainImports
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainTools

/// What `add` and `edit` change of an item besides its password and Apple's attributes, as their options say it.
struct ItemAdditions {
    /// What the secret is that the verb reads: the password, or one of these.
    enum Target: Equatable {
        case password
        case code
        case field(String)
        /// The note, which is a secret then.
        case note
    }

    let target: Target
    private let tags: [String]
    private let withoutTags: [String]
    /// nil where it stays; `.some(nil)` removes it.
    private let expires: Double??
    private let files: [(name: String, content: SecretValue)]
    private let removed: [(kind: FurtherItem.Kind, name: String)]

    /// Refuses `NAME=VALUE` where no field is called so: the value would be taken for a part of the name, and be shown with it.
    func requireFieldName(of item: ToolItem?) throws(CommandError) {
        guard case .field(let name) = target, name.utf8.contains(UInt8(ascii: "=")) else { return }
        var names = item?.properties.fields.map(\.name) ?? []
        if let item { names += try item.furtherItems().map(\.name) }
        guard !names.contains(where: { $0.hasSameBytes(as: name) }) else { return }
        throw .usage("--field takes a name without =; the value is asked for, or read by --stdin or --fd")
    }

    /// Refuses a second word, which may be meant as a secret, and says what becomes of what stands there.
    static func refuseSecondWord(_ options: Options) throws(CommandError) {
        guard options.operands.count > 1 else { return }
        if options.has("--generate"), let length = options.operands.last.flatMap({ Int($0) }) {
            throw .usage("only one NAME is accepted; `--length \(length)` says how long the password is to be")
        }
        let what =
            options.has("--code") ? "--code takes no value: the seed is" : "only one NAME is accepted: a secret is"
        throw .usage(
            "\(what) asked for, or read by --stdin or --fd, for every program can read a command line, and a shell keeps it in its history"
        )
    }

    /// Reads attached files, too, so that nothing is changed where one cannot be read.
    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--code", "--field"])
        if options.has("--code") {
            try options.requireOne(of: ["--code", "--generate"])
            try options.requireOne(of: ["--code", "--empty"])
            target = .code
        } else if let field = options.value("--field") {
            try ItemProperties.require(field, "--field")
            switch ItemField(field) {
            case .own: target = .field(field)
            case .note:
                guard options.value("--note") == nil else {
                    throw .usage("--note and --field \(field) cannot be used together")
                }
                target = .note
            case .password, .user, .url, .code:
                throw .usage("--field \(field) is what every item has; give the field another name")
            }
        } else {
            target = .password
        }
        tags = options.values("--tag")
        for tag in tags { try ItemProperties.require(tag, "--tag") }
        withoutTags = options.values("--no-tag")
        expires = try ItemAdditions.expiry(options.value("--expires"))
        var files: [(String, SecretValue)] = []
        for path in options.values("--attach") {
            let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
            let name = String(path[start...])
            try ItemProperties.require(name, "--attach")
            guard !files.contains(where: { $0.0.hasSameBytes(as: name) }) else {
                throw .usage("two attachments are called \(PlainText.shown(name))")
            }
            let content = try OpenFile(path).content(limit: ItemAdditions.largestFile)
            files.append((name, SecretValue(copying: content)))
        }
        self.files = files
        var removed: [(FurtherItem.Kind, String)] = []
        if options.has("--no-code") { removed.append((.code, "code")) }
        for name in options.values("--no-field") {
            if case .note = ItemField(name) { removed.append((.notes, "note")) } else { removed.append((.field, name)) }
        }
        for name in options.values("--detach") { removed.append((.attachment, name)) }
        // Twice is once.
        self.removed = removed.enumerated().filter { index, new in
            !removed[..<index].contains { $0.0 == new.0 && $0.1.hasSameBytes(as: new.1) }
        }.map(\.element)
        guard target != .code || !options.has("--no-code") else {
            throw .usage("--code and --no-code cannot be used together")
        }
    }

    private static func expiry(_ text: String?) throws(CommandError) -> Double?? {
        guard let text else { return nil }
        return .some(text.isEmpty ? nil : try ItemProperties.time(text))
    }

    /// Whether there is anything beside the password.
    var isEmpty: Bool { target == .password && changes.isEmpty }

    /// Whether it changes nothing but tags and the expiry, which are attributes of the item.
    var isOfPropertiesAlone: Bool { target == .password && files.isEmpty && removed.isEmpty }

    /// What is changed, for the confirmation; without the secret that is read.
    var changes: [String] {
        var changes: [String] = []
        if !tags.isEmpty || !withoutTags.isEmpty { changes.append("tags") }
        if expires != nil { changes.append("expiry") }
        for file in files { changes.append("attachment \(PlainText.shown(file.name))") }
        for (kind, name) in removed {
            let isSole = kind == .code || kind == .notes
            changes.append(isSole ? "\(kind.word) removed" : "\(kind.word) \(PlainText.shown(name)) removed")
        }
        return changes
    }

    /// What it removes or replaces of these.
    func replaced(of further: [FurtherItem]) -> [FurtherItem] {
        further.filter { there in
            if removed.contains(where: { $0.kind == there.kind && $0.name.hasSameBytes(as: there.name) }) {
                return true
            }
            switch there.kind {
            case .code: return target == .code
            case .notes: return target == .note
            case .field: if case .field(let name) = target { return name.hasSameBytes(as: there.name) }
            case .attachment: return files.contains { $0.name.hasSameBytes(as: there.name) }
            }
            return false
        }
    }

    /// The properties with what is to be set of them.
    func applied(to properties: ItemProperties) throws(CommandError) -> ItemProperties {
        var properties = properties
        for tag in withoutTags where !properties.remove(tag: tag) {
            throw .failure("there is no tag \(PlainText.shown(tag))")
        }
        for tag in tags { properties.add(tag: tag) }
        if let expires { properties.expires = expires }
        return properties
    }

    /// The secret for the target.
    func secret(_ source: SecretReading, for name: String) throws(CommandError) -> SecretValue {
        switch target {
        case .password: return try source.secret(for: name)
        case .field(let field):
            return try source.secret(for: "\(name) (\(field))", what: "The field \(PlainText.shown(field)) of")
        case .note: return try source.secret(for: name, what: "The note of", prompt: "Note:", confirms: false)
        case .code:
            let text = try source.secret(
                for: name, what: "The otpauth:// URL, or the secret, of the one-time codes of", prompt: "Secret:",
                confirms: false)
            return try stored(text)
        }
    }

    /// What is kept of a text that was given for the target.
    func stored(_ text: SecretValue) throws(CommandError) -> SecretValue {
        target == .code ? try ItemAdditions.code(text).url() : text
    }

    /// What an item has of the target; nil where it has nothing of it yet.
    func present(in item: ToolItem) throws(CommandError) -> SecretValue? {
        switch target {
        case .password: return try item.secretIfAny()
        case .code: return try item.furtherItems().first { $0.kind == .code }?.secret()
        case .note: return try item.note()
        case .field(let name):
            let further = try item.furtherItems().contains { $0.kind == .field && $0.name.hasSameBytes(as: name) }
            let shown = item.properties.fields.contains { $0.name.hasSameBytes(as: name) }
            return further || shown ? try item.field(name, orEarlier: false) : nil
        }
    }

    /// Whether two texts of the target are one; a code that was given meanwhile makes no other seed.
    func isSame(_ text: SecretValue?, _ other: SecretValue?) -> Bool {
        guard let text, let other else { return text == nil && other == nil }
        guard target == .code, let code = try? OneTimeCode(text), let otherCode = try? OneTimeCode(other) else {
            return text.isEqualInConstantTime(to: other)
        }
        return code.url(counter: 0).isEqualInConstantTime(to: otherCode.url(counter: 0))
    }

    /// What the target is called in the confirmation.
    var targetTitle: String {
        switch target {
        case .password: "password"
        case .code: "one-time code"
        case .field(let name): "field \(PlainText.shown(name))"
        case .note: "note"
        }
    }

    static func code(_ text: SecretValue) throws(CommandError) -> OneTimeCode {
        let entries: [OneTimeCodeMigration.Entry]
        do throws(OneTimeCodeError) {
            guard unsafe text.withUnsafeBytes({ unsafe OneTimeCodeMigration.isOne($0) }) else {
                return try OneTimeCode(text)
            }
            entries = try unsafe text.withUnsafeBytes { (text) throws(OneTimeCodeError) in
                try unsafe OneTimeCodeMigration(text: text)
            }.entries
            if entries.count == 1, case .refused(_, let error)? = entries.first { throw error }
        } catch {
            throw .failure("that is no seed of one-time codes: \(error)")
        }
        guard entries.count == 1, case .code(let code)? = entries.first else {
            throw .failure(
                "that export has \(entries.count) seeds; `llavero import FILE` takes all of them, out of a file with that line"
            )
        }
        return code
    }

    /// That the item has what is to be removed: asked before anything is changed, or a secret is read for it.
    func requireWhatGoes(from item: ToolItem) throws(CommandError) {
        let further = removed.isEmpty ? [] : try item.furtherItems()
        for (kind, name) in removed {
            let isSole = kind == .code || kind == .notes
            let isShown =
                kind == .field && item.properties.fields.contains { $0.name.hasSameBytes(as: name) }
                || kind == .notes && !item.text(.comment).isEmpty
            let there = further.filter { $0.kind == kind }
            if isShown || there.contains(where: { isSole || $0.name.hasSameBytes(as: name) }) { continue }
            if isSole { throw .failure("\(item.title) has no \(kind.word)") }
            throw item.missing(kind.word, name, there.map(\.name))
        }
    }

    /// Makes all changes that are not attributes of the item itself; `secret` is for the target.
    ///
    /// What is to be removed and is gone by now is no failure, for other changes are made already. `shown` is what the secret
    /// was made of in an editor.
    func make(of item: ToolItem, secret: SecretValue?, shown: SecretValue? = nil) throws(CommandError) {
        guard !removed.isEmpty || !files.isEmpty || target != .password else { return }
        var item = item
        let further = removed.isEmpty ? [] : try item.furtherItems()
        var gone: [FurtherItem] = []
        var properties = item.properties
        var hasFewer = false
        var attributes = AttributeList()
        for (kind, name) in removed {
            let isSole = kind == .code || kind == .notes
            let named = further.filter { $0.kind == kind && (isSole || $0.name.hasSameBytes(as: name)) }
            var shown = kind == .field ? properties.remove(field: name) : 0
            if kind == .notes, !item.text(.comment).isEmpty {
                attributes[.comment] = .emptyString
                shown = 1
            }
            hasFewer = hasFewer || shown > 0
            gone += named
        }
        try item.removeAlone(gone)
        if hasFewer {
            try item.changeProperties(attributes) { (_, properties) in
                for (kind, name) in removed where kind == .field { _ = properties.remove(field: name) }
            }
            item = try item.reread()
        }
        for file in files {
            try item.keep(.attachment, file.name, file.content)
            item = try item.reread()
        }
        guard let secret else { return }
        switch target {
        case .password: return
        case .code: try item.keep(.code, "code", secret, shown: shown)
        case .note: try item.keepNote(secret)
        case .field(let name):
            try item.keep(.field, name, secret)
            // It takes the place of a field that is shown; read anew, since the item may have its `id` only now.
            try item.reread().changeProperties { (_, properties) in _ = properties.remove(field: name) }
        }
    }

    /// As much as one message to a daemon holds, with room for the rest of it.
    static let largestFile = 48 << 20
}
