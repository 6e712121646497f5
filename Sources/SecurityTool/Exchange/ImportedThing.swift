// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

/// Something that a file holds, ready to become an item.
enum ImportedThing {
    case certificate(Certificate, label: String?)
    case key(CryptoKey, label: String)

    /// All that a file holds; an identity is its certificate and its key.
    static func all(of file: FileContents) -> [ImportedThing] {
        file.items.flatMap { item -> [ImportedThing] in
            switch item {
            case .certificate(let certificate, let label): [.certificate(certificate, label: label)]
            case .key(let key, let label): [.key(key, label: label ?? name(of: key, in: file))]
            case .identity(let certificate, let key, let label):
                [.certificate(certificate, label: label), .key(key, label: label ?? name(of: key, in: file))]
            }
        }
    }

    /// What a key is called that the file gives no name: as its certificate in it, else as on a Mac.
    private static func name(of key: CryptoKey, in file: FileContents) -> String {
        for item in file.items {
            switch item {
            case .certificate(let certificate, let label), .identity(let certificate, _, let label):
                guard certificate.publicKey.externalBytes == key.publicRepresentation else { continue }
                if let name = label ?? certificate.subjectSummary { return name }
            case .key: continue
            }
        }
        switch key.part {
        case .private: return "Imported Private Key"
        case .public: return "Imported Public Key"
        case .symmetric: return "Imported Session Key"
        }
    }

    /// What by its public half a key and its certificate have in common.
    var publicKey: [UInt8]? {
        switch self {
        case .certificate(let certificate, _): certificate.publicKey.externalBytes
        case .key(let key, _): key.publicRepresentation
        }
    }

    var isKey: Bool { if case .key = self { true } else { false } }
    var isPrivateKey: Bool { if case .key(let key, _) = self { key.part == .private } else { false } }

    /// The item; private and symmetric keys stay in the keychain unless `isExtractable`.
    func addRequest(isExtractable: Bool) throws(KeychainError) -> AddRequest {
        switch self {
        case .certificate(let certificate, let label):
            var attributes = certificate.itemAttributes
            if let label = label ?? certificate.subjectSummary { attributes[.label] = .string(label) }
            return request(.certificate, attributes, SecretValue(copying: certificate.der))
        case .key(let key, let label):
            do throws(KeyError) {
                let isOpen = isExtractable || key.part == .public
                var attributes = try key.itemAttributes(.none, isOpen: isOpen)
                attributes[.label] = .string(label)
                return request(.key, attributes, SecretValue(copying: try key.representation()))
            } catch { throw KeychainError(error) }
        }
    }

    private func request(_ itemClass: ItemClass, _ attributes: AttributeList, _ secret: SecretValue) -> AddRequest {
        AddRequest(
            itemClass: itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: secret,
            returning: .persistentReference, origin: .caller)
    }
}
