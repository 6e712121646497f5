// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding
package import KeychainModel

/// Encrypted content, with its key encrypted for each of those who may read it.
package struct EnvelopedMessage: Sendable {
    /// One who may read it.
    package struct Recipient: Sendable {
        package let reference: CertificateReference
        package let method: Method
    }

    /// How the recipient's private key gives the key of the content.
    package enum Method: Sendable {
        /// RSA with the padding of PKCS#1 v1.5.
        case rsa(encryptedKey: [UInt8])
        /// RSA with OAEP, with one hash for all in it.
        case oaep(hash: Hash, encryptedKey: [UInt8])
        case agreement(Agreement)
        /// A password, a key that both have, or an algorithm that is not known here.
        case unsupported
    }

    /// A hash by its bits.
    package enum Hash: Int, Hashable, Sendable {
        case sha1 = 160
        case sha224 = 224
        case sha256 = 256
        case sha384 = 384
        case sha512 = 512
    }

    /// An agreement on curves (RFC 5753): the shared secret gives a key by X9.63's derivation, and that unwraps the content's.
    package struct Agreement: Sendable {
        /// The sender's key for this message alone: 04, x, y.
        package let senderKey: [UInt8]
        package let hash: Hash
        /// What goes into the derivation beside the secret.
        package let sharedInfo: [UInt8]
        /// How many bytes are derived.
        package let keySize: Int
        package let wrappedKey: [UInt8]

        /// The content's key; nil when the derived key is not the one it was wrapped with.
        package func unwrap(_ key: borrowing SecretBytes) -> SecretBytes? {
            guard key.count == keySize, wrappedKey.count >= 24 else { return nil }
            defer { ERR_clear_error() }
            var written: Int32 = -1
            let plain = unsafe SecretBytes(count: wrappedKey.count) { output in
                unsafe key.withUnsafeBytes { key in
                    unsafe written = llv_cms_unwrap(
                        CertificateLibrary.context, "AES-\(keySize * 8)-WRAP", key.baseAddress, key.count, wrappedKey,
                        wrappedKey.count, output.baseAddress?.assumingMemoryBound(to: UInt8.self))
                }
            }
            guard written == wrappedKey.count - 8 else { return nil }
            return unsafe plain.withUnsafeBytes {
                unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(Int(written))))
            }
        }
    }

    package let contentType: ObjectIdentifier
    package let recipients: [Recipient]
    /// How many bytes the key of the content has.
    package let keySize: Int
    /// Whether a message that was changed on its way is found out.
    package var isAuthenticated: Bool { authentication != nil }
    private let cipher: String
    private let start: [UInt8]
    private let encrypted: [UInt8]
    private let authentication: Authentication?

    /// What shows that nothing was changed: the tag of GCM, over the content and the attributes beside it.
    private struct Authentication: Sendable {
        /// As a set, which is how they went into the tag; nothing without attributes.
        let attributes: [UInt8]
        let tag: [UInt8]
    }

    /// Enveloped data, in CBC.
    internal init(_ wrapped: DERValue) throws(ExchangeError) {
        let outer = try Outer(wrapped)
        switch outer.algorithm.identifier {
        case .aes128CBC: (cipher, keySize) = ("AES-128-CBC", 16)
        case .aes192CBC: (cipher, keySize) = ("AES-192-CBC", 24)
        case .aes256CBC: (cipher, keySize) = ("AES-256-CBC", 32)
        case .tripleDES: (cipher, keySize) = ("DES-EDE3-CBC", 24)
        default: throw .unsupportedAlgorithm
        }
        guard let parameters = outer.algorithm.parameters, parameters.tag == DERTag.octetString else {
            throw .undecodable
        }
        start = Array(parameters.content)
        authentication = nil
        (contentType, encrypted, recipients) = (outer.type, outer.encrypted, outer.recipients)
    }

    /// Authenticated enveloped data (RFC 5083), in GCM (RFC 5084).
    internal init(authenticated wrapped: DERValue) throws(ExchangeError) {
        var outer = try Outer(wrapped)
        switch outer.algorithm.identifier {
        case .aes128GCM: (cipher, keySize) = ("AES-128-GCM", 16)
        case .aes192GCM: (cipher, keySize) = ("AES-192-GCM", 24)
        case .aes256GCM: (cipher, keySize) = ("AES-256-GCM", 32)
        default: throw .unsupportedAlgorithm
        }
        let attributes = outer.rest.next(DERTag.context(1, isConstructed: true))
        guard let parameters = outer.algorithm.parameters, parameters.tag == DERTag.sequence,
            let values = parameters.elements, (1...2).contains(values.count), values[0].tag == DERTag.octetString,
            let tag = outer.rest.next(DERTag.octetString)
        else { throw .undecodable }
        // A tag that is shorter than its length says would be easier to guess.
        let tagSize = values.count == 2 ? values[1].smallNumber : Self.usualTagSize
        guard tagSize == tag.content.count, Self.tagSizes.contains(tag.content.count) else { throw .undecodable }
        // What is said of the content's type in the attributes is what was sealed.
        if let attributes {
            guard let said = Self.contentType(in: attributes), said == outer.type else { throw .undecodable }
        }
        start = Array(values[0].content)
        authentication = Authentication(
            attributes: attributes.map { DERWriter.element(DERTag.set, Array($0.content)) } ?? [],
            tag: Array(tag.content))
        (contentType, encrypted, recipients) = (outer.type, outer.encrypted, outer.recipients)
    }

    /// What both kinds begin with.
    private struct Outer {
        let type: ObjectIdentifier
        let algorithm: AlgorithmIdentifier
        let encrypted: [UInt8]
        let recipients: [Recipient]
        /// What comes behind the content.
        var rest: DERCursor

        init(_ wrapped: DERValue) throws(ExchangeError) {
            guard let data = DERValue(wrapped.content, tag: DERTag.sequence) else { throw .undecodable }
            var cursor = DERCursor(data.content)
            guard cursor.next(DERTag.integer)?.smallNumber != nil else { throw .undecodable }
            // Who sent it: certificates that nobody asks for.
            _ = cursor.next(DERTag.context(0, isConstructed: true))
            guard let infos = cursor.next(DERTag.set)?.elements, infos.count <= EnvelopedMessage.mostRecipients,
                let parts = cursor.next(DERTag.sequence)?.elements, parts.count == 3,
                let type = ObjectIdentifier(parts[0]), let algorithm = AlgorithmIdentifier(parts[1]),
                parts[2].tag == DERTag.context(0, isConstructed: false)
            else { throw .undecodable }
            (self.type, self.algorithm, encrypted) = (type, algorithm, Array(parts[2].content))
            var recipients: [Recipient] = []
            for info in infos { recipients += try RecipientReader.recipients(info) }
            self.recipients = recipients
            rest = cursor
        }
    }

    /// nil when the attributes do not say it, or say it twice.
    private static func contentType(in attributes: DERValue) -> ObjectIdentifier? {
        let all = attributes.elements?.compactMap { element -> [DERValue]? in
            guard let parts = element.elements, parts.count == 2, ObjectIdentifier(parts[0]) == .contentType else {
                return nil
            }
            return parts[1].elements ?? []
        }
        guard let all, all.count == 1, all[0].count == 1 else { return nil }
        return ObjectIdentifier(all[0][0])
    }

    /// The content; nil when `key` is not the one it was encrypted with, as far as its padding or its tag can tell.
    ///
    /// Where it is only padding, nothing says that it was not changed on its way: for that it has to be signed.
    package func content(openedWith key: borrowing SecretBytes) -> [UInt8]? {
        guard key.count == keySize else { return nil }
        defer { ERR_clear_error() }
        var written: Int32 = -1
        var plain = [UInt8](repeating: 0, count: encrypted.count)
        unsafe plain.withUnsafeMutableBufferPointer { output in
            unsafe key.withUnsafeBytes { key in
                if let authentication {
                    unsafe written = llv_cms_decipher_authenticated(
                        CertificateLibrary.context, cipher, key.baseAddress, key.count, start, start.count,
                        authentication.attributes, authentication.attributes.count, encrypted, encrypted.count,
                        authentication.tag, authentication.tag.count, output.baseAddress)
                } else {
                    unsafe written = llv_cms_decipher(
                        CertificateLibrary.context, cipher, key.baseAddress, key.count, start, start.count, encrypted,
                        encrypted.count, output.baseAddress)
                }
            }
        }
        guard written >= 0 else { return nil }
        plain.removeLast(plain.count - Int(written))
        return plain
    }

    /// A message that whoever has the private key of one of the certificates can read.
    package static func sealed(
        _ content: [UInt8], type: ObjectIdentifier, for recipients: [Certificate]
    ) throws(ExchangeError) -> [UInt8] {
        defer { ERR_clear_error() }
        for recipient in recipients {
            switch recipient.publicKey.kind {
            case .rsa, .ellipticCurve: break
            case .other: throw .unsupportedAlgorithm
            }
        }
        guard !recipients.isEmpty, let stack = try? CertificateStack(recipients) else { throw .takeFromLibrary() }
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe llv_cms_envelope(
            CertificateLibrary.context, stack.unsafePointer, content, content.count, type.description, &output)
        defer { unsafe llv_openssl_free(output) }
        guard count > 0, let start = unsafe output else { throw .takeFromLibrary() }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static let mostRecipients = 1000
    // RFC 5084 §3.2.
    private static let usualTagSize = 12
    private static let tagSizes = 12...16
}

/// Reads who may read a message.
private enum RecipientReader {
    static func recipients(_ info: DERValue) throws(ExchangeError) -> [EnvelopedMessage.Recipient] {
        switch info.tag {
        case DERTag.sequence: [try transported(info)]
        case DERTag.context(1, isConstructed: true): try agreed(info)
        // A key both have, a password, something else: nobody here can be meant.
        default: []
        }
    }

    private static func transported(_ info: DERValue) throws(ExchangeError) -> EnvelopedMessage.Recipient {
        var cursor = DERCursor(info.content)
        guard cursor.next(DERTag.integer) != nil, let reference = CertificateReference(cursor.next()),
            let algorithm = cursor.next(DERTag.sequence).flatMap({ AlgorithmIdentifier($0) }),
            let key = cursor.next(DERTag.octetString), cursor.isAtEnd
        else { throw .undecodable }
        let method: EnvelopedMessage.Method
        switch algorithm.identifier {
        case .rsa: method = .rsa(encryptedKey: Array(key.content))
        case .rsaOAEP:
            method =
                oaepHash(algorithm.parameters).map { .oaep(hash: $0, encryptedKey: Array(key.content)) } ?? .unsupported
        default: method = .unsupported
        }
        return EnvelopedMessage.Recipient(reference: reference, method: method)
    }

    /// The hash of OAEP's parameters; nil when it has two, or a label.
    private static func oaepHash(_ parameters: DERValue?) -> EnvelopedMessage.Hash? {
        var (own, mask): (EnvelopedMessage.Hash?, EnvelopedMessage.Hash?) = (.sha1, .sha1)
        for element in parameters?.elements ?? [] {
            guard let inner = DERValue(element.content).flatMap({ AlgorithmIdentifier($0) }) else { return nil }
            switch element.tag {
            case DERTag.context(0, isConstructed: true): own = .init(inner.identifier)
            case DERTag.context(1, isConstructed: true):
                guard inner.identifier == .mgf1, let hash = inner.parameters.flatMap({ AlgorithmIdentifier($0) }) else {
                    return nil
                }
                mask = .init(hash.identifier)
            default: return nil
            }
        }
        return own == mask ? own : nil
    }

    private static func agreed(_ info: DERValue) throws(ExchangeError) -> [EnvelopedMessage.Recipient] {
        var cursor = DERCursor(info.content)
        guard cursor.next(DERTag.integer) != nil, let originator = cursor.next(DERTag.context(0, isConstructed: true))
        else { throw .undecodable }
        let material = cursor.next(DERTag.context(1, isConstructed: true))
        guard let algorithm = cursor.next(DERTag.sequence).flatMap({ AlgorithmIdentifier($0) }),
            let keys = cursor.next(DERTag.sequence)?.elements, cursor.isAtEnd, keys.count <= 1000
        else { throw .undecodable }
        var recipients: [EnvelopedMessage.Recipient] = []
        for key in keys {
            guard let parts = key.elements, parts.count == 2, let reference = CertificateReference(parts[0]),
                parts[1].tag == DERTag.octetString
            else { throw .undecodable }
            let agreement = agreement(originator, material, algorithm, Array(parts[1].content))
            recipients.append(.init(reference: reference, method: agreement.map { .agreement($0) } ?? .unsupported))
        }
        return recipients
    }

    private static func agreement(
        _ originator: DERValue, _ material: DERValue?, _ algorithm: AlgorithmIdentifier, _ wrapped: [UInt8]
    ) -> EnvelopedMessage.Agreement? {
        guard let sender = DERValue(originator.content, tag: DERTag.context(1, isConstructed: true))?.elements,
            sender.count == 2, let point = sender[1].wholeBytesOfBitString, point.first == 4,
            let hash = derivations[algorithm.identifier], let wrap = algorithm.parameters,
            let size = AlgorithmIdentifier(wrap).flatMap({ wraps[$0.identifier] })
        else { return nil }
        let bits = UInt32(size * 8)
        let bytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        let info = DERWriter.sequence(
            Array(wrap.encoding),
            material.map { DERWriter.element(DERTag.context(0, isConstructed: true), Array($0.content)) } ?? [],
            DERWriter.element(DERTag.context(2, isConstructed: true), DERWriter.element(DERTag.octetString, bytes)))
        return EnvelopedMessage.Agreement(
            senderKey: Array(point), hash: hash, sharedInfo: info, keySize: size, wrappedKey: wrapped)
    }

    // RFC 5753 §7.1.4; with the cofactor or without is one on NIST's curves, where it is 1.
    private static let derivations: [ObjectIdentifier: EnvelopedMessage.Hash] = {
        var table: [ObjectIdentifier: EnvelopedMessage.Hash] = [:]
        for last: UInt8 in 2...3 {
            table[ObjectIdentifier(content: [0x2B, 0x81, 0x05, 0x10, 0x86, 0x48, 0x3F, 0x00, last])] = .sha1
        }
        for scheme: UInt8 in [0x0B, 0x0E] {
            for (last, hash) in [(0, .sha224), (1, .sha256), (2, .sha384), (3, .sha512)]
                as [(UInt8, EnvelopedMessage.Hash)]
            {
                table[ObjectIdentifier(content: [0x2B, 0x81, 0x04, 0x01, scheme, last])] = hash
            }
        }
        return table
    }()
    private static let wraps: [ObjectIdentifier: Int] = [
        ObjectIdentifier(content: ObjectIdentifier.aes + [0x05]): 16,
        ObjectIdentifier(content: ObjectIdentifier.aes + [0x19]): 24,
        ObjectIdentifier(content: ObjectIdentifier.aes + [0x2D]): 32,
    ]
}

extension EnvelopedMessage.Hash {
    fileprivate init?(_ identifier: ObjectIdentifier) {
        let sha2: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
        switch identifier.content {
        case [0x2B, 0x0E, 0x03, 0x02, 0x1A]: self = .sha1
        case sha2 + [0x01]: self = .sha256
        case sha2 + [0x02]: self = .sha384
        case sha2 + [0x03]: self = .sha512
        case sha2 + [0x04]: self = .sha224
        default: return nil
        }
    }
}

extension ObjectIdentifier {
    fileprivate static let rsaOAEP = ObjectIdentifier(content: pkcs1 + [0x07])
    fileprivate static let mgf1 = ObjectIdentifier(content: pkcs1 + [0x08])
}
