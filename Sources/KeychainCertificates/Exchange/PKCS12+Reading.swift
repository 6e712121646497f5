// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

extension PKCS12 {
    /// What a file holds; `password` may be empty, which some programs mean by none.
    ///
    /// BER is taken as well as DER: many programs wrote these files so. Every certificate in it must be one that
    /// `Certificate` takes, every key one that `PrivateKey` takes, or the file is `undecodable`; bags of other kinds
    /// (lists, secrets) are passed over.
    package init(reading bytes: [UInt8], password: borrowing SecretBytes) throws(ExchangeError) {
        self.init()
        defer { ERR_clear_error() }
        let library = unsafe CertificateLibrary.reading
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
        return bytes.dropFirst(start).starts(with: [0x02, 0x01, 0x03])
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
    /// Nobody's file has more, and keys are matched with certificates one by one.
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
                        bag, isAbsent ? nil : password, count, CertificateLibrary.reading, nil)
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
