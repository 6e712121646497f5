// SPDX-License-Identifier: Apache-2.0

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
