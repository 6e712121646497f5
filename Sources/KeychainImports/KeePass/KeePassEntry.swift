// SPDX-License-Identifier: Apache-2.0

/// An entry of KeePass, out of either export.
internal struct KeePassEntry {
    internal var title = ""
    internal var user = ""
    internal var url: ImportedBytes?
    internal var notes = ""
    internal var group = ""
    internal var password: ImportedBytes?
    internal var attributes: [ImportedAttribute] = []
    internal var furtherSecrets: [FurtherSecret] = []
    /// Whether something in it is not in plain.
    internal var isEncrypted = false
    internal var repairs: [ImportRepair] = []
    internal let source: SourceLocation

    internal init(source: SourceLocation) { self.source = source }

    internal func item(password: ImportedBytes) -> ImportedItem {
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
