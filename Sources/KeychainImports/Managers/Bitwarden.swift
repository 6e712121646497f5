// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// The JSON that Bitwarden exports: as it is, sealed under a password of its own, or in a ZIP with attachments.
internal struct Bitwarden {
    private let file: String
    private let options: ImportOptions
    private var folders: [String: String] = [:]
    /// The attachments of each item, by its identifier.
    private var files: [String: [(name: String, content: ImportedBytes)]] = [:]

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        // Cheap before all of it is read.
        guard (0..<min(bytes.count, 64)).contains(where: { bytes.has("\"encrypted\"", at: $0) }) else { return false }
        guard let json = ImportedJSON(bytes), json["encrypted"]?.boolean != nil else { return false }
        return json["items"] != nil || json["encKeyValidation_DO_NOT_EDIT"] != nil
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, _ password: Passcode?, _ options: ImportOptions,
        into report: inout ImportReport
    ) throws(ImportError) {
        var source = Bitwarden(file: file, options: options)
        var bytes = bytes
        if ZipReader.isOne(bytes) {
            let zip = try ZipReader(bytes)
            guard let data = zip.names.first(where: { $0 == "data.json" }) else { throw .notThisFormat }
            bytes = try zip.content(data)
            for name in zip.names where name != data && !name.hasSuffix("/") {
                let parts = name.split(separator: "/", omittingEmptySubsequences: false)
                guard parts.count == 3, parts[0] == "attachments" else {
                    try report.skip(SourceLocation(file), name, .notUnderstood)
                    continue
                }
                source.files[String(parts[1]), default: []].append((String(parts[2]), try zip.content(name)))
            }
        }
        guard let json = ImportedJSON(bytes), let isSealed = json["encrypted"]?.boolean else { throw .notThisFormat }
        if isSealed {
            let plain = try opened(json, password)
            guard let inside = ImportedJSON(plain) else { throw .damaged }
            return try source.read(inside, into: &report)
        }
        try source.read(json, into: &report)
    }

    private init(file: String, options: ImportOptions) { (self.file, self.options) = (file, options) }

    private mutating func read(_ json: ImportedJSON, into report: inout ImportReport) throws(ImportError) {
        for list in ["folders", "collections"] {
            for folder in json[list]?.elements ?? [] {
                if let id = folder["id"]?.text, let name = folder["name"]?.text { folders[id] = name }
            }
        }
        guard let items = json["items"] else { throw .damaged }
        for (index, item) in items.elements.enumerated() {
            let place = SourceLocation(file, item: index + 1)
            guard let entry = entry(item, place) else {
                try report.skip(place, item["name"]?.text ?? "", .notUnderstood)
                continue
            }
            if entry.isDiscarded, !options.withRecycleBin {
                try entry.skip(.discarded, &report)
            } else {
                try entry.add(to: &report)
            }
        }
        // Of items that are not there.
        for (_, left) in files.sorted(by: { $0.key < $1.key }) {
            for file in left { try report.skip(SourceLocation(self.file), file.name, .notUnderstood) }
        }
    }

    /// nil for what is not understood at all.
    private mutating func entry(_ item: ImportedJSON, _ place: SourceLocation) -> StoreEntry? {
        guard case .object = item.value, let type = item["type"]?.number else { return nil }
        var entry = StoreEntry(source: place)
        let part: String
        switch type {
        case 1: part = "login"
        case 2: (part, entry.kind) = ("secureNote", "secure note")
        case 3: (part, entry.kind) = ("card", "card")
        case 4: (part, entry.kind) = ("identity", "identity")
        case 5: (part, entry.kind) = ("sshKey", "SSH key")
        default: (part, entry.kind) = ("", "type \(type)")
        }
        for (name, value) in item.members {
            switch name {
            // What only Bitwarden's own server needs, and dates, which the keychain sets itself.
            case "id", "organizationId", "revisionDate", "creationDate", "type", "archivedDate": break
            case "name": entry.take(title: value)
            case "notes": entry.take(notes: value)
            case "favorite": if value.boolean == true { entry.tags.append("favorite") }
            case "folderId": if let folder = value.text.flatMap({ folders[$0] }) { entry.group = folder }
            case "collectionIds":
                for id in value.elements { if let name = id.text.flatMap({ folders[$0] }) { entry.tags.append(name) } }
            case "deletedDate": entry.isDiscarded = !value.isNull
            case "passwordHistory": entry.versions = value.elements.count
            case "fields": for field in value.elements { takeField(field, &entry) }
            case _ where name == part: take(value, of: type, &entry)
            default: entry.take(name, value, isSecret: true)
            }
        }
        if item["archivedDate"] != nil { entry.tags.append("archived") }
        // A note is what the item is about.
        if type == 2, !entry.notes.isEmpty {
            entry.password = ImportedBytes(entry.notes)
            entry.notes = ""
        }
        for file in item["id"]?.text.flatMap({ files.removeValue(forKey: $0) }) ?? [] {
            entry.furtherSecrets.append(FurtherSecret(file.name, file.content, .attachment))
        }
        return entry
    }

    private func takeField(_ field: ImportedJSON, _ entry: inout StoreEntry) {
        let name = field["name"]?.text ?? ""
        switch field["type"]?.number {
        // A link to another field has no value of its own.
        case 3: entry.take(name.isEmpty ? "linked field" : name, field["linkedId"] ?? field, isSecret: false)
        case 1: entry.take(name.isEmpty ? "field" : name, field["value"], isSecret: true)
        default: entry.take(name.isEmpty ? "field" : name, field["value"], isSecret: false)
        }
    }

    private func take(_ part: ImportedJSON, of type: Int64, _ entry: inout StoreEntry) {
        for (name, value) in part.members {
            switch (type, name) {
            case (1, "username"): entry.take(user: value)
            case (1, "password"), (3, "number"), (5, "privateKey"): entry.password = value.content
            case (1, "totp"):
                if let seed = value.content { entry.furtherSecrets.append(FurtherSecret("otp", seed, .oneTimeCode)) }
            case (1, "uris"):
                for uri in value.elements {
                    guard let address = uri["uri"]?.content else { continue }
                    if entry.url == nil { entry.url = address } else { entry.addFurther(url: address, named: "url") }
                }
            case (1, "fido2Credentials"):
                for key in value.elements { entry.take("passkey", key, isSecret: true) }
            case (1, "passwordRevisionDate"), (2, _): break
            case (3, "code"), (4, "ssn"), (4, "passportNumber"), (4, "licenseNumber"):
                entry.take(name, value, isSecret: true)
            case (4, "username"): entry.take(user: value)
            default: entry.take(name, value, isSecret: false)
            }
        }
    }
}

extension StoreEntry {
    internal mutating func take(title value: ImportedJSON) {
        if let text = value.text { title = text } else { take("name", value, isSecret: true) }
    }

    internal mutating func take(user value: ImportedJSON) {
        if let text = value.text { user = text } else { take("username", value, isSecret: true) }
    }

    internal mutating func take(notes value: ImportedJSON) {
        guard let content = value.content else { return }
        if notes.isEmpty, let text = content.text {
            notes = text
        } else {
            furtherSecrets.append(FurtherSecret("notes", content, .notes))
        }
    }

    /// A field; one that is no text is kept as bytes.
    internal mutating func take(_ name: String, _ value: ImportedJSON?, isSecret: Bool) {
        guard let value, value.saysSomething, let content = value.content else { return }
        if !isSecret, let text = content.text {
            attributes.append(ImportedAttribute(name, text))
        } else {
            furtherSecrets.append(FurtherSecret(name, content))
        }
    }
}

/// What is sealed under a password: PBKDF2 or Argon2, then AES-256-CBC with an HMAC.
extension Bitwarden {
    private static func opened(_ json: ImportedJSON, _ password: Passcode?) throws(ImportError) -> ImportedBytes {
        guard json["passwordProtected"]?.boolean == true, let check = json["encKeyValidation_DO_NOT_EDIT"]?.text,
            let data = json["data"]?.bytes, let salt = json["salt"]?.text
        else { throw .sealed(.bitwardenAccount) }
        guard let password else { throw .passwordNeeded }
        let main = try key(json, password, Array(salt.utf8))
        let keys: (ImportedBytes, ImportedBytes)
        do throws(CryptoError) {
            keys = (
                ImportedBytes(try ForeignCipher.expand(main, info: "enc")),
                ImportedBytes(try ForeignCipher.expand(main, info: "mac"))
            )
        } catch { throw .crypto(error) }
        _ = try plain(of: ImportedBytes(check), keys, elseThrow: .wrongPassword)
        return try plain(of: data, keys, elseThrow: .damaged)
    }

    private static func key(
        _ json: ImportedJSON, _ password: Passcode, _ salt: [UInt8]
    ) throws(ImportError) -> SecretBytes {
        guard let kind = json["kdfType"]?.number,
            let rounds = json["kdfIterations"]?.number.flatMap({ UInt32(exactly: $0) })
        else { throw .damaged }
        do throws(CryptoError) {
            return try unsafe password.bytes.withUnsafeBytes { (password) throws(CryptoError) in
                switch kind {
                case 0: return try unsafe ForeignCipher.pbkdf2(password, salt: salt, rounds: rounds)
                case 1:
                    guard let memory = json["kdfMemory"]?.number.flatMap({ UInt32(exactly: $0) }), memory <= 4096,
                        let lanes = json["kdfParallelism"]?.number.flatMap({ UInt32(exactly: $0) })
                    else { throw .invalidParameters }
                    let salt = try Digest.sha256(of: salt)
                    return try unsafe ForeignCipher.argon2(
                        password,
                        .init(isID: true, salt: salt, passes: rounds, memory: memory * 1024, lanes: lanes))
                default: throw .invalidParameters
                }
            }
        } catch {
            if error == .invalidParameters { throw .unknownVersion }
            throw kind == 1 && !ForeignCipher.hasArgon2 ? .sealed(.bitwardenArgon2) : .crypto(error)
        }
    }

    /// `2.VECTOR|TEXT|CODE`, each in base64.
    private static func plain(
        of text: ImportedBytes, _ keys: (ImportedBytes, ImportedBytes), elseThrow wrong: ImportError
    ) throws(ImportError) -> ImportedBytes {
        guard text.has("2.", at: 0), let first = text.index(of: UInt8(ascii: "|"), in: 2..<text.count),
            let second = text.index(of: UInt8(ascii: "|"), in: first + 1..<text.count),
            let vector = text.decodingBase64(2..<first), let sealed = text.decodingBase64(first + 1..<second),
            let code = text.decodingBase64(second + 1..<text.count), vector.count == 16, code.count == 32
        else { throw .damaged }
        guard try Crypto.code(keys.1, [vector, sealed]).bytes.isEqualInConstantTime(to: code.bytes) else { throw wrong }
        do throws(CryptoError) {
            return ImportedBytes(
                try unsafe sealed.bytes.withUnsafeBytes { (sealed) throws(CryptoError) in
                    try unsafe keys.0.bytes.withUnsafeBytes { (key) throws(CryptoError) in
                        try unsafe ForeignCipher.openCBC(sealed, key: key, vector: vector.all.compactMap { vector[$0] })
                    }
                })
        } catch { throw .damaged }
    }
}
