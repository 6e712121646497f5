// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero edit`.
enum EditVerb: Verb {
    static let name = "edit"
    static let summary = "changes an item or its password"
    static let help = """
        usage: llavero edit NAME [--user USER] [--editor | --stdin | --fd N | --generate | --empty]
               llavero edit NAME [--user USER] [--new-user USER] [--url URL] [--note TEXT] [--sync | --no-sync]
               llavero edit NAME --code | --field FIELD

        Changes an item: its password, which it asks for twice when no other change is given, its user, its URL, its note, its
        tags, its attachments. Everything else stays. `llavero rename` gives it another name. With --code or --field it reads
        that secret, and the password stays.

        With --editor it opens what is there, instead of asking for something new: the password, of any number of lines, or with
        --field note the note, with --field FIELD a field, with --code the otpauth:// URL. The editor is $VISUAL, $EDITOR, `editor`
        or vi. The text lies in a folder of memory for you alone (encrypt the swap, where memory may go), and is wiped when the
        editor ends; what an editor keeps elsewhere of its own accord it goes on keeping, but for vim's. Saved as it was, or left
        with an error (:cq in vim), it changes nothing. What another program changed meanwhile is not overwritten. Editors that hand
        a file to their window, as VS Code and Sublime Text, are told to wait (`code --wait`); another one may need an option for it.

          --user USER       the item of that user, if several have the name
          --new-user USER   the new user name; "" removes it
          --url URL         the new URL; makes it an internet password, which programs find by its server. "" removes it
          --note TEXT       the new note; "" removes it. One that is a secret stays one
          --tag TAG…        another tag; --no-tag TAG removes one
          --no-tag TAG…     removes a tag
          --expires DATE    the day from which on it is no good any more (UTC), such as 2026-12-31; "" removes it
          --attach FILE…    stores a file with it, in place of one of that name
          --detach FILE…    removes an attachment, by its name
          --code            the seed of its one-time codes: the otpauth:// URL of a QR code, or the secret in base32
          --no-code         removes it
          --field FIELD     sets a field with a secret of its own, such as a PIN; `--field note --stdin` reads a note of any
                            number of lines, which is a secret from then on
          --no-field FIELD…
                            removes a field
          --sync            shares it with the other machines of the circle from now on (`llavero help circle`)
          --no-sync         keeps it here alone from now on; from the other machines it goes
          --editor          opens it in your editor
          --stdin           reads the new password from standard input; one line feed at the end is dropped
          --fd N            reads it from descriptor N, in the same way
          --raw             with --stdin or --fd: keeps a line feed at the end
          --empty           stores an empty password; with --stdin, --fd or --editor: accepts empty input
          --generate        generates one, as `llavero generate` does, with its options:
          --length N        N letters and digits
          --symbols         also other characters
          --groups N        N groups of six, separated by dashes
          --words N         N words, separated by dashes
          --rules RULES     the site's requirements, in the syntax of Apple's password rules
          --apps            also searches items that programs keep
          --all             also searches invisible items
          --group GROUP     searches only that access group
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help, empty: ["--user", "--new-user", "--url", "--note", "--expires"])
        try ItemAdditions.refuseSecondWord(options)
        let name = try options.operand("NAME")
        let source = try SecretSource(options)
        let additions = try ItemAdditions(options)
        let url = options.value("--url")
        let address: WebAddress? = if let url, !url.isEmpty { try WebAddress(url) } else { nil }
        var item = try ItemName(name, for: .editing).item(in: try Keychains(options), try ItemScope(options))
        try item.requireWhole()
        guard item.itemClass.isPassword else {
            throw .failure("a \(item.kind) cannot be edited; remove it, and import another one")
        }
        var attributes = AttributeList()
        let kind: ItemClass = url == nil ? item.itemClass : address == nil ? .genericPassword : .internetPassword
        if let url, url.isEmpty, item.url.isEmpty { throw .failure("\(item.title) has no URL") }
        if kind != item.itemClass { try item.requireMovable(to: kind) }
        for (attribute, value) in address?.attributes ?? [] { attributes[attribute] = value }
        if let user = options.value("--new-user") ?? address?.user { attributes[.account] = .string(user) }
        let note = options.value("--note")
        guard !options.has("--sync") || !options.has("--no-sync") else {
            throw .usage("--sync and --no-sync cannot be used together")
        }
        let isShared: Bool? = options.has("--sync") ? true : options.has("--no-sync") ? false : nil
        if !additions.isEmpty {
            try additions.requireFieldName(of: item)
            try additions.requireWhatGoes(from: item)
            _ = try additions.applied(to: item.changeableProperties())
        }
        let reading: SecretReading
        switch source {
        case .editor(let edited):
            guard attributes.isEmpty, url == nil, isShared == nil, note == nil, additions.changes.isEmpty else {
                throw .usage("--editor changes one text alone; other changes are a command of their own")
            }
            return try open(item, additions, edited, options)
        case .reading(let source): reading = source
        }
        if let isShared { try item.requireRoomForParts(isShared: isShared) }
        let isAddition = additions.target != .password
        let hasSecret =
            isAddition || reading.isGiven
            || attributes.isEmpty && url == nil && isShared == nil && additions.changes.isEmpty && note == nil
        // A change takes an earlier version's place, and wins over what another machine changed before it.
        if !hasSecret, kind == item.itemClass, try item.says(attributes, note, isShared, additions) {
            options.tell("nothing was changed: \(item.title) is so already")
            return
        }
        if isShared == false, item.isShared {
            let reach = CircleReach(of: item)
            switch reach {
            // There are no others, or none that would hear of it.
            case .noCircle: break
            default:
                options.tell(
                    reach.obstacle.map { "\(item.title) stays on the other machines that share it: \($0)" }
                        ?? "\(item.title) goes from all other machines that share it")
            }
        } else {
            item.tellWhereItChanges(options)
        }
        let secret = hasSecret ? try additions.secret(reading, for: item.name) : nil
        // Whoever types a secret takes a while, in which others may have changed the item.
        if hasSecret { item = try item.reread() }
        // A secret note stays one, for what is shown with an item may not be what somebody hid.
        let hidden = note == nil ? [] : try item.furtherItems().filter { $0.kind == .notes }
        if let note, hidden.isEmpty { attributes[.comment] = .string(note) }
        let there = isShared == nil && additions.isEmpty ? [] : try item.furtherItems()
        let further = isShared == nil ? [] : there
        if hasSecret, let isShared { try item.requireRoomForParts(isShared: isShared) }
        let before = item
        let hadOneLine = !isAddition && secret?.lines ?? 0 > 1 && item.knownLines == 1
        if kind != item.itemClass {
            item = try item.moved(to: kind, attributes)
            attributes = AttributeList()
        }
        // Which of an import does not know, and no change by which it differs from its source.
        let isSharing = isShared != nil && attributes.isEmpty && !hasSecret && additions.isEmpty
        do throws(CommandError) {
            try item.changeProperties(
                attributes, secret: isAddition ? nil : secret, isSynchronizable: isShared, keepsUpdated: isSharing
            ) { (item, properties) throws(CommandError) in
                if !additions.isEmpty { properties = try additions.applied(to: item.changeableProperties()) }
                if isSharing { try item.keepUpdated(&properties) }
                if isShared == true, properties.id == nil, item.mayHaveParts {
                    properties.id = try item.firstID(isShared: true)
                }
                if url != nil, kind == before.itemClass, !properties.isForeign {
                    properties.removeField(ofURL: before.url)
                }
            }
        } catch {
            guard error.isDuplicate, isShared == true, !before.isShared else { throw error }
            throw .duplicate(
                "an item that is shared has the name, user and service of \(item.title) already: `llavero sync` leaves that one where both say the same; where this is another password, `llavero rename \(item.identifier) NEWNAME` first; `llavero remove \(item.identifier)` leaves the shared one in any case"
            )
        }
        for further in further where further.item.isShared != isShared {
            try further.item.changeProperties(isSynchronizable: isShared, keepsUpdated: true) {
                (item, properties) throws(CommandError) in try item.keepUpdated(&properties)
            }
        }
        if let note, !hidden.isEmpty {
            if note.isEmpty { try item.removeAlone(hidden) } else { try item.keepNote(SecretValue(text: note)) }
        }
        try additions.make(of: try additions.isEmpty ? item : item.reread(), secret: secret)
        var changed = hasSecret ? [additions.targetTitle] : []
        if options.value("--new-user") != nil || address?.user != nil { changed.append("user") }
        if url != nil { changed.append(address == nil ? "URL removed" : "URL") }
        if note != nil { changed.append("note") }
        changed += additions.changes
        if let isShared { changed.append(isShared ? item.sharing : "kept here alone") }
        let wayBack = before.wayBack(and: additions.replaced(of: there) + hidden)
        options.tell("changed \(item.title): \(changed.joined(separator: ", "))\(wayBack)")
        if isShared == true { CircleTool.tellOfNoCircle(item.name, in: item.keychain, options) }
        if hadOneLine { secret?.tellOfLines(of: name, hasWayBack: !wayBack.isEmpty, options) }
    }

    /// Opens the password, or what else it is about, in the editor, and keeps what the person saved.
    ///
    /// An editor is open for a while, so what others made of it meanwhile stays.
    private static func open(
        _ item: ToolItem, _ additions: ItemAdditions, _ edited: EditedSecret, _ options: Options
    ) throws(CommandError) {
        let title = additions.targetTitle
        let text = try additions.present(in: item)
        var (before, known) = (item, text)
        let outcome = try TextEditor.edit(
            text ?? SecretValue(copying: []), called: "the \(title) of \(item.title)"
        ) { (saved) throws(CommandError) in
            try edited.require(saved)
            let secret = try additions.stored(saved)
            var now = try before.reread()
            // Reading it once more may ask a person once more.
            func requireSame(_ item: ToolItem) throws(CommandError) {
                now = item
                if additions.target == .password, item.isAsRead(before) { return }
                let present = try additions.present(in: item)
                if additions.isSame(known, present) { return }
                // Whoever opens the editor again after this message knows what it replaces.
                (before, known) = (item, present)
                throw .failure(
                    "the \(title) of \(item.title) was changed by another program while the editor was open, and stays as that left it"
                )
            }
            try requireSame(now)
            let there = try now.furtherItems()
            now.tellWhereItChanges(options)
            if additions.target == .password {
                try now.changeProperties(secret: secret, isExact: true) { (item, _) throws(CommandError) in
                    try requireSame(item)
                }
            } else {
                // With another program's text in between the number is of that.
                try additions.make(of: now, secret: secret, shown: additions.isSame(text, known) ? text : nil)
            }
            let wayBack = now.wayBack(and: additions.replaced(of: there))
            options.tell("changed \(now.title): \(title)\(wayBack)")
            if additions.target == .password, known?.lines == 1 {
                secret.tellOfLines(of: now.asked ?? now.name, hasWayBack: !wayBack.isEmpty, options)
            }
        }
        guard case .unchanged(let advice) = outcome else { return }
        options.tell("nothing was changed: the \(title) of \(item.title) is what it was\(advice)")
    }
}

extension ToolItem {
    /// Whether all that a change would have it say is so already.
    fileprivate func says(
        _ attributes: AttributeList, _ note: String?, _ isShared: Bool?, _ additions: ItemAdditions
    ) throws(CommandError) -> Bool {
        guard additions.isOfPropertiesAlone, try additions.applied(to: properties).value == properties.value,
            attributes.entries.allSatisfy({ AttributeText.text($0).hasSameBytes(as: text($0.attribute)) }),
            note?.hasSameBytes(as: text(.comment)) ?? true, (isShared ?? self.isShared) == self.isShared
        else { return false }
        guard note != nil || isShared != nil else { return true }
        // A secret note is what `--note` changes, and what belongs to it goes with the item.
        return try furtherItems().allSatisfy { further in
            (note == nil || further.kind != .notes) && (isShared == nil || further.item.isShared == self.isShared)
        }
    }

    /// What became of one that is for sharing now.
    fileprivate var sharing: String {
        let reach = CircleReach(of: self)
        if case .noCircle = reach { return "to be shared as soon as the keychain is in a circle" }
        return reach.obstacle.map { "to be shared, but \($0)" } ?? "shared with the circle"
    }

    func tellWhereItChanges(_ options: Options) {
        if isShared { options.tell(CircleReach(of: self).told("changes on", of: title)) }
    }

    /// How many lines its password has; nil where somebody would have to be asked for it.
    fileprivate var knownLines: Int? {
        var request = MatchRequest(predicate: predicate, returning: [.data], limit: .single)
        request.authentication.interaction = .skipping
        guard case .item(let item)? = (try? keychain.match(request, of: owners))?.first else { return nil }
        return item.secret?.lines
    }

    /// Whether nobody has changed it since `other` was read.
    fileprivate func isAsRead(_ other: ToolItem) -> Bool {
        attributes[.modificationDate] == other.attributes[.modificationDate]
    }

    /// Where its version before a change is, and those of what belongs to it, for the confirmation; empty where none is kept.
    func wayBack(and further: [FurtherItem]) -> String {
        let lost = FurtherItem.notKept(of: further)
        guard lost.count < further.count || (try? PastItems.version(of: self)) != nil else {
            return group.hasSameBytes(as: AccessGroup.passwords.name) ? "" : "; what it was is not kept"
        }
        let besides = lost.isEmpty ? "" : ", but not \(FurtherItem.list(lost))"
        return "; `llavero history \(ShellWord.quoted(PlainText.shown(asked ?? name)))` lists what it was\(besides)"
    }

    func change(
        _ attributes: AttributeList, secret: SecretValue?, isSynchronizable: Bool? = nil
    ) throws(CommandError) {
        guard attributes[.protected] != nil else {
            // All properties are one attribute: those that this was read with may be others by now.
            try changeProperties(attributes, secret: secret, isSynchronizable: isSynchronizable) { (_, _) in }
            return
        }
        try requireWhole()
        let changes = ItemChanges(
            attributes: attributes, group: nil, accessControl: nil, isSynchronizable: isSynchronizable,
            secret: secret)
        try keychain.changing { () throws(CommandError) in try keychain.updateNamed(self, changes) }
    }
}

extension SecretValue {
    /// Says that all lines of a new password are the password, unless they are a key or another document.
    ///
    /// Whoever comes from a store that keeps a user name in the second line may take more for the password than is meant.
    func tellOfLines(of name: String, hasWayBack: Bool, _ options: Options) {
        guard lines > 1, isText, !PassEntry.isDocument(self) else { return }
        let word = ShellWord.quoted(PlainText.shown(name))
        let wayBack = hasWayBack ? "; `llavero restore-version \(word) N` makes it again what it was" : ""
        options.tell(
            "all \(lines) lines are the password now, and `llavero get \(word)` prints them whole; a user name, a note and fields have places of their own: `llavero edit \(word)` with --new-user, --note or --field\(wayBack)"
        )
    }

    /// How many lines it has; a line feed at the end begins none.
    fileprivate var lines: Int {
        guard count > 0 else { return 0 }
        return unsafe withUnsafeBytes { bytes in unsafe 1 + bytes.dropLast().count { $0 == UInt8(ascii: "\n") } }
    }
}
