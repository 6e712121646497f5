// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel

/// What a PKCS#12 file holds.
package struct PKCS12: Sendable {
    /// A key or a certificate, with what the file says about it.
    package struct Entry<Content: Sendable>: Sendable {
        package let content: Content
        package let friendlyName: String?
        /// By which a key and its certificate find each other.
        package let localIdentifier: [UInt8]?

        package init(_ content: Content, friendlyName: String? = nil, localIdentifier: [UInt8]? = nil) {
            self.content = content
            self.friendlyName = friendlyName
            self.localIdentifier = localIdentifier
        }
    }

    /// A key and the certificate of its public half.
    package struct Identity: Sendable {
        package let privateKey: PrivateKey
        package let certificate: Certificate
        package let friendlyName: String?
        /// From the certificate towards its root, as far as the file has them.
        package let chain: [Certificate]
    }

    package var keys: [Entry<PrivateKey>]
    package var certificates: [Entry<Certificate>]

    package init(keys: [Entry<PrivateKey>] = [], certificates: [Entry<Certificate>] = []) {
        self.keys = keys
        self.certificates = certificates
    }

    /// The keys that have their certificate in the file, in the order of the keys.
    ///
    /// A certificate is a key's when it has its public key, whatever the identifiers say; of several, the one with the
    /// same identifier, else the first.
    package var identities: [Identity] {
        keys.compactMap { key in
            let matching = certificates.filter {
                $0.content.publicKey.externalBytes == key.content.publicKey.externalBytes
            }
            let named = matching.first { $0.localIdentifier != nil && $0.localIdentifier == key.localIdentifier }
            guard let entry = named ?? matching.first else { return nil }
            return Identity(
                privateKey: key.content, certificate: entry.content,
                friendlyName: key.friendlyName ?? entry.friendlyName, chain: chain(from: entry.content))
        }
    }

    private func chain(from certificate: Certificate) -> [Certificate] {
        var chain = [certificate]
        while let last = chain.last, !last.isSelfIssued,
            let issuer = certificates.first(where: { entry in
                entry.content.subject.normalizedContent == last.issuer.normalizedContent
                    && !chain.contains(entry.content)
            })
        {
            chain.append(issuer.content)
        }
        return chain
    }
}

extension PKCS12 {
    /// What a file holds; `password` may be empty, which some programs mean by none.
    ///
    /// BER is taken as well as DER: many programs wrote these files so. Every certificate in it must be one that
    /// `Certificate` takes, every key one that `PrivateKey` takes, or the file is `undecodable`; bags of other kinds
    /// (lists, secrets) are passed over.
    package init(reading bytes: [UInt8], password: borrowing SecretBytes) throws(ExchangeError) {
        self.init()
        defer { ERR_clear_error() }
        let library = unsafe LegacyLibrary.context
        guard bytes.count <= Self.largest, Self.isOfVersion3(bytes),
            let file = unsafe llv_pkcs12_parse(library, bytes, bytes.count)
        else { throw .undecodable }
        defer { unsafe PKCS12_free(file) }

        // Before the password is asked of it: what has no safes has no password either.
        guard let safes = unsafe PKCS12_unpack_authsafes(file) else { throw .undecodable }
        defer { unsafe llv_pkcs12_safes_free(safes) }
        var reader = PKCS12Reader()
        let effective = try unsafe reader.verify(file, password)
        try unsafe reader.read(safes, password: password, isAbsent: effective == .absent)
        keys = reader.keys
        certificates = reader.certificates
    }

    /// Whether the first element of the file is the version 3, the only one there is; OpenSSL does not look.
    private static func isOfVersion3(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1, bytes[0] == DERTag.sequence else { return false }
        // A short length, a long one's own bytes, or 0x80 for one that is not said.
        let start = bytes[1] > 0x80 ? 2 + Int(bytes[1] & 0x7F) : 2
        return bytes.dropFirst(start).starts(with: DERWriter.integer(3))
    }

    /// A file of everything this holds: AES-256 and HMAC-SHA256, under keys from PBKDF2 and PKCS#12's own derivation.
    ///
    /// A key and its certificate get the hash of the public key as identifier, unless they have one. Throws
    /// `passwordRequired` when the password is empty, unless it `mayBeEmpty`, or has a zero in it, which would cut it
    /// short.
    package func write(
        password: borrowing SecretBytes, mayBeEmpty: Bool = false
    ) throws(ExchangeError) -> [UInt8] {
        defer { ERR_clear_error() }
        let isUsable = unsafe password.withUnsafeBytes { unsafe (mayBeEmpty || !$0.isEmpty) && !$0.contains(0) }
        guard isUsable else { throw .passwordRequired }
        let library = unsafe CertificateLibrary.context
        var safes: OpaquePointer?
        defer { unsafe llv_pkcs12_safes_free(safes) }
        if !certificates.isEmpty {
            let bags = try unsafe certificateBags()
            defer { unsafe llv_pkcs12_bags_free(bags) }
            let isAdded = unsafe password.withCString { password, _ in
                unsafe PKCS12_add_safe_ex(
                    &safes, bags, NID_aes_256_cbc, PasswordCost.ours, password, library, nil) == 1
            }
            guard isAdded else { throw .takeFromLibrary() }
        }
        if !keys.isEmpty {
            let bags = try unsafe keyBags(password)
            defer { unsafe llv_pkcs12_bags_free(bags) }
            guard unsafe PKCS12_add_safe_ex(&safes, bags, -1, 0, nil, library, nil) == 1 else {
                throw .takeFromLibrary()
            }
        }
        return try unsafe sealed(safes, password)
    }

    private func sealed(_ safes: OpaquePointer?, _ password: borrowing SecretBytes) throws(ExchangeError) -> [UInt8] {
        let library = unsafe CertificateLibrary.context
        guard unsafe safes != nil, let file = unsafe PKCS12_add_safes_ex(safes, 0, library, nil) else {
            throw .takeFromLibrary()
        }
        defer { unsafe PKCS12_free(file) }
        guard let digest = unsafe EVP_MD_fetch(library, "SHA256", nil) else { throw .takeFromLibrary() }
        defer { unsafe EVP_MD_free(digest) }
        let isSealed = unsafe password.withCString { password, count in
            unsafe PKCS12_set_mac(file, password, count, nil, 0, PasswordCost.ours, digest) == 1
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe isSealed ? i2d_PKCS12(file, &bytes) : 0
        defer { unsafe llv_openssl_free(bytes) }
        guard count > 0, let start = unsafe bytes else { throw .takeFromLibrary() }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private func certificateBags() throws(ExchangeError) -> OpaquePointer? {
        let hashes = Set(keys.map { $0.content.publicKey.hash })
        var bags: OpaquePointer?
        for entry in certificates {
            let hash = entry.content.publicKey.hash
            let identifier = entry.localIdentifier ?? (hashes.contains(hash) ? hash : nil)
            let bag = unsafe LibraryCertificate(der: entry.content.der)?.withUnsafePointer { certificate in
                unsafe PKCS12_add_cert(&bags, certificate)
            }
            guard let bag = unsafe bag ?? nil, unsafe Self.name(bag, entry.friendlyName, identifier) else {
                unsafe llv_pkcs12_bags_free(bags)
                throw .takeFromLibrary()
            }
        }
        return unsafe bags
    }

    private func keyBags(_ password: borrowing SecretBytes) throws(ExchangeError) -> OpaquePointer? {
        var bags: OpaquePointer?
        for entry in keys {
            let bag: OpaquePointer?
            do throws(ExchangeError) {
                let key = try entry.content.libraryKey()
                unsafe bag = password.withCString { password, _ in
                    unsafe PKCS12_add_key_ex(
                        &bags, key.unsafePointer, 0, PasswordCost.ours, NID_aes_256_cbc, password,
                        CertificateLibrary.context, nil)
                }
            } catch {
                unsafe llv_pkcs12_bags_free(bags)
                throw error
            }
            let identifier = entry.localIdentifier ?? entry.content.publicKey.hash
            guard let bag = unsafe bag, unsafe Self.name(bag, entry.friendlyName, identifier) else {
                unsafe llv_pkcs12_bags_free(bags)
                throw .takeFromLibrary()
            }
        }
        return unsafe bags
    }

    private static func name(_ bag: OpaquePointer, _ name: String?, _ identifier: [UInt8]?) -> Bool {
        if let name, unsafe PKCS12_add_friendlyname_utf8(bag, name, -1) != 1 { return false }
        guard let identifier else { return true }
        var bytes = identifier
        return unsafe PKCS12_add_localkeyid(bag, &bytes, Int32(bytes.count)) == 1
    }

    private static let largest = 16 << 20
}

/// Goes through a file.
internal struct PKCS12Reader {
    /// What an empty password means in this file.
    internal enum Password: Equatable {
        case present
        case absent
    }

    internal private(set) var keys: [PKCS12.Entry<PrivateKey>] = []
    internal private(set) var certificates: [PKCS12.Entry<Certificate>] = []
    private var rounds: Int64 = 0
    /// Real files have fewer, and keys are matched with certificates one by one.
    private static let mostKeys = 100
    private static let mostCertificates = 1000

    /// Checks that the file is as it was written, under the password.
    internal mutating func verify(
        _ file: OpaquePointer, _ password: borrowing SecretBytes
    ) throws(ExchangeError) -> Password {
        var count: Int64 = 0
        switch unsafe Int(llv_pkcs12_mac_kind(file, &count)) {
        case LLV_MAC_NONE: throw .unprotected
        case LLV_MAC_PKCS12 where count < 1: throw .undecodable
        case LLV_MAC_PKCS12: break
        default: throw .unsupportedAlgorithm
        }
        try spend(count)
        if password.count == 0, unsafe llv_pkcs12_verify_mac_without_password(file) == 1 { return .absent }
        let isRight = unsafe password.withCString { unsafe PKCS12_verify_mac(file, $0, $1) == 1 }
        guard isRight else { throw EncryptedKey.failureOfDecryption() }
        return .present
    }

    /// Reads the row of safes.
    internal mutating func read(
        _ safes: OpaquePointer, password: borrowing SecretBytes, isAbsent: Bool
    ) throws(ExchangeError) {
        for index in unsafe 0..<llv_pkcs12_safe_count(safes) {
            guard let safe = unsafe llv_pkcs12_safe(safes, index) else { throw .undecodable }
            let bags: OpaquePointer?
            switch unsafe Int(llv_pkcs12_safe_kind(safe)) {
            case LLV_SAFE_PLAIN:
                unsafe bags = PKCS12_unpack_p7data(safe)
                guard unsafe bags != nil else { throw .undecodable }
            case LLV_SAFE_ENCRYPTED:
                try unsafe spend(llv_pbe_rounds(llv_pkcs12_safe_algorithm(safe)))
                unsafe bags = password.withCString { unsafe PKCS12_unpack_p7encdata(safe, isAbsent ? nil : $0, $1) }
                guard unsafe bags != nil else { throw Self.failureUnderRightPassword() }
            default: throw .unsupportedAlgorithm
            }
            defer { unsafe llv_pkcs12_bags_free(bags) }
            try unsafe read(bags: bags, password: password, isAbsent: isAbsent, depth: 0)
        }
    }

    private mutating func read(
        bags: OpaquePointer?, password: borrowing SecretBytes, isAbsent: Bool, depth: Int
    ) throws(ExchangeError) {
        guard depth < Self.deepest else { throw .undecodable }
        for index in unsafe 0..<llv_pkcs12_bag_count(bags) {
            guard let bag = unsafe llv_pkcs12_bag(bags, index) else { throw .undecodable }
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag:
                guard let info = unsafe PKCS12_SAFEBAG_get0_p8inf(bag) else { throw .undecodable }
                try unsafe append(info, bag)
            case NID_pkcs8ShroudedKeyBag:
                guard let encrypted = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag) else { throw .undecodable }
                try unsafe spend(llv_pbe_rounds(llv_x509_sig_algorithm(encrypted)))
                let info = unsafe password.withCString { password, count in
                    unsafe PKCS12_decrypt_skey_ex(
                        bag, isAbsent ? nil : password, count, LegacyLibrary.context, nil)
                }
                guard let info = unsafe info else { throw Self.failureUnderRightPassword() }
                defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
                try unsafe append(info, bag)
            case NID_certBag:
                guard unsafe PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate else { continue }
                let parsed = unsafe PKCS12_SAFEBAG_get1_cert(bag)
                defer { unsafe X509_free(parsed) }
                guard let certificate = unsafe Certificate(parsed) else { throw .undecodable }
                guard certificates.count < Self.mostCertificates else { throw .undecodable }
                unsafe certificates.append(Self.entry(certificate, bag))
            case NID_safeContentsBag:
                try unsafe read(
                    bags: PKCS12_SAFEBAG_get0_safes(bag), password: password, isAbsent: isAbsent, depth: depth + 1)
            default: continue
            }
        }
    }

    private mutating func append(_ info: OpaquePointer, _ bag: OpaquePointer) throws(ExchangeError) {
        guard let key = unsafe LibraryPrivateKey(EVP_PKCS82PKEY_ex(info, CertificateLibrary.context, nil)) else {
            throw .undecodable
        }
        guard keys.count < Self.mostKeys else { throw .undecodable }
        keys.append(try unsafe Self.entry(PrivateKey(key), bag))
    }

    private static func entry<Content>(_ content: Content, _ bag: OpaquePointer) -> PKCS12.Entry<Content> {
        let name = unsafe PKCS12_get_friendlyname(bag)
        defer { unsafe llv_openssl_free(name) }
        var bytes: UnsafePointer<UInt8>?
        let count = unsafe Int(llv_pkcs12_local_identifier(bag, &bytes))
        let identifier =
            unsafe count > 0 ? bytes.map { unsafe Array(UnsafeBufferPointer(start: $0, count: count)) } : nil
        return PKCS12.Entry(
            content, friendlyName: unsafe name.map { unsafe String(cString: $0) }, localIdentifier: identifier)
    }

    // A nested safe costs nothing to write and a hash per round to read.
    private mutating func spend(_ count: Int64) throws(ExchangeError) {
        guard count <= PasswordCost.most - rounds else { throw .tooCostly }
        rounds += max(count, 1)
    }

    /// The password has been proved, so what cannot be decrypted is broken or needs an algorithm that is not there.
    private static func failureUnderRightPassword() -> ExchangeError {
        let failure = EncryptedKey.failureOfDecryption()
        return failure == .wrongPassword ? .undecodable : failure
    }

    private static let deepest = 4
}

extension SecretBytes {
    /// Lends the bytes with a zero after them, as C takes a password, and their count.
    internal borrowing func withCString<Result>(_ body: (UnsafePointer<CChar>?, Int32) -> Result) -> Result {
        let terminated = unsafe SecretBytes(count: count + 1) { output in
            unsafe withUnsafeBytes { unsafe output.copyMemory(from: $0) }
        }
        let count = Int32(clamping: count)
        return unsafe terminated.withUnsafeBytes { bytes in
            unsafe body(bytes.assumingMemoryBound(to: CChar.self).baseAddress, count)
        }
    }
}
