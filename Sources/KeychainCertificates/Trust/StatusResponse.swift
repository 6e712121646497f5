// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCoding

/// What an OCSP server said (RFC 6960).
// Safe: the pointer is private, made here, and freed in deinit.
@safe
internal final class StatusResponse {
    internal enum Status: Equatable {
        case good
        case revoked
        /// Nothing, nothing that can be believed, or nothing that is still true.
        case unknown
    }

    private let response: OpaquePointer

    /// nil when it is no response, or one that says only that the server did not answer.
    internal init?(der: [UInt8]) {
        guard der.count <= Self.largest, DERValue(der[...], tag: DERTag.sequence)?.isStrict == true else { return nil }
        defer { ERR_clear_error() }
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_OCSP_RESPONSE(nil, &position, buffer.count)
        }
        defer { unsafe OCSP_RESPONSE_free(parsed) }
        guard let parsed = unsafe parsed, unsafe OCSP_response_status(parsed) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = unsafe OCSP_response_get1_basic(parsed)
        else { return nil }
        unsafe response = basic
    }

    deinit {
        unsafe OCSP_BASICRESP_free(response)
    }

    /// What it says of `certificate` at `date`, when `issuer` or its delegate signed it.
    ///
    /// Who was revoked stays so: how old the response is counts only for good news.
    internal func status(of certificate: Certificate, issuer: Certificate, at date: Double) -> Status {
        defer { ERR_clear_error() }
        guard let subject = LibraryCertificate(der: certificate.libraryDER),
            let authority = LibraryCertificate(der: issuer.libraryDER)
        else { return .unknown }
        var status = Status.unknown
        for index in unsafe 0..<max(OCSP_resp_count(response), 0) {
            guard let single = unsafe OCSP_resp_get0(response, index),
                let identifier = unsafe OCSP_SINGLERESP_get0_id(single)
            else { continue }
            let isMeant = unsafe subject.withUnsafePointer { subject in
                unsafe authority.withUnsafePointer { authority in
                    unsafe llv_ocsp_identifies(CertificateLibrary.context, identifier, subject, authority) == 1
                }
            }
            guard isMeant else { continue }
            var thisUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            var nextUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            switch unsafe OCSP_single_get0_status(single, nil, nil, &thisUpdate, &nextUpdate) {
            case V_OCSP_CERTSTATUS_REVOKED: status = .revoked
            case V_OCSP_CERTSTATUS_GOOD where status != .revoked:
                let first = unsafe Self.seconds(thisUpdate)
                let last = unsafe nextUpdate == nil ? first.map { $0 + Self.freshness } : Self.seconds(nextUpdate)
                if let first, let last, first <= date + Self.tolerance, date - Self.tolerance <= last { status = .good }
            default: break
            }
        }
        return status != .unknown && isSigned(by: issuer, authority, at: date) ? status : .unknown
    }

    private func isSigned(by issuer: Certificate, _ authority: borrowing LibraryCertificate, at date: Double) -> Bool {
        var found: OpaquePointer?
        let candidates = try? CertificateStack(CollectionOfOne(issuer))
        switch candidates {
        case .some(let candidates):
            guard unsafe OCSP_resp_get0_signer(response, &found, candidates.unsafePointer) == 1,
                let signer = unsafe Certificate(found), let parsed = LibraryCertificate(der: signer.libraryDER)
            else { return false }
            guard signer == issuer || Self.isCharged(signer, parsed, by: authority, at: date) else { return false }
            return unsafe parsed.withUnsafePointer { parsed in
                guard let key = unsafe X509_get0_pubkey(parsed) else { return false }
                return unsafe llv_ocsp_is_signed_by(CertificateLibrary.context, response, key) == 1
            }
        case .none: return false
        }
    }

    /// Whether `signer` may answer for the authority: issued by it and no other, for this purpose, and valid.
    ///
    /// Whether the signer was itself revoked is not examined.
    private static func isCharged(
        _ signer: Certificate, _ parsed: borrowing LibraryCertificate, by authority: borrowing LibraryCertificate,
        at date: Double
    ) -> Bool {
        guard signer.isValid(on: date), signer.extensions.extendedKeyUsage?.contains(.ocspSigning) == true,
            signer.extensions.keyUsage?.contains(.digitalSignature) ?? true
        else { return false }
        return unsafe parsed.withUnsafePointer { parsed in
            unsafe authority.withUnsafePointer { authority in
                guard let key = unsafe X509_get0_pubkey(authority) else { return false }
                return unsafe X509_check_issued(authority, parsed) == X509_V_OK && X509_verify(parsed, key) == 1
            }
        }
    }

    private static func seconds(_ time: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?) -> Double? {
        guard let time = unsafe time, let start = unsafe ASN1_STRING_get0_data(time) else { return nil }
        let count = unsafe Int(ASN1_STRING_length(time))
        return unsafe try? GeneralizedTime.decode(Array(UnsafeBufferPointer(start: start, count: count)))
    }

    private static let largest = 1 << 20
    // Clocks differ by minutes; a response that names no end is news for a week.
    private static let tolerance = 300.0
    private static let freshness = 7 * 86400.0
}

extension Certificate {
    /// What an OCSP server is asked about it (DER); nil when OpenSSL cannot read one of the two.
    package func statusRequest(issuer: Certificate) -> [UInt8]? {
        defer { ERR_clear_error() }
        guard let subject = LibraryCertificate(der: libraryDER),
            let authority = LibraryCertificate(der: issuer.libraryDER)
        else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe subject.withUnsafePointer { subject in
            unsafe authority.withUnsafePointer { authority in
                unsafe llv_ocsp_request(CertificateLibrary.context, subject, authority, &output)
            }
        }
        defer { unsafe llv_openssl_free(output) }
        guard count > 0, let start = unsafe output else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
