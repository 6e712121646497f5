// SPDX-License-Identifier: Apache-2.0

extension Certificate {
    /// A line that tells people whose certificate it is: from the subject, else an e-mail address, else a DNS name.
    package var subjectSummary: String? {
        subject.summary ?? emailAddresses.first ?? dnsNames.first
    }

    /// The last common name, which is the most specific.
    package var commonName: String? { subject.texts(of: .commonName).last }

    /// Of the alternative names first, then of the subject.
    package var emailAddresses: [String] {
        extensions.alternativeNames.emailAddresses + subject.texts(of: .emailAddress)
    }

    package var dnsNames: [String] { extensions.alternativeNames.dnsNames }

    /// IP addresses, 4 or 16 bytes each.
    package var addresses: [[UInt8]] { extensions.alternativeNames.addresses }

    package var subjectKeyIdentifier: [UInt8]? { extensions.subjectKeyIdentifier }

    /// Whether it says that its key may sign certificates of others; version 1 cannot say so.
    package var isCertificateAuthority: Bool { extensions.isCertificateAuthority }

    /// Whether it names itself as its issuer, which only its signature could prove.
    package var isSelfIssued: Bool { issuer.normalizedContent == subject.normalizedContent }

    /// Whether it is valid at `date`, seconds since 2001.
    package func isValid(on date: Double) -> Bool {
        notBefore <= date && date <= notAfter
    }
}
