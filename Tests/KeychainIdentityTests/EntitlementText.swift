// SPDX-License-Identifier: Apache-2.0

/// Entitlement files as an administrator writes them.
enum EntitlementText {
    /// A property list with these entries, each a key and its value in XML.
    static func list(_ entries: KeyValuePairs<String, String>) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(dictionary(entries))</plist>\n"
    }

    static func dictionary(_ entries: KeyValuePairs<String, String>) -> String {
        "<dict>\(entries.map { "<key>\($0.key)</key>\($0.value)" }.joined())</dict>"
    }

    static func text(_ text: String) -> String { "<string>\(text)</string>" }

    static func texts(_ texts: [String]) -> String { "<array>\(texts.map(text).joined())</array>" }

    static func numbers(_ numbers: [UInt32]) -> String {
        "<array>\(numbers.map { "<integer>\($0)</integer>" }.joined())</array>"
    }

    /// A file that gives one identifier to whatever matches.
    static func rule(_ match: KeyValuePairs<String, String>, identifier: String) -> String {
        list(["match": dictionary(match), "application-identifier": text(identifier)])
    }
}
