// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// An item of another provider, on its way into a collection.
package struct OfferedSecret: Sendable {
    package var label: String
    package var attributes: [String: String]
    package var contentType: String
    /// In seconds since 1970; 0 where it is not known.
    package var created: UInt64
    package var modified: UInt64
    package let secret: SecretValue
    /// Where it comes from, for people: the path on the bus, or a place in a file.
    package let source: String
    /// What of it is left behind, by name.
    package var losses: [String] = []

    package init(
        label: String, attributes: [String: String], contentType: String, created: UInt64, modified: UInt64,
        secret: SecretValue, source: String
    ) {
        (self.label, self.attributes, self.contentType) = (label, attributes, contentType)
        (self.created, self.modified, self.secret, self.source) = (created, modified, secret, source)
    }

    /// The user that people know it by; empty where it says none.
    package var account: String {
        guard case .string(let account)? = SecretRows.shown(attributes)[.account] else { return "" }
        return account
    }

    /// As a program would have stored it: without what its provider says of it besides.
    package mutating func tidy(_ provider: NameOwner) {
        // oo7 has the content type in the attributes.
        if let type = attributes.removeValue(forKey: "xdg:content-type"), !type.isEmpty { contentType = type }
        if provider.isKeePassXC { dropEntryFields() }
    }

    /// KeePassXC shows the fields of each entry as attributes, up to the value of the one-time code.
    private mutating func dropEntryFields() {
        let isOfProgram = attributes.keys.contains { !OfferedSecret.entryFields.contains($0) }
        for (name, value) in attributes where OfferedSecret.entryFields.contains(name) {
            // Of what a person entered these are what it is known by.
            if !isOfProgram, ["Title", "UserName", "URL"].contains(name), !value.isEmpty { continue }
            attributes[name] = nil
            if !value.isEmpty, name == "Notes" || name == "TOTP" { losses.append(name) }
        }
        losses.sort()
    }

    private static let entryFields: Set = ["Title", "UserName", "URL", "Notes", "Uuid", "Path", "TOTP"]

    /// Whether two are one, but for their times.
    ///
    /// gnome-keyring names the schema of items that have none only after its next start.
    func isSame(
        _ label: String, _ record: EntryRecord, _ other: SecretValue, _ contentType: String
    ) -> Bool {
        self.label.hasSameBytes(as: label) && self.contentType.hasSameBytes(as: contentType)
            && attributes.isSameSet(as: record.attributes) && secret.isEqualInConstantTime(to: other)
    }

    func isSame(as other: OfferedSecret) -> Bool {
        isSame(
            other.label, EntryRecord(attributes: other.attributes, contentType: other.contentType), other.secret,
            other.contentType)
    }
}
