// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

// Apple's names for object identifiers. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// Rules of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDADC_CERT_POLICY: CFString = "1.2.840.113635.100.5.3"
/// Rules of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_CERT_POLICY: CFString = "1.2.840.113635.100.5.1"
/// A purpose of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_CODE_SIGNING: CFString = "1.2.840.113635.100.4.1"
/// A purpose of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_CODE_SIGNING_DEV: CFString = "1.2.840.113635.100.4.1.1"
/// A purpose of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION: CFString = "1.2.840.113635.100.4.3"
/// A purpose of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_ICHAT_SIGNING: CFString = "1.2.840.113635.100.4.2"
/// A purpose of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_RESOURCE_SIGNING: CFString = "1.2.840.113635.100.4.1.4"
/// A purpose of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EKU_SYSTEM_IDENTITY: CFString = "1.2.840.113635.100.4.4"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION: CFString = "1.2.840.113635.100.6"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.3"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING: CFString = "1.2.840.113635.100.6.1.2.0.0"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING: CFString = "1.2.840.113635.100.6.1.2.0"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.7"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_APPLE_SIGNING: CFString = "1.2.840.113635.100.6.1.1"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_CODE_SIGNING: CFString = "1.2.840.113635.100.6.1"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER: CFString = "1.2.840.113635.100.6.2"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.2"
/// An extension of Apple's own certificates.
@safe nonisolated(unsafe) public let kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.1"
/// Where the issuer and its answers about revocation are to be had.
@safe nonisolated(unsafe) public let kSecOIDAuthorityInfoAccess: CFString = "1.3.6.1.5.5.7.1.1"
/// Which key of the issuer signed.
@safe nonisolated(unsafe) public let kSecOIDAuthorityKeyIdentifier: CFString = "2.5.29.35"
/// Whether it is an authority.
@safe nonisolated(unsafe) public let kSecOIDBasicConstraints: CFString = "2.5.29.19"
/// Biometric data of the subject.
@safe nonisolated(unsafe) public let kSecOIDBiometricInfo: CFString = "1.3.6.1.5.5.7.1.2"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDCSSMKeyStruct: CFString = "2.16.840.1.113741.2.1.1.1.20"
/// Who issued an entry of a list.
@safe nonisolated(unsafe) public let kSecOIDCertIssuer: CFString = "2.5.29.29"
/// By which rules it was issued.
@safe nonisolated(unsafe) public let kSecOIDCertificatePolicies: CFString = "2.5.29.32"
/// The client's end of TLS.
@safe nonisolated(unsafe) public let kSecOIDClientAuth: CFString = "1.3.6.1.5.5.7.3.2"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDCollectiveStateProvinceName: CFString = "2.5.4.8.1"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDCollectiveStreetAddress: CFString = "2.5.4.9.1"
/// The name itself.
@safe nonisolated(unsafe) public let kSecOIDCommonName: CFString = "2.5.4.3"
/// The country, two letters.
@safe nonisolated(unsafe) public let kSecOIDCountryName: CFString = "2.5.4.6"
/// Where lists of what was revoked are to be had.
@safe nonisolated(unsafe) public let kSecOIDCrlDistributionPoints: CFString = "2.5.29.31"
/// The number of a list.
@safe nonisolated(unsafe) public let kSecOIDCrlNumber: CFString = "2.5.29.20"
/// Why an entry of a list was revoked.
@safe nonisolated(unsafe) public let kSecOIDCrlReason: CFString = "2.5.29.21"
/// For certificates of a service that Apple no longer has.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT: CFString = "1.2.840.113635.100.3.2.3"
/// For certificates of a service that Apple no longer has.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_EMAIL_SIGN: CFString = "1.2.840.113635.100.3.2.2"
/// For certificates of a service that Apple no longer has.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_EXTENSION: CFString = "1.2.840.113635.100.3.2"
/// For certificates of a service that Apple no longer has.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_IDENTITY: CFString = "1.2.840.113635.100.3.2.1"
/// For certificates of a service that Apple no longer has.
@safe nonisolated(unsafe) public let kSecOIDDOTMAC_CERT_POLICY: CFString = "1.2.840.113635.100.5.2"
/// That a list has changes alone.
@safe nonisolated(unsafe) public let kSecOIDDeltaCrlIndicator: CFString = "2.5.29.27"
/// A description.
@safe nonisolated(unsafe) public let kSecOIDDescription: CFString = "2.5.4.13"
/// Virtual private networks.
@safe nonisolated(unsafe) public let kSecOIDEKU_IPSec: CFString = "1.3.6.1.5.5.8.2.2"
/// An e-mail address in a name.
@safe nonisolated(unsafe) public let kSecOIDEmailAddress: CFString = "1.2.840.113549.1.9.1"
/// Signed or encrypted mail.
@safe nonisolated(unsafe) public let kSecOIDEmailProtection: CFString = "1.3.6.1.5.5.7.3.4"
/// What the certificate is for.
@safe nonisolated(unsafe) public let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"
/// Any purpose.
@safe nonisolated(unsafe) public let kSecOIDExtendedKeyUsageAny: CFString = "2.5.29.37.0"
/// Signed programs.
@safe nonisolated(unsafe) public let kSecOIDExtendedUseCodeSigning: CFString = "1.3.6.1.5.5.7.3.3"
/// A first name.
@safe nonisolated(unsafe) public let kSecOIDGivenName: CFString = "2.5.4.42"
/// What to do while an entry is on hold.
@safe nonisolated(unsafe) public let kSecOIDHoldInstructionCode: CFString = "2.5.29.23"
/// From when an entry was not to be believed.
@safe nonisolated(unsafe) public let kSecOIDInvalidityDate: CFString = "2.5.29.24"
/// Further names of the issuer.
@safe nonisolated(unsafe) public let kSecOIDIssuerAltName: CFString = "2.5.29.18"
/// What a list is about.
@safe nonisolated(unsafe) public let kSecOIDIssuingDistributionPoint: CFString = "2.5.29.28"
/// What a list is about.
@safe nonisolated(unsafe) public let kSecOIDIssuingDistributionPoints: CFString = "2.5.29.28"
/// Kerberos, one of its two ends.
@safe nonisolated(unsafe) public let kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH: CFString = "1.3.6.1.5.2.3.4"
/// Kerberos, one of its two ends.
@safe nonisolated(unsafe) public let kSecOIDKERBv5_PKINIT_KP_KDC: CFString = "1.3.6.1.5.2.3.5"
/// What the key is for.
@safe nonisolated(unsafe) public let kSecOIDKeyUsage: CFString = "2.5.29.15"
/// A town.
@safe nonisolated(unsafe) public let kSecOIDLocalityName: CFString = "2.5.4.7"
/// For programs of Microsoft's.
@safe nonisolated(unsafe) public let kSecOIDMS_NTPrincipalName: CFString = "1.3.6.1.4.1.311.20.2.3"
/// For programs of Microsoft's.
@safe nonisolated(unsafe) public let kSecOIDMicrosoftSGC: CFString = "1.3.6.1.4.1.311.10.3.3"
/// What names an authority may certify.
@safe nonisolated(unsafe) public let kSecOIDNameConstraints: CFString = "2.5.29.30"
/// A row of certificates, as Netscape wrote it.
@safe nonisolated(unsafe) public let kSecOIDNetscapeCertSequence: CFString = "2.16.840.1.113730.2.5"
/// The kind of certificate, as Netscape wrote it.
@safe nonisolated(unsafe) public let kSecOIDNetscapeCertType: CFString = "2.16.840.1.113730.1.1"
/// For programs of Netscape's.
@safe nonisolated(unsafe) public let kSecOIDNetscapeSGC: CFString = "2.16.840.1.113730.4.1"
/// Answers about revocation.
@safe nonisolated(unsafe) public let kSecOIDOCSPSigning: CFString = "1.3.6.1.5.5.7.3.9"
/// A company or another body.
@safe nonisolated(unsafe) public let kSecOIDOrganizationName: CFString = "2.5.4.10"
/// A part of it.
@safe nonisolated(unsafe) public let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"
/// Which rules have to be kept below an authority.
@safe nonisolated(unsafe) public let kSecOIDPolicyConstraints: CFString = "2.5.29.36"
/// Which rules of two bodies are the same.
@safe nonisolated(unsafe) public let kSecOIDPolicyMappings: CFString = "2.5.29.33"
/// How long the private key is used.
@safe nonisolated(unsafe) public let kSecOIDPrivateKeyUsagePeriod: CFString = "2.5.29.16"
/// What a qualified certificate says of itself.
@safe nonisolated(unsafe) public let kSecOIDQC_Statements: CFString = "1.3.6.1.5.5.7.1.3"
/// The name of a service.
@safe nonisolated(unsafe) public let kSecOIDSRVName: CFString = "1.3.6.1.5.5.7.8.7"
/// The number of a device or a person in a name.
@safe nonisolated(unsafe) public let kSecOIDSerialNumber: CFString = "2.5.4.5"
/// The server's end of TLS.
@safe nonisolated(unsafe) public let kSecOIDServerAuth: CFString = "1.3.6.1.5.5.7.3.1"
/// A state or a province.
@safe nonisolated(unsafe) public let kSecOIDStateProvinceName: CFString = "2.5.4.8"
/// A street.
@safe nonisolated(unsafe) public let kSecOIDStreetAddress: CFString = "2.5.4.9"
/// Further names of the subject.
@safe nonisolated(unsafe) public let kSecOIDSubjectAltName: CFString = "2.5.29.17"
/// What a directory says of the subject.
@safe nonisolated(unsafe) public let kSecOIDSubjectDirectoryAttributes: CFString = "2.5.29.9"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDSubjectEmailAddress: CFString = "2.16.840.1.113741.2.1.1.1.50.3"
/// Where more of the subject is to be had.
@safe nonisolated(unsafe) public let kSecOIDSubjectInfoAccess: CFString = "1.3.6.1.5.5.7.1.11"
/// By what the key is known.
@safe nonisolated(unsafe) public let kSecOIDSubjectKeyIdentifier: CFString = "2.5.29.14"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDSubjectPicture: CFString = "2.16.840.1.113741.2.1.1.1.50.2"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDSubjectSignatureBitmap: CFString = "2.16.840.1.113741.2.1.1.1.50.1"
/// A last name.
@safe nonisolated(unsafe) public let kSecOIDSurname: CFString = "2.5.4.4"
/// Time stamps.
@safe nonisolated(unsafe) public let kSecOIDTimeStamping: CFString = "1.3.6.1.5.5.7.3.8"
/// A title.
@safe nonisolated(unsafe) public let kSecOIDTitle: CFString = "2.5.4.12"
/// An identifier of older programs.
@safe nonisolated(unsafe) public let kSecOIDUseExemptions: CFString = "2.16.840.1.113741.2.1.1.1.50.4"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1CertificateIssuerUniqueId: CFString = "2.16.840.1.113741.2.1.1.1.11"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1CertificateSubjectUniqueId: CFString = "2.16.840.1.113741.2.1.1.1.12"
/// Who issued it.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerName: CFString = "2.16.840.1.113741.2.1.1.1.5"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerNameCStruct: CFString = "2.16.840.1.113741.2.1.1.1.5.1"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerNameLDAP: CFString = "2.16.840.1.113741.2.1.1.1.5.2"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1IssuerNameStd: CFString = "2.16.840.1.113741.2.1.1.1.23"
/// The issuer's number of it.
@safe nonisolated(unsafe) public let kSecOIDX509V1SerialNumber: CFString = "2.16.840.1.113741.2.1.1.1.3"
/// The bits of the signature.
@safe nonisolated(unsafe) public let kSecOIDX509V1Signature: CFString = "2.16.840.1.113741.2.1.3.2.2"
/// How it was signed.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithm: CFString = "2.16.840.1.113741.2.1.3.2.1"
/// The parameters of the signature.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithmParameters: CFString = "2.16.840.1.113741.2.1.3.2.3"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureAlgorithmTBS: CFString = "2.16.840.1.113741.2.1.3.2.10"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureCStruct: CFString = "2.16.840.1.113741.2.1.3.2.0.1"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SignatureStruct: CFString = "2.16.840.1.113741.2.1.3.2.0"
/// Whose it is.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectName: CFString = "2.16.840.1.113741.2.1.1.1.8"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectNameCStruct: CFString = "2.16.840.1.113741.2.1.1.1.8.1"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectNameLDAP: CFString = "2.16.840.1.113741.2.1.1.1.8.2"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectNameStd: CFString = "2.16.840.1.113741.2.1.1.1.22"
/// The bits of the public key.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKey: CFString = "2.16.840.1.113741.2.1.1.1.10"
/// The kind of public key.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyAlgorithm: CFString = "2.16.840.1.113741.2.1.1.1.9"
/// The parameters of the public key.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyAlgorithmParameters: CFString =
    "2.16.840.1.113741.2.1.1.1.18"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V1SubjectPublicKeyCStruct: CFString = "2.16.840.1.113741.2.1.1.1.20.1"
/// Until when it is valid.
@safe nonisolated(unsafe) public let kSecOIDX509V1ValidityNotAfter: CFString = "2.16.840.1.113741.2.1.1.1.7"
/// From when it is valid.
@safe nonisolated(unsafe) public let kSecOIDX509V1ValidityNotBefore: CFString = "2.16.840.1.113741.2.1.1.1.6"
/// The version, 1 to 3.
@safe nonisolated(unsafe) public let kSecOIDX509V1Version: CFString = "2.16.840.1.113741.2.1.1.1.2"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V3Certificate: CFString = "2.16.840.1.113741.2.1.1.1.1"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateCStruct: CFString = "2.16.840.1.113741.2.1.1.1.1.1"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionCStruct: CFString =
    "2.16.840.1.113741.2.1.1.1.13.1"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionCritical: CFString =
    "2.16.840.1.113741.2.1.1.1.16"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionId: CFString = "2.16.840.1.113741.2.1.1.1.15"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionStruct: CFString = "2.16.840.1.113741.2.1.1.1.13"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionType: CFString = "2.16.840.1.113741.2.1.1.1.19"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionValue: CFString = "2.16.840.1.113741.2.1.1.1.17"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionsCStruct: CFString =
    "2.16.840.1.113741.2.1.1.1.21.1"
/// A part of an extension, as older programs name it.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateExtensionsStruct: CFString = "2.16.840.1.113741.2.1.1.1.21"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V3CertificateNumberOfExtensions: CFString =
    "2.16.840.1.113741.2.1.1.1.14"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V3SignedCertificate: CFString = "2.16.840.1.113741.2.1.1.1.0"
/// A part of a certificate in a form of older programs; ``SecCertificateCopyValues(_:_:_:)`` has no such value.
@safe nonisolated(unsafe) public let kSecOIDX509V3SignedCertificateCStruct: CFString = "2.16.840.1.113741.2.1.1.1.0.1"
