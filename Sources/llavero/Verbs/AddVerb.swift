// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero add`.
enum AddVerb: Verb {
    static let name = "add"
    static let summary = "stores a new password"
    static let help = """
        usage: llavero add NAME [--user USER] [--url URL] [--note TEXT] [--sync] [--editor | --stdin | --fd N | --generate | --empty]
               llavero add NAME --code | --field FIELD

        Asks for a password, twice, and stores it under a name. The password never appears on the command line, where every
        program could read it. It may be any bytes: a key, a token, a file.

        With --code or --field it reads that secret instead, and the password is empty; `llavero edit` adds one to an item.

          --user USER       the user name
          --another         also where there is an item of that name and user, or of that name where no user is given
          --url URL         the URL it is for; makes it an internet password, which programs find by its server
          --note TEXT       a note, which is encrypted too, but shown with the item
          --tag TAG…        a tag; `llavero list --tag TAG` lists the items that have it, or one in it such as TAG/SUBTAG
          --expires DATE    the day from which on it is no good any more (UTC), such as 2026-12-31
          --attach FILE…    stores a file with it
          --code            the seed of one-time codes: the otpauth:// URL of a QR code, or the secret in base32; see
                            `llavero help code`
          --field FIELD     a field with a secret of its own, such as a PIN; `llavero get NAME --field FIELD` prints it.
                            `--field note` is a note of any number of lines, and not shown
          --group GROUP     stores it for the programs of that access group, and not among your own: a password alone. A daemon does so
                            where its rules give llavero that group
          --sync            shares it with the other machines of the circle (`llavero help circle`); also before there is one
          --editor          opens your editor, for a text of several lines; `llavero help edit` says what becomes of it
          --stdin           reads the password from standard input; one line feed at the end is dropped
          --fd N            reads it from descriptor N, in the same way
          --raw             with --stdin or --fd: keeps a line feed at the end
          --empty           stores an empty password; with --stdin, --fd or --editor: accepts empty input
          --generate        generates one, as `llavero generate` does, with its options:
          --length N        N letters and digits
          --symbols         also other characters
          --groups N        N groups of six, separated by dashes
          --words N         N words, separated by dashes
          --rules RULES     the site's requirements, in the syntax of Apple's password rules
          --keychain NAME   stores it in another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try ItemAdditions.refuseSecondWord(options)
        let name = try options.operand("NAME")
        guard !name.isEmpty else { throw .usage("NAME is empty") }
        let address: WebAddress? = if let url = options.value("--url") { try WebAddress(url) } else { nil }
        if let user = address?.user, let given = options.value("--user"), user != given {
            throw .usage("--user and the URL give different users")
        }
        let source = try SecretSource(options)
        let additions = try ItemAdditions(options)
        try additions.requireFieldName(of: nil)
        let group = try group(options)
        let owners = group == .passwords ? ItemOwners.person : .everybody
        var attributes = AttributeList()
        attributes[.label] = .string(name)
        attributes[.account] = .string(options.value("--user") ?? address?.user ?? "")
        if let note = options.value("--note") { attributes[.comment] = .string(note) }
        if let address {
            for (attribute, value) in address.attributes { attributes[attribute] = value }
        } else {
            attributes[.service] = .string(name)
        }
        var properties = try additions.applied(to: ItemProperties())
        if properties.value != .emptyString { attributes[.protected] = properties.value }
        guard group == .passwords || additions.isEmpty && properties.value == .emptyString else {
            throw .usage("--group stores a password alone: without --code, --field, --tag, --expires and --attach")
        }
        let keychain = try Keychains(options).standard
        let itemClass: ItemClass = address == nil ? .genericPassword : .internetPassword
        // Checked before the person types a password; the keychain checks again.
        let wasThere = try keychain.isThere
        if !wasThere { try MissedKeychain.refuse(keychain) }
        let isShared = options.has("--sync")
        let isAnother = options.has("--another") && group == .passwords
        let account = AttributeText.text(.account, in: attributes)
        /// The other items of that name; an error where one of them is in the way.
        func namesakes() throws(CommandError) -> [ToolItem] {
            if !isAnother,
                let there = try keychain.duplicate(
                    of: itemClass, attributes, in: group, isSynchronizable: isShared, of: owners)
            {
                throw keychain.conflict(with: there, of: owners)
            }
            guard group == .passwords, try keychain.isThere else { return [] }
            // A damaged item of that user gives its place to what is added; what nothing can be read of has no name.
            let others = try keychain.called(name).filter { $0.damage != .everything }.filter {
                isAnother || $0.damage == nil || $0.itemClass != itemClass || !$0.account.hasSameBytes(as: account)
            }
            if !isAnother { try refuse(others, user: options.value("--user") ?? address?.user) }
            return others
        }
        var others = try namesakes()
        let folder = group == .passwords && options.values("--tag").isEmpty ? try keychain.taggedFolder(of: name) : nil
        if let folder {
            properties.add(tag: folder)
            attributes[.protected] = properties.value
        }
        let isPassword = additions.target == .password
        func store(_ secret: SecretValue) throws(CommandError) {
            // Whoever writes a text or types a password takes a while, in which others may have added one.
            others = try namesakes()
            var attributes = attributes
            if isShared, group == .passwords, try keychain.isThere {
                var shared = properties
                shared.id = try keychain.sharedID(of: itemClass, attributes)
                attributes[.protected] = shared.value
            }
            let request = AddRequest(
                itemClass: itemClass, attributes: attributes, group: .named(group.name),
                protection: .byClassAndGroup, isSynchronizable: isShared, isTombstone: false,
                secret: isPassword ? secret : SecretValue(copying: [UInt8]()),
                returning: additions.isEmpty ? [] : [.attributes, .persistentReference], origin: .caller)
            let added = try keychain.changing { () throws(CommandError) in
                try keychain.addNamed(request, isAnother: isAnother, of: owners)
            }
            guard let added, let item = ToolItem(.item(added), in: keychain, of: owners) else { return }
            do throws(CommandError) { try additions.make(of: item, secret: secret) } catch {
                // Half of what was asked for would look like all of it, and be in the way of the next try.
                item.undoAdding()
                throw error
            }
        }
        var given: SecretValue?
        switch source {
        case .editor(let edited):
            let title = "the \(additions.targetTitle) of \(PlainText.shown(name))"
            try edited.write(title) { (text) throws(CommandError) in
                let secret = try additions.stored(text)
                try store(secret)
                given = isPassword ? secret : nil
            }
        case .reading(let reading):
            let secret = try additions.secret(reading, for: name)
            try store(secret)
            given = isPassword ? secret : nil
        }
        let users = Set(others.map(\.account) + [account])
        let distinction = users.count > others.count ? "--user tells" : "`llavero get` lists names that tell"
        let several =
            others.isEmpty ? "" : "; \(others.count + 1) items are called so now, and \(distinction) them apart"
        let tagged = folder.map { " with the tag \(PlainText.shown($0))" } ?? ""
        options.tell("added \(PlainText.shown(name)) to the keychain \(keychain.shownName)\(tagged)\(several)")
        if isShared {
            var whole = attributes
            whole[.accessGroup] = .string(group.name)
            let reach = CircleReach(of: keychain, itemClass, whole)
            if case .noCircle = reach {
                CircleTool.tellOfNoCircle(name, in: keychain, options)
            } else if let obstacle = reach.obstacle {
                options.tell("it goes to no other machine: \(obstacle)")
            }
        } else if group == .passwords {
            let word = ShellWord.operand(PlainText.shown(name))
            CircleTool.tellOfStaying("it stays", sharedBy: "`llavero edit \(word) --sync`", in: keychain, options)
        }
        given?.tellOfLines(of: name, hasWayBack: false, options)
        if !wasThere { keychain.tellWhoCanReadIt(options) }
    }

    /// Refuses to add to the items of a name one of the same user, with a URL or without: no name would tell them apart.
    ///
    /// Who does not say whose it is means the one there is.
    private static func refuse(_ others: [ToolItem], user: String?) throws(CommandError) {
        guard let other = others.first(where: { $0.account.hasSameBytes(as: user ?? $0.account) }) else { return }
        let way = user == nil ? "--another or --user USER" : "--another"
        throw .duplicate(
            "there is an item \(other.titleWithPlace) already; `llavero edit` changes it, \(way) adds one beside it")
    }

    /// The group given by `--group`, else that of a person's own.
    ///
    /// What a keychain keeps of its circle is nobody's to add to.
    static func group(_ options: Options) throws(CommandError) -> AccessGroup {
        guard let named = options.value("--group") else { return .passwords }
        guard let group = AccessGroup(named), group != .sync, group != .token else {
            throw .usage("--group requires the name of a group that programs can have")
        }
        return group
    }
}

extension ToolKeychain {
    /// The folder of a name, where other items below it have that as their tag, as imported ones do.
    fileprivate func taggedFolder(of name: String) throws(CommandError) -> String? {
        let folder = ItemProperties.folder(of: name)
        guard !folder.isEmpty, try isThere else { return nil }
        var isTagged = false
        try eachOfPerson { item in
            let isBelow = ItemProperties.folder(of: item.name).hasSameBytes(as: folder)
            if isBelow, item.properties.has(tag: folder) { isTagged = true }
        }
        return isTagged ? folder : nil
    }
}

extension ToolItem {
    /// Removes it again, with what it was given; what cannot be removed stays.
    fileprivate func undoAdding() {
        let now = (try? reread()) ?? self
        try? now.remove((try? now.furtherItems()) ?? [])
        try? keychain.changing { () throws(CommandError) in
            try keychain.delete(DeleteRequest(predicate: predicate, tombstones: .whenSynchronizable), of: owners)
        }
    }
}
