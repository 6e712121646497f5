// SPDX-License-Identifier: Apache-2.0

internal import CLimit
import Foundation

/// A private key as OpenSSL has it, with a context that is ready to sign: the least that a signature can cost.
final class BareKey {
    enum Kind {
        case p256
        case rsa2048
    }

    private let key: OpaquePointer
    private let context: OpaquePointer

    init(_ kind: Kind) throws {
        let made: OpaquePointer? =
            switch kind {
            case .p256: BareKey.made(EVP_PKEY_EC, 256)
            case .rsa2048: BareKey.made(EVP_PKEY_RSA, 2048)
            }
        guard let made, let context = EVP_PKEY_CTX_new(made, nil) else { throw WrongResult("no key could be made") }
        key = made
        self.context = context
        var isReady = EVP_PKEY_sign_init(context) == 1
        if kind == .rsa2048 {
            isReady = isReady && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        }
        isReady = isReady && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
        try WrongResult.unless(isReady, "the key cannot sign")
    }

    private static func made(_ kind: Int32, _ bits: Int32) -> OpaquePointer? {
        let context = EVP_PKEY_CTX_new_id(kind, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1 else { return nil }
        let isSized =
            kind == EVP_PKEY_RSA
            ? EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
            : EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
        var key: OpaquePointer?
        guard isSized == 1, EVP_PKEY_keygen(context, &key) == 1 else { return nil }
        return key
    }

    deinit {
        EVP_PKEY_CTX_free(context)
        EVP_PKEY_free(key)
    }

    func sign(_ digest: [UInt8]) throws {
        var signature = [UInt8](repeating: 0, count: 256)
        var count = signature.count
        let done = EVP_PKEY_sign(context, &signature, &count, digest, digest.count)
        try WrongResult.unless(done == 1, "OpenSSL did not sign")
    }
}

/// A certificate for a key, signed with the key itself.
enum BareCertificate {
    /// The DER of the certificate, and 04, x, y, k of its key.
    static func make(named name: String) throws -> (certificate: Data, key: Data) {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        var key: OpaquePointer?
        _ = EVP_PKEY_keygen_init(context)
        _ = EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
        _ = EVP_PKEY_keygen(context, &key)
        EVP_PKEY_CTX_free(context)
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw WrongResult("there is no memory for a certificate") }
        defer { X509_free(certificate) }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        let subject = X509_get_subject_name(certificate)
        _ = X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0)
        X509_set_issuer_name(certificate, subject)
        X509_set_pubkey(certificate, key)
        try WrongResult.unless(X509_sign(certificate, key, EVP_sha256()) > 0, "the certificate cannot be signed")
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &der)
        defer { CRYPTO_free(der, nil, 0) }
        guard count > 0, let der else { throw WrongResult("the certificate cannot be written") }
        return (Data(bytes: der, count: Int(count)), try representation(of: key))
    }

    private static func representation(of key: OpaquePointer?) throws -> Data {
        var point = [UInt8](repeating: 0, count: 65)
        var size = 0
        var number: OpaquePointer?
        _ = EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &size)
        _ = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number)
        defer { BN_clear_free(number) }
        var scalar = [UInt8](repeating: 0, count: 32)
        try WrongResult.unless(size == 65 && BN_bn2binpad(number, &scalar, 32) == 32, "the key cannot be read")
        return Data(point + scalar)
    }
}
