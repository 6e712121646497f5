// SPDX-License-Identifier: Apache-2.0

/// The certificate does not name the expected e-mail address.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// The extended key usage does not allow S/MIME.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The key usage does not allow S/MIME.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// The key usage extension is not marked critical, as S/MIME demands.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate names no e-mail address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The subject alternative name is not marked critical, as S/MIME demands.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// The extended key usage does not allow SSL.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The OCSP response is malformed or cannot be parsed.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The OCSP request is malformed or cannot be parsed.
public let errSecOCSPBadRequest: OSStatus = -67631
/// The OCSP service is not available.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The OCSP server does not recognize this certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// The data ended before it was complete.
public let errSecEndOfData: OSStatus = -67634
/// The check for revocation could not be completed.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636
/// The OCSP response is not trusted by any anchor certificate.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// The record was modified in the meantime.
public let errSecRecordModified: OSStatus = -67638
/// The signature of the OCSP response is not valid.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The OCSP response has no signer.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The OCSP responder found the request malformed.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The OCSP responder met an internal error.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The OCSP responder is busy: try again later.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The OCSP responder requires a signed request.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The OCSP responder refused the request as unauthorized.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The nonce of the OCSP response differs from the request's.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The certificate chain for code signing has the wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// The certificate for code signing has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// The path length constraint of the code signing certificate is not valid.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// The certificate for code signing has no extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The certificate may sign code for development only.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The certificate chain for resource signing has the wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// The extended key usage does not allow resource signing.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// The trust settings for this policy say deny.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The subject name is empty or not valid.
public let errSecInvalidSubjectName: OSStatus = -67655
/// The certificate has a qualified statement that is not known.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
/// The MobileMe request will be sent at the next connection.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// The MobileMe request was redirected.
public let errSecMobileMeRequestRedirected: OSStatus = -67658
/// The MobileMe server met an error.
public let errSecMobileMeServerError: OSStatus = -67659
/// The MobileMe server is not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660
/// The MobileMe server already has this item.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// The MobileMe service met an error.
public let errSecMobileMeServerServiceErr: OSStatus = -67662
/// A MobileMe request is pending already.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// No MobileMe request is pending.
public let errSecMobileMeNoRequestPending: OSStatus = -67664
/// MobileMe could not verify the certificate signing request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// MobileMe found an inconsistency.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666
