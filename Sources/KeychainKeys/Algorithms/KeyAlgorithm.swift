// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A way to use a key, by the name that `SecKeyAlgorithm` gives it.
package struct KeyAlgorithm: Hashable, Sendable {
    package let name: String
    package let scheme: KeyScheme

    /// nil when nobody knows the name.
    package init?(_ name: String) {
        // Swift takes two spellings of one character for the same; the names are ASCII and have no second one.
        guard name.isASCII, let scheme = Self.schemes[name] else { return nil }
        self.name = name
        self.scheme = scheme
    }

    /// Every name there is, Apple's and ours, in the order of the table.
    package static let names = table.map(\.name)

    /// The one algorithm of ours: AES-GCM with a key of AES.
    package static let aesGCMName = "algid:encrypt:AES:GCM"

    private static let schemes = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.scheme) })

    /// Whether the name is one of an algorithm for that.
    internal func isFor(_ operation: KeyOperation) -> Bool {
        switch scheme {
        case .signature: operation == .sign || operation == .verify
        case .encryption: operation == .encrypt || operation == .decrypt
        case .keyExchange: operation == .keyExchange
        case .unavailable: false
        }
    }
}
