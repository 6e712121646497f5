// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem

/// The export of 1Password, `.1pux`: a ZIP with JSON and files.
internal struct OnePassword {
    private let zip: ZipReader
    private let file: String
    /// The files that no item has named yet.
    private var files: [String: String] = [:]
    /// Those that the item at hand has named.
    private var taken: [String: String] = [:]
    /// Whether the item at hand is read as an earlier version did, by which it may be here already.
    private var isEarlierReading = false
    /// Whether that is another reading.
    private var differs = false

    internal static let data = "export.data"

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, _ options: ImportOptions, into report: inout ImportReport
    ) throws(ImportError) {
        let zip = try ZipReader(bytes)
        guard zip.names.contains(data) else { throw .notThisFormat }
        guard let json = ImportedJSON(try zip.content(data)), case .list(let accounts)? = json["accounts"]?.value else {
            throw .damaged
        }
        var source = OnePassword(zip: zip, file: file)
        for name in zip.names where !name.ends(with: "/") {
            guard let bare = name.behind("files/") else { continue }
            // DOCUMENT__NAME
            guard let mark = bare.utf8.firstIndex(of: ASCII.underscore), source.files[String(bare[..<mark])] == nil
            else {
                try report.skip(SourceLocation(file), name, .notUnderstood)
                continue
            }
            source.files[String(bare[..<mark])] = name
        }
        var number = 0
        for account in accounts {
            for vault in account["vaults"]?.elements ?? [] {
                let name = vault["attrs"]?["name"]?.text ?? ""
                for item in vault["items"]?.elements ?? [] {
                    number += 1
                    try source.take(item["item"] ?? item, vault: name, number, options, &report)
                }
            }
        }
        let known = Set(source.files.values)
        for name in zip.names where name != data && name != "export.attributes" && !name.ends(with: "/") {
            // Named by no item, or lying where no file of an item lies.
            if known.contains(name) || !name.begins(with: "files/") {
                try report.skip(SourceLocation(file), name, .notUnderstood)
            }
        }
    }

    private init(zip: ZipReader, file: String) { (self.zip, self.file) = (zip, file) }

    private mutating func take(
        _ item: ImportedJSON, vault: String, _ number: Int, _ options: ImportOptions, _ report: inout ImportReport
    ) throws(ImportError) {
        let place = SourceLocation(file, item: number)
        guard case .object = item.value, let overview = item["overview"] else {
            return try report.skip(place, "", .notUnderstood)
        }
        (taken, differs, isEarlierReading) = ([:], false, false)
        let entry = try entry(item, overview, vault, place)
        if entry.isDiscarded, !options.withRecycleBin { return try entry.skip(.discarded, &report) }
        guard differs else { return try entry.add(to: &report) }
        files.merge(taken) { file, _ in file }
        isEarlierReading = true
        try entry.add(to: &report, earlier: self.entry(item, overview, vault, place))
    }

    private mutating func entry(
        _ item: ImportedJSON, _ overview: ImportedJSON, _ vault: String, _ place: SourceLocation
    ) throws(ImportError) -> StoreEntry {
        var entry = StoreEntry(source: place)
        entry.group = vault
        for (name, value) in item.members {
            switch name {
            case "uuid", "createdAt", "updatedAt", "details", "overview": break
            case "favIndex": if let index = value.number, index > 0 { entry.tags.append("favorite") }
            case "trashed": entry.isDiscarded = entry.isDiscarded || value.boolean == true
            case "state":
                switch value.text {
                case "archived": entry.tags.append("archived")
                case "trashed": entry.isDiscarded = true
                case "active": break
                default: show(name, value, &entry)
                }
            case "categoryUuid":
                if let id = value.text, id != "001" { entry.kind = OnePassword.kinds[id] ?? "category \(id)" }
            default: entry.take(name, value, isSecret: true)
            }
        }
        takeOverview(overview, &entry)
        if let details = item["details"] {
            let main = MainFields(of: details, in: item["categoryUuid"]?.text ?? "001")
            entry.lostParts += try takeDetails(details, main, &entry).map { (name: $0.0, reason: $0.1) }
        }
        if entry.kind == "secure note", entry.password == nil, !entry.notes.isEmpty {
            entry.password = ImportedBytes(entry.notes)
            entry.notes = ""
        }
        return entry
    }

    /// A field that is shown, unless its value is no single one: nobody knows what is in that.
    private mutating func show(_ name: String, _ value: ImportedJSON?, _ entry: inout StoreEntry) {
        let isSecret =
            switch value?.value {
            case .object, .list: value?.saysSomething ?? false
            case .text, .number, .boolean, .null, nil: false
            }
        differs = differs || isSecret
        entry.take(name, value, isSecret: isSecret && !isEarlierReading)
    }

    private mutating func takeOverview(_ overview: ImportedJSON, _ entry: inout StoreEntry) {
        if let url = overview["url"]?.content { entry.url = url }
        for (name, value) in overview.members {
            switch name {
            // What is computed of the rest: the line below the title, how good the password is, icons.
            case "subtitle", "url", "ps", "pbe", "pgrng", "icons", "watchtowerExclusions", "b5UserUUID": break
            case "title": entry.take(title: value)
            case "tags": entry.tags += value.elements.compactMap(\.text)
            case "urls":
                for address in value.elements {
                    guard let content = address["url"]?.content else { continue }
                    if entry.url == nil {
                        entry.url = content
                    } else if let url = entry.url, !url.bytes.isEqualInConstantTime(to: content.bytes) {
                        let label = address["label"]?.text ?? ""
                        entry.addFurther(url: content, named: label.isEmpty ? "url" : label)
                    }
                }
            default: show(name, value, &entry)
            }
        }
    }

    private mutating func takeDetails(
        _ details: ImportedJSON, _ main: MainFields, _ entry: inout StoreEntry
    ) throws(ImportError) -> [(String, SkipReason)] {
        var lost: [(String, SkipReason)] = []
        for (name, value) in details.members {
            switch name {
            case "loginFields":
                for field in value.elements {
                    switch field["designation"]?.text {
                    case "username" where entry.user.isEmpty: entry.take(user: field["value"] ?? field)
                    case "password" where entry.password == nil: entry.password = field["value"]?.content
                    default:
                        let label = [field["name"]?.text, field["id"]?.text].compactMap(\.self).first { !$0.isEmpty }
                        if field["fieldType"]?.text == "P" {
                            entry.take(label ?? "field", field["value"], isSecret: true)
                        } else {
                            show(label ?? "field", field["value"], &entry)
                        }
                    }
                }
            case "password" where entry.password == nil: entry.password = value.content
            case "password": entry.take(name, value, isSecret: true)
            case "notesPlain": entry.take(notes: value)
            case "passwordHistory": entry.versions = value.elements.count
            case "documentAttributes": lost += try takeFile(value, &entry)
            case "sections":
                for section in value.elements { lost += try takeSection(section, main, &entry) }
            default: entry.take(name, value, isSecret: true)
            }
        }
        return lost
    }

    private mutating func takeSection(
        _ section: ImportedJSON, _ main: MainFields, _ entry: inout StoreEntry
    ) throws(ImportError) -> [(String, SkipReason)] {
        var lost: [(String, SkipReason)] = []
        let title = section["title"]?.text ?? ""
        func named(_ name: String) -> String { title.isEmpty ? name : "\(title): \(name)" }
        for field in section["fields"]?.elements ?? [] {
            let own = [field["title"]?.text, field["id"]?.text].compactMap(\.self).first { !$0.isEmpty } ?? "field"
            let name = named(own)
            for (kind, value) in field["value"]?.members ?? [] {
                let isUser = value.range == main.user
                let isPassword = value.range == main.password
                if kind != "creditCardNumber", kind != "sshKey", isUser || isPassword {
                    differs = true
                    if !isEarlierReading {
                        if isUser { entry.take(user: value) } else { entry.password = value.content }
                        continue
                    }
                }
                switch kind {
                case "concealed": entry.take(name, value, isSecret: true)
                case "creditCardNumber":
                    // Of a card the number is what it is about.
                    let isSecret = isEarlierReading ? entry.password == nil : isPassword
                    if isSecret { entry.password = value.content } else { entry.take(name, value, isSecret: true) }
                case "totp":
                    if let seed = value.content { entry.furtherSecrets.append(FurtherSecret(name, seed, .oneTimeCode)) }
                case "file": lost += try takeFile(value, &entry)
                case "date":
                    if let seconds = value.number, (-62_135_596_800..<253_402_300_800).contains(seconds) {
                        entry.attributes.append(
                            ImportedAttribute(name, String(UTCTime(secondsSince1970: seconds).text.prefix(10))))
                    } else {
                        show(name, value, &entry)
                    }
                case "email": show(name, value["email_address"] ?? value, &entry)
                case "sshKey":
                    differs = true
                    if !isEarlierReading {
                        takeKey(value, named, name, isPassword: isPassword, &entry)
                    } else if entry.password == nil, let key = value["privateKey"]?.content {
                        entry.password = key
                        entry.take(name, value["metadata"], isSecret: false)
                    } else {
                        entry.take(name, value, isSecret: true)
                    }
                case "address": entry.take(name, value, isSecret: false)
                case "string", "url", "phone", "menu", "monthYear", "gender", "creditCardType", "reference":
                    show(name, value, &entry)
                default: entry.take(name, value, isSecret: true)
                }
            }
        }
        return lost
    }

    /// A key of SSH: what is public of it is shown, all else is secret.
    private func takeKey(
        _ key: ImportedJSON, _ named: (String) -> String, _ name: String, isPassword: Bool, _ entry: inout StoreEntry
    ) {
        guard case .object = key.value else { return entry.take(name, key, isSecret: true) }
        // The same key twice, which may be in two forms.
        let (given, other) = (key["privateKey"], key["metadata"]?["privateKey"])
        if isPassword {
            entry.password = (given ?? other)?.content
        } else {
            entry.take(name, given ?? other, isSecret: true)
        }
        if let first = given?.content, let second = other?.content,
            !first.bytes.isEqualInConstantTime(to: second.bytes)
        {
            entry.take("\(name) (another form)", other, isSecret: true)
        }
        for (part, value) in key.members + (key["metadata"]?.members ?? []) {
            switch (part, value.value) {
            case ("privateKey", _), ("metadata", .object): break
            case ("publicKey", .text): entry.take(named("public key"), value, isSecret: false)
            case ("fingerprint", .text): entry.take(named("fingerprint"), value, isSecret: false)
            case ("keyType", .text): entry.take(named("key type"), value, isSecret: false)
            default: entry.take(named(part), value, isSecret: true)
            }
        }
    }

    private mutating func takeFile(
        _ value: ImportedJSON, _ entry: inout StoreEntry
    ) throws(ImportError) -> [(String, SkipReason)] {
        guard let id = value["documentId"]?.text else { return [] }
        let name = value["fileName"]?.text ?? id
        guard let path = files.removeValue(forKey: id) else { return [(name, .damaged)] }
        taken[id] = path
        entry.furtherSecrets.append(FurtherSecret(name, try zip.content(path), .attachment))
        return []
    }

    private static let kinds = [
        "002": "card", "003": "secure note", "004": "identity", "005": "password", "006": "document",
        "100": "software license", "101": "bank account", "102": "database", "103": "driver license",
        "104": "outdoor license", "105": "membership", "106": "passport", "107": "reward program",
        "108": "social security number", "109": "wireless router", "110": "server", "111": "email account",
        "112": "API credential", "113": "medical record", "114": "SSH key", "115": "crypto wallet",
    ]
}

/// Which fields of sections are an item's user and password, where it has none that 1Password has marked; by where their
/// values stand.
private struct MainFields {
    private(set) var user: Range<Int>?
    private(set) var password: Range<Int>?

    fileprivate init(of details: ImportedJSON, in category: String) {
        let marked = details["loginFields"]?.elements ?? []
        func isMarked(_ designation: String) -> Bool {
            marked.contains { $0["designation"]?.text == designation && $0["value"]?.content != nil }
        }
        let fields = (details["sections"]?.elements ?? []).flatMap { $0["fields"]?.elements ?? [] }
        func values(_ kind: String) -> [(id: String, range: Range<Int>)] {
            fields.compactMap { field in
                guard let value = field["value"]?[kind], value.saysSomething else { return nil }
                if case .text = value.value { return (field["id"]?.text ?? "", value.range) }
                return kind == "sshKey" ? (field["id"]?.text ?? "", value.range) : nil
            }
        }
        func first(of ids: [String], among values: [(id: String, range: Range<Int>)]) -> Range<Int>? {
            ids.lazy.compactMap { id in values.first { $0.id == id }?.range }.first
        }
        if !isMarked("username") { user = first(of: MainFields.users, among: values("string")) }
        guard !isMarked("password"), details["password"]?.content == nil else { return }
        let concealed = values("concealed")
        let subject = (values("creditCardNumber") + values("sshKey")).first?.range
        // Of a card and a key, number and key are what the item is about, whatever else it conceals.
        if category == "002" || category == "114", subject != nil {
            password = subject
            return
        }
        let ids = (category == "109" ? ["wireless_password"] : []) + MainFields.passwords
        password = first(of: ids, among: concealed) ?? subject
        // A login without a password has none, and a note is what it says.
        let isSilent = category == "001" || category == "003" && details["notesPlain"]?.content != nil
        if password == nil, !isSilent, concealed.count == 1 { password = concealed[0].range }
    }

    private static let users = ["username", "user", "pop_username", "smtp_username"]
    /// As 1Password calls these fields: of servers and databases, API credentials, routers, mail, and banks.
    private static let passwords = [
        "password", "credential", "wireless_password", "network_password", "pop_password", "smtp_password",
        "telephonePin",
    ]
}
