// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// What a person's item has besides its password and Apple's attributes, none of it secret: tags, when it expires, fields.
///
/// One text in the attribute `protected`, which both kinds of passwords have, for which Apple's interface has no name, and which
/// goes wherever the item goes: `SourceAttributes` of `tag`, `expires`, `field.NAME`, `id`, `counter`, `removed`, `imported`,
/// `updated`. Lines with other names are kept.
struct ItemProperties {
    /// In the order of their bytes.
    ///
    /// A folder of another store is a tag with slashes.
    private(set) var tags: [String] = []
    /// In whole seconds since 2001.
    var expires: Double?
    private(set) var fields: [ImportedAttribute] = []
    /// By which its further secrets, which are items of their own, name it, and by which what it was before it became an item of the
    /// other kind is found; nil until it has such a thing.
    var id: String?
    /// Of a one-time code that counts: the number of the next one.
    var counter: UInt64?
    /// Of a further secret in an earlier version: that it was removed from an item that stayed; of an item, that it became one of the
    /// other kind.
    var isRemovedAlone = false
    /// The source of the import that made it, or was the last to change it; nil where none did, or a version did that wrote no mark.
    var imported: ImportMark?
    /// When an import changed it, in seconds since 2001, to the millisecond; gone with the next change by other verbs.
    var updated: Double?
    private var others: [ImportedAttribute] = []
    /// Whether the attribute holds something else, which is to stay.
    private(set) var isForeign = false

    init() {}

    init(_ value: AttributeValue?) {
        let bytes: [UInt8]
        switch value {
        case .string(let text)?: bytes = Array(text.utf8)
        case .data(let data)?: bytes = data
        case .number?, .date?, nil: return
        }
        guard let text = String(validating: bytes, as: UTF8.self),
            let lines = SourceAttributes.attributes(in: text)
        else {
            isForeign = true
            return
        }
        for line in lines {
            switch line.name {
            case "tag" where !line.value.isEmpty: tags.append(line.value)
            case "expires" where expires == nil && ExportDate.date(line.value) != nil:
                expires = ExportDate.date(line.value)
            case "id" where id == nil && ItemProperties.isID(line.value): id = line.value
            case "removed" where line.value == "alone": isRemovedAlone = true
            case "imported" where imported == nil && ImportMark(line.value) != nil: imported = ImportMark(line.value)
            case "updated" where updated == nil && ExportDate.date(line.value) != nil:
                updated = ExportDate.date(line.value)
            case "counter" where counter == nil && UInt64(line.value).map { "\($0)" } == line.value:
                counter = UInt64(line.value)
            case let name
            where name.hasPrefix(ItemProperties.field) && name.utf8.count > ItemProperties.field.utf8.count:
                fields.append(ImportedAttribute(String(name.dropFirst(ItemProperties.field.count)), line.value))
            default: others.append(line)
            }
        }
    }

    /// The attribute's value; empty text where there is nothing to say.
    var value: AttributeValue {
        var lines = others + tags.map { ImportedAttribute("tag", $0) }
        lines += fields.map { ImportedAttribute(ItemProperties.field + $0.name, $0.value) }
        if let expires, let text = ExportDate.text(expires) { lines.append(ImportedAttribute("expires", text)) }
        if let id { lines.append(ImportedAttribute("id", id)) }
        if let counter { lines.append(ImportedAttribute("counter", "\(counter)")) }
        if isRemovedAlone { lines.append(ImportedAttribute("removed", "alone")) }
        if let imported { lines.append(ImportedAttribute("imported", imported.text)) }
        if let updated, let text = ExportDate.text(updated) { lines.append(ImportedAttribute("updated", text)) }
        return .string(SourceAttributes.text(of: lines))
    }

    /// Whether it has the tag, or one in it, in any case: `Internet/Mail` is in `Internet`, and in `Internet/`.
    func has(tag: String) -> Bool {
        let wanted = ItemProperties.withoutSlash(tag).lowercased()
        return tags.contains { own in
            let own = own.lowercased()
            return own.hasSameBytes(as: wanted) || own.utf8.starts(with: (wanted + "/").utf8)
        }
    }

    /// A tag as somebody may write it who knows it as a folder.
    static func withoutSlash(_ tag: String) -> String {
        tag.utf8.last == UInt8(ascii: "/") ? String(tag.utf8.dropLast()) ?? tag : tag
    }

    mutating func add(tag: String) {
        guard !tags.contains(where: { $0.hasSameBytes(as: tag) }) else { return }
        tags.append(tag)
        tags.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns whether it was there.
    mutating func remove(tag: String) -> Bool {
        let count = tags.count
        tags.removeAll { $0.hasSameBytes(as: tag) }
        return tags.count < count
    }

    /// Says that an import changes it now.
    ///
    /// To the millisecond, so that no two changes of an item have one mark.
    mutating func markUpdated() {
        updated = (ProcessHost.systemClock() * 1000).rounded(.down) / 1000
    }

    mutating func add(field name: String, _ value: String) { fields.append(ImportedAttribute(name, value)) }

    /// Returns how many there were.
    mutating func remove(field name: String) -> Int {
        let count = fields.count
        fields.removeAll { $0.name.hasSameBytes(as: name) }
        return count - fields.count
    }

    /// Removes a field `url` that says what the item's own URL says, before that changes; of an item without one, the field that stands for it.
    mutating func removeField(ofURL url: String) {
        let index = fields.firstIndex { field in
            field.name.hasSameBytes(as: ItemField.url.name) && (url.isEmpty || WebAddress.isSamePlace(url, field.value))
        }
        if let index { fields.remove(at: index) }
    }

    /// Removes a field `url` that says no more than the item's own URL, as an import has it beside that.
    mutating func removeField(repeating url: String) {
        guard !url.isEmpty else { return }
        func withoutSlash(_ text: String) -> Substring {
            text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...]
        }
        fields.removeAll { field in
            field.name.hasSameBytes(as: ItemField.url.name)
                && String(withoutSlash(field.value)).hasSameBytes(as: String(withoutSlash(url)))
        }
    }

    /// Whether it has expired at a time, in seconds since 2001.
    func isExpired(at now: Double) -> Bool { expires.map { $0 <= now } ?? false }

    /// A day without its time where the time is midnight, UTC.
    var expiryText: String? {
        expires.flatMap(ExportDate.text).map { $0.hasSuffix("T00:00:00Z") ? String($0.prefix(10)) : $0 }
    }

    /// The time that a person writes as a day, 2026-12-31, or with its time, 2026-12-31T18:00:00Z.
    static func time(_ text: String) throws(CommandError) -> Double {
        guard let time = ExportDate.date(text.utf8.count == 10 ? text + "T00:00:00Z" : text) else {
            throw .usage("--expires requires a day, such as 2026-12-31, or a time in UTC, such as 2026-12-31T18:00:00Z")
        }
        return time
    }

    /// Refuses a name that a terminal would not show, or nobody could type.
    static func require(_ name: String, _ what: String) throws(CommandError) {
        guard !name.isEmpty, name.utf8.count <= longestName,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .usage("\(what) requires a name of 1 to \(longestName) bytes without control characters") }
    }

    /// What stands in a name before the last slash, which imported items have as a tag; empty without one.
    static func folder(of name: String) -> String { name.halves(at: "/", last: true).map { String($0.0) } ?? "" }

    /// What stands in a name behind the last slash, all of it without one.
    static func last(of name: String) -> String { name.halves(at: "/", last: true).map { String($0.1) } ?? name }

    static func freshID() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    static func isID(_ text: String) -> Bool { ItemParts.isID(text) }

    private static let field = "field."
    private static let longestName = 200
}

/// The source of an import: its format and its path, of which an item says no more than this, and only another import of it the same.
struct ImportMark: Equatable {
    /// Sixteen hexadecimal digits.
    let text: String

    /// nil for a text that is none.
    init?(_ text: String) {
        guard text.utf8.count == 2 * ImportMark.size, Hexadecimal.bytes(of: text) != nil else { return nil }
        self.text = text
    }

    init(_ format: ImportFormat, at path: String) throws(CommandError) {
        let name = "\(format.name)\0\(path)"
        let digest = try CommandError.saying("the mark of the source cannot be computed") { () throws(CryptoError) in
            try Digest.sha256(of: Array(name.utf8))
        }
        text = Hexadecimal.digits(of: Array(digest.prefix(ImportMark.size)))
    }

    private static let size = 8
}

extension ToolItem {
    var properties: ItemProperties { ItemProperties(attributes[.protected]) }

    /// Whether nobody has changed it since it was made, or since an import took over what its source says.
    ///
    /// Another program leaves the import's mark, so the version that its change has left has that mark, too. The time in the mark is
    /// that of before the import's change, which takes a moment; where the version is not kept any more, it is that moment alone that
    /// tells such a change.
    func hasNoLaterChange() throws(CommandError) -> Bool {
        guard case .date(let created)? = attributes[.creationDate],
            case .date(let modified)? = attributes[.modificationDate]
        else { return false }
        guard created != modified else { return true }
        guard let updated = properties.updated, (0...ToolItem.longestUpdate).contains(modified - updated) else {
            return false
        }
        return try !PastItems.own(of: self).contains { $0.item.properties.updated == updated }
    }

    private static let longestUpdate = 3.0

    /// Has a change leave an item as its import left it, or as changed here since, whichever it is.
    func keepUpdated(_ properties: inout ItemProperties) throws(CommandError) {
        guard properties.imported != nil, try hasNoLaterChange() else {
            properties.updated = nil
            return
        }
        properties.markUpdated()
    }

    /// Whether it is in a folder: by a tag, as what was imported, or by its name.
    func isIn(_ folder: String) -> Bool {
        properties.has(tag: folder)
            || name.lowercased().utf8.starts(with: "\(ItemProperties.withoutSlash(folder).lowercased())/".utf8)
    }

    private var mayHaveProperties: Bool {
        itemClass.isPassword && group.hasSameBytes(as: AccessGroup.passwords.name) && !isFurther
    }

    /// Whether something may belong to it.
    var mayHaveParts: Bool { mayHaveProperties && !properties.isForeign }

    /// Its properties, to be changed; an error for an item that has none.
    func changeableProperties() throws(CommandError) -> ItemProperties {
        guard mayHaveProperties else {
            throw .failure("only your own passwords have tags, an expiry, fields, attachments and one-time codes")
        }
        let properties = properties
        guard !properties.isForeign else {
            throw .failure(
                "\(PlainText.shown(name)) has an attribute \"prot\" of another program, where llavero keeps tags and fields; it stays as it is"
            )
        }
        return properties
    }

    /// Changes its properties, and the rest with them, if it is still as it was read; otherwise reads it again, and tries again.
    ///
    /// So of two programs that change an item at once, neither undoes what the other did: all properties are one attribute. Nothing is
    /// written where nothing is to change. With `isExact` that is so of the secret, too: `change` sees what others made of it. With
    /// `keepsUpdated` the change is an import's, and says itself whether the item is as that left it.
    @discardableResult
    func changeProperties(
        _ attributes: AttributeList = AttributeList(), secret: SecretValue? = nil, isSynchronizable: Bool? = nil,
        isExact: Bool = false, keepsUpdated: Bool = false,
        _ change: (ToolItem, inout ItemProperties) throws(CommandError) -> Void
    ) throws(CommandError) -> ItemProperties {
        try requireWhole()
        var item = self
        for _ in 0..<ToolItem.mostTries {
            var properties = item.properties
            try change(item, &properties)
            guard
                properties.value != item.properties.value || !attributes.isEmpty || secret != nil
                    || isSynchronizable != nil
            else { return properties }
            if !keepsUpdated { properties.updated = nil }
            let isChanged = properties.value != item.properties.value
            var changed = attributes
            if isChanged { changed[.protected] = properties.value }
            let changes = ItemChanges(
                attributes: changed, group: nil, accessControl: nil, isSynchronizable: isSynchronizable, secret: secret)
            do throws(CommandError) {
                try keychain.changing { () throws(CommandError) in
                    try keychain.updateNamed(item, changes, onlyAsRead: isChanged || isExact)
                }
                return properties
            } catch {
                guard isChanged || isExact, case .keychain(let cause) = error, cause.reason == .itemNotFound else {
                    throw error
                }
                item = try item.reread()
            }
        }
        throw .failure("\(PlainText.shown(name)) is changed by other programs all the time; try again")
    }

    private static let mostTries = 1000
}
