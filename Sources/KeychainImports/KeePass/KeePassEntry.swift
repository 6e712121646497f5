// SPDX-License-Identifier: Apache-2.0

/// An entry of KeePass, out of either export.
internal struct KeePassEntry {
    internal var title = ""
    internal var user = ""
    internal var url: ImportedBytes?
    internal var notes = ""
    /// The names of the groups it is in, from the outermost on; every entry of a group shares the text.
    internal var group = ""
    /// 32 hexadecimal digits in capitals, or nothing.
    internal var identifier = ""
    internal var password: ImportedBytes?
    internal var attributes: [ImportedAttribute] = []
    internal var furtherSecrets: [FurtherSecret] = []
    /// How many earlier versions of it there are.
    internal var versions = 0
    /// Whether something in it is not in plain.
    internal var isEncrypted = false
    internal var isDiscarded = false
    internal var expires = false
    /// What it has that is not taken over, and is no secret.
    internal var left: Set<SourcePart> = []
    /// Why parts of it cannot be taken, with their names.
    internal var lostParts: [(name: String, reason: SkipReason)] = []
    internal var repairs: [ImportRepair] = []
    internal let source: SourceLocation

    internal init(source: SourceLocation) { self.source = source }

    /// Adds a URL beside the one that is its place: as a secret where it has a password in it, or is no text.
    internal mutating func addFurther(url: ImportedBytes, named name: String) {
        if let text = url.text, ImportedURL(url, url.all)?.password == nil {
            attributes.append(ImportedAttribute(name, text))
        } else {
            furtherSecrets.append(FurtherSecret(name, url))
        }
    }

    /// Adds what becomes of each entry: an item, or a sentence that says why there is none.
    ///
    /// References are resolved first, among all of them.
    internal static func finish(
        _ entries: [KeePassEntry], _ options: ImportOptions, into report: inout ImportReport
    ) throws(ImportError) {
        var references = KeePassReferences(entries)
        for (index, entry) in entries.enumerated() {
            let reason: SkipReason? =
                entry.isDiscarded && !options.withRecycleBin ? .discarded : entry.isEncrypted ? .encrypted : nil
            if let reason {
                try entry.skip(reason, &report)
            } else if let resolved = references.resolving(index) {
                try resolved.add(to: &report)
            } else {
                try entry.skip(.reference, &report)
            }
        }
    }

    /// Leaves it out with all that it has, and names each part.
    private func skip(_ reason: SkipReason, _ report: inout ImportReport) throws(ImportError) {
        try report.skip(source, title, reason)
        for further in furtherSecrets { try report.skip(source, "\(title) (\(further.name))", reason) }
        for part in lostParts { try report.skip(source, "\(title) (\(part.name))", reason) }
        try report.leave(source, title, .earlierVersions, count: versions)
    }

    private func add(to report: inout ImportReport) throws(ImportError) {
        try report.add(item(password: password ?? ImportedBytes("")))
        for part in lostParts { try report.skip(source, "\(title) (\(part.name))", part.reason) }
        try report.leave(source, title, .earlierVersions, count: versions)
    }

    private func item(password: ImportedBytes) -> ImportedItem {
        var attributes = attributes
        var further = furtherSecrets
        var repairs = repairs
        var place: InternetPlace?
        var address = ""
        if let url, url.count > 0 {
            let parts = ImportedURL(url, url.all)
            place = parts?.place
            if parts?.password != nil {
                further.append(FurtherSecret("url", url))
            } else if let text = url.text {
                attributes.append(ImportedAttribute("url", text))
                address = text
            } else {
                repairs.append(.attributesLost)
            }
        }
        if !group.isEmpty { attributes.append(ImportedAttribute("group", group)) }
        let service = title.isEmpty ? address : title
        return ImportedItem(
            place.map { .internet($0) } ?? .generic(service: service), account: user,
            label: title.isEmpty ? place?.server ?? address : title, comment: notes, secret: password,
            attributes: attributes, furtherSecrets: further, source: source, repairs: repairs)
    }
}
