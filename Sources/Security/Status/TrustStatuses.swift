// SPDX-License-Identifier: Apache-2.0

/// The service that this needs is not available.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The client did not identify itself well enough.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device was reset while it was in use.
public let errSecDeviceReset: OSStatus = -67587
/// The device failed.
public let errSecDeviceFailed: OSStatus = -67588
/// The application could not be added to the access control list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// The public key lacks parameters that it should inherit.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// The signature of the code does not match the one on record.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The start date of the key is not valid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The end date of the key is not valid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// A value could not be converted to another form.
public let errSecConversionError: OSStatus = -67594
/// The connection was rolled back to SSL version 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// The storage quota is used up.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file is larger than allowed.
public let errSecFileTooBig: OSStatus = -67597
/// The database holds a blob that is not valid.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// The key holds a blob that is not valid.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// The version of the database's blob is not supported.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// The version of the key's blob is not supported.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
/// The host name does not match the certificate.
public let errSecHostNameMismatch: OSStatus = -67602
/// The certificate has a critical extension that is not known.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604
/// The basic constraints do not say that this is a certificate authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The authority key identifier is not valid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The subject key identifier is not valid.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The key usage does not satisfy the policy.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The extended key usage is not valid.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The key identifiers of issuer and certificate do not link up.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The certificate chain is longer than its path length constraint allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The root of the certificate chain is not valid.
public let errSecInvalidRoot: OSStatus = -67612
/// The certificate revocation list has expired.
public let errSecCRLExpired: OSStatus = -67613
/// The certificate revocation list is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67614
/// The certificate revocation list was not found.
public let errSecCRLNotFound: OSStatus = -67615
/// The server of the certificate revocation list does not answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The address of the certificate revocation list is malformed.
public let errSecCRLBadURI: OSStatus = -67617
/// The certificate has an extension that is not known.
public let errSecUnknownCertExtension: OSStatus = -67618
/// The certificate revocation list has an extension that is not known.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// The certificate revocation list is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The certificate revocation list failed a policy.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The issuing distribution point does not apply to this certificate.
public let errSecIDPFailure: OSStatus = -67622
