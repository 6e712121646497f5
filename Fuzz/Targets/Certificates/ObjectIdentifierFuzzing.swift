// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates

/// An object identifier in dots, as programs name purposes and policies.
internal enum ObjectIdentifierFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let text = String(validating: bytes, as: UTF8.self), let identifier = ObjectIdentifier(dotted: text)
        else { return .refused }
        try promise(Array(identifier.description.utf8) == bytes, "an identifier says what it was read from")
        return .accepted
    }

    /// Whether an identifier out of DER is said so that the same one is read; those with longer arcs are only shown.
    static func isReadable(_ identifier: ObjectIdentifier) -> Bool {
        let arcs = identifier.content.split(omittingEmptySubsequences: false) { $0 < 0x80 }
        guard arcs.allSatisfy({ $0.count < 8 }) else { return !identifier.description.isEmpty }
        return ObjectIdentifier(dotted: identifier.description) == identifier
    }
}
