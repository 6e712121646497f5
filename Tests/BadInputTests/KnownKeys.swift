// SPDX-License-Identifier: Apache-2.0

import Security

/// Every constant of the interface that is a key, and some that are values, which a confused program uses as keys.
enum KnownKeys {
    static var all: [CFString] { items + passwords }

    private static var items: [CFString] {
        [
            kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccess, kSecAttrAccessGroup, kSecAttrSynchronizable,
            kSecAttrSynchronizableAny, kSecAttrSyncViewHint, kSecAttrCreationDate, kSecAttrModificationDate,
            kSecAttrLabel, kSecAttrPersistantReference, kSecAttrPersistentReference, kSecAttrDescription,
            kSecAttrComment, kSecAttrCreator, kSecAttrType, kSecAttrIsInvisible, kSecAttrIsNegative, kSecAttrAccount,
            kSecAttrService, kSecAttrGeneric, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol,
            kSecAttrAuthenticationType, kSecAttrPort, kSecAttrPath, kSecAttrSubject, kSecAttrIssuer,
            kSecAttrSerialNumber, kSecAttrSubjectKeyID, kSecAttrPublicKeyHash, kSecAttrCertificateType,
            kSecAttrCertificateEncoding, kSecAttrKeyClass, kSecAttrApplicationLabel, kSecAttrIsPermanent,
            kSecAttrIsSensitive, kSecAttrIsExtractable, kSecAttrApplicationTag, kSecAttrKeyType,
            kSecAttrKeySizeInBits, kSecAttrEffectiveKeySize, kSecAttrTokenID, kSecAttrCanEncrypt, kSecAttrCanDecrypt,
            kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify, kSecAttrCanWrap, kSecAttrCanUnwrap,
            kSecPrivateKeyAttrs, kSecPublicKeyAttrs, kSecMatchPolicy, kSecMatchItemList, kSecMatchSearchList,
            kSecMatchIssuers, kSecMatchEmailAddressIfPresent, kSecMatchSubjectContains, kSecMatchSubjectStartsWith,
            kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString, kSecMatchHostOrSubdomainOfHost,
            kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive, kSecMatchTrustedOnly,
            kSecMatchValidOnDate, kSecMatchLimit, kSecMatchLimitOne, kSecMatchLimitAll, kSecAttrAlias,
            kSecAttrTombstone, kSecAttrMultiUser, kSecAttrUUID, kSecAttrSHA1,
        ]
    }

    private static var passwords: [CFString] {
        [
            kSecAttrSysBound, kSecAttrNoLegacy, kSecAttrScriptCode, kSecAttrHasCustomIcon, kSecAttrVolume,
            kSecAttrAddress, kSecAttrAFPServerSignature, kSecAttrCRLType, kSecAttrCRLEncoding, kSecAttrIsPrivate,
            kSecAttrIsModifiable, kSecAttrKeyCreator, kSecAttrStartDate, kSecAttrEndDate, kSecAttrWasAlwaysSensitive,
            kSecAttrWasNeverExtractable, kSecAttrCanSignRecover, kSecAttrCanVerifyRecover, kSecSymmetricKeyAttrs,
            kSecAttrTokenOID, kSecAttrSecureEnclaveKeyBlob, kSecDataInetExtraNotes, kSecDataInetExtraHistory,
            kSecDataInetExtraClientDefined0, kSecDataInetExtraClientDefined1, kSecDataInetExtraClientDefined2,
            kSecDataInetExtraClientDefined3, kSecPasswordMinLength, kSecPasswordMaxLength,
            kSecAttrPCSPlaintextServiceIdentifier, kSecAttrPCSPlaintextPublicKey, kSecAttrPCSPlaintextPublicIdentity,
            kSecAttrDeriveSyncIDFromItemAttributes, kSecAttrSharingGroup, kSecAttrSharingGroupNone, kSecUseTombstones,
            kSecUseCredentialReference, kSecUseCallerName, kSecUseTokenRawItems, kSecUseCertificatesWithMatchIssuers,
            kSecUseSystemKeychain, kSecUseSystemKeychainAlways, kSecUseSyncBubbleKeychain, kSecReturnData,
            kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef, kSecUseItemList, kSecUseKeychain,
            kSecUseOperationPrompt, kSecUseNoAuthenticationUI, kSecUseAuthenticationUI, kSecUseAuthenticationContext,
            kSecUseDataProtectionKeychain, kSecUseUserIndependentKeychain, kSecUseAuthenticationUIAllow,
            kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip, kSecValueData, kSecValueRef,
            kSecValuePersistentRef, kSecClass, kSecClassGenericPassword, kSecClassInternetPassword,
            kSecClassCertificate, kSecClassKey, kSecClassIdentity, kSecSharedPassword, kSecAttrPRF, kSecAttrSalt,
            kSecAttrRounds, kSecAttrPRFHmacAlgSHA1, kSecAttrPRFHmacAlgSHA224, kSecAttrPRFHmacAlgSHA256,
            kSecAttrPRFHmacAlgSHA384, kSecAttrPRFHmacAlgSHA512,
        ]
    }
}
