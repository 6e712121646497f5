// SPDX-License-Identifier: Apache-2.0

// The system.

/// No error.
public let errSecSuccess: OSStatus = 0
/// Function or operation not implemented.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// Another spelling of ``errSecDiskFull``, which old code uses.
public let errSecDskFull: OSStatus = -34
/// I/O error.
public let errSecIO: OSStatus = -36
/// The file is already open with write permission.
public let errSecOpWr: OSStatus = -49
/// One or more parameters passed to a function were not valid.
public let errSecParam: OSStatus = -50
/// Write permissions error.
public let errSecWrPerm: OSStatus = -61
/// Failed to allocate memory.
public let errSecAllocate: OSStatus = -108
/// User canceled the operation.
public let errSecUserCanceled: OSStatus = -128
/// Bad parameter or invalid state for operation.
public let errSecBadReq: OSStatus = -909
/// An internal component failed.
public let errSecInternalComponent: OSStatus = -2070
/// An unknown Core Foundation error occurred.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// A required entitlement isn't present.
public let errSecMissingEntitlement: OSStatus = -34018
/// Client is restricted and is not permitted to perform this operation.
public let errSecRestrictedAPI: OSStatus = -34020
/// Underlying cryptographic error.
public let errSSLCrypto: OSStatus = -9809

// Keychains and their items.

/// The specified access control list is not in standard (simple) form.
public let errSecACLNotSimple: OSStatus = -25240
/// The specified policy cannot be found.
public let errSecPolicyNotFound: OSStatus = -25241
/// The specified trust setting is invalid.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// The specified item has no access control.
public let errSecNoAccessForItem: OSStatus = -25243
/// Invalid attempt to change the owner of this item.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// No trust results are available.
public let errSecTrustNotAvailable: OSStatus = -25245
/// Import/Export format unsupported.
public let errSecUnsupportedFormat: OSStatus = -25256
/// Unknown format in import.
public let errSecUnknownFormat: OSStatus = -25257
/// Key material must be wrapped for export.
public let errSecKeyIsSensitive: OSStatus = -25258
/// An attempt was made to import multiple private keys.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// Passphrase is required for import/export.
public let errSecPassphraseRequired: OSStatus = -25260
/// The password reference was invalid.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The trust settings record was corrupted.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// No trust settings were found.
public let errSecNoTrustSettings: OSStatus = -25263
/// MAC verification failed during PKCS12 import (wrong password?).
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// No keychain is available.
///
/// You may need to restart your computer.
public let errSecNotAvailable: OSStatus = -25291
/// This keychain cannot be modified.
public let errSecReadOnly: OSStatus = -25292
/// The user name or passphrase you entered is not correct.
public let errSecAuthFailed: OSStatus = -25293
/// The specified keychain could not be found.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The specified keychain is not a valid keychain file.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain with the same name already exists.
public let errSecDuplicateKeychain: OSStatus = -25296
/// The specified callback function is already installed.
public let errSecDuplicateCallback: OSStatus = -25297
/// The specified callback function is not valid.
public let errSecInvalidCallback: OSStatus = -25298
/// The specified item already exists in the keychain.
public let errSecDuplicateItem: OSStatus = -25299
/// The specified item could not be found in the keychain.
public let errSecItemNotFound: OSStatus = -25300
/// There is not enough memory available to use the specified item.
public let errSecBufferTooSmall: OSStatus = -25301
/// This item contains information which is too large or in a format that cannot be displayed.
public let errSecDataTooLarge: OSStatus = -25302
/// The specified attribute does not exist.
public let errSecNoSuchAttr: OSStatus = -25303
/// The specified item is no longer valid.
///
/// It may have been deleted from the keychain.
public let errSecInvalidItemRef: OSStatus = -25304
/// Unable to search the current keychain.
public let errSecInvalidSearchRef: OSStatus = -25305
/// The specified item does not appear to be a valid keychain item.
public let errSecNoSuchClass: OSStatus = -25306
/// A default keychain could not be found.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// User interaction is not allowed.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The specified attribute could not be modified.
public let errSecReadOnlyAttr: OSStatus = -25309
/// This keychain was created by a different version of the system software and cannot be opened.
public let errSecWrongSecVersion: OSStatus = -25310
/// This item specifies a key size which is too large or too small.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// A required component (data storage module) could not be loaded.
public let errSecNoStorageModule: OSStatus = -25312
/// A required component (certificate module) could not be loaded.
public let errSecNoCertificateModule: OSStatus = -25313
/// A required component (policy module) could not be loaded.
public let errSecNoPolicyModule: OSStatus = -25314
/// User interaction is required, but is currently not allowed.
public let errSecInteractionRequired: OSStatus = -25315
/// The contents of this item cannot be retrieved.
public let errSecDataNotAvailable: OSStatus = -25316
/// The contents of this item cannot be modified.
public let errSecDataNotModifiable: OSStatus = -25317
/// One or more certificates required to validate this certificate cannot be found.
public let errSecCreateChainFailed: OSStatus = -25318
/// The specified preferences domain is not valid.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// In dark wake, no UI possible.
public let errSecInDarkWake: OSStatus = -25320
/// The certificate is not one that signed this data.
public let errSecNotSigner: OSStatus = -26267
/// Unable to decode the provided data.
public let errSecDecode: OSStatus = -26275

// Apple has these in private headers.

/// The policy does not allow this.
public let errSecPolicyDenied: OSStatus = -26270
/// An internal error occurred in the Security framework.
public let errSecInternal: OSStatus = -26276
/// Authentication is needed to use the item.
public let errSecAuthNeeded: OSStatus = -25330
/// The result arrives through a callback.
public let errSecWaitForCallback: OSStatus = -34017
/// The keychain is being upgraded.
public let errSecUpgradePending: OSStatus = -34019

// Trust.

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

// Trust over the network.

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

// Modules.

/// The function was called before initialization.
public let errSecNotInitialized: OSStatus = -67667
/// The handle cannot be used for this.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// The module that called this was not found among the verified ones.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// The address of the function failed its integrity check.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// An internal error has occurred.
public let errSecInternalError: OSStatus = -67671
/// A memory error has occurred.
public let errSecMemoryError: OSStatus = -67672
/// The data is not valid.
public let errSecInvalidData: OSStatus = -67673
/// The module directory service met an error.
public let errSecMDSError: OSStatus = -67674
/// A pointer is not valid.
public let errSecInvalidPointer: OSStatus = -67675
/// The self-check failed.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed.
public let errSecFunctionFailed: OSStatus = -67677
/// The manifest of a module could not be verified.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// The unique identifier is not valid.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle is not valid.
public let errSecInvalidHandle: OSStatus = -67680
/// The list of databases is not valid.
public let errSecInvalidDBList: OSStatus = -67681
/// The identifier of the passed-through operation is not valid.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address is not valid.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The certificate revocation list is signed already.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// The number of fields is not valid.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// A verification failed.
public let errSecVerificationFailure: OSStatus = -67686
/// The tag is not known.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is not valid.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is not valid.
public let errSecInvalidName: OSStatus = -67689
/// The certificate reference is not valid.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The certificate group is not valid.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// The tag was not found.
public let errSecTagNotFound: OSStatus = -67692
/// The query is not valid.
public let errSecInvalidQuery: OSStatus = -67693
/// The value is not valid.
public let errSecInvalidValue: OSStatus = -67694
/// A callback failed.
public let errSecCallbackFailed: OSStatus = -67695
/// An entry of the access control list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67696
/// An entry of the access control list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// An entry could not be added to the access control list.
public let errSecACLAddFailed: OSStatus = -67698
/// The access control list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The access credentials are not valid.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is not valid.
public let errSecInvalidRecord: OSStatus = -67701
/// The access control list is not valid.
public let errSecInvalidACL: OSStatus = -67702
/// A sample value of the credentials is not valid.
public let errSecInvalidSampleValue: OSStatus = -67703
/// The version is not compatible.
public let errSecIncompatibleVersion: OSStatus = -67704
/// The privilege was not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// The scope is not valid.
public let errSecInvalidScope: OSStatus = -67706
/// The verification of callers is configured already.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// The setting for the verification of callers is not valid.
public let errSecInvalidPVC: OSStatus = -67708
/// The elective module manager could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709
/// The elective module manager could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710

// Key formats.

/// A plug-in could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The key reference is not valid.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The key hierarchy is not valid.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// A plug-in could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// The library reference was not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The function table of a plug-in is not valid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The service mask is not valid.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The subservice identifier is not valid.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The attribute is not part of the context.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The module manager could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// The module manager was not found.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// The callback for event notifications was not found.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input has the wrong length.
public let errSecInputLengthError: OSStatus = -67724
/// The output has the wrong length.
public let errSecOutputLengthError: OSStatus = -67725
/// The privilege is not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reported an error.
public let errSecDeviceError: OSStatus = -67727
/// The attached handle is busy.
public let errSecAttachHandleBusy: OSStatus = -67728
/// You are not logged in.
public let errSecNotLoggedIn: OSStatus = -67729
/// The algorithm does not match the key.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key may not be used for this.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The blob of the key has the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The header of the key contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// The key format is not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// The key size is not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The key usage mask is not valid.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// The key usage mask is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The key attribute mask is not valid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// The key attribute mask is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The key label is not valid.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// The key label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key format is not valid.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// A vector of buffers is not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The vector of input buffers is not valid.
public let errSecInvalidInputVector: OSStatus = -67744
/// The vector of output buffers is not valid.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The context is not valid.
public let errSecInvalidContext: OSStatus = -67746

// Algorithms and their parameters.

/// The algorithm is not valid.
public let errSecInvalidAlgorithm: OSStatus = -67747
/// The key is not valid.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The key is missing.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The initialization vector is not valid.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The initialization vector is missing.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The salt is not valid.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The salt is missing.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The padding is not valid.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The padding is missing.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The random number is not valid.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The random number is missing.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The seed is not valid.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The seed is missing.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The passphrase is not valid.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The passphrase is missing.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The key length is not valid.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The key length is missing.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The block size is not valid.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The block size is missing.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The output size is not valid.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The output size is missing.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The number of rounds is not valid.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The number of rounds is missing.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The parameters of the algorithm are not valid.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The parameters of the algorithm are missing.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The label is not valid.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The label is missing.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The key type is not valid.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The key type is missing.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The mode is not valid.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The mode is missing.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The number of effective bits is not valid.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The number of effective bits is missing.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The start date is not valid.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The start date is missing.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The end date is not valid.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The end date is missing.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The version is not valid.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The version is missing.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The prime is not valid.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The prime is missing.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The base is not valid.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The base is missing.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The subprime is not valid.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The subprime is missing.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The iteration count is not valid.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The iteration count is missing.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The database handle is not valid.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The database handle is missing.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The access credential is not valid.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The access credential is missing.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The public key format is not valid.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The public key format is missing.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The private key format is not valid.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The private key format is missing.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The symmetric key format is not valid.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The symmetric key format is missing.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The wrapped key format is not valid.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The wrapped key format is missing.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

// Certificates and revocation lists.

/// A staged operation is in progress.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// A staged operation was not started.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// A cryptographic verification failure has occurred.
public let errSecVerifyFailed: OSStatus = -67808
/// The size of the query's result is not known.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The block size does not match.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The public key contradicts itself.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device could not be verified.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// The login name is not valid.
public let errSecInvalidLoginName: OSStatus = -67813
/// You are logged in already.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// The digest algorithm is not valid.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// The group of certificate revocation lists is not valid.
public let errSecInvalidCRLGroup: OSStatus = -67816
/// The certificate cannot be used for this.
public let errSecCertificateCannotOperate: OSStatus = -67817
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// The certificate was suspended.
public let errSecCertificateSuspended: OSStatus = -67821
/// The credentials do not suffice.
public let errSecInsufficientCredentials: OSStatus = -67822
/// The action is not valid.
public let errSecInvalidAction: OSStatus = -67823
/// The authority is not valid.
public let errSecInvalidAuthority: OSStatus = -67824
/// The action could not be verified.
public let errSecVerifyActionFailed: OSStatus = -67825
/// The certificate authority is not valid.
public let errSecInvalidCertAuthority: OSStatus = -67826
/// The authority of the certificate revocation list is not valid.
public let errSecInvalidCRLAuthority: OSStatus = -67827
/// Another spelling of ``errSecInvalidCRLAuthority``, which old code uses.
public let errSecInvaldCRLAuthority: OSStatus = -67827
/// The encoding of the certificate revocation list is not valid.
public let errSecInvalidCRLEncoding: OSStatus = -67828
/// The type of the certificate revocation list is not valid.
public let errSecInvalidCRLType: OSStatus = -67829
/// The certificate revocation list is not valid.
public let errSecInvalidCRL: OSStatus = -67830
/// The form type is not valid.
public let errSecInvalidFormType: OSStatus = -67831
/// The identifier in the request is not valid.
public let errSecInvalidID: OSStatus = -67832
/// The identifier is not valid.
public let errSecInvalidIdentifier: OSStatus = -67833
/// The index is not valid.
public let errSecInvalidIndex: OSStatus = -67834
/// The policy identifiers are not valid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// The time is not written as it should be.
public let errSecInvalidTimeString: OSStatus = -67836
/// The reason is not valid.
public let errSecInvalidReason: OSStatus = -67837
/// The inputs of the request are not valid.
public let errSecInvalidRequestInputs: OSStatus = -67838
/// The response vector is not valid.
public let errSecInvalidResponseVector: OSStatus = -67839
/// The policy to stop on is not valid.
public let errSecInvalidStopOnPolicy: OSStatus = -67840
/// The tuple is not valid.
public let errSecInvalidTuple: OSStatus = -67841
/// Several values are not supported here.
public let errSecMultipleValuesUnsupported: OSStatus = -67842
/// It is not trusted.
public let errSecNotTrusted: OSStatus = -67843
/// There is no default authority.
public let errSecNoDefaultAuthority: OSStatus = -67844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845
/// The request was lost.
public let errSecRequestLost: OSStatus = -67846
/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67847
/// The address type is not supported.
public let errSecUnsupportedAddressType: OSStatus = -67848
/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67849
/// The group of tuples is not valid.
public let errSecInvalidTupleGroup: OSStatus = -67850
/// The base access control lists are not valid.
public let errSecInvalidBaseACLs: OSStatus = -67851
/// The credentials of the tuple are not valid.
public let errSecInvalidTupleCredentials: OSStatus = -67852
/// Another spelling of ``errSecInvalidTupleCredentials``, which old code uses.
public let errSecInvalidTupleCredendtials: OSStatus = -67852
/// The encoding is not valid.
public let errSecInvalidEncoding: OSStatus = -67853
/// The validity period is not valid.
public let errSecInvalidValidityPeriod: OSStatus = -67854
/// The requestor is not valid.
public let errSecInvalidRequestor: OSStatus = -67855
/// The descriptor of the request is not valid.
public let errSecRequestDescriptor: OSStatus = -67856

// Databases.

/// The bundle information is not valid.
public let errSecInvalidBundleInfo: OSStatus = -67857
/// The index into the certificate revocation list is not valid.
public let errSecInvalidCRLIndex: OSStatus = -67858
/// The field has no values.
public let errSecNoFieldValues: OSStatus = -67859
/// The field format is not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860
/// The index information is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861
/// The locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862
/// This number of attributes is not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863
/// This number of indexes is not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864
/// This number of record types is not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
/// A field was given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
/// The field format is not compatible.
public let errSecIncompatibleFieldFormat: OSStatus = -67867
/// The parsing module is not valid.
public let errSecInvalidParsingModule: OSStatus = -67868
/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67869
/// The data store is open.
public let errSecDatastoreIsOpen: OSStatus = -67870
/// A value is missing.
public let errSecMissingValue: OSStatus = -67871
/// The query limits are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872
/// This number of selection predicates is not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67874
/// The location of the database is not valid.
public let errSecInvalidDBLocation: OSStatus = -67875
/// The access request is not valid.
public let errSecInvalidAccessRequest: OSStatus = -67876
/// The index information is not valid.
public let errSecInvalidIndexInfo: OSStatus = -67877
/// The new owner is not valid.
public let errSecInvalidNewOwner: OSStatus = -67878
/// The modify mode is not valid.
public let errSecInvalidModifyMode: OSStatus = -67879
/// A required certificate extension is missing.
public let errSecMissingRequiredExtension: OSStatus = -67880
/// The extended key usage extension is not marked critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
/// A timestamp was expected but is missing.
public let errSecTimestampMissing: OSStatus = -67882
/// The timestamp is not valid.
public let errSecTimestampInvalid: OSStatus = -67883
/// The timestamp is not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67884
/// The timestamp service is not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
/// The timestamp uses an algorithm that is unknown or not supported.
public let errSecTimestampBadAlg: OSStatus = -67886
/// The timestamp request is not allowed or not supported.
public let errSecTimestampBadRequest: OSStatus = -67887
/// The timestamp request has the wrong format.
public let errSecTimestampBadDataFormat: OSStatus = -67888
/// The time source of the timestamp authority is not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
/// The timestamp authority does not accept the requested policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
/// The timestamp authority does not accept the requested extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
/// The timestamp authority lacks the additional information asked for.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
/// The timestamp authority failed to handle the request.
public let errSecTimestampSystemFailure: OSStatus = -67893
/// A signing time was expected but is missing.
public let errSecSigningTimeMissing: OSStatus = -67894
/// The timestamp request was rejected.
public let errSecTimestampRejection: OSStatus = -67895
/// The timestamp request is waiting.
public let errSecTimestampWaiting: OSStatus = -67896
/// The timestamp authority's certificate is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897
/// The timestamp authority's certificate was revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898
/// The issuer's policies do not allow this certificate.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
/// The issuer's name constraints do not allow this certificate.
public let errSecCertificateNameNotAllowed: OSStatus = -67900
/// The certificate is valid for longer than allowed.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// The certificate is that of an authority, where another was expected.
public let errSecCertificateIsCA: OSStatus = -67902
/// The certificate has an extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67903
/// A required qualified statement is missing from the certificate.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904

// TLS, for programs that compare; nothing here speaks it.

/// TLS: the other side does not keep to the protocol.
public let errSSLProtocol: OSStatus = -9800
/// TLS: the two sides have no cipher suite in common.
public let errSSLNegotiation: OSStatus = -9801
/// TLS: the other side sent a fatal alert.
public let errSSLFatalAlert: OSStatus = -9802
/// TLS: the operation would have to wait; try again.
public let errSSLWouldBlock: OSStatus = -9803
/// TLS: there is no such session to resume.
public let errSSLSessionNotFound: OSStatus = -9804
/// TLS: the connection was closed in order.
public let errSSLClosedGraceful: OSStatus = -9805
/// TLS: the connection was closed because of an error.
public let errSSLClosedAbort: OSStatus = -9806
/// TLS: the certificate chain is not valid.
public let errSSLXCertChainInvalid: OSStatus = -9807
/// TLS: the certificate cannot be read.
public let errSSLBadCert: OSStatus = -9808
/// TLS: an internal error occurred.
public let errSSLInternal: OSStatus = -9810
/// TLS: a cryptographic module cannot be used.
public let errSSLModuleAttach: OSStatus = -9811
/// TLS: the chain ends at a root that is not known.
public let errSSLUnknownRootCert: OSStatus = -9812
/// TLS: the chain does not end at a root.
public let errSSLNoRootCert: OSStatus = -9813
/// TLS: a certificate of the chain has expired.
public let errSSLCertExpired: OSStatus = -9814
/// TLS: a certificate of the chain is not valid yet.
public let errSSLCertNotYetValid: OSStatus = -9815
/// TLS: the connection was closed without notice.
public let errSSLClosedNoNotify: OSStatus = -9816
/// TLS: a buffer is too small.
public let errSSLBufferOverflow: OSStatus = -9817
/// TLS: the cipher suite is not allowed here.
public let errSSLBadCipherSuite: OSStatus = -9818
/// TLS: the other side received an unexpected message.
public let errSSLPeerUnexpectedMsg: OSStatus = -9819
/// TLS: the other side found a wrong authentication code.
public let errSSLPeerBadRecordMac: OSStatus = -9820
/// TLS: the other side could not decrypt.
public let errSSLPeerDecryptionFail: OSStatus = -9821
/// TLS: the other side received a record that is too long.
public let errSSLPeerRecordOverflow: OSStatus = -9822
/// TLS: the other side could not decompress.
public let errSSLPeerDecompressFail: OSStatus = -9823
/// TLS: the other side refused the handshake.
public let errSSLPeerHandshakeFail: OSStatus = -9824
/// TLS: the other side found the certificate bad.
public let errSSLPeerBadCert: OSStatus = -9825
/// TLS: the other side does not support the certificate.
public let errSSLPeerUnsupportedCert: OSStatus = -9826
/// TLS: the other side found the certificate revoked.
public let errSSLPeerCertRevoked: OSStatus = -9827
/// TLS: the other side found the certificate expired.
public let errSSLPeerCertExpired: OSStatus = -9828
/// TLS: the other side does not accept the certificate.
public let errSSLPeerCertUnknown: OSStatus = -9829
/// TLS: a parameter is not legal.
public let errSSLIllegalParam: OSStatus = -9830
/// TLS: the other side does not know the authority.
public let errSSLPeerUnknownCA: OSStatus = -9831
/// TLS: the other side denied access.
public let errSSLPeerAccessDenied: OSStatus = -9832
/// TLS: the other side could not read a message.
public let errSSLPeerDecodeError: OSStatus = -9833
/// TLS: the other side found a signature or a key exchange wrong.
public let errSSLPeerDecryptError: OSStatus = -9834
/// TLS: the other side found an export restriction broken.
public let errSSLPeerExportRestriction: OSStatus = -9835
/// TLS: the other side does not support the version.
public let errSSLPeerProtocolVersion: OSStatus = -9836
/// TLS: the other side requires more security.
public let errSSLPeerInsufficientSecurity: OSStatus = -9837
/// TLS: the other side had an internal error.
public let errSSLPeerInternalError: OSStatus = -9838
/// TLS: the user of the other side cancelled.
public let errSSLPeerUserCancelled: OSStatus = -9839
/// TLS: the other side does not renegotiate.
public let errSSLPeerNoRenegotiation: OSStatus = -9840
/// TLS: the certificate of the other side is there and may be examined.
public let errSSLPeerAuthCompleted: OSStatus = -9841
/// TLS: the server asks for a certificate.
public let errSSLClientCertRequested: OSStatus = -9842
/// TLS: the certificate is for another host.
public let errSSLHostNameMismatch: OSStatus = -9843
/// TLS: the other side closed before it answered.
public let errSSLConnectionRefused: OSStatus = -9844
/// TLS: a record cannot be decrypted.
public let errSSLDecryptionFail: OSStatus = -9845
/// TLS: the authentication code of a record is wrong.
public let errSSLBadRecordMac: OSStatus = -9846
/// TLS: a record is too long.
public let errSSLRecordOverflow: OSStatus = -9847
/// TLS: the configuration contradicts itself.
public let errSSLBadConfiguration: OSStatus = -9848
/// TLS: a record was not expected.
public let errSSLUnexpectedRecord: OSStatus = -9849
/// TLS: the ephemeral key of the other side is too short.
public let errSSLWeakPeerEphemeralDHKey: OSStatus = -9850
/// TLS: the greeting of a client arrived and may be examined.
public let errSSLClientHelloReceived: OSStatus = -9851
/// TLS: the transport was reset.
public let errSSLTransportReset: OSStatus = -9852
/// TLS: the network did not answer in time.
public let errSSLNetworkTimeout: OSStatus = -9853
/// TLS: the configuration could not be used.
public let errSSLConfigurationFailed: OSStatus = -9854
/// TLS: an extension was not offered.
public let errSSLUnsupportedExtension: OSStatus = -9855
/// TLS: a message was not expected.
public let errSSLUnexpectedMessage: OSStatus = -9856
/// TLS: a record cannot be decompressed.
public let errSSLDecompressFail: OSStatus = -9857
/// TLS: the handshake failed.
public let errSSLHandshakeFail: OSStatus = -9858
/// TLS: a message cannot be read.
public let errSSLDecodeError: OSStatus = -9859
/// TLS: the client fell back to an older version without need.
public let errSSLInappropriateFallback: OSStatus = -9860
/// TLS: an extension is missing.
public let errSSLMissingExtension: OSStatus = -9861
/// TLS: the answer about the certificate is bad.
public let errSSLBadCertificateStatusResponse: OSStatus = -9862
/// TLS: a certificate is required.
public let errSSLCertificateRequired: OSStatus = -9863
/// TLS: the name of the shared key is not known.
public let errSSLUnknownPSKIdentity: OSStatus = -9864
/// TLS: the server does not know the name.
public let errSSLUnrecognizedName: OSStatus = -9865
/// TLS: the transport policy was broken.
public let errSSLATSViolation: OSStatus = -9880
/// TLS: the version is older than the transport policy allows.
public let errSSLATSMinimumVersionViolation: OSStatus = -9881
/// TLS: the transport policy does not allow the cipher suite.
public let errSSLATSCiphersuiteViolation: OSStatus = -9882
/// TLS: a key is shorter than the transport policy allows.
public let errSSLATSMinimumKeySizeViolation: OSStatus = -9883
/// TLS: the transport policy does not allow the digest of the certificate.
public let errSSLATSLeafCertificateHashAlgorithmViolation: OSStatus = -9884
/// TLS: the transport policy does not allow a digest in the chain.
public let errSSLATSCertificateHashAlgorithmViolation: OSStatus = -9885
/// TLS: a certificate is not trusted as the transport policy requires.
public let errSSLATSCertificateTrustViolation: OSStatus = -9886
/// TLS: early data was rejected.
public let errSSLEarlyDataRejected: OSStatus = -9890
