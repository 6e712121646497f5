// SPDX-License-Identifier: Apache-2.0

import Security

extension NamedValues {
    static var queryKeys: [(constant: CFString, value: String)] {
        [
            (kSecUseDataProtectionKeychain, "nleg"),
            (kSecMatchLimit, "m_Limit"),
            (kSecMatchIssuers, "m_Issuers"),
            (kSecMatchPolicy, "m_Policy"),
            (kSecMatchValidOnDate, "m_ValidOnDate"),
            (kSecMatchTrustedOnly, "m_TrustedOnly"),
            (kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent"),
            (kSecMatchHostOrSubdomainOfHost, "m_HostOrSubdomainOfHost"),
            (kSecMatchSubjectContains, "m_SubjectContains"),
            (kSecMatchSubjectStartsWith, "m_SubjectStartsWith"),
            (kSecMatchCaseInsensitive, "m_CaseInsensitive"),
            (kSecMatchItemList, "m_ItemList"),
            (kSecMatchSearchList, "m_SearchList"),
            (kSecReturnData, "r_Data"),
            (kSecReturnAttributes, "r_Attributes"),
            (kSecReturnRef, "r_Ref"),
            (kSecReturnPersistentRef, "r_PersistentRef"),
            (kSecValueData, "v_Data"),
            (kSecValueRef, "v_Ref"),
            (kSecValuePersistentRef, "v_PersistentRef"),
            (kSecUseItemList, "u_ItemList"),
            (kSecUseKeychain, "u_Keychain"),
            (kSecUseTombstones, "u_Tomb"),
            (kSecUseCredentialReference, "u_CredRef"),
            (kSecUseAuthenticationContext, "u_AuthCtx"),
            (kSecUseOperationPrompt, "u_OpPrompt"),
            (kSecUseNoAuthenticationUI, "u_NoAuthUI"),
            (kSecUseAuthenticationUI, "u_AuthUI"),
            (kSecUseCallerName, "u_CallerName"),
            (kSecUseTokenRawItems, "u_TokenRawItems"),
            (kSecUseCertificatesWithMatchIssuers, "u_CertWithIssuers"),
            (kSecUseSystemKeychain, "u_SystemKeychain"),
            (kSecUseSyncBubbleKeychain, "u_SyncBubbleKeychain"),
            (kSecUseUserIndependentKeychain, "u_UserIndependentKeychain"),
            (kSecMatchLimitOne, "m_LimitOne"),
            (kSecMatchLimitAll, "m_LimitAll"),
            (kSecMatchSubjectEndsWith, "m_SubjectEndsWith"),
            (kSecMatchSubjectWholeString, "m_SubjectWholeString"),
            (kSecMatchDiacriticInsensitive, "m_DiacriticInsensitive"),
            (kSecMatchWidthInsensitive, "m_WidthInsensitive"),
            (kSecUseAuthenticationUIAllow, "u_AuthUIA"),
            (kSecUseAuthenticationUIFail, "u_AuthUIF"),
            (kSecUseAuthenticationUISkip, "u_AuthUIS"),
            (kSecUseSystemKeychainAlways, "u_SystemKeychainAlways"),
        ]
    }

    static var accessibleValues: [(constant: CFString, value: String)] {
        [
            (kSecAttrAccessibleWhenUnlocked, "ak"),
            (kSecAttrAccessibleAfterFirstUnlock, "ck"),
            (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
            (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
            (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
            (kSecAttrAccessibleUntilReboot, "f"),
            (kSecAttrAccessibleAlways, "dk"),
            (kSecAttrAccessibleAlwaysPrivate, "dk"),
            (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
            (kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate, "dku"),
        ]
    }
}
