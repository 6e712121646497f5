// SPDX-License-Identifier: Apache-2.0

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
