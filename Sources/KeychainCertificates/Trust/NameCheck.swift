// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

/// Whether a certificate is for the host or the person a policy names.
internal enum NameCheck {
    internal static func findings(_ policy: TrustPolicy, _ certificate: Certificate) -> [TrustFinding] {
        switch policy {
        case .basic, .ssl(_, hostName: nil), .email(nil): []
        case .ssl(_, hostName: .some(let host)):
            isFor(certificate, host: host) ? [] : [TrustFinding(.hostNameMismatch, depth: 0)]
        case .email(.some(let address)):
            isFor(certificate, address: address) ? [] : [TrustFinding(.emailAddressMismatch, depth: 0)]
        }
    }

    /// Whether it is for the host: by OpenSSL's own comparison.
    private static func isFor(_ certificate: Certificate, host: String) -> Bool {
        guard let parsed = LibraryCertificate(der: certificate.der) else { return false }
        defer { ERR_clear_error() }
        return unsafe parsed.withUnsafePointer { (pointer) -> Bool in
            if let address = address(host) { return unsafe X509_check_ip_asc(pointer, address, 0) == 1 }
            guard let name = name(host) else { return false }
            return unsafe X509_check_host(pointer, name, 0, flags, nil) == 1
        }
    }

    /// The text of an IP address; nil when the host is none.
    private static func address(_ host: String) -> String? {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard bare.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parsed = unsafe a2i_IPADDRESS(bare) else {
            ERR_clear_error()
            return nil
        }
        unsafe ASN1_OCTET_STRING_free(parsed)
        return bare
    }

    /// The name as OpenSSL may be asked for it; nil when it is none.
    // A leading dot would mean "any host below" to OpenSSL, a NUL the end, and nothing at all "do not look".
    private static func name(_ host: String) -> String? {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard let first = name.utf8.first, first != 0x2E, name.utf8.count <= 253, name.utf8.allSatisfy(isOfName)
        else { return nil }
        return name
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private static func isFor(_ certificate: Certificate, address: String) -> Bool {
        let matching = TextMatching(ignoring: .letterCase)
        return certificate.emailAddresses.contains { matching.isEqual($0, address) }
    }

    // X509_CHECK_FLAG_NEVER_CHECK_SUBJECT and X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS.
    private static let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
}
