// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainStatus

/// Puts what was imported into the keychain: all of it, or nothing.
enum ItemStorage {
    /// Adds the items, certificates before keys, as identities are added; what is there already stays as it is.
    ///
    /// Throws the status of the first failure, with nothing added; ``errSecDuplicateItem`` when everything was there.
    static func add(
        _ items: [FileItem], terms: KeyTerms, keys storesKeys: Bool = true, attributes: [CFString: Any] = [:]
    ) throws(ExchangeFailure) {
        let entries = items.flatMap { self.entries(of: $0, terms) }.filter { storesKeys || !($0.object is SecKey) }
        let ordered = entries.filter { !($0.object is SecKey) } + entries.filter { $0.object is SecKey }
        var added: [AnyObject] = []
        for entry in ordered {
            var query = attributes
            query[kSecValueRef] = entry.object
            query[kSecAttrLabel] = entry.label
            query[kSecReturnPersistentRef] = true
            var reference: CFTypeRef?
            switch unsafe SecItemAdd(query as CFDictionary, &reference) {
            case errSecSuccess: if let reference { added.append(reference) }
            case errSecDuplicateItem: continue
            case let failure:
                // Not by what they are: a certificate that was there before would go with the key.
                var query: [CFString: Any] = [:]
                query[kSecUseKeychain] = attributes[kSecUseKeychain]
                for reference in added {
                    query[kSecValuePersistentRef] = reference
                    SecItemDelete(query as CFDictionary)
                }
                throw ExchangeFailure(.keychain(SecurityStatus(failure)), "an item could not be added")
            }
        }
        guard added.isEmpty, !ordered.isEmpty else { return }
        throw ExchangeFailure(.keychain(.duplicateItem), "everything is in the keychain already")
    }

    private static func entries(
        of item: FileItem, _ terms: KeyTerms
    ) -> [(object: AnyObject, label: String?)] {
        switch item {
        case .identity(let certificate, let key, let label):
            entries(of: .certificate(certificate, label: label), terms) + entries(of: .key(key, label: label), terms)
        case .certificate(_, let label), .key(_, let label): [(item.object(terms), label)]
        }
    }
}
