// SPDX-License-Identifier: Apache-2.0

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
