// SPDX-License-Identifier: Apache-2.0

/// What people call the parts of a certificate.
package enum CertificateWords {
    /// The name of an identifier; the identifier in dots where it has none.
    package static func word(_ identifier: ObjectIdentifier) -> String {
        let dotted = identifier.description
        return names[dotted] ?? dotted
    }

    /// What a key may be used for.
    package static func uses(_ usage: KeyUsage) -> [String] {
        let words: [(KeyUsage, String)] = [
            (.digitalSignature, "Digital Signature"), (.nonRepudiation, "Non-Repudiation"),
            (.keyEncipherment, "Key Encipherment"), (.dataEncipherment, "Data Encipherment"),
            (.keyAgreement, "Key Agreement"), (.certificateSigning, "Key Cert Sign"), (.crlSigning, "CRL Sign"),
            (.encipherOnly, "Encipher Only"), (.decipherOnly, "Decipher Only"),
        ]
        return words.filter { usage.contains($0.0) }.map(\.1)
    }

    /// The text of an address of 4 or 16 bytes.
    package static func address(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { index in
            String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
        }.joined(separator: ":")
    }

    private static let names = [
        "2.5.4.3": "Common Name", "2.5.4.4": "Surname", "2.5.4.5": "Serial Number", "2.5.4.6": "Country",
        "2.5.4.7": "Locality", "2.5.4.8": "State or Province", "2.5.4.9": "Street", "2.5.4.10": "Organization",
        "2.5.4.11": "Organizational Unit", "2.5.4.12": "Title", "2.5.4.13": "Description", "2.5.4.42": "Given Name",
        "1.2.840.113549.1.9.1": "Email Address", "0.9.2342.19200300.100.1.25": "Domain Component",
        "0.9.2342.19200300.100.1.1": "User ID",
        "2.5.29.9": "Subject Directory Attributes", "2.5.29.14": "Subject Key Identifier", "2.5.29.15": "Key Usage",
        "2.5.29.16": "Private Key Usage Period", "2.5.29.17": "Subject Alternative Name",
        "2.5.29.18": "Issuer Alternative Name", "2.5.29.19": "Basic Constraints", "2.5.29.30": "Name Constraints",
        "2.5.29.31": "CRL Distribution Points", "2.5.29.32": "Certificate Policies", "2.5.29.33": "Policy Mappings",
        "2.5.29.35": "Authority Key Identifier", "2.5.29.36": "Policy Constraints", "2.5.29.37": "Extended Key Usage",
        "1.3.6.1.5.5.7.1.1": "Certificate Authority Information Access", "1.3.6.1.5.5.7.1.3": "QC Statements",
        "1.3.6.1.4.1.11129.2.4.2": "Embedded Signed Certificate Timestamp List",
        "2.5.29.37.0": "Any Purpose", "1.3.6.1.5.5.7.3.1": "Server Authentication",
        "1.3.6.1.5.5.7.3.2": "Client Authentication", "1.3.6.1.5.5.7.3.3": "Code Signing",
        "1.3.6.1.5.5.7.3.4": "Email Protection", "1.3.6.1.5.5.7.3.8": "Time Stamping",
        "1.3.6.1.5.5.7.3.9": "OCSP Signing", "1.3.6.1.5.5.7.3.17": "IPSec IKE", "1.3.6.1.5.2.3.4": "Kerberos Client",
        "1.3.6.1.5.2.3.5": "Kerberos KDC",
        "1.2.840.113549.1.1.1": "RSA Encryption", "1.2.840.113549.1.1.5": "SHA-1 with RSA Encryption",
        "1.2.840.113549.1.1.10": "RSA-PSS", "1.2.840.113549.1.1.11": "SHA-256 with RSA Encryption",
        "1.2.840.113549.1.1.12": "SHA-384 with RSA Encryption", "1.2.840.113549.1.1.13": "SHA-512 with RSA Encryption",
        "1.2.840.10045.2.1": "Elliptic Curve Public Key", "1.2.840.10045.4.1": "ECDSA Signature with SHA-1",
        "1.2.840.10045.4.3.2": "ECDSA Signature with SHA-256", "1.2.840.10045.4.3.3": "ECDSA Signature with SHA-384",
        "1.2.840.10045.4.3.4": "ECDSA Signature with SHA-512", "1.3.101.110": "X25519", "1.3.101.111": "X448",
        "1.3.101.112": "Ed25519", "1.3.101.113": "Ed448",
    ]
}
