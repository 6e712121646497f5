// SPDX-License-Identifier: Apache-2.0

/// Every status: its number, Apple's name of it, and what it means, in the words that scripts look for.
///
/// `Scripts/statuses.py` makes `Security/Status/errSec.swift` of these rows; a number stands here, or in `SecurityStatus` when
/// other code names it too, and nowhere else.
package enum StatusTable {
    package struct Row: Sendable {
        package let status: SecurityStatus
        package let name: String
        package let sentence: String
        /// Another spelling of the name, which old code uses.
        package let oldName: String?

        fileprivate init(_ status: SecurityStatus, _ name: String, _ sentence: String, oldName: String? = nil) {
            self.status = status
            self.name = name
            self.sentence = sentence
            self.oldName = oldName
        }
    }

    package static var rows: [Row] { groups.flatMap { $0 } }

    static func sentence(for number: Int32) -> String? {
        for group in groups {
            if let row = group.first(where: { $0.status.number == number }) { return row.sentence }
        }
        return nil
    }

    private static let groups = [
        system, keychain, privateConditions, trust, networkTrust, module, keyFormat, algorithm, certificate, database,
        tls,
    ]
}

extension StatusTable {
    // The system.
    private static let system: [Row] = [
        Row(0, "errSecSuccess", "No error."),
        Row(.unimplemented, "errSecUnimplemented", "Function or operation not implemented."),
        Row(-34, "errSecDiskFull", "The disk is full.", oldName: "errSecDskFull"),
        Row(.inputOutput, "errSecIO", "I/O error."),
        Row(-49, "errSecOpWr", "The file is already open with write permission."),
        Row(.parameter, "errSecParam", "One or more parameters passed to a function were not valid."),
        Row(-61, "errSecWrPerm", "Write permissions error."),
        Row(.outOfMemory, "errSecAllocate", "Failed to allocate memory."),
        Row(.cancelled, "errSecUserCanceled", "User canceled the operation."),
        Row(-909, "errSecBadReq", "Bad parameter or invalid state for operation."),
        Row(-2070, "errSecInternalComponent", "An internal component failed."),
        Row(-4960, "errSecCoreFoundationUnknown", "An unknown Core Foundation error occurred."),
        Row(.missingEntitlement, "errSecMissingEntitlement", "A required entitlement isn't present."),
        Row(-34020, "errSecRestrictedAPI", "Client is restricted and is not permitted to perform this operation."),
        Row(-9809, "errSSLCrypto", "Underlying cryptographic error."),
    ]
}

extension StatusTable {
    // Keychains and their items.
    private static let keychain: [Row] = [
        Row(-25240, "errSecACLNotSimple", "The specified access control list is not in standard (simple) form."),
        Row(-25241, "errSecPolicyNotFound", "The specified policy cannot be found."),
        Row(-25242, "errSecInvalidTrustSetting", "The specified trust setting is invalid."),
        Row(-25243, "errSecNoAccessForItem", "The specified item has no access control."),
        Row(-25244, "errSecInvalidOwnerEdit", "Invalid attempt to change the owner of this item."),
        Row(-25245, "errSecTrustNotAvailable", "No trust results are available."),
        Row(.unsupportedFormat, "errSecUnsupportedFormat", "Import/Export format unsupported."),
        Row(.unknownFormat, "errSecUnknownFormat", "Unknown format in import."),
        Row(.sensitiveKey, "errSecKeyIsSensitive", "Key material must be wrapped for export."),
        Row(.severalPrivateKeys, "errSecMultiplePrivKeys", "An attempt was made to import multiple private keys."),
        Row(.passphraseRequired, "errSecPassphraseRequired", "Passphrase is required for import/export."),
        Row(.invalidPassphrase, "errSecInvalidPasswordRef", "The password reference was invalid."),
        Row(-25262, "errSecInvalidTrustSettings", "The trust settings record was corrupted."),
        Row(-25263, "errSecNoTrustSettings", "No trust settings were found."),
        Row(
            .unverifiedPKCS12, "errSecPkcs12VerifyFailure",
            "MAC verification failed during PKCS12 import (wrong password?)."),
        Row(.notAvailable, "errSecNotAvailable", "No keychain is available. You may need to restart your computer."),
        Row(.readOnly, "errSecReadOnly", "This keychain cannot be modified."),
        Row(.authenticationFailed, "errSecAuthFailed", "The user name or passphrase you entered is not correct."),
        Row(.noSuchKeychain, "errSecNoSuchKeychain", "The specified keychain could not be found."),
        Row(-25295, "errSecInvalidKeychain", "The specified keychain is not a valid keychain file."),
        Row(.duplicateKeychain, "errSecDuplicateKeychain", "A keychain with the same name already exists."),
        Row(-25297, "errSecDuplicateCallback", "The specified callback function is already installed."),
        Row(-25298, "errSecInvalidCallback", "The specified callback function is not valid."),
        Row(.duplicateItem, "errSecDuplicateItem", "The specified item already exists in the keychain."),
        Row(.itemNotFound, "errSecItemNotFound", "The specified item could not be found in the keychain."),
        Row(-25301, "errSecBufferTooSmall", "There is not enough memory available to use the specified item."),
        Row(
            -25302, "errSecDataTooLarge",
            "This item contains information which is too large or in a format that cannot be displayed."),
        Row(.noSuchAttribute, "errSecNoSuchAttr", "The specified attribute does not exist."),
        Row(
            -25304, "errSecInvalidItemRef",
            "The specified item is no longer valid. It may have been deleted from the keychain."),
        Row(-25305, "errSecInvalidSearchRef", "Unable to search the current keychain."),
        Row(.noSuchClass, "errSecNoSuchClass", "The specified item does not appear to be a valid keychain item."),
        Row(-25307, "errSecNoDefaultKeychain", "A default keychain could not be found."),
        Row(.interactionNotAllowed, "errSecInteractionNotAllowed", "User interaction is not allowed."),
        Row(-25309, "errSecReadOnlyAttr", "The specified attribute could not be modified."),
        Row(
            -25310, "errSecWrongSecVersion",
            "This keychain was created by a different version of the system software and cannot be opened."),
        Row(
            .keySizeNotAllowed, "errSecKeySizeNotAllowed",
            "This item specifies a key size which is too large or too small."),
        Row(-25312, "errSecNoStorageModule", "A required component (data storage module) could not be loaded."),
        Row(-25313, "errSecNoCertificateModule", "A required component (certificate module) could not be loaded."),
        Row(-25314, "errSecNoPolicyModule", "A required component (policy module) could not be loaded."),
        Row(-25315, "errSecInteractionRequired", "User interaction is required, but is currently not allowed."),
        Row(.dataNotAvailable, "errSecDataNotAvailable", "The contents of this item cannot be retrieved."),
        Row(-25317, "errSecDataNotModifiable", "The contents of this item cannot be modified."),
        Row(
            -25318, "errSecCreateChainFailed",
            "One or more certificates required to validate this certificate cannot be found."),
        Row(-25319, "errSecInvalidPrefsDomain", "The specified preferences domain is not valid."),
        Row(-25320, "errSecInDarkWake", "In dark wake, no UI possible."),
        Row(-26267, "errSecNotSigner", "The certificate is not one that signed this data."),
        Row(.undecodable, "errSecDecode", "Unable to decode the provided data."),
    ]
}

extension StatusTable {
    // Apple has these in private headers.
    private static let privateConditions: [Row] = [
        Row(-26270, "errSecPolicyDenied", "The policy does not allow this."),
        Row(.internalError, "errSecInternal", "An internal error occurred in the Security framework."),
        Row(-25330, "errSecAuthNeeded", "Authentication is needed to use the item."),
        Row(-34017, "errSecWaitForCallback", "The result arrives through a callback."),
        Row(-34019, "errSecUpgradePending", "The keychain is being upgraded."),
    ]
}

extension StatusTable {
    // Trust.
    private static let trust: [Row] = [
        Row(-67585, "errSecServiceNotAvailable", "The service that this needs is not available."),
        Row(-67586, "errSecInsufficientClientID", "The client did not identify itself well enough."),
        Row(-67587, "errSecDeviceReset", "The device was reset while it was in use."),
        Row(-67588, "errSecDeviceFailed", "The device failed."),
        Row(-67589, "errSecAppleAddAppACLSubject", "The application could not be added to the access control list."),
        Row(-67590, "errSecApplePublicKeyIncomplete", "The public key lacks parameters that it should inherit."),
        Row(-67591, "errSecAppleSignatureMismatch", "The signature of the code does not match the one on record."),
        Row(-67592, "errSecAppleInvalidKeyStartDate", "The start date of the key is not valid."),
        Row(-67593, "errSecAppleInvalidKeyEndDate", "The end date of the key is not valid."),
        Row(-67594, "errSecConversionError", "A value could not be converted to another form."),
        Row(-67595, "errSecAppleSSLv2Rollback", "The connection was rolled back to SSL version 2."),
        Row(-67596, "errSecQuotaExceeded", "The storage quota is used up."),
        Row(-67597, "errSecFileTooBig", "The file is larger than allowed."),
        Row(-67598, "errSecInvalidDatabaseBlob", "The database holds a blob that is not valid."),
        Row(-67599, "errSecInvalidKeyBlob", "The key holds a blob that is not valid."),
        Row(-67600, "errSecIncompatibleDatabaseBlob", "The version of the database's blob is not supported."),
        Row(-67601, "errSecIncompatibleKeyBlob", "The version of the key's blob is not supported."),
        Row(-67602, "errSecHostNameMismatch", "The host name does not match the certificate."),
        Row(
            -67603, "errSecUnknownCriticalExtensionFlag", "The certificate has a critical extension that is not known."),
        Row(-67604, "errSecNoBasicConstraints", "The certificate has no basic constraints."),
        Row(
            -67605, "errSecNoBasicConstraintsCA",
            "The basic constraints do not say that this is a certificate authority."),
        Row(-67606, "errSecInvalidAuthorityKeyID", "The authority key identifier is not valid."),
        Row(-67607, "errSecInvalidSubjectKeyID", "The subject key identifier is not valid."),
        Row(-67608, "errSecInvalidKeyUsageForPolicy", "The key usage does not satisfy the policy."),
        Row(-67609, "errSecInvalidExtendedKeyUsage", "The extended key usage is not valid."),
        Row(-67610, "errSecInvalidIDLinkage", "The key identifiers of issuer and certificate do not link up."),
        Row(
            -67611, "errSecPathLengthConstraintExceeded",
            "The certificate chain is longer than its path length constraint allows."),
        Row(-67612, "errSecInvalidRoot", "The root of the certificate chain is not valid."),
        Row(-67613, "errSecCRLExpired", "The certificate revocation list has expired."),
        Row(-67614, "errSecCRLNotValidYet", "The certificate revocation list is not valid yet."),
        Row(-67615, "errSecCRLNotFound", "The certificate revocation list was not found."),
        Row(-67616, "errSecCRLServerDown", "The server of the certificate revocation list does not answer."),
        Row(-67617, "errSecCRLBadURI", "The address of the certificate revocation list is malformed."),
        Row(-67618, "errSecUnknownCertExtension", "The certificate has an extension that is not known."),
        Row(-67619, "errSecUnknownCRLExtension", "The certificate revocation list has an extension that is not known."),
        Row(-67620, "errSecCRLNotTrusted", "The certificate revocation list is not trusted."),
        Row(-67621, "errSecCRLPolicyFailed", "The certificate revocation list failed a policy."),
        Row(-67622, "errSecIDPFailure", "The issuing distribution point does not apply to this certificate."),
    ]
}

extension StatusTable {
    // Trust over the network.
    private static let networkTrust: [Row] = [
        Row(-67623, "errSecSMIMEEmailAddressesNotFound", "The certificate does not name the expected e-mail address."),
        Row(-67624, "errSecSMIMEBadExtendedKeyUsage", "The extended key usage does not allow S/MIME."),
        Row(-67625, "errSecSMIMEBadKeyUsage", "The key usage does not allow S/MIME."),
        Row(
            -67626, "errSecSMIMEKeyUsageNotCritical",
            "The key usage extension is not marked critical, as S/MIME demands."),
        Row(-67627, "errSecSMIMENoEmailAddress", "The certificate names no e-mail address."),
        Row(
            -67628, "errSecSMIMESubjAltNameNotCritical",
            "The subject alternative name is not marked critical, as S/MIME demands."),
        Row(-67629, "errSecSSLBadExtendedKeyUsage", "The extended key usage does not allow SSL."),
        Row(-67630, "errSecOCSPBadResponse", "The OCSP response is malformed or cannot be parsed."),
        Row(-67631, "errSecOCSPBadRequest", "The OCSP request is malformed or cannot be parsed."),
        Row(-67632, "errSecOCSPUnavailable", "The OCSP service is not available."),
        Row(-67633, "errSecOCSPStatusUnrecognized", "The OCSP server does not recognize this certificate."),
        Row(-67634, "errSecEndOfData", "The data ended before it was complete."),
        Row(-67635, "errSecIncompleteCertRevocationCheck", "The check for revocation could not be completed."),
        Row(-67636, "errSecNetworkFailure", "The network failed."),
        Row(-67637, "errSecOCSPNotTrustedToAnchor", "The OCSP response is not trusted by any anchor certificate."),
        Row(-67638, "errSecRecordModified", "The record was modified in the meantime."),
        Row(-67639, "errSecOCSPSignatureError", "The signature of the OCSP response is not valid."),
        Row(-67640, "errSecOCSPNoSigner", "The OCSP response has no signer."),
        Row(-67641, "errSecOCSPResponderMalformedReq", "The OCSP responder found the request malformed."),
        Row(-67642, "errSecOCSPResponderInternalError", "The OCSP responder met an internal error."),
        Row(-67643, "errSecOCSPResponderTryLater", "The OCSP responder is busy: try again later."),
        Row(-67644, "errSecOCSPResponderSignatureRequired", "The OCSP responder requires a signed request."),
        Row(-67645, "errSecOCSPResponderUnauthorized", "The OCSP responder refused the request as unauthorized."),
        Row(-67646, "errSecOCSPResponseNonceMismatch", "The nonce of the OCSP response differs from the request's."),
        Row(
            -67647, "errSecCodeSigningBadCertChainLength",
            "The certificate chain for code signing has the wrong length."),
        Row(
            -67648, "errSecCodeSigningNoBasicConstraints", "The certificate for code signing has no basic constraints."),
        Row(
            -67649, "errSecCodeSigningBadPathLengthConstraint",
            "The path length constraint of the code signing certificate is not valid."),
        Row(
            -67650, "errSecCodeSigningNoExtendedKeyUsage", "The certificate for code signing has no extended key usage."
        ),
        Row(-67651, "errSecCodeSigningDevelopment", "The certificate may sign code for development only."),
        Row(
            -67652, "errSecResourceSignBadCertChainLength",
            "The certificate chain for resource signing has the wrong length."),
        Row(-67653, "errSecResourceSignBadExtKeyUsage", "The extended key usage does not allow resource signing."),
        Row(-67654, "errSecTrustSettingDeny", "The trust settings for this policy say deny."),
        Row(-67655, "errSecInvalidSubjectName", "The subject name is empty or not valid."),
        Row(
            -67656, "errSecUnknownQualifiedCertStatement",
            "The certificate has a qualified statement that is not known."),
        Row(-67657, "errSecMobileMeRequestQueued", "The MobileMe request will be sent at the next connection."),
        Row(-67658, "errSecMobileMeRequestRedirected", "The MobileMe request was redirected."),
        Row(-67659, "errSecMobileMeServerError", "The MobileMe server met an error."),
        Row(-67660, "errSecMobileMeServerNotAvailable", "The MobileMe server is not available."),
        Row(-67661, "errSecMobileMeServerAlreadyExists", "The MobileMe server already has this item."),
        Row(-67662, "errSecMobileMeServerServiceErr", "The MobileMe service met an error."),
        Row(-67663, "errSecMobileMeRequestAlreadyPending", "A MobileMe request is pending already."),
        Row(-67664, "errSecMobileMeNoRequestPending", "No MobileMe request is pending."),
        Row(-67665, "errSecMobileMeCSRVerifyFailure", "MobileMe could not verify the certificate signing request."),
        Row(-67666, "errSecMobileMeFailedConsistencyCheck", "MobileMe found an inconsistency."),
    ]
}

extension StatusTable {
    // Modules.
    private static let module: [Row] = [
        Row(-67667, "errSecNotInitialized", "The function was called before initialization."),
        Row(-67668, "errSecInvalidHandleUsage", "The handle cannot be used for this."),
        Row(-67669, "errSecPVCReferentNotFound", "The module that called this was not found among the verified ones."),
        Row(-67670, "errSecFunctionIntegrityFail", "The address of the function failed its integrity check."),
        Row(-67671, "errSecInternalError", "An internal error has occurred."),
        Row(-67672, "errSecMemoryError", "A memory error has occurred."),
        Row(-67673, "errSecInvalidData", "The data is not valid."),
        Row(-67674, "errSecMDSError", "The module directory service met an error."),
        Row(-67675, "errSecInvalidPointer", "A pointer is not valid."),
        Row(-67676, "errSecSelfCheckFailed", "The self-check failed."),
        Row(-67677, "errSecFunctionFailed", "The function failed."),
        Row(-67678, "errSecModuleManifestVerifyFailed", "The manifest of a module could not be verified."),
        Row(-67679, "errSecInvalidGUID", "The unique identifier is not valid."),
        Row(-67680, "errSecInvalidHandle", "The handle is not valid."),
        Row(-67681, "errSecInvalidDBList", "The list of databases is not valid."),
        Row(-67682, "errSecInvalidPassthroughID", "The identifier of the passed-through operation is not valid."),
        Row(-67683, "errSecInvalidNetworkAddress", "The network address is not valid."),
        Row(-67684, "errSecCRLAlreadySigned", "The certificate revocation list is signed already."),
        Row(-67685, "errSecInvalidNumberOfFields", "The number of fields is not valid."),
        Row(-67686, "errSecVerificationFailure", "A verification failed."),
        Row(-67687, "errSecUnknownTag", "The tag is not known."),
        Row(-67688, "errSecInvalidSignature", "The signature is not valid."),
        Row(-67689, "errSecInvalidName", "The name is not valid."),
        Row(-67690, "errSecInvalidCertificateRef", "The certificate reference is not valid."),
        Row(-67691, "errSecInvalidCertificateGroup", "The certificate group is not valid."),
        Row(-67692, "errSecTagNotFound", "The tag was not found."),
        Row(-67693, "errSecInvalidQuery", "The query is not valid."),
        Row(-67694, "errSecInvalidValue", "The value is not valid."),
        Row(-67695, "errSecCallbackFailed", "A callback failed."),
        Row(-67696, "errSecACLDeleteFailed", "An entry of the access control list could not be deleted."),
        Row(-67697, "errSecACLReplaceFailed", "An entry of the access control list could not be replaced."),
        Row(-67698, "errSecACLAddFailed", "An entry could not be added to the access control list."),
        Row(-67699, "errSecACLChangeFailed", "The access control list could not be changed."),
        Row(-67700, "errSecInvalidAccessCredentials", "The access credentials are not valid."),
        Row(-67701, "errSecInvalidRecord", "The record is not valid."),
        Row(-67702, "errSecInvalidACL", "The access control list is not valid."),
        Row(-67703, "errSecInvalidSampleValue", "A sample value of the credentials is not valid."),
        Row(-67704, "errSecIncompatibleVersion", "The version is not compatible."),
        Row(-67705, "errSecPrivilegeNotGranted", "The privilege was not granted."),
        Row(-67706, "errSecInvalidScope", "The scope is not valid."),
        Row(-67707, "errSecPVCAlreadyConfigured", "The verification of callers is configured already."),
        Row(-67708, "errSecInvalidPVC", "The setting for the verification of callers is not valid."),
        Row(-67709, "errSecEMMLoadFailed", "The elective module manager could not be loaded."),
        Row(-67710, "errSecEMMUnloadFailed", "The elective module manager could not be unloaded."),
    ]
}

extension StatusTable {
    // Key formats.
    private static let keyFormat: [Row] = [
        Row(-67711, "errSecAddinLoadFailed", "A plug-in could not be loaded."),
        Row(-67712, "errSecInvalidKeyRef", "The key reference is not valid."),
        Row(-67713, "errSecInvalidKeyHierarchy", "The key hierarchy is not valid."),
        Row(-67714, "errSecAddinUnloadFailed", "A plug-in could not be unloaded."),
        Row(-67715, "errSecLibraryReferenceNotFound", "The library reference was not found."),
        Row(-67716, "errSecInvalidAddinFunctionTable", "The function table of a plug-in is not valid."),
        Row(-67717, "errSecInvalidServiceMask", "The service mask is not valid."),
        Row(-67718, "errSecModuleNotLoaded", "The module is not loaded."),
        Row(-67719, "errSecInvalidSubServiceID", "The subservice identifier is not valid."),
        Row(-67720, "errSecAttributeNotInContext", "The attribute is not part of the context."),
        Row(-67721, "errSecModuleManagerInitializeFailed", "The module manager could not be initialized."),
        Row(-67722, "errSecModuleManagerNotFound", "The module manager was not found."),
        Row(-67723, "errSecEventNotificationCallbackNotFound", "The callback for event notifications was not found."),
        Row(-67724, "errSecInputLengthError", "The input has the wrong length."),
        Row(-67725, "errSecOutputLengthError", "The output has the wrong length."),
        Row(-67726, "errSecPrivilegeNotSupported", "The privilege is not supported."),
        Row(-67727, "errSecDeviceError", "The device reported an error."),
        Row(-67728, "errSecAttachHandleBusy", "The attached handle is busy."),
        Row(-67729, "errSecNotLoggedIn", "You are not logged in."),
        Row(-67730, "errSecAlgorithmMismatch", "The algorithm does not match the key."),
        Row(-67731, "errSecKeyUsageIncorrect", "The key may not be used for this."),
        Row(-67732, "errSecKeyBlobTypeIncorrect", "The blob of the key has the wrong type."),
        Row(-67733, "errSecKeyHeaderInconsistent", "The header of the key contradicts itself."),
        Row(-67734, "errSecUnsupportedKeyFormat", "The key format is not supported."),
        Row(.unsupportedKeySize, "errSecUnsupportedKeySize", "The key size is not supported."),
        Row(-67736, "errSecInvalidKeyUsageMask", "The key usage mask is not valid."),
        Row(-67737, "errSecUnsupportedKeyUsageMask", "The key usage mask is not supported."),
        Row(-67738, "errSecInvalidKeyAttributeMask", "The key attribute mask is not valid."),
        Row(-67739, "errSecUnsupportedKeyAttributeMask", "The key attribute mask is not supported."),
        Row(-67740, "errSecInvalidKeyLabel", "The key label is not valid."),
        Row(-67741, "errSecUnsupportedKeyLabel", "The key label is not supported."),
        Row(-67742, "errSecInvalidKeyFormat", "The key format is not valid."),
        Row(-67743, "errSecUnsupportedVectorOfBuffers", "A vector of buffers is not supported."),
        Row(-67744, "errSecInvalidInputVector", "The vector of input buffers is not valid."),
        Row(-67745, "errSecInvalidOutputVector", "The vector of output buffers is not valid."),
        Row(-67746, "errSecInvalidContext", "The context is not valid."),
    ]
}

extension StatusTable {
    // Algorithms and their parameters.
    private static let algorithm: [Row] = [
        Row(-67747, "errSecInvalidAlgorithm", "The algorithm is not valid."),
        Row(-67748, "errSecInvalidAttributeKey", "The key is not valid."),
        Row(-67749, "errSecMissingAttributeKey", "The key is missing."),
        Row(-67750, "errSecInvalidAttributeInitVector", "The initialization vector is not valid."),
        Row(-67751, "errSecMissingAttributeInitVector", "The initialization vector is missing."),
        Row(-67752, "errSecInvalidAttributeSalt", "The salt is not valid."),
        Row(-67753, "errSecMissingAttributeSalt", "The salt is missing."),
        Row(-67754, "errSecInvalidAttributePadding", "The padding is not valid."),
        Row(-67755, "errSecMissingAttributePadding", "The padding is missing."),
        Row(-67756, "errSecInvalidAttributeRandom", "The random number is not valid."),
        Row(-67757, "errSecMissingAttributeRandom", "The random number is missing."),
        Row(-67758, "errSecInvalidAttributeSeed", "The seed is not valid."),
        Row(-67759, "errSecMissingAttributeSeed", "The seed is missing."),
        Row(-67760, "errSecInvalidAttributePassphrase", "The passphrase is not valid."),
        Row(-67761, "errSecMissingAttributePassphrase", "The passphrase is missing."),
        Row(-67762, "errSecInvalidAttributeKeyLength", "The key length is not valid."),
        Row(-67763, "errSecMissingAttributeKeyLength", "The key length is missing."),
        Row(-67764, "errSecInvalidAttributeBlockSize", "The block size is not valid."),
        Row(-67765, "errSecMissingAttributeBlockSize", "The block size is missing."),
        Row(-67766, "errSecInvalidAttributeOutputSize", "The output size is not valid."),
        Row(-67767, "errSecMissingAttributeOutputSize", "The output size is missing."),
        Row(-67768, "errSecInvalidAttributeRounds", "The number of rounds is not valid."),
        Row(-67769, "errSecMissingAttributeRounds", "The number of rounds is missing."),
        Row(-67770, "errSecInvalidAlgorithmParms", "The parameters of the algorithm are not valid."),
        Row(-67771, "errSecMissingAlgorithmParms", "The parameters of the algorithm are missing."),
        Row(-67772, "errSecInvalidAttributeLabel", "The label is not valid."),
        Row(-67773, "errSecMissingAttributeLabel", "The label is missing."),
        Row(-67774, "errSecInvalidAttributeKeyType", "The key type is not valid."),
        Row(-67775, "errSecMissingAttributeKeyType", "The key type is missing."),
        Row(-67776, "errSecInvalidAttributeMode", "The mode is not valid."),
        Row(-67777, "errSecMissingAttributeMode", "The mode is missing."),
        Row(-67778, "errSecInvalidAttributeEffectiveBits", "The number of effective bits is not valid."),
        Row(-67779, "errSecMissingAttributeEffectiveBits", "The number of effective bits is missing."),
        Row(-67780, "errSecInvalidAttributeStartDate", "The start date is not valid."),
        Row(-67781, "errSecMissingAttributeStartDate", "The start date is missing."),
        Row(-67782, "errSecInvalidAttributeEndDate", "The end date is not valid."),
        Row(-67783, "errSecMissingAttributeEndDate", "The end date is missing."),
        Row(-67784, "errSecInvalidAttributeVersion", "The version is not valid."),
        Row(-67785, "errSecMissingAttributeVersion", "The version is missing."),
        Row(-67786, "errSecInvalidAttributePrime", "The prime is not valid."),
        Row(-67787, "errSecMissingAttributePrime", "The prime is missing."),
        Row(-67788, "errSecInvalidAttributeBase", "The base is not valid."),
        Row(-67789, "errSecMissingAttributeBase", "The base is missing."),
        Row(-67790, "errSecInvalidAttributeSubprime", "The subprime is not valid."),
        Row(-67791, "errSecMissingAttributeSubprime", "The subprime is missing."),
        Row(-67792, "errSecInvalidAttributeIterationCount", "The iteration count is not valid."),
        Row(-67793, "errSecMissingAttributeIterationCount", "The iteration count is missing."),
        Row(-67794, "errSecInvalidAttributeDLDBHandle", "The database handle is not valid."),
        Row(-67795, "errSecMissingAttributeDLDBHandle", "The database handle is missing."),
        Row(-67796, "errSecInvalidAttributeAccessCredentials", "The access credential is not valid."),
        Row(-67797, "errSecMissingAttributeAccessCredentials", "The access credential is missing."),
        Row(-67798, "errSecInvalidAttributePublicKeyFormat", "The public key format is not valid."),
        Row(-67799, "errSecMissingAttributePublicKeyFormat", "The public key format is missing."),
        Row(-67800, "errSecInvalidAttributePrivateKeyFormat", "The private key format is not valid."),
        Row(-67801, "errSecMissingAttributePrivateKeyFormat", "The private key format is missing."),
        Row(-67802, "errSecInvalidAttributeSymmetricKeyFormat", "The symmetric key format is not valid."),
        Row(-67803, "errSecMissingAttributeSymmetricKeyFormat", "The symmetric key format is missing."),
        Row(-67804, "errSecInvalidAttributeWrappedKeyFormat", "The wrapped key format is not valid."),
        Row(-67805, "errSecMissingAttributeWrappedKeyFormat", "The wrapped key format is missing."),
    ]
}

extension StatusTable {
    // Certificates and revocation lists.
    private static let certificate: [Row] = [
        Row(-67806, "errSecStagedOperationInProgress", "A staged operation is in progress."),
        Row(-67807, "errSecStagedOperationNotStarted", "A staged operation was not started."),
        Row(-67808, "errSecVerifyFailed", "A cryptographic verification failure has occurred."),
        Row(-67809, "errSecQuerySizeUnknown", "The size of the query's result is not known."),
        Row(-67810, "errSecBlockSizeMismatch", "The block size does not match."),
        Row(-67811, "errSecPublicKeyInconsistent", "The public key contradicts itself."),
        Row(-67812, "errSecDeviceVerifyFailed", "The device could not be verified."),
        Row(-67813, "errSecInvalidLoginName", "The login name is not valid."),
        Row(-67814, "errSecAlreadyLoggedIn", "You are logged in already."),
        Row(-67815, "errSecInvalidDigestAlgorithm", "The digest algorithm is not valid."),
        Row(-67816, "errSecInvalidCRLGroup", "The group of certificate revocation lists is not valid."),
        Row(-67817, "errSecCertificateCannotOperate", "The certificate cannot be used for this."),
        Row(-67818, "errSecCertificateExpired", "The certificate has expired."),
        Row(-67819, "errSecCertificateNotValidYet", "The certificate is not valid yet."),
        Row(-67820, "errSecCertificateRevoked", "The certificate was revoked."),
        Row(-67821, "errSecCertificateSuspended", "The certificate was suspended."),
        Row(-67822, "errSecInsufficientCredentials", "The credentials do not suffice."),
        Row(-67823, "errSecInvalidAction", "The action is not valid."),
        Row(-67824, "errSecInvalidAuthority", "The authority is not valid."),
        Row(-67825, "errSecVerifyActionFailed", "The action could not be verified."),
        Row(-67826, "errSecInvalidCertAuthority", "The certificate authority is not valid."),
        Row(
            -67827, "errSecInvalidCRLAuthority", "The authority of the certificate revocation list is not valid.",
            oldName: "errSecInvaldCRLAuthority"),
        Row(-67828, "errSecInvalidCRLEncoding", "The encoding of the certificate revocation list is not valid."),
        Row(-67829, "errSecInvalidCRLType", "The type of the certificate revocation list is not valid."),
        Row(-67830, "errSecInvalidCRL", "The certificate revocation list is not valid."),
        Row(-67831, "errSecInvalidFormType", "The form type is not valid."),
        Row(-67832, "errSecInvalidID", "The identifier in the request is not valid."),
        Row(-67833, "errSecInvalidIdentifier", "The identifier is not valid."),
        Row(-67834, "errSecInvalidIndex", "The index is not valid."),
        Row(-67835, "errSecInvalidPolicyIdentifiers", "The policy identifiers are not valid."),
        Row(-67836, "errSecInvalidTimeString", "The time is not written as it should be."),
        Row(-67837, "errSecInvalidReason", "The reason is not valid."),
        Row(-67838, "errSecInvalidRequestInputs", "The inputs of the request are not valid."),
        Row(-67839, "errSecInvalidResponseVector", "The response vector is not valid."),
        Row(-67840, "errSecInvalidStopOnPolicy", "The policy to stop on is not valid."),
        Row(-67841, "errSecInvalidTuple", "The tuple is not valid."),
        Row(-67842, "errSecMultipleValuesUnsupported", "Several values are not supported here."),
        Row(-67843, "errSecNotTrusted", "It is not trusted."),
        Row(-67844, "errSecNoDefaultAuthority", "There is no default authority."),
        Row(-67845, "errSecRejectedForm", "The form was rejected."),
        Row(-67846, "errSecRequestLost", "The request was lost."),
        Row(-67847, "errSecRequestRejected", "The request was rejected."),
        Row(-67848, "errSecUnsupportedAddressType", "The address type is not supported."),
        Row(-67849, "errSecUnsupportedService", "The service is not supported."),
        Row(-67850, "errSecInvalidTupleGroup", "The group of tuples is not valid."),
        Row(-67851, "errSecInvalidBaseACLs", "The base access control lists are not valid."),
        Row(
            -67852, "errSecInvalidTupleCredentials", "The credentials of the tuple are not valid.",
            oldName: "errSecInvalidTupleCredendtials"),
        Row(-67853, "errSecInvalidEncoding", "The encoding is not valid."),
        Row(-67854, "errSecInvalidValidityPeriod", "The validity period is not valid."),
        Row(-67855, "errSecInvalidRequestor", "The requestor is not valid."),
        Row(-67856, "errSecRequestDescriptor", "The descriptor of the request is not valid."),
    ]
}

extension StatusTable {
    // Databases.
    private static let database: [Row] = [
        Row(-67857, "errSecInvalidBundleInfo", "The bundle information is not valid."),
        Row(-67858, "errSecInvalidCRLIndex", "The index into the certificate revocation list is not valid."),
        Row(-67859, "errSecNoFieldValues", "The field has no values."),
        Row(-67860, "errSecUnsupportedFieldFormat", "The field format is not supported."),
        Row(-67861, "errSecUnsupportedIndexInfo", "The index information is not supported."),
        Row(-67862, "errSecUnsupportedLocality", "The locality is not supported."),
        Row(-67863, "errSecUnsupportedNumAttributes", "This number of attributes is not supported."),
        Row(-67864, "errSecUnsupportedNumIndexes", "This number of indexes is not supported."),
        Row(-67865, "errSecUnsupportedNumRecordTypes", "This number of record types is not supported."),
        Row(-67866, "errSecFieldSpecifiedMultiple", "A field was given more than once."),
        Row(-67867, "errSecIncompatibleFieldFormat", "The field format is not compatible."),
        Row(-67868, "errSecInvalidParsingModule", "The parsing module is not valid."),
        Row(-67869, "errSecDatabaseLocked", "The database is locked."),
        Row(-67870, "errSecDatastoreIsOpen", "The data store is open."),
        Row(-67871, "errSecMissingValue", "A value is missing."),
        Row(-67872, "errSecUnsupportedQueryLimits", "The query limits are not supported."),
        Row(-67873, "errSecUnsupportedNumSelectionPreds", "This number of selection predicates is not supported."),
        Row(-67874, "errSecUnsupportedOperator", "The operator is not supported."),
        Row(-67875, "errSecInvalidDBLocation", "The location of the database is not valid."),
        Row(-67876, "errSecInvalidAccessRequest", "The access request is not valid."),
        Row(-67877, "errSecInvalidIndexInfo", "The index information is not valid."),
        Row(-67878, "errSecInvalidNewOwner", "The new owner is not valid."),
        Row(-67879, "errSecInvalidModifyMode", "The modify mode is not valid."),
        Row(-67880, "errSecMissingRequiredExtension", "A required certificate extension is missing."),
        Row(-67881, "errSecExtendedKeyUsageNotCritical", "The extended key usage extension is not marked critical."),
        Row(-67882, "errSecTimestampMissing", "A timestamp was expected but is missing."),
        Row(-67883, "errSecTimestampInvalid", "The timestamp is not valid."),
        Row(-67884, "errSecTimestampNotTrusted", "The timestamp is not trusted."),
        Row(-67885, "errSecTimestampServiceNotAvailable", "The timestamp service is not available."),
        Row(-67886, "errSecTimestampBadAlg", "The timestamp uses an algorithm that is unknown or not supported."),
        Row(-67887, "errSecTimestampBadRequest", "The timestamp request is not allowed or not supported."),
        Row(-67888, "errSecTimestampBadDataFormat", "The timestamp request has the wrong format."),
        Row(-67889, "errSecTimestampTimeNotAvailable", "The time source of the timestamp authority is not available."),
        Row(-67890, "errSecTimestampUnacceptedPolicy", "The timestamp authority does not accept the requested policy."),
        Row(
            -67891, "errSecTimestampUnacceptedExtension",
            "The timestamp authority does not accept the requested extension."),
        Row(
            -67892, "errSecTimestampAddInfoNotAvailable",
            "The timestamp authority lacks the additional information asked for."),
        Row(-67893, "errSecTimestampSystemFailure", "The timestamp authority failed to handle the request."),
        Row(-67894, "errSecSigningTimeMissing", "A signing time was expected but is missing."),
        Row(-67895, "errSecTimestampRejection", "The timestamp request was rejected."),
        Row(-67896, "errSecTimestampWaiting", "The timestamp request is waiting."),
        Row(
            -67897, "errSecTimestampRevocationWarning", "The timestamp authority's certificate is about to be revoked."),
        Row(-67898, "errSecTimestampRevocationNotification", "The timestamp authority's certificate was revoked."),
        Row(-67899, "errSecCertificatePolicyNotAllowed", "The issuer's policies do not allow this certificate."),
        Row(-67900, "errSecCertificateNameNotAllowed", "The issuer's name constraints do not allow this certificate."),
        Row(-67901, "errSecCertificateValidityPeriodTooLong", "The certificate is valid for longer than allowed."),
        Row(-67902, "errSecCertificateIsCA", "The certificate is that of an authority, where another was expected."),
        Row(-67903, "errSecCertificateDuplicateExtension", "The certificate has an extension twice."),
        Row(
            -67904, "errSecMissingQualifiedCertStatement",
            "A required qualified statement is missing from the certificate."),
    ]
}

extension StatusTable {
    // TLS, for programs that compare; nothing here speaks it.
    private static let tls: [Row] = [
        Row(-9800, "errSSLProtocol", "TLS: the other side does not keep to the protocol."),
        Row(-9801, "errSSLNegotiation", "TLS: the two sides have no cipher suite in common."),
        Row(-9802, "errSSLFatalAlert", "TLS: the other side sent a fatal alert."),
        Row(-9803, "errSSLWouldBlock", "TLS: the operation would have to wait; try again."),
        Row(-9804, "errSSLSessionNotFound", "TLS: there is no such session to resume."),
        Row(-9805, "errSSLClosedGraceful", "TLS: the connection was closed in order."),
        Row(-9806, "errSSLClosedAbort", "TLS: the connection was closed because of an error."),
        Row(-9807, "errSSLXCertChainInvalid", "TLS: the certificate chain is not valid."),
        Row(-9808, "errSSLBadCert", "TLS: the certificate cannot be read."),
        Row(-9810, "errSSLInternal", "TLS: an internal error occurred."),
        Row(-9811, "errSSLModuleAttach", "TLS: a cryptographic module cannot be used."),
        Row(-9812, "errSSLUnknownRootCert", "TLS: the chain ends at a root that is not known."),
        Row(-9813, "errSSLNoRootCert", "TLS: the chain does not end at a root."),
        Row(-9814, "errSSLCertExpired", "TLS: a certificate of the chain has expired."),
        Row(-9815, "errSSLCertNotYetValid", "TLS: a certificate of the chain is not valid yet."),
        Row(-9816, "errSSLClosedNoNotify", "TLS: the connection was closed without notice."),
        Row(-9817, "errSSLBufferOverflow", "TLS: a buffer is too small."),
        Row(-9818, "errSSLBadCipherSuite", "TLS: the cipher suite is not allowed here."),
        Row(-9819, "errSSLPeerUnexpectedMsg", "TLS: the other side received an unexpected message."),
        Row(-9820, "errSSLPeerBadRecordMac", "TLS: the other side found a wrong authentication code."),
        Row(-9821, "errSSLPeerDecryptionFail", "TLS: the other side could not decrypt."),
        Row(-9822, "errSSLPeerRecordOverflow", "TLS: the other side received a record that is too long."),
        Row(-9823, "errSSLPeerDecompressFail", "TLS: the other side could not decompress."),
        Row(-9824, "errSSLPeerHandshakeFail", "TLS: the other side refused the handshake."),
        Row(-9825, "errSSLPeerBadCert", "TLS: the other side found the certificate bad."),
        Row(-9826, "errSSLPeerUnsupportedCert", "TLS: the other side does not support the certificate."),
        Row(-9827, "errSSLPeerCertRevoked", "TLS: the other side found the certificate revoked."),
        Row(-9828, "errSSLPeerCertExpired", "TLS: the other side found the certificate expired."),
        Row(-9829, "errSSLPeerCertUnknown", "TLS: the other side does not accept the certificate."),
        Row(-9830, "errSSLIllegalParam", "TLS: a parameter is not legal."),
        Row(-9831, "errSSLPeerUnknownCA", "TLS: the other side does not know the authority."),
        Row(-9832, "errSSLPeerAccessDenied", "TLS: the other side denied access."),
        Row(-9833, "errSSLPeerDecodeError", "TLS: the other side could not read a message."),
        Row(-9834, "errSSLPeerDecryptError", "TLS: the other side found a signature or a key exchange wrong."),
        Row(-9835, "errSSLPeerExportRestriction", "TLS: the other side found an export restriction broken."),
        Row(-9836, "errSSLPeerProtocolVersion", "TLS: the other side does not support the version."),
        Row(-9837, "errSSLPeerInsufficientSecurity", "TLS: the other side requires more security."),
        Row(-9838, "errSSLPeerInternalError", "TLS: the other side had an internal error."),
        Row(-9839, "errSSLPeerUserCancelled", "TLS: the user of the other side cancelled."),
        Row(-9840, "errSSLPeerNoRenegotiation", "TLS: the other side does not renegotiate."),
        Row(-9841, "errSSLPeerAuthCompleted", "TLS: the certificate of the other side is there and may be examined."),
        Row(-9842, "errSSLClientCertRequested", "TLS: the server asks for a certificate."),
        Row(-9843, "errSSLHostNameMismatch", "TLS: the certificate is for another host."),
        Row(-9844, "errSSLConnectionRefused", "TLS: the other side closed before it answered."),
        Row(-9845, "errSSLDecryptionFail", "TLS: a record cannot be decrypted."),
        Row(-9846, "errSSLBadRecordMac", "TLS: the authentication code of a record is wrong."),
        Row(-9847, "errSSLRecordOverflow", "TLS: a record is too long."),
        Row(-9848, "errSSLBadConfiguration", "TLS: the configuration contradicts itself."),
        Row(-9849, "errSSLUnexpectedRecord", "TLS: a record was not expected."),
        Row(-9850, "errSSLWeakPeerEphemeralDHKey", "TLS: the ephemeral key of the other side is too short."),
        Row(-9851, "errSSLClientHelloReceived", "TLS: the greeting of a client arrived and may be examined."),
        Row(-9852, "errSSLTransportReset", "TLS: the transport was reset."),
        Row(-9853, "errSSLNetworkTimeout", "TLS: the network did not answer in time."),
        Row(-9854, "errSSLConfigurationFailed", "TLS: the configuration could not be used."),
        Row(-9855, "errSSLUnsupportedExtension", "TLS: an extension was not offered."),
        Row(-9856, "errSSLUnexpectedMessage", "TLS: a message was not expected."),
        Row(-9857, "errSSLDecompressFail", "TLS: a record cannot be decompressed."),
        Row(-9858, "errSSLHandshakeFail", "TLS: the handshake failed."),
        Row(-9859, "errSSLDecodeError", "TLS: a message cannot be read."),
        Row(-9860, "errSSLInappropriateFallback", "TLS: the client fell back to an older version without need."),
        Row(-9861, "errSSLMissingExtension", "TLS: an extension is missing."),
        Row(-9862, "errSSLBadCertificateStatusResponse", "TLS: the answer about the certificate is bad."),
        Row(-9863, "errSSLCertificateRequired", "TLS: a certificate is required."),
        Row(-9864, "errSSLUnknownPSKIdentity", "TLS: the name of the shared key is not known."),
        Row(-9865, "errSSLUnrecognizedName", "TLS: the server does not know the name."),
        Row(-9880, "errSSLATSViolation", "TLS: the transport policy was broken."),
        Row(-9881, "errSSLATSMinimumVersionViolation", "TLS: the version is older than the transport policy allows."),
        Row(-9882, "errSSLATSCiphersuiteViolation", "TLS: the transport policy does not allow the cipher suite."),
        Row(-9883, "errSSLATSMinimumKeySizeViolation", "TLS: a key is shorter than the transport policy allows."),
        Row(
            -9884, "errSSLATSLeafCertificateHashAlgorithmViolation",
            "TLS: the transport policy does not allow the digest of the certificate."),
        Row(
            -9885, "errSSLATSCertificateHashAlgorithmViolation",
            "TLS: the transport policy does not allow a digest in the chain."),
        Row(
            -9886, "errSSLATSCertificateTrustViolation",
            "TLS: a certificate is not trusted as the transport policy requires."),
        Row(-9890, "errSSLEarlyDataRejected", "TLS: early data was rejected."),
    ]
}
