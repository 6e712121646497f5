// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Certificates: what they say, and where they are kept.
import Foundation
import Security

struct CertificateFacts {
    let summary: String
    let subject: [String: String]
    let alternatives: [String]
    let notBefore: Date?
    let notAfter: Date?
    let serial: String
    let isAuthority: Bool
}

enum Certificates {
    static func fromPEM(_ text: String) -> SecCertificate? {
        let body = text.components(separatedBy: .newlines)
            .filter { !$0.hasPrefix("-----") }
            .joined()
        guard let data = Data(base64Encoded: body) else { return nil }
        return SecCertificateCreateWithData(kCFAllocatorDefault, data as CFData)
    }

    static func fromFile(_ url: URL) throws -> SecCertificate {
        let data = try Data(contentsOf: url)
        guard let certificate = SecCertificateCreateWithData(nil, data as CFData) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(errSecDecode), userInfo: nil)
        }
        return certificate
    }

    static func toPEM(_ certificate: SecCertificate) -> String {
        let data = SecCertificateCopyData(certificate) as Data
        let lines = data.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }

    /// The values by their OIDs: sections with parts, each a dictionary with a label and a value.
    static func facts(_ certificate: SecCertificate) -> CertificateFacts? {
        let keys = [
            kSecOIDX509V1SubjectName, kSecOIDSubjectAltName, kSecOIDX509V1ValidityNotBefore,
            kSecOIDX509V1ValidityNotAfter, kSecOIDX509V1SerialNumber, kSecOIDBasicConstraints,
        ]
        var error: Unmanaged<CFError>?
        guard let values = SecCertificateCopyValues(certificate, keys as CFArray, &error) as? [CFString: Any] else {
            return nil
        }
        func part(_ key: CFString) -> Any? { (values[key] as? [CFString: Any])?[kSecPropertyKeyValue] }
        func date(_ key: CFString) -> Date? {
            (part(key) as? NSNumber).map { Date(timeIntervalSinceReferenceDate: $0.doubleValue) }
        }
        var subject: [String: String] = [:]
        for entry in part(kSecOIDX509V1SubjectName) as? [[CFString: Any]] ?? [] {
            if let label = entry[kSecPropertyKeyLabel] as? String, let value = entry[kSecPropertyKeyValue] as? String {
                subject[label] = value
            }
        }
        let alternatives = (part(kSecOIDSubjectAltName) as? [[CFString: Any]] ?? [])
            .filter { $0[kSecPropertyKeyLabel] as? String == "DNS Name" }
            .compactMap { $0[kSecPropertyKeyValue] as? String }
        let constraints = part(kSecOIDBasicConstraints) as? [[CFString: Any]] ?? []
        return CertificateFacts(
            summary: SecCertificateCopySubjectSummary(certificate) as String? ?? "", subject: subject,
            alternatives: alternatives, notBefore: date(kSecOIDX509V1ValidityNotBefore),
            notAfter: date(kSecOIDX509V1ValidityNotAfter), serial: part(kSecOIDX509V1SerialNumber) as? String ?? "",
            isAuthority: constraints.contains { ($0[kSecPropertyKeyValue] as? String) == "Yes" })
    }

    static func commonName(_ certificate: SecCertificate) -> String? {
        var name: CFString?
        guard SecCertificateCopyCommonName(certificate, &name) == errSecSuccess else { return nil }
        return name as String?
    }

    static func serialNumber(_ certificate: SecCertificate) -> String? {
        var error: Unmanaged<CFError>?
        guard let data = SecCertificateCopySerialNumberData(certificate, &error) as Data? else {
            if let error = error?.takeRetainedValue() { NSLog("%@", CFErrorCopyDescription(error) as String) }
            return nil
        }
        return data.map { String(format: "%02X", $0) }.joined(separator: ":")
    }

    static func addresses(_ certificate: SecCertificate) -> [String] {
        var addresses: CFArray?
        guard SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess else { return [] }
        return addresses as? [String] ?? []
    }

    static func isSelfIssued(_ certificate: SecCertificate) -> Bool {
        guard let issuer = SecCertificateCopyNormalizedIssuerSequence(certificate),
            let subject = SecCertificateCopyNormalizedSubjectSequence(certificate)
        else { return false }
        return CFEqual(issuer, subject)
    }

    static func publicKeyData(_ certificate: SecCertificate) -> Data? {
        guard let key = SecCertificateCopyKey(certificate) else { return nil }
        var error: Unmanaged<CFError>?
        guard let data = SecKeyCopyExternalRepresentation(key, &error) else {
            _ = error?.takeRetainedValue() as Error?
            return nil
        }
        return data as Data
    }

    static func keySize(_ certificate: SecCertificate) -> Int? {
        guard let key = SecCertificateCopyKey(certificate),
            let attributes = SecKeyCopyAttributes(key) as? [String: Any]
        else { return nil }
        return attributes[kSecAttrKeySizeInBits as String] as? Int
    }

    static func described(_ certificate: SecCertificate) -> String? {
        SecCertificateCopyLongDescription(nil, certificate, nil) as String?
    }

    static func store(_ certificate: SecCertificate, label: String) -> Bool {
        let query: [String: Any] = [
            kSecClass as String: kSecClassCertificate, kSecValueRef as String: certificate,
            kSecAttrLabel as String: label,
        ]
        let status = SecItemAdd(query as CFDictionary, nil)
        return status == errSecSuccess || status == errSecDuplicateItem
    }

    static func find(label: String) -> SecCertificate? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassCertificate, kSecAttrLabel as String: label,
            kSecReturnRef as String: kCFBooleanTrue as Any,
        ]
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess,
            let found = item, CFGetTypeID(found) == SecCertificateGetTypeID()
        else { return nil }
        return (found as! SecCertificate)
    }

    static func all() -> [SecCertificate] {
        let query =
            [
                kSecClass: kSecClassCertificate, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
            ] as [CFString: Any] as CFDictionary
        var result: AnyObject?
        let status = SecItemCopyMatching(query, &result)
        return status == errSecSuccess ? result as! [SecCertificate] : []
    }

    static func remove(_ certificate: SecCertificate) -> OSStatus {
        SecItemDelete([kSecMatchItemList: [certificate], kSecClass: kSecClassCertificate] as CFDictionary)
    }

    static func same(_ first: SecCertificate, _ second: SecCertificate) -> Bool {
        SecCertificateCopyData(first) as Data == SecCertificateCopyData(second) as Data && first == second
    }
}
