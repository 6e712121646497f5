// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem

/// The export of 1Password, `.1pux`: a ZIP with JSON and files.
internal struct OnePassword {
    private let zip: ZipReader
    private let file: String
    /// The files that no item has named yet.
    private var files: [String: String] = [:]

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
        var entry = StoreEntry(source: place)
        entry.group = vault
        var lost: [(String, SkipReason)] = []
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
                default: entry.take(name, value, isSecret: false)
                }
            case "categoryUuid":
                if let id = value.text, id != "001" { entry.kind = OnePassword.kinds[id] ?? "category \(id)" }
            default: entry.take(name, value, isSecret: true)
            }
        }
        takeOverview(overview, &entry)
        if let details = item["details"] { lost = try takeDetails(details, &entry) }
        entry.lostParts += lost.map { (name: $0.0, reason: $0.1) }
        if entry.kind == "secure note", entry.password == nil, !entry.notes.isEmpty {
            entry.password = ImportedBytes(entry.notes)
            entry.notes = ""
        }
        if entry.isDiscarded, !options.withRecycleBin { return try entry.skip(.discarded, &report) }
        try entry.add(to: &report)
    }

    private func takeOverview(_ overview: ImportedJSON, _ entry: inout StoreEntry) {
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
            default: entry.take(name, value, isSecret: false)
            }
        }
    }

    private mutating func takeDetails(
        _ details: ImportedJSON, _ entry: inout StoreEntry
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
                        entry.take(
                            label ?? "field", field["value"], isSecret: field["fieldType"]?.text == "P")
                    }
                }
            case "password" where entry.password == nil: entry.password = value.content
            case "password": entry.take(name, value, isSecret: true)
            case "notesPlain": entry.take(notes: value)
            case "passwordHistory": entry.versions = value.elements.count
            case "documentAttributes": lost += try takeFile(value, &entry)
            case "sections":
                for section in value.elements { lost += try takeSection(section, &entry) }
            default: entry.take(name, value, isSecret: true)
            }
        }
        return lost
    }

    private mutating func takeSection(
        _ section: ImportedJSON, _ entry: inout StoreEntry
    ) throws(ImportError) -> [(String, SkipReason)] {
        var lost: [(String, SkipReason)] = []
        let title = section["title"]?.text ?? ""
        for field in section["fields"]?.elements ?? [] {
            let own = [field["title"]?.text, field["id"]?.text].compactMap(\.self).first { !$0.isEmpty } ?? "field"
            let name = title.isEmpty ? own : "\(title): \(own)"
            for (kind, value) in field["value"]?.members ?? [] {
                switch kind {
                case "concealed", "creditCardNumber":
                    // Of a card the number is what it is about.
                    if kind == "creditCardNumber", entry.password == nil {
                        entry.password = value.content
                    } else {
                        entry.take(name, value, isSecret: true)
                    }
                case "totp":
                    if let seed = value.content { entry.furtherSecrets.append(FurtherSecret(name, seed, .oneTimeCode)) }
                case "file": lost += try takeFile(value, &entry)
                case "date":
                    if let seconds = value.number, (-62_135_596_800..<253_402_300_800).contains(seconds) {
                        entry.attributes.append(
                            ImportedAttribute(name, String(UTCTime(secondsSince1970: seconds).text.prefix(10))))
                    } else {
                        entry.take(name, value, isSecret: false)
                    }
                case "email": entry.take(name, value["email_address"] ?? value, isSecret: false)
                case "sshKey":
                    if entry.password == nil, let key = value["privateKey"]?.content {
                        entry.password = key
                        entry.take(name, value["metadata"], isSecret: false)
                    } else {
                        entry.take(name, value, isSecret: true)
                    }
                case "string", "url", "phone", "menu", "monthYear", "gender", "creditCardType", "reference", "address":
                    entry.take(name, value, isSecret: false)
                default: entry.take(name, value, isSecret: true)
                }
            }
        }
        return lost
    }

    private mutating func takeFile(
        _ value: ImportedJSON, _ entry: inout StoreEntry
    ) throws(ImportError) -> [(String, SkipReason)] {
        guard let id = value["documentId"]?.text else { return [] }
        let name = value["fileName"]?.text ?? id
        guard let path = files.removeValue(forKey: id) else { return [(name, .damaged)] }
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
