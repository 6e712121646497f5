// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainKeys

/// One thing that is to be written into a file.
enum ExportedItem: Hashable {
    case certificate(Certificate)
    case key(SecKey)

    var outgoing: OutgoingItem {
        switch self {
        case .certificate(let certificate): .certificate(certificate)
        case .key(let key): .key(LeavingKey(reference: key))
        }
    }

    /// What a caller gives: a key, a certificate, an identity, or an array of them; each thing once.
    static func items(_ object: CFTypeRef) throws(ExchangeFailure) -> [ExportedItem] {
        var items: [ExportedItem] = []
        var seen: Set<ExportedItem> = []
        for element in (object as? NSArray)?.map({ $0 as AnyObject }) ?? [object] {
            for item in try parts(element) where seen.insert(item).inserted { items.append(item) }
            guard items.count <= most else { throw .parameter("there are too many items for one file") }
        }
        guard !items.isEmpty else { throw .parameter("there is nothing to export") }
        return items
    }

    private static func parts(_ object: AnyObject) throws(ExchangeFailure) -> [ExportedItem] {
        switch object {
        case let certificate as SecCertificate: return [.certificate(certificate.certificate)]
        case let key as SecKey: return [.key(key)]
        case let identity as SecIdentity:
            return [.certificate(identity.certificate.certificate), .key(identity.privateKey)]
        default: throw .parameter("keys, certificates and identities are exported, and nothing else")
        }
    }

    private static let most = 1_000
}
