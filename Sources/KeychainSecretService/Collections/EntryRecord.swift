// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
internal import KeychainModel

/// What an item's entry says beside its label: its attributes, and what kind of content its secret is.
///
/// One array of text: the content type, and then each name with its value, in the order of the names' bytes. A dictionary of
/// `PropertyList` would do as well, but for names: there two spellings of one character are told apart here.
package struct EntryRecord: Sendable {
    package let attributes: [String: String]
    package let contentType: String

    package init(attributes: [String: String], contentType: String) {
        self.attributes = attributes
        self.contentType = contentType
    }

    package func encoded() throws(CodingError) -> [UInt8] {
        var texts = [PropertyList.string(contentType)]
        for (name, value) in attributes.inByteOrder { texts += [.string(name), .string(value)] }
        return try PropertyList.array(texts).encoded()
    }

    /// The record of `bytes`, which must be exactly what `encoded()` gives for it.
    package init(decoding bytes: [UInt8]) throws(CodingError) {
        guard case .array(let texts) = try PropertyList(decoding: bytes), texts.count % 2 == 1,
            case .string(let contentType)? = texts.first
        else { throw .wrongType }
        var attributes: [String: String] = [:]
        var previous: String?
        for index in stride(from: 1, to: texts.count, by: 2) {
            guard case .string(let name) = texts[index], case .string(let value) = texts[index + 1] else {
                throw .wrongType
            }
            if let previous, !previous.utf8.lexicographicallyPrecedes(name.utf8) { throw .notCanonical }
            // Two spellings of one name, which the dictionaries of Swift take for one.
            guard attributes.updateValue(value, forKey: name) == nil else { throw .duplicateKey }
            previous = name
        }
        self.init(attributes: attributes, contentType: contentType)
    }
}

/// Attributes as the Secret Service compares them: by their bytes, whatever Swift takes for the same text.
extension [String: String] {
    /// The pairs in the order of their names' bytes.
    package var inByteOrder: [(name: String, value: String)] {
        map { (name: $0.key, value: $0.value) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Whether all of the other's pairs are among these.
    package func hasAll(of others: [String: String]) -> Bool {
        others.allSatisfy { name, value in
            guard let index = index(forKey: name) else { return false }
            return self[index].key.hasSameBytes(as: name) && self[index].value.hasSameBytes(as: value)
        }
    }

    /// The set of attributes that an item is replaced by, which is never another one's part.
    ///
    /// libsecret says `org.freedesktop.Secret.Generic` where a program names no schema, and other libraries then say none at
    /// all: the two are one item.
    package var asSet: [String: String] {
        guard let schema = self["xdg:schema"], schema.hasSameBytes(as: "org.freedesktop.Secret.Generic") else {
            return self
        }
        var set = self
        set["xdg:schema"] = nil
        return set
    }

    /// Whether an item with these would be replaced by one with those.
    package func isSameSet(as other: [String: String]) -> Bool {
        let (mine, theirs) = (asSet, other.asSet)
        return mine.count == theirs.count && mine.hasAll(of: theirs)
    }
}
