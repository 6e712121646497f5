// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates

/// A distinguished name in DER.
internal enum NameFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let name = DistinguishedName(der: bytes) else { return .refused }
        try promise(name.der == bytes, "a name is all of its bytes")
        try promise(StrictDER.isOneElement(bytes), "a name is DER")
        try promise(DistinguishedName(der: bytes + [0]) == nil, "nothing may follow a name")
        try check(name)
        return .accepted
    }

    /// What is promised of every name, whatever it was read out of.
    static func check(_ name: DistinguishedName) throws(BrokenPromise) {
        try promise(DistinguishedName(der: name.der) == name, "a name that is read again is the same")
        guard let normalized = DistinguishedName(content: name.normalizedContent) else {
            throw BrokenPromise("a normalized name is a name")
        }
        try promise(normalized.normalizedContent == name.normalizedContent, "normalizing twice changes nothing more")
        try promise(
            normalized.attributes.map(\.type) == name.attributes.map(\.type), "normalizing changes texts alone")
        try promise(normalized.der.count <= name.der.count, "a normalized name is not longer")
        for attribute in name.attributes {
            try promise(
                ObjectIdentifierFuzzing.isReadable(attribute.type), "the type of an attribute can be said and read")
            try promise(
                attribute.text == nil || name.texts(of: attribute.type).contains { $0 == attribute.text },
                "a text is found by its type")
        }
    }
}
