// SPDX-License-Identifier: Apache-2.0

internal import Security

/// What an input can choose from: keys, values with a meaning, and objects of the interface.
///
/// New ones go to the end, or the corpora mean something else.
// Unsafe for the compiler only: strings and objects of Foundation's that nobody changes.
internal enum QueryWords {
    nonisolated(unsafe) static let classes: [CFString] = [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity,
    ]

    nonisolated(unsafe) static let keys: [CFString] = attributes + keyAttributes + searches + others

    nonisolated(unsafe) private static let attributes: [CFString] = [
        kSecClass, kSecValueData, kSecValueRef, kSecValuePersistentRef, kSecReturnData, kSecReturnAttributes,
        kSecReturnRef, kSecReturnPersistentRef, kSecAttrAccount, kSecAttrService, kSecAttrServer, kSecAttrPort,
        kSecAttrPath, kSecAttrProtocol, kSecAttrAuthenticationType, kSecAttrSecurityDomain, kSecAttrGeneric,
        kSecAttrLabel, kSecAttrDescription, kSecAttrComment, kSecAttrCreator, kSecAttrType, kSecAttrIsInvisible,
        kSecAttrIsNegative, kSecAttrCreationDate, kSecAttrModificationDate, kSecAttrAccessible, kSecAttrAccessControl,
        kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrSyncViewHint, kSecAttrPersistentReference,
        kSecAttrSubject, kSecAttrIssuer, kSecAttrSerialNumber, kSecAttrSubjectKeyID, kSecAttrPublicKeyHash,
        kSecAttrCertificateType, kSecAttrCertificateEncoding,
    ]

    nonisolated(unsafe) private static let keyAttributes: [CFString] = [
        kSecAttrKeyClass, kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrEffectiveKeySize, kSecAttrApplicationLabel,
        kSecAttrApplicationTag, kSecAttrIsPermanent, kSecAttrIsSensitive, kSecAttrIsExtractable, kSecAttrTokenID,
        kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify,
        kSecAttrCanWrap, kSecAttrCanUnwrap, kSecPrivateKeyAttrs, kSecPublicKeyAttrs,
    ]

    nonisolated(unsafe) private static let searches: [CFString] = [
        kSecMatchLimit, kSecMatchPolicy, kSecMatchItemList, kSecMatchSearchList, kSecMatchIssuers,
        kSecMatchEmailAddressIfPresent, kSecMatchSubjectContains, kSecMatchSubjectStartsWith,
        kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString, kSecMatchHostOrSubdomainOfHost,
        kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive, kSecMatchTrustedOnly,
        kSecMatchValidOnDate,
    ]

    nonisolated(unsafe) private static let others: [CFString] = [
        kSecUseItemList, kSecUseKeychain, kSecUseAuthenticationUI, kSecUseAuthenticationContext,
        kSecUseDataProtectionKeychain, kSecUseOperationPrompt, kSecUseUserIndependentKeychain, kSecUseTombstones,
        kSecAttrTombstone, kSecAttrMultiUser, kSecAttrUUID, kSecAttrSHA1, kSecAttrAlias, kSecSharedPassword,
        kSecAttrNoLegacy, kSecAttrSharingGroup, kSecUseSystemKeychain, kSecAttrTokenOID, kSecAttrPRF,
    ]

    nonisolated(unsafe) static let values: [CFString] =
        classes + [
            kSecMatchLimitAll, kSecMatchLimitOne, kSecAttrSynchronizableAny, kSecAttrKeyClassPublic,
            kSecAttrKeyClassPrivate, kSecAttrKeyClassSymmetric, kSecAttrKeyTypeRSA, kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrTokenIDSecureEnclave, kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock,
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecUseAuthenticationUIFail,
            kSecUseAuthenticationUISkip, kSecUseAuthenticationUIAllow, kSecAttrProtocolHTTPS,
            kSecAttrAuthenticationTypeDefault, "llavero.open" as NSString, "" as NSString, "80" as NSString,
            "\u{FF41}\u{E4}a\u{308}" as NSString, "www.example.com" as NSString, "somebody@example.com" as NSString,
        ]

    /// Objects of the interface, and some that mean nothing to it.
    nonisolated(unsafe) static let objects: [AnyObject] = {
        var objects: [AnyObject] = [NSNull(), NSObject(), NSURL(fileURLWithPath: "/")]
        let certificates = ["leaf.der", "root.der"].compactMap { name in
            SecCertificateCreateWithData(nil, Data(Fixtures.bytes(name)) as NSData)
        }
        objects += certificates
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        let data = Data(Fixtures.bytes("leaf.key")) as NSData
        if let key = SecKeyCreateWithData(data, attributes as CFDictionary, nil) {
            objects.append(key)
            if let other = SecKeyCopyPublicKey(key) { objects.append(other) }
            if let leaf = certificates.first, let identity = SecIdentityCreate(nil, leaf, key) {
                objects.append(identity)
            }
        }
        objects.append(SecPolicyCreateBasicX509())
        objects.append(SecPolicyCreateSSL(true, "www.example.com" as NSString))
        for flags: SecAccessControlCreateFlags in [[], .userPresence, .privateKeyUsage, .devicePasscode] {
            let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
            if let control { objects.append(control) }
        }
        return objects
    }()
}
