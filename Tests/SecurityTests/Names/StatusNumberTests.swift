// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct StatusNumberTests {
    @Test("the statuses of everyday calls have Apple's numbers")
    func everyday() {
        let known: [(OSStatus, OSStatus)] = [
            (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecDiskFull, -34), (errSecDskFull, -34),
            (errSecIO, -36), (errSecOpWr, -49), (errSecParam, -50), (errSecWrPerm, -61), (errSecAllocate, -108),
            (errSecUserCanceled, -128), (errSecBadReq, -909), (errSecInternalComponent, -2070),
            (errSecCoreFoundationUnknown, -4960), (errSecMissingEntitlement, -34018), (errSecRestrictedAPI, -34020),
            (errSecACLNotSimple, -25240), (errSecPolicyNotFound, -25241), (errSecInvalidTrustSetting, -25242),
            (errSecNoAccessForItem, -25243), (errSecInvalidOwnerEdit, -25244), (errSecTrustNotAvailable, -25245),
            (errSecUnsupportedFormat, -25256), (errSecUnknownFormat, -25257), (errSecKeyIsSensitive, -25258),
            (errSecMultiplePrivKeys, -25259), (errSecPassphraseRequired, -25260), (errSecInvalidPasswordRef, -25261),
            (errSecInvalidTrustSettings, -25262), (errSecNoTrustSettings, -25263), (errSecPkcs12VerifyFailure, -25264),
            (errSecNotAvailable, -25291), (errSecReadOnly, -25292), (errSecAuthFailed, -25293),
            (errSecNoSuchKeychain, -25294), (errSecInvalidKeychain, -25295), (errSecDuplicateKeychain, -25296),
            (errSecDuplicateCallback, -25297), (errSecInvalidCallback, -25298), (errSecDuplicateItem, -25299),
            (errSecItemNotFound, -25300), (errSecBufferTooSmall, -25301), (errSecDataTooLarge, -25302),
            (errSecNoSuchAttr, -25303), (errSecInvalidItemRef, -25304), (errSecInvalidSearchRef, -25305),
            (errSecNoSuchClass, -25306), (errSecNoDefaultKeychain, -25307), (errSecInteractionNotAllowed, -25308),
            (errSecReadOnlyAttr, -25309), (errSecWrongSecVersion, -25310), (errSecKeySizeNotAllowed, -25311),
            (errSecNoStorageModule, -25312), (errSecNoCertificateModule, -25313), (errSecNoPolicyModule, -25314),
            (errSecInteractionRequired, -25315), (errSecDataNotAvailable, -25316), (errSecDataNotModifiable, -25317),
            (errSecCreateChainFailed, -25318), (errSecInvalidPrefsDomain, -25319), (errSecInDarkWake, -25320),
            (errSecNotSigner, -26267), (errSecPolicyDenied, -26270), (errSecDecode, -26275), (errSecInternal, -26276),
            (errSecAuthNeeded, -25330), (errSecWaitForCallback, -34017), (errSecUpgradePending, -34019),
        ]
        for (status, number) in known { #expect(status == number) }
    }

    @Test("the long series of certificate and module statuses has no slip in it")
    func series() {
        let known: [(OSStatus, OSStatus)] = [
            (errSecServiceNotAvailable, -67585), (errSecConversionError, -67594), (errSecQuotaExceeded, -67596),
            (errSecHostNameMismatch, -67602), (errSecInvalidRoot, -67612), (errSecCRLExpired, -67613),
            (errSecIDPFailure, -67622), (errSecNetworkFailure, -67636), (errSecTrustSettingDeny, -67654),
            (errSecNotInitialized, -67667), (errSecInternalError, -67671), (errSecInvalidHandle, -67680),
            (errSecInvalidSignature, -67688), (errSecInvalidCertificateRef, -67690), (errSecInvalidACL, -67702),
            (errSecInvalidKeyRef, -67712), (errSecInputLengthError, -67724), (errSecDeviceError, -67727),
            (errSecKeyUsageIncorrect, -67731), (errSecUnsupportedKeySize, -67735), (errSecInvalidAlgorithm, -67747),
            (errSecInvalidAttributeKey, -67748), (errSecMissingAttributeKey, -67749),
            (errSecInvalidAttributePassphrase, -67760), (errSecInvalidAlgorithmParms, -67770),
            (errSecMissingAttributeWrappedKeyFormat, -67805), (errSecVerifyFailed, -67808),
            (errSecCertificateExpired, -67818), (errSecCertificateRevoked, -67820), (errSecInvaldCRLAuthority, -67827),
            (errSecNotTrusted, -67843), (errSecInvalidEncoding, -67853), (errSecDatabaseLocked, -67869),
            (errSecMissingRequiredExtension, -67880), (errSecTimestampMissing, -67882),
            (errSecTimestampNotTrusted, -67884), (errSecTimestampRevocationNotification, -67898),
            (errSecCertificateIsCA, -67902), (errSecMissingQualifiedCertStatement, -67904),
        ]
        for (status, number) in known { #expect(status == number) }
    }

    @Test("a status can be a case of a switch")
    func pattern() {
        let status: OSStatus = -25300
        let found: Bool
        switch status {
        case errSecSuccess, errSecDuplicateItem: found = true
        case errSecItemNotFound: found = false
        default: found = true
        }
        #expect(!found)
        #expect(noErr == errSecSuccess)
    }
}
