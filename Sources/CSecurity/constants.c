/* SPDX-License-Identifier: Apache-2.0 */
/* Written by Scripts/c-names.py of the module Security: edit that. */
#include "constants.h"

struct csec_constant_string csec_constant_strings[] = {
    STRING(""),
    STRING("0"),
    STRING("1"),
    STRING("1.2.840.113549.1.9.1"),
    STRING("1.2.840.113635.100.1.11"),
    STRING("1.2.840.113635.100.1.11.1"),
    STRING("1.2.840.113635.100.1.11.2"),
    STRING("1.2.840.113635.100.1.12"),
    STRING("1.2.840.113635.100.1.14"),
    STRING("1.2.840.113635.100.1.15"),
    STRING("1.2.840.113635.100.1.16"),
    STRING("1.2.840.113635.100.1.18"),
    STRING("1.2.840.113635.100.1.19"),
    STRING("1.2.840.113635.100.1.2"),
    STRING("1.2.840.113635.100.1.20"),
    STRING("1.2.840.113635.100.1.21"),
    STRING("1.2.840.113635.100.1.22"),
    STRING("1.2.840.113635.100.1.3"),
    STRING("1.2.840.113635.100.1.3.1"),
    STRING("1.2.840.113635.100.1.3.2"),
    STRING("1.2.840.113635.100.1.39"),
    STRING("1.2.840.113635.100.1.8"),
    STRING("1.2.840.113635.100.1.9"),
    STRING("1.2.840.113635.100.1.9.1"),
    STRING("1.2.840.113635.100.1.9.2"),
    STRING("1.2.840.113635.100.3.2"),
    STRING("1.2.840.113635.100.3.2.1"),
    STRING("1.2.840.113635.100.3.2.2"),
    STRING("1.2.840.113635.100.3.2.3"),
    STRING("1.2.840.113635.100.4.1"),
    STRING("1.2.840.113635.100.4.1.1"),
    STRING("1.2.840.113635.100.4.1.4"),
    STRING("1.2.840.113635.100.4.2"),
    STRING("1.2.840.113635.100.4.3"),
    STRING("1.2.840.113635.100.4.4"),
    STRING("1.2.840.113635.100.5.1"),
    STRING("1.2.840.113635.100.5.2"),
    STRING("1.2.840.113635.100.5.3"),
    STRING("1.2.840.113635.100.6"),
    STRING("1.2.840.113635.100.6.1"),
    STRING("1.2.840.113635.100.6.1.1"),
    STRING("1.2.840.113635.100.6.1.2.0"),
    STRING("1.2.840.113635.100.6.1.2.0.0"),
    STRING("1.2.840.113635.100.6.2"),
    STRING("1.2.840.113635.100.6.2.1"),
    STRING("1.2.840.113635.100.6.2.2"),
    STRING("1.2.840.113635.100.6.2.3"),
    STRING("1.2.840.113635.100.6.2.7"),
    STRING("1.3.6.1.4.1.311.10.3.3"),
    STRING("1.3.6.1.4.1.311.20.2.3"),
    STRING("1.3.6.1.5.2.3.4"),
    STRING("1.3.6.1.5.2.3.5"),
    STRING("1.3.6.1.5.5.7.1.1"),
    STRING("1.3.6.1.5.5.7.1.11"),
    STRING("1.3.6.1.5.5.7.1.2"),
    STRING("1.3.6.1.5.5.7.1.3"),
    STRING("1.3.6.1.5.5.7.3.1"),
    STRING("1.3.6.1.5.5.7.3.2"),
    STRING("1.3.6.1.5.5.7.3.3"),
    STRING("1.3.6.1.5.5.7.3.4"),
    STRING("1.3.6.1.5.5.7.3.8"),
    STRING("1.3.6.1.5.5.7.3.9"),
    STRING("1.3.6.1.5.5.7.8.7"),
    STRING("1.3.6.1.5.5.8.2.2"),
    STRING("105"),
    STRING("106"),
    STRING("107"),
    STRING("108"),
    STRING("109"),
    STRING("110"),
    STRING("111"),
    STRING("14"),
    STRING("17"),
    STRING("2"),
    STRING("2.16.840.1.113730.1.1"),
    STRING("2.16.840.1.113730.2.5"),
    STRING("2.16.840.1.113730.4.1"),
    STRING("2.16.840.1.113741.2.1.1.1.0"),
    STRING("2.16.840.1.113741.2.1.1.1.0.1"),
    STRING("2.16.840.1.113741.2.1.1.1.1"),
    STRING("2.16.840.1.113741.2.1.1.1.1.1"),
    STRING("2.16.840.1.113741.2.1.1.1.10"),
    STRING("2.16.840.1.113741.2.1.1.1.11"),
    STRING("2.16.840.1.113741.2.1.1.1.12"),
    STRING("2.16.840.1.113741.2.1.1.1.13"),
    STRING("2.16.840.1.113741.2.1.1.1.13.1"),
    STRING("2.16.840.1.113741.2.1.1.1.14"),
    STRING("2.16.840.1.113741.2.1.1.1.15"),
    STRING("2.16.840.1.113741.2.1.1.1.16"),
    STRING("2.16.840.1.113741.2.1.1.1.17"),
    STRING("2.16.840.1.113741.2.1.1.1.18"),
    STRING("2.16.840.1.113741.2.1.1.1.19"),
    STRING("2.16.840.1.113741.2.1.1.1.2"),
    STRING("2.16.840.1.113741.2.1.1.1.20"),
    STRING("2.16.840.1.113741.2.1.1.1.20.1"),
    STRING("2.16.840.1.113741.2.1.1.1.21"),
    STRING("2.16.840.1.113741.2.1.1.1.21.1"),
    STRING("2.16.840.1.113741.2.1.1.1.22"),
    STRING("2.16.840.1.113741.2.1.1.1.23"),
    STRING("2.16.840.1.113741.2.1.1.1.3"),
    STRING("2.16.840.1.113741.2.1.1.1.5"),
    STRING("2.16.840.1.113741.2.1.1.1.5.1"),
    STRING("2.16.840.1.113741.2.1.1.1.5.2"),
    STRING("2.16.840.1.113741.2.1.1.1.50.1"),
    STRING("2.16.840.1.113741.2.1.1.1.50.2"),
    STRING("2.16.840.1.113741.2.1.1.1.50.3"),
    STRING("2.16.840.1.113741.2.1.1.1.50.4"),
    STRING("2.16.840.1.113741.2.1.1.1.6"),
    STRING("2.16.840.1.113741.2.1.1.1.7"),
    STRING("2.16.840.1.113741.2.1.1.1.8"),
    STRING("2.16.840.1.113741.2.1.1.1.8.1"),
    STRING("2.16.840.1.113741.2.1.1.1.8.2"),
    STRING("2.16.840.1.113741.2.1.1.1.9"),
    STRING("2.16.840.1.113741.2.1.3.2.0"),
    STRING("2.16.840.1.113741.2.1.3.2.0.1"),
    STRING("2.16.840.1.113741.2.1.3.2.1"),
    STRING("2.16.840.1.113741.2.1.3.2.10"),
    STRING("2.16.840.1.113741.2.1.3.2.2"),
    STRING("2.16.840.1.113741.2.1.3.2.3"),
    STRING("2.5.29.14"),
    STRING("2.5.29.15"),
    STRING("2.5.29.16"),
    STRING("2.5.29.17"),
    STRING("2.5.29.18"),
    STRING("2.5.29.19"),
    STRING("2.5.29.20"),
    STRING("2.5.29.21"),
    STRING("2.5.29.23"),
    STRING("2.5.29.24"),
    STRING("2.5.29.27"),
    STRING("2.5.29.28"),
    STRING("2.5.29.29"),
    STRING("2.5.29.30"),
    STRING("2.5.29.31"),
    STRING("2.5.29.32"),
    STRING("2.5.29.33"),
    STRING("2.5.29.35"),
    STRING("2.5.29.36"),
    STRING("2.5.29.37"),
    STRING("2.5.29.37.0"),
    STRING("2.5.29.9"),
    STRING("2.5.4.10"),
    STRING("2.5.4.11"),
    STRING("2.5.4.12"),
    STRING("2.5.4.13"),
    STRING("2.5.4.3"),
    STRING("2.5.4.4"),
    STRING("2.5.4.42"),
    STRING("2.5.4.5"),
    STRING("2.5.4.6"),
    STRING("2.5.4.7"),
    STRING("2.5.4.8"),
    STRING("2.5.4.8.1"),
    STRING("2.5.4.9"),
    STRING("2.5.4.9.1"),
    STRING("2147483649"),
    STRING("2147483678"),
    STRING("2147483679"),
    STRING("2147483680"),
    STRING("23"),
    STRING("25"),
    STRING("42"),
    STRING("43"),
    STRING("56"),
    STRING("73"),
    STRING("ACLAuthorizationAny"),
    STRING("ACLAuthorizationChangeACL"),
    STRING("ACLAuthorizationChangeOwner"),
    STRING("ACLAuthorizationDecrypt"),
    STRING("ACLAuthorizationDelete"),
    STRING("ACLAuthorizationDerive"),
    STRING("ACLAuthorizationEncrypt"),
    STRING("ACLAuthorizationExportClear"),
    STRING("ACLAuthorizationExportWrapped"),
    STRING("ACLAuthorizationGenKey"),
    STRING("ACLAuthorizationImportClear"),
    STRING("ACLAuthorizationImportWrapped"),
    STRING("ACLAuthorizationIntegrity"),
    STRING("ACLAuthorizationKeychainCreate"),
    STRING("ACLAuthorizationKeychainDelete"),
    STRING("ACLAuthorizationKeychainItemDelete"),
    STRING("ACLAuthorizationKeychainItemInsert"),
    STRING("ACLAuthorizationKeychainItemModify"),
    STRING("ACLAuthorizationKeychainItemRead"),
    STRING("ACLAuthorizationLogin"),
    STRING("ACLAuthorizationMAC"),
    STRING("ACLAuthorizationPartitionID"),
    STRING("ACLAuthorizationSign"),
    STRING("C"),
    STRING("CE_KU_CRLSign"),
    STRING("CE_KU_DataEncipherment"),
    STRING("CE_KU_DecipherOnly"),
    STRING("CE_KU_DigitalSignature"),
    STRING("CE_KU_EncipherOnly"),
    STRING("CE_KU_KeyAgreement"),
    STRING("CE_KU_KeyCertSign"),
    STRING("CE_KU_KeyEncipherment"),
    STRING("CE_KU_NonRepudiation"),
    STRING("CN"),
    STRING("L"),
    STRING("O"),
    STRING("OU"),
    STRING("Organization"),
    STRING("PasswordMaxLength"),
    STRING("ST"),
    STRING("SecPolicyClient"),
    STRING("SecPolicyName"),
    STRING("SecPolicyOid"),
    STRING("SecPolicyRevocationFlags"),
    STRING("SecPolicyTeamIdentifier"),
    STRING("TrustCertificateTransparency"),
    STRING("TrustCertificateTransparencyWhiteList"),
    STRING("TrustEvaluationDate"),
    STRING("TrustExpirationDate"),
    STRING("TrustExtendedValidation"),
    STRING("TrustQCStatements"),
    STRING("TrustQWACValidation"),
    STRING("TrustResultValue"),
    STRING("TrustRevocationChecked"),
    STRING("UUID"),
    STRING("accc"),
    STRING("access"),
    STRING("acct"),
    STRING("acls"),
    STRING("addr"),
    STRING("afp "),
    STRING("afps"),
    STRING("agrp"),
    STRING("ak"),
    STRING("akpu"),
    STRING("aku"),
    STRING("algid:encrypt:AES:GCM"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDH:SHA256:2PubKeys"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"),
    STRING("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"),
    STRING("algid:encrypt:RSA:OAEP:SHA1"),
    STRING("algid:encrypt:RSA:OAEP:SHA1:AESGCM"),
    STRING("algid:encrypt:RSA:OAEP:SHA224"),
    STRING("algid:encrypt:RSA:OAEP:SHA224:AESGCM"),
    STRING("algid:encrypt:RSA:OAEP:SHA256"),
    STRING("algid:encrypt:RSA:OAEP:SHA256:AESGCM"),
    STRING("algid:encrypt:RSA:OAEP:SHA384"),
    STRING("algid:encrypt:RSA:OAEP:SHA384:AESGCM"),
    STRING("algid:encrypt:RSA:OAEP:SHA512"),
    STRING("algid:encrypt:RSA:OAEP:SHA512:AESGCM"),
    STRING("algid:encrypt:RSA:PKCS1"),
    STRING("algid:encrypt:RSA:raw"),
    STRING("algid:encrypt:RSA:raw-cc"),
    STRING("algid:kem:ML-KEM"),
    STRING("algid:kem:kyber"),
    STRING("algid:keyexchange:ECDH"),
    STRING("algid:keyexchange:ECDH:KDFX963:SHA1"),
    STRING("algid:keyexchange:ECDH:KDFX963:SHA224"),
    STRING("algid:keyexchange:ECDH:KDFX963:SHA256"),
    STRING("algid:keyexchange:ECDH:KDFX963:SHA384"),
    STRING("algid:keyexchange:ECDH:KDFX963:SHA512"),
    STRING("algid:keyexchange:ECDHC"),
    STRING("algid:keyexchange:ECDHC:KDFX963:SHA1"),
    STRING("algid:keyexchange:ECDHC:KDFX963:SHA224"),
    STRING("algid:keyexchange:ECDHC:KDFX963:SHA256"),
    STRING("algid:keyexchange:ECDHC:KDFX963:SHA384"),
    STRING("algid:keyexchange:ECDHC:KDFX963:SHA512"),
    STRING("algid:sign:ECDSA:RFC4754"),
    STRING("algid:sign:ECDSA:digest-RFC4754"),
    STRING("algid:sign:ECDSA:digest-RFC4754:SHA1"),
    STRING("algid:sign:ECDSA:digest-RFC4754:SHA224"),
    STRING("algid:sign:ECDSA:digest-RFC4754:SHA256"),
    STRING("algid:sign:ECDSA:digest-RFC4754:SHA384"),
    STRING("algid:sign:ECDSA:digest-RFC4754:SHA512"),
    STRING("algid:sign:ECDSA:digest-X962"),
    STRING("algid:sign:ECDSA:digest-X962:SHA1"),
    STRING("algid:sign:ECDSA:digest-X962:SHA224"),
    STRING("algid:sign:ECDSA:digest-X962:SHA256"),
    STRING("algid:sign:ECDSA:digest-X962:SHA384"),
    STRING("algid:sign:ECDSA:digest-X962:SHA512"),
    STRING("algid:sign:ECDSA:message-RFC4754:SHA1"),
    STRING("algid:sign:ECDSA:message-RFC4754:SHA224"),
    STRING("algid:sign:ECDSA:message-RFC4754:SHA256"),
    STRING("algid:sign:ECDSA:message-RFC4754:SHA384"),
    STRING("algid:sign:ECDSA:message-RFC4754:SHA512"),
    STRING("algid:sign:ECDSA:message-X962:SHA1"),
    STRING("algid:sign:ECDSA:message-X962:SHA224"),
    STRING("algid:sign:ECDSA:message-X962:SHA256"),
    STRING("algid:sign:ECDSA:message-X962:SHA384"),
    STRING("algid:sign:ECDSA:message-X962:SHA512"),
    STRING("algid:sign:EdDSA:message-Curve25519:SHA512"),
    STRING("algid:sign:EdDSA:message-Curve448:SHAKE256"),
    STRING("algid:sign:ML-DSA:message"),
    STRING("algid:sign:RSA:digest-PKCS1v15"),
    STRING("algid:sign:RSA:digest-PKCS1v15:MD5"),
    STRING("algid:sign:RSA:digest-PKCS1v15:SHA1"),
    STRING("algid:sign:RSA:digest-PKCS1v15:SHA224"),
    STRING("algid:sign:RSA:digest-PKCS1v15:SHA256"),
    STRING("algid:sign:RSA:digest-PKCS1v15:SHA384"),
    STRING("algid:sign:RSA:digest-PKCS1v15:SHA512"),
    STRING("algid:sign:RSA:digest-PSS:SHA1:SHA1:20"),
    STRING("algid:sign:RSA:digest-PSS:SHA224:SHA224:24"),
    STRING("algid:sign:RSA:digest-PSS:SHA256:SHA256:32"),
    STRING("algid:sign:RSA:digest-PSS:SHA384:SHA384:48"),
    STRING("algid:sign:RSA:digest-PSS:SHA512:SHA512:64"),
    STRING("algid:sign:RSA:message-PKCS1v15:MD5"),
    STRING("algid:sign:RSA:message-PKCS1v15:SHA1"),
    STRING("algid:sign:RSA:message-PKCS1v15:SHA224"),
    STRING("algid:sign:RSA:message-PKCS1v15:SHA256"),
    STRING("algid:sign:RSA:message-PKCS1v15:SHA384"),
    STRING("algid:sign:RSA:message-PKCS1v15:SHA512"),
    STRING("algid:sign:RSA:message-PSS:SHA1:SHA1:20"),
    STRING("algid:sign:RSA:message-PSS:SHA224:SHA224:24"),
    STRING("algid:sign:RSA:message-PSS:SHA256:SHA256:32"),
    STRING("algid:sign:RSA:message-PSS:SHA384:SHA384:48"),
    STRING("algid:sign:RSA:message-PSS:SHA512:SHA512:64"),
    STRING("algid:sign:RSA:raw"),
    STRING("algid:sign:RSA:raw-cc"),
    STRING("alis"),
    STRING("apls"),
    STRING("array"),
    STRING("asen"),
    STRING("atag"),
    STRING("atlk"),
    STRING("atyp"),
    STRING("basicConstraints"),
    STRING("bin0"),
    STRING("bin1"),
    STRING("bin2"),
    STRING("bin3"),
    STRING("bini"),
    STRING("binn"),
    STRING("bsiz"),
    STRING("cdat"),
    STRING("cenc"),
    STRING("cert"),
    STRING("certificateExtensions"),
    STRING("certificateExtensionsEncoded"),
    STRING("chain"),
    STRING("ck"),
    STRING("cku"),
    STRING("class"),
    STRING("com.apple.kerberos.kdc"),
    STRING("com.apple.secelemtoken"),
    STRING("com.apple.setoken"),
    STRING("com.apple.setoken:aks"),
    STRING("com.apple.systemdefault"),
    STRING("com.apple.token"),
    STRING("crle"),
    STRING("crlt"),
    STRING("crtr"),
    STRING("csrChallengePassword"),
    STRING("ctyp"),
    STRING("cusi"),
    STRING("dNSName"),
    STRING("daap"),
    STRING("data"),
    STRING("date"),
    STRING("decr"),
    STRING("desc"),
    STRING("dflt"),
    STRING("dk"),
    STRING("dku"),
    STRING("dpaa"),
    STRING("drve"),
    STRING("dspk"),
    STRING("edat"),
    STRING("encr"),
    STRING("eppc"),
    STRING("error"),
    STRING("esiz"),
    STRING("extr"),
    STRING("f"),
    STRING("form"),
    STRING("ftp "),
    STRING("ftpa"),
    STRING("ftps"),
    STRING("ftpx"),
    STRING("gena"),
    STRING("genp"),
    STRING("ggrp"),
    STRING("hsha1"),
    STRING("hsha224"),
    STRING("hsha256"),
    STRING("hsha384"),
    STRING("hsha512"),
    STRING("htps"),
    STRING("htpx"),
    STRING("htsx"),
    STRING("httd"),
    STRING("http"),
    STRING("icmt"),
    STRING("identity"),
    STRING("idnt"),
    STRING("imap"),
    STRING("imps"),
    STRING("inet"),
    STRING("invi"),
    STRING("ipp "),
    STRING("irc "),
    STRING("ircs"),
    STRING("issr"),
    STRING("kSecCMSHashingAlgorithmSHA1"),
    STRING("kSecCMSHashingAlgorithmSHA256"),
    STRING("kSecCMSHashingAlgorithmSHA384"),
    STRING("kSecCMSHashingAlgorithmSHA512"),
    STRING("kSecCMSSignHashAlgorithm"),
    STRING("kSecTrustSettingsAllowedError"),
    STRING("kSecTrustSettingsApplication"),
    STRING("kSecTrustSettingsKeyUsage"),
    STRING("kSecTrustSettingsPolicy"),
    STRING("kSecTrustSettingsPolicyName"),
    STRING("kSecTrustSettingsPolicyString"),
    STRING("kSecTrustSettingsResult"),
    STRING("kcls"),
    STRING("keyUsage"),
    STRING("keychain"),
    STRING("keyid"),
    STRING("keys"),
    STRING("klbl"),
    STRING("label"),
    STRING("labl"),
    STRING("ldap"),
    STRING("ldps"),
    STRING("localized label"),
    STRING("m_CaseInsensitive"),
    STRING("m_DiacriticInsensitive"),
    STRING("m_EmailAddressIfPresent"),
    STRING("m_HostOrSubdomainOfHost"),
    STRING("m_Issuers"),
    STRING("m_ItemList"),
    STRING("m_Limit"),
    STRING("m_LimitAll"),
    STRING("m_LimitOne"),
    STRING("m_Policy"),
    STRING("m_SearchList"),
    STRING("m_SubjectContains"),
    STRING("m_SubjectEndsWith"),
    STRING("m_SubjectStartsWith"),
    STRING("m_SubjectWholeString"),
    STRING("m_TrustedOnly"),
    STRING("m_ValidOnDate"),
    STRING("m_WidthInsensitive"),
    STRING("mdat"),
    STRING("memory"),
    STRING("modi"),
    STRING("msna"),
    STRING("musr"),
    STRING("nega"),
    STRING("next"),
    STRING("nleg"),
    STRING("nntp"),
    STRING("ntPrincipalName"),
    STRING("ntlm"),
    STRING("ntps"),
    STRING("number"),
    STRING("passphrase"),
    STRING("path"),
    STRING("pcsi"),
    STRING("pcsk"),
    STRING("pcss"),
    STRING("pdmn"),
    STRING("perm"),
    STRING("persistref"),
    STRING("pkhh"),
    STRING("pop3"),
    STRING("pops"),
    STRING("port"),
    STRING("prf"),
    STRING("priv"),
    STRING("private"),
    STRING("ptcl"),
    STRING("public"),
    STRING("r_Attributes"),
    STRING("r_Data"),
    STRING("r_PersistentRef"),
    STRING("r_Ref"),
    STRING("requestedSize"),
    STRING("rfc822Name"),
    STRING("rounds"),
    STRING("rpaa"),
    STRING("rtsp"),
    STRING("rtsx"),
    STRING("salt"),
    STRING("scrp"),
    STRING("sdat"),
    STRING("sdmn"),
    STRING("section"),
    STRING("sens"),
    STRING("sha1"),
    STRING("sha256"),
    STRING("sharedInfo"),
    STRING("sign"),
    STRING("skid"),
    STRING("slnr"),
    STRING("smb "),
    STRING("smtp"),
    STRING("snrc"),
    STRING("sox "),
    STRING("spwd"),
    STRING("srvr"),
    STRING("ssh "),
    STRING("string"),
    STRING("subj"),
    STRING("subjectAltName"),
    STRING("success"),
    STRING("svce"),
    STRING("symmetric"),
    STRING("syna"),
    STRING("sync"),
    STRING("sysb"),
    STRING("teln"),
    STRING("tels"),
    STRING("title"),
    STRING("tkid"),
    STRING("toid"),
    STRING("tomb"),
    STRING("trust"),
    STRING("type"),
    STRING("u_AuthCtx"),
    STRING("u_AuthUI"),
    STRING("u_AuthUIA"),
    STRING("u_AuthUIF"),
    STRING("u_AuthUIS"),
    STRING("u_CallerName"),
    STRING("u_CertWithIssuers"),
    STRING("u_CredRef"),
    STRING("u_ItemList"),
    STRING("u_Keychain"),
    STRING("u_NoAuthUI"),
    STRING("u_OpPrompt"),
    STRING("u_SyncBubbleKeychain"),
    STRING("u_SystemKeychain"),
    STRING("u_SystemKeychainAlways"),
    STRING("u_TokenRawItems"),
    STRING("u_Tomb"),
    STRING("u_UserIndependentKeychain"),
    STRING("uniformResourceIdentifier"),
    STRING("unwp"),
    STRING("url"),
    STRING("v_Data"),
    STRING("v_PersistentRef"),
    STRING("v_Ref"),
    STRING("value"),
    STRING("volm"),
    STRING("vrfy"),
    STRING("vwht"),
    STRING("vyrc"),
    STRING("warning"),
    STRING("wrap"),
};
const size_t csec_constant_count = sizeof csec_constant_strings / sizeof *csec_constant_strings;

CONSTANT(kSecACLAuthorizationAny, 165);
CONSTANT(kSecACLAuthorizationChangeACL, 166);
CONSTANT(kSecACLAuthorizationChangeOwner, 167);
CONSTANT(kSecACLAuthorizationDecrypt, 168);
CONSTANT(kSecACLAuthorizationDelete, 169);
CONSTANT(kSecACLAuthorizationDerive, 170);
CONSTANT(kSecACLAuthorizationEncrypt, 171);
CONSTANT(kSecACLAuthorizationExportClear, 172);
CONSTANT(kSecACLAuthorizationExportWrapped, 173);
CONSTANT(kSecACLAuthorizationGenKey, 174);
CONSTANT(kSecACLAuthorizationImportClear, 175);
CONSTANT(kSecACLAuthorizationImportWrapped, 176);
CONSTANT(kSecACLAuthorizationIntegrity, 177);
CONSTANT(kSecACLAuthorizationKeychainCreate, 178);
CONSTANT(kSecACLAuthorizationKeychainDelete, 179);
CONSTANT(kSecACLAuthorizationKeychainItemDelete, 180);
CONSTANT(kSecACLAuthorizationKeychainItemInsert, 181);
CONSTANT(kSecACLAuthorizationKeychainItemModify, 182);
CONSTANT(kSecACLAuthorizationKeychainItemRead, 183);
CONSTANT(kSecACLAuthorizationLogin, 184);
CONSTANT(kSecACLAuthorizationMAC, 185);
CONSTANT(kSecACLAuthorizationPartitionID, 186);
CONSTANT(kSecACLAuthorizationSign, 187);
CONSTANT(kCMSEncoderDigestAlgorithmSHA1, 500);
CONSTANT(kCMSEncoderDigestAlgorithmSHA256, 501);
CONSTANT(kSecPropertyKeyType, 529);
CONSTANT(kSecPropertyKeyLabel, 431);
CONSTANT(kSecPropertyKeyLocalizedLabel, 435);
CONSTANT(kSecPropertyKeyValue, 554);
CONSTANT(kSecPropertyTypeWarning, 559);
CONSTANT(kSecPropertyTypeSuccess, 516);
CONSTANT(kSecPropertyTypeSection, 498);
CONSTANT(kSecPropertyTypeData, 367);
CONSTANT(kSecPropertyTypeString, 513);
CONSTANT(kSecPropertyTypeURL, 550);
CONSTANT(kSecPropertyTypeDate, 368);
CONSTANT(kSecPropertyTypeArray, 331);
CONSTANT(kSecPropertyTypeNumber, 466);
CONSTANT(kSecIdentityDomainDefault, 357);
CONSTANT(kSecIdentityDomainKerberosKDC, 353);
CONSTANT(kSecOIDADC_CERT_POLICY, 37);
CONSTANT(kSecOIDAPPLE_CERT_POLICY, 35);
CONSTANT(kSecOIDAPPLE_EKU_CODE_SIGNING, 29);
CONSTANT(kSecOIDAPPLE_EKU_CODE_SIGNING_DEV, 30);
CONSTANT(kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION, 33);
CONSTANT(kSecOIDAPPLE_EKU_ICHAT_SIGNING, 32);
CONSTANT(kSecOIDAPPLE_EKU_RESOURCE_SIGNING, 31);
CONSTANT(kSecOIDAPPLE_EKU_SYSTEM_IDENTITY, 34);
CONSTANT(kSecOIDAPPLE_EXTENSION, 38);
CONSTANT(kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE, 46);
CONSTANT(kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING, 42);
CONSTANT(kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING, 41);
CONSTANT(kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE, 47);
CONSTANT(kSecOIDAPPLE_EXTENSION_APPLE_SIGNING, 40);
CONSTANT(kSecOIDAPPLE_EXTENSION_CODE_SIGNING, 39);
CONSTANT(kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER, 43);
CONSTANT(kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE, 45);
CONSTANT(kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE, 44);
CONSTANT(kSecOIDAuthorityInfoAccess, 52);
CONSTANT(kSecOIDAuthorityKeyIdentifier, 136);
CONSTANT(kSecOIDBasicConstraints, 124);
CONSTANT(kSecOIDBiometricInfo, 54);
CONSTANT(kSecOIDCSSMKeyStruct, 93);
CONSTANT(kSecOIDCertIssuer, 131);
CONSTANT(kSecOIDCertificatePolicies, 134);
CONSTANT(kSecOIDClientAuth, 57);
CONSTANT(kSecOIDCollectiveStateProvinceName, 152);
CONSTANT(kSecOIDCollectiveStreetAddress, 154);
CONSTANT(kSecOIDCommonName, 145);
CONSTANT(kSecOIDCountryName, 149);
CONSTANT(kSecOIDCrlDistributionPoints, 133);
CONSTANT(kSecOIDCrlNumber, 125);
CONSTANT(kSecOIDCrlReason, 126);
CONSTANT(kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT, 28);
CONSTANT(kSecOIDDOTMAC_CERT_EMAIL_SIGN, 27);
CONSTANT(kSecOIDDOTMAC_CERT_EXTENSION, 25);
CONSTANT(kSecOIDDOTMAC_CERT_IDENTITY, 26);
CONSTANT(kSecOIDDOTMAC_CERT_POLICY, 36);
CONSTANT(kSecOIDDeltaCrlIndicator, 129);
CONSTANT(kSecOIDDescription, 144);
CONSTANT(kSecOIDEKU_IPSec, 63);
CONSTANT(kSecOIDEmailAddress, 3);
CONSTANT(kSecOIDEmailProtection, 59);
CONSTANT(kSecOIDExtendedKeyUsage, 138);
CONSTANT(kSecOIDExtendedKeyUsageAny, 139);
CONSTANT(kSecOIDExtendedUseCodeSigning, 58);
CONSTANT(kSecOIDGivenName, 147);
CONSTANT(kSecOIDHoldInstructionCode, 127);
CONSTANT(kSecOIDInvalidityDate, 128);
CONSTANT(kSecOIDIssuerAltName, 123);
CONSTANT(kSecOIDIssuingDistributionPoint, 130);
CONSTANT(kSecOIDIssuingDistributionPoints, 130);
CONSTANT(kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH, 50);
CONSTANT(kSecOIDKERBv5_PKINIT_KP_KDC, 51);
CONSTANT(kSecOIDKeyUsage, 120);
CONSTANT(kSecOIDLocalityName, 150);
CONSTANT(kSecOIDMS_NTPrincipalName, 49);
CONSTANT(kSecOIDMicrosoftSGC, 48);
CONSTANT(kSecOIDNameConstraints, 132);
CONSTANT(kSecOIDNetscapeCertSequence, 75);
CONSTANT(kSecOIDNetscapeCertType, 74);
CONSTANT(kSecOIDNetscapeSGC, 76);
CONSTANT(kSecOIDOCSPSigning, 61);
CONSTANT(kSecOIDOrganizationName, 141);
CONSTANT(kSecOIDOrganizationalUnitName, 142);
CONSTANT(kSecOIDPolicyConstraints, 137);
CONSTANT(kSecOIDPolicyMappings, 135);
CONSTANT(kSecOIDPrivateKeyUsagePeriod, 121);
CONSTANT(kSecOIDQC_Statements, 55);
CONSTANT(kSecOIDSRVName, 62);
CONSTANT(kSecOIDSerialNumber, 148);
CONSTANT(kSecOIDServerAuth, 56);
CONSTANT(kSecOIDStateProvinceName, 151);
CONSTANT(kSecOIDStreetAddress, 153);
CONSTANT(kSecOIDSubjectAltName, 122);
CONSTANT(kSecOIDSubjectDirectoryAttributes, 140);
CONSTANT(kSecOIDSubjectEmailAddress, 105);
CONSTANT(kSecOIDSubjectInfoAccess, 53);
CONSTANT(kSecOIDSubjectKeyIdentifier, 119);
CONSTANT(kSecOIDSubjectPicture, 104);
CONSTANT(kSecOIDSubjectSignatureBitmap, 103);
CONSTANT(kSecOIDSurname, 146);
CONSTANT(kSecOIDTimeStamping, 60);
CONSTANT(kSecOIDTitle, 143);
CONSTANT(kSecOIDUseExemptions, 106);
CONSTANT(kSecOIDX509V1CertificateIssuerUniqueId, 82);
CONSTANT(kSecOIDX509V1CertificateSubjectUniqueId, 83);
CONSTANT(kSecOIDX509V1IssuerName, 100);
CONSTANT(kSecOIDX509V1IssuerNameCStruct, 101);
CONSTANT(kSecOIDX509V1IssuerNameLDAP, 102);
CONSTANT(kSecOIDX509V1IssuerNameStd, 98);
CONSTANT(kSecOIDX509V1SerialNumber, 99);
CONSTANT(kSecOIDX509V1Signature, 117);
CONSTANT(kSecOIDX509V1SignatureAlgorithm, 115);
CONSTANT(kSecOIDX509V1SignatureAlgorithmParameters, 118);
CONSTANT(kSecOIDX509V1SignatureAlgorithmTBS, 116);
CONSTANT(kSecOIDX509V1SignatureCStruct, 114);
CONSTANT(kSecOIDX509V1SignatureStruct, 113);
CONSTANT(kSecOIDX509V1SubjectName, 109);
CONSTANT(kSecOIDX509V1SubjectNameCStruct, 110);
CONSTANT(kSecOIDX509V1SubjectNameLDAP, 111);
CONSTANT(kSecOIDX509V1SubjectNameStd, 97);
CONSTANT(kSecOIDX509V1SubjectPublicKey, 81);
CONSTANT(kSecOIDX509V1SubjectPublicKeyAlgorithm, 112);
CONSTANT(kSecOIDX509V1SubjectPublicKeyAlgorithmParameters, 90);
CONSTANT(kSecOIDX509V1SubjectPublicKeyCStruct, 94);
CONSTANT(kSecOIDX509V1ValidityNotAfter, 108);
CONSTANT(kSecOIDX509V1ValidityNotBefore, 107);
CONSTANT(kSecOIDX509V1Version, 92);
CONSTANT(kSecOIDX509V3Certificate, 79);
CONSTANT(kSecOIDX509V3CertificateCStruct, 80);
CONSTANT(kSecOIDX509V3CertificateExtensionCStruct, 85);
CONSTANT(kSecOIDX509V3CertificateExtensionCritical, 88);
CONSTANT(kSecOIDX509V3CertificateExtensionId, 87);
CONSTANT(kSecOIDX509V3CertificateExtensionStruct, 84);
CONSTANT(kSecOIDX509V3CertificateExtensionType, 91);
CONSTANT(kSecOIDX509V3CertificateExtensionValue, 89);
CONSTANT(kSecOIDX509V3CertificateExtensionsCStruct, 96);
CONSTANT(kSecOIDX509V3CertificateExtensionsStruct, 95);
CONSTANT(kSecOIDX509V3CertificateNumberOfExtensions, 86);
CONSTANT(kSecOIDX509V3SignedCertificate, 77);
CONSTANT(kSecOIDX509V3SignedCertificateCStruct, 78);
CONSTANT(kSecAttrAccessible, 472);
CONSTANT(kSecAttrAccessControl, 220);
CONSTANT(kSecAttrAccess, 223);
CONSTANT(kSecAttrAccessGroup, 227);
CONSTANT(kSecAttrSynchronizable, 520);
CONSTANT(kSecAttrSynchronizableAny, 519);
CONSTANT(kSecAttrSyncViewHint, 557);
CONSTANT(kSecAttrCreationDate, 344);
CONSTANT(kSecAttrModificationDate, 454);
CONSTANT(kSecAttrLabel, 432);
CONSTANT(kSecAttrPersistantReference, 474);
CONSTANT(kSecAttrPersistentReference, 474);
CONSTANT(kSecAttrDescription, 370);
CONSTANT(kSecAttrComment, 402);
CONSTANT(kSecAttrCreator, 361);
CONSTANT(kSecAttrType, 529);
CONSTANT(kSecAttrIsInvisible, 408);
CONSTANT(kSecAttrIsNegative, 459);
CONSTANT(kSecAttrAccount, 222);
CONSTANT(kSecAttrService, 517);
CONSTANT(kSecAttrGeneric, 389);
CONSTANT(kSecAttrSecurityDomain, 497);
CONSTANT(kSecAttrServer, 511);
CONSTANT(kSecAttrProtocol, 482);
CONSTANT(kSecAttrAuthenticationType, 335);
CONSTANT(kSecAttrPort, 478);
CONSTANT(kSecAttrPath, 468);
CONSTANT(kSecAttrSubject, 514);
CONSTANT(kSecAttrIssuer, 412);
CONSTANT(kSecAttrSerialNumber, 505);
CONSTANT(kSecAttrSubjectKeyID, 504);
CONSTANT(kSecAttrPublicKeyHash, 475);
CONSTANT(kSecAttrCertificateType, 363);
CONSTANT(kSecAttrCertificateEncoding, 345);
CONSTANT(kSecAttrKeyClass, 425);
CONSTANT(kSecAttrApplicationLabel, 430);
CONSTANT(kSecAttrIsPermanent, 473);
CONSTANT(kSecAttrIsSensitive, 499);
CONSTANT(kSecAttrIsExtractable, 382);
CONSTANT(kSecAttrApplicationTag, 333);
CONSTANT(kSecAttrKeyType, 529);
CONSTANT(kSecAttrKeySizeInBits, 343);
CONSTANT(kSecAttrEffectiveKeySize, 381);
CONSTANT(kSecAttrTokenID, 525);
CONSTANT(kSecAttrCanEncrypt, 378);
CONSTANT(kSecAttrCanDecrypt, 369);
CONSTANT(kSecAttrCanDerive, 375);
CONSTANT(kSecAttrCanSign, 503);
CONSTANT(kSecAttrCanVerify, 556);
CONSTANT(kSecAttrCanWrap, 560);
CONSTANT(kSecAttrCanUnwrap, 549);
CONSTANT(kSecPrivateKeyAttrs, 481);
CONSTANT(kSecPublicKeyAttrs, 483);
CONSTANT(kSecAttrPRF, 479);
CONSTANT(kSecAttrSalt, 494);
CONSTANT(kSecAttrRounds, 490);
CONSTANT(kSecAttrPRFHmacAlgSHA1, 392);
CONSTANT(kSecAttrPRFHmacAlgSHA224, 393);
CONSTANT(kSecAttrPRFHmacAlgSHA256, 394);
CONSTANT(kSecAttrPRFHmacAlgSHA384, 395);
CONSTANT(kSecAttrPRFHmacAlgSHA512, 396);
CONSTANT(kSecAttrAlias, 329);
CONSTANT(kSecAttrTombstone, 527);
CONSTANT(kSecAttrMultiUser, 458);
CONSTANT(kSecAttrUUID, 219);
CONSTANT(kSecAttrSHA1, 500);
CONSTANT(kSecAttrSysBound, 521);
CONSTANT(kSecAttrNoLegacy, 461);
CONSTANT(kSecAttrScriptCode, 495);
CONSTANT(kSecAttrHasCustomIcon, 364);
CONSTANT(kSecAttrVolume, 555);
CONSTANT(kSecAttrAddress, 224);
CONSTANT(kSecAttrAFPServerSignature, 226);
CONSTANT(kSecAttrCRLType, 360);
CONSTANT(kSecAttrCRLEncoding, 359);
CONSTANT(kSecAttrIsPrivate, 480);
CONSTANT(kSecAttrIsModifiable, 456);
CONSTANT(kSecAttrKeyCreator, 361);
CONSTANT(kSecAttrStartDate, 496);
CONSTANT(kSecAttrEndDate, 377);
CONSTANT(kSecAttrWasAlwaysSensitive, 332);
CONSTANT(kSecAttrWasNeverExtractable, 460);
CONSTANT(kSecAttrCanSignRecover, 508);
CONSTANT(kSecAttrCanVerifyRecover, 558);
CONSTANT(kSecSymmetricKeyAttrs, 518);
CONSTANT(kSecAttrTokenOID, 526);
CONSTANT(kSecAttrSecureEnclaveKeyBlob, 526);
CONSTANT(kSecDataInetExtraNotes, 342);
CONSTANT(kSecDataInetExtraHistory, 341);
CONSTANT(kSecDataInetExtraClientDefined0, 337);
CONSTANT(kSecDataInetExtraClientDefined1, 338);
CONSTANT(kSecDataInetExtraClientDefined2, 339);
CONSTANT(kSecDataInetExtraClientDefined3, 340);
CONSTANT(kSecAttrPCSPlaintextServiceIdentifier, 471);
CONSTANT(kSecAttrPCSPlaintextPublicKey, 470);
CONSTANT(kSecAttrPCSPlaintextPublicIdentity, 469);
CONSTANT(kSecAttrDeriveSyncIDFromItemAttributes, 376);
CONSTANT(kSecAttrSharingGroup, 391);
CONSTANT(kSecAttrSharingGroupNone, 0);
CONSTANT(kSecAttrAccessibleWhenUnlocked, 228);
CONSTANT(kSecAttrAccessibleAfterFirstUnlock, 350);
CONSTANT(kSecAttrAccessibleAlways, 372);
CONSTANT(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, 229);
CONSTANT(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, 230);
CONSTANT(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, 351);
CONSTANT(kSecAttrAccessibleAlwaysThisDeviceOnly, 373);
CONSTANT(kSecAttrProtocolFTP, 385);
CONSTANT(kSecAttrProtocolFTPAccount, 386);
CONSTANT(kSecAttrProtocolHTTP, 401);
CONSTANT(kSecAttrProtocolIRC, 410);
CONSTANT(kSecAttrProtocolNNTP, 462);
CONSTANT(kSecAttrProtocolPOP3, 476);
CONSTANT(kSecAttrProtocolSMTP, 507);
CONSTANT(kSecAttrProtocolSOCKS, 509);
CONSTANT(kSecAttrProtocolIMAP, 405);
CONSTANT(kSecAttrProtocolLDAP, 433);
CONSTANT(kSecAttrProtocolAppleTalk, 334);
CONSTANT(kSecAttrProtocolAFP, 225);
CONSTANT(kSecAttrProtocolTelnet, 522);
CONSTANT(kSecAttrProtocolSSH, 512);
CONSTANT(kSecAttrProtocolFTPS, 387);
CONSTANT(kSecAttrProtocolHTTPS, 397);
CONSTANT(kSecAttrProtocolHTTPProxy, 398);
CONSTANT(kSecAttrProtocolHTTPSProxy, 399);
CONSTANT(kSecAttrProtocolFTPProxy, 388);
CONSTANT(kSecAttrProtocolSMB, 506);
CONSTANT(kSecAttrProtocolRTSP, 492);
CONSTANT(kSecAttrProtocolRTSPProxy, 493);
CONSTANT(kSecAttrProtocolDAAP, 366);
CONSTANT(kSecAttrProtocolEPPC, 379);
CONSTANT(kSecAttrProtocolIPP, 409);
CONSTANT(kSecAttrProtocolNNTPS, 465);
CONSTANT(kSecAttrProtocolLDAPS, 434);
CONSTANT(kSecAttrProtocolTelnetS, 523);
CONSTANT(kSecAttrProtocolIMAPS, 406);
CONSTANT(kSecAttrProtocolIRCS, 411);
CONSTANT(kSecAttrProtocolPOP3S, 477);
CONSTANT(kSecAttrAuthenticationTypeNTLM, 464);
CONSTANT(kSecAttrAuthenticationTypeMSN, 457);
CONSTANT(kSecAttrAuthenticationTypeDPA, 374);
CONSTANT(kSecAttrAuthenticationTypeRPA, 491);
CONSTANT(kSecAttrAuthenticationTypeHTTPBasic, 401);
CONSTANT(kSecAttrAuthenticationTypeHTTPDigest, 400);
CONSTANT(kSecAttrAuthenticationTypeHTMLForm, 384);
CONSTANT(kSecAttrAuthenticationTypeDefault, 371);
CONSTANT(kSecAttrKeyClassPublic, 1);
CONSTANT(kSecAttrKeyClassPrivate, 2);
CONSTANT(kSecAttrKeyClassSymmetric, 73);
CONSTANT(kSecAttrKeyTypeRSA, 161);
CONSTANT(kSecAttrKeyTypeEC, 164);
CONSTANT(kSecAttrKeyTypeECSECPrimeRandom, 164);
CONSTANT(kSecAttrKeyTypeMLKEM, 69);
CONSTANT(kSecAttrKeyTypeMLDSA, 70);
CONSTANT(kSecAttrKeyTypeDES, 71);
CONSTANT(kSecAttrKeyType3DES, 72);
CONSTANT(kSecAttrKeyTypeRC2, 159);
CONSTANT(kSecAttrKeyTypeRC4, 160);
CONSTANT(kSecAttrKeyTypeDSA, 162);
CONSTANT(kSecAttrKeyTypeCAST, 163);
CONSTANT(kSecAttrKeyTypeECDSA, 164);
CONSTANT(kSecAttrKeyTypeAES, 155);
CONSTANT(kSecAttrTokenIDSecureEnclave, 355);
CONSTANT(kSecAttrAccessGroupToken, 358);
CONSTANT(kSecAttrAccessibleAlwaysPrivate, 372);
CONSTANT(kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate, 373);
CONSTANT(kSecAttrAccessibleUntilReboot, 383);
CONSTANT(kSecAttrTokenIDAppleKeyStore, 356);
CONSTANT(kSecAttrTokenIDSecureElement, 354);
CONSTANT(kSecAttrKeyTypeECSECPrimeRandomPKA, 156);
CONSTANT(kSecAttrKeyTypeSecureEnclaveAttestation, 157);
CONSTANT(kSecAttrKeyTypeSecureEnclaveAnonymousAttestation, 158);
CONSTANT(kSecAttrKeyTypeEd25519, 64);
CONSTANT(kSecAttrKeyTypeX25519, 65);
CONSTANT(kSecAttrKeyTypeEd448, 66);
CONSTANT(kSecAttrKeyTypeX448, 67);
CONSTANT(kSecAttrKeyTypeKyber, 68);
CONSTANT(kSecClass, 352);
CONSTANT(kSecClassGenericPassword, 390);
CONSTANT(kSecClassInternetPassword, 407);
CONSTANT(kSecClassCertificate, 346);
CONSTANT(kSecClassKey, 429);
CONSTANT(kSecClassIdentity, 404);
CONSTANT(kSecClassAppleSharePassword, 330);
CONSTANT(kSecValueData, 551);
CONSTANT(kSecValueRef, 553);
CONSTANT(kSecValuePersistentRef, 552);
CONSTANT(kSecReturnData, 485);
CONSTANT(kSecReturnAttributes, 484);
CONSTANT(kSecReturnRef, 487);
CONSTANT(kSecReturnPersistentRef, 486);
CONSTANT(kSecMatchPolicy, 445);
CONSTANT(kSecMatchItemList, 441);
CONSTANT(kSecMatchSearchList, 446);
CONSTANT(kSecMatchIssuers, 440);
CONSTANT(kSecMatchEmailAddressIfPresent, 438);
CONSTANT(kSecMatchSubjectContains, 447);
CONSTANT(kSecMatchSubjectStartsWith, 449);
CONSTANT(kSecMatchSubjectEndsWith, 448);
CONSTANT(kSecMatchSubjectWholeString, 450);
CONSTANT(kSecMatchHostOrSubdomainOfHost, 439);
CONSTANT(kSecMatchCaseInsensitive, 436);
CONSTANT(kSecMatchDiacriticInsensitive, 437);
CONSTANT(kSecMatchWidthInsensitive, 453);
CONSTANT(kSecMatchTrustedOnly, 451);
CONSTANT(kSecMatchValidOnDate, 452);
CONSTANT(kSecMatchLimit, 442);
CONSTANT(kSecMatchLimitOne, 444);
CONSTANT(kSecMatchLimitAll, 443);
CONSTANT(kSecUseItemList, 538);
CONSTANT(kSecUseKeychain, 539);
CONSTANT(kSecUseOperationPrompt, 541);
CONSTANT(kSecUseNoAuthenticationUI, 540);
CONSTANT(kSecUseAuthenticationUI, 531);
CONSTANT(kSecUseAuthenticationContext, 530);
CONSTANT(kSecUseDataProtectionKeychain, 461);
CONSTANT(kSecUseUserIndependentKeychain, 547);
CONSTANT(kSecUseAuthenticationUIAllow, 532);
CONSTANT(kSecUseAuthenticationUIFail, 533);
CONSTANT(kSecUseAuthenticationUISkip, 534);
CONSTANT(kSecUseTombstones, 546);
CONSTANT(kSecUseCredentialReference, 537);
CONSTANT(kSecUseCallerName, 535);
CONSTANT(kSecUseTokenRawItems, 545);
CONSTANT(kSecUseCertificatesWithMatchIssuers, 536);
CONSTANT(kSecUseSystemKeychain, 543);
CONSTANT(kSecUseSystemKeychainAlways, 544);
CONSTANT(kSecUseSyncBubbleKeychain, 542);
CONSTANT(kSecSharedPassword, 510);
CONSTANT(kSecPasswordMinLength, 203);
CONSTANT(kSecPasswordMaxLength, 203);
CONSTANT(kSecOidCommonName, 198);
CONSTANT(kSecOidCountryName, 188);
CONSTANT(kSecOidStateProvinceName, 204);
CONSTANT(kSecOidLocalityName, 199);
CONSTANT(kSecOidOrganization, 200);
CONSTANT(kSecOidOrganizationalUnit, 201);
CONSTANT(kSecCSRChallengePassword, 362);
CONSTANT(kSecSubjectAltName, 515);
CONSTANT(kSecCertificateKeyUsage, 426);
CONSTANT(kSecCSRBasicConstraintsPathLen, 336);
CONSTANT(kSecCSRBasicContraintsPathLen, 336);
CONSTANT(kSecCertificateExtensions, 347);
CONSTANT(kSecCertificateExtensionsEncoded, 348);
CONSTANT(kSecCMSSignHashAlgorithm, 417);
CONSTANT(kSecSubjectAltNameDNSName, 365);
CONSTANT(kSecSubjectAltNameEmailAddress, 489);
CONSTANT(kSecSubjectAltNameURI, 548);
CONSTANT(kSecSubjectAltNameNTPrincipalName, 463);
CONSTANT(kSecCMSHashingAlgorithmSHA1, 413);
CONSTANT(kSecCMSHashingAlgorithmSHA256, 414);
CONSTANT(kSecCMSHashingAlgorithmSHA384, 415);
CONSTANT(kSecCMSHashingAlgorithmSHA512, 416);
CONSTANT(kSecImportExportPassphrase, 467);
CONSTANT(kSecImportExportKeychain, 427);
CONSTANT(kSecImportExportAccess, 221);
CONSTANT(kSecImportToMemoryOnly, 455);
CONSTANT(kSecImportItemLabel, 431);
CONSTANT(kSecImportItemKeyID, 428);
CONSTANT(kSecImportItemTrust, 528);
CONSTANT(kSecImportItemCertChain, 349);
CONSTANT(kSecImportItemIdentity, 403);
CONSTANT(kSecKeyAlgorithmRSASignatureRaw, 327);
CONSTANT(kSecKeyAlgorithmRSASignatureRawCCUnit, 328);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw, 304);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15MD5, 305);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1, 306);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224, 307);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256, 308);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384, 309);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512, 310);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA1, 311);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA224, 312);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA256, 313);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA384, 314);
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA512, 315);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15MD5, 316);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1, 317);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224, 318);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256, 319);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384, 320);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512, 321);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA1, 322);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA224, 323);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA256, 324);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA384, 325);
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA512, 326);
CONSTANT(kSecKeyAlgorithmRSAEncryptionRaw, 262);
CONSTANT(kSecKeyAlgorithmRSAEncryptionRawCCUnit, 263);
CONSTANT(kSecKeyAlgorithmRSAEncryptionPKCS1, 261);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA1, 251);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA224, 253);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA256, 255);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA384, 257);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA512, 259);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM, 252);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM, 254);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM, 256);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM, 258);
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM, 260);
CONSTANT(kSecKeyAlgorithmECDSASignatureRFC4754, 278);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754, 279);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1, 280);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224, 281);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256, 282);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384, 283);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512, 284);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1, 291);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224, 292);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256, 293);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384, 294);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512, 295);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962, 285);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA1, 286);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA224, 287);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA256, 288);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA384, 289);
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA512, 290);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA1, 296);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA224, 297);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA256, 298);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA384, 299);
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA512, 300);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM, 232);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM, 233);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM, 235);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM, 237);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM, 239);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM, 242);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM, 243);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM, 245);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM, 247);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM, 249);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM, 234);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM, 236);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM, 238);
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM, 240);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM, 244);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM, 246);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM, 248);
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM, 250);
CONSTANT(kSecKeyAlgorithmECIESEncryptionAKSSmartCard, 241);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandard, 266);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1, 267);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224, 268);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256, 269);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384, 270);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512, 271);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactor, 272);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1, 273);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224, 274);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256, 275);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384, 276);
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512, 277);
CONSTANT(kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512, 301);
CONSTANT(kSecKeyAlgorithmEdDSASignatureMessageCurve448SHAKE256, 302);
CONSTANT(kSecKeyAlgorithmKemKyber, 265);
CONSTANT(kSecKeyAlgorithmKemMLKEM, 264);
CONSTANT(kSecKeyAlgorithmMldsaSignatureMessage, 303);
CONSTANT(kSecKeyAlgorithmAesEncryptionGCM, 231);
CONSTANT(kSecKeyKeyExchangeParameterRequestedSize, 488);
CONSTANT(kSecKeyKeyExchangeParameterSharedInfo, 502);
CONSTANT(kSecPolicyAppleX509Basic, 13);
CONSTANT(kSecPolicyAppleSSL, 17);
CONSTANT(kSecPolicyAppleSMIME, 21);
CONSTANT(kSecPolicyAppleEAP, 22);
CONSTANT(kSecPolicyAppleIPsec, 4);
CONSTANT(kSecPolicyApplePKINITClient, 8);
CONSTANT(kSecPolicyApplePKINITServer, 9);
CONSTANT(kSecPolicyAppleCodeSigning, 10);
CONSTANT(kSecPolicyAppleIDValidation, 11);
CONSTANT(kSecPolicyMacAppStoreReceipt, 12);
CONSTANT(kSecPolicyAppleTimeStamping, 14);
CONSTANT(kSecPolicyAppleRevocation, 15);
CONSTANT(kSecPolicyApplePassbookSigning, 16);
CONSTANT(kSecPolicyApplePayIssuerEncryption, 20);
CONSTANT(kSecPolicyAppleSSLServer, 18);
CONSTANT(kSecPolicyAppleSSLClient, 19);
CONSTANT(kSecPolicyAppleEAPServer, 23);
CONSTANT(kSecPolicyAppleEAPClient, 24);
CONSTANT(kSecPolicyAppleIPSecServer, 5);
CONSTANT(kSecPolicyAppleIPSecClient, 6);
CONSTANT(kSecPolicyAppleiChat, 7);
CONSTANT(kSecPolicyKU_CRLSign, 189);
CONSTANT(kSecPolicyKU_DataEncipherment, 190);
CONSTANT(kSecPolicyKU_DecipherOnly, 191);
CONSTANT(kSecPolicyKU_DigitalSignature, 192);
CONSTANT(kSecPolicyKU_EncipherOnly, 193);
CONSTANT(kSecPolicyKU_KeyAgreement, 194);
CONSTANT(kSecPolicyKU_KeyCertSign, 195);
CONSTANT(kSecPolicyKU_KeyEncipherment, 196);
CONSTANT(kSecPolicyKU_NonRepudiation, 197);
CONSTANT(kSecPolicyOid, 207);
CONSTANT(kSecPolicyName, 206);
CONSTANT(kSecPolicyClient, 205);
CONSTANT(kSecPolicyRevocationFlags, 208);
CONSTANT(kSecPolicyTeamIdentifier, 209);
CONSTANT(kSecTrustEvaluationDate, 212);
CONSTANT(kSecTrustResultValue, 217);
CONSTANT(kSecTrustExtendedValidation, 214);
CONSTANT(kSecTrustOrganizationName, 202);
CONSTANT(kSecTrustRevocationChecked, 218);
CONSTANT(kSecTrustRevocationValidUntilDate, 213);
CONSTANT(kSecTrustCertificateTransparency, 210);
CONSTANT(kSecTrustCertificateTransparencyWhiteList, 211);
CONSTANT(kSecTrustQCStatements, 215);
CONSTANT(kSecTrustQWACValidation, 216);
CONSTANT(kSecPropertyTypeTitle, 524);
CONSTANT(kSecPropertyTypeError, 380);
CONSTANT(kSecTrustSettingsPolicy, 421);
CONSTANT(kSecTrustSettingsPolicyName, 422);
CONSTANT(kSecTrustSettingsApplication, 419);
CONSTANT(kSecTrustSettingsPolicyString, 423);
CONSTANT(kSecTrustSettingsKeyUsage, 420);
CONSTANT(kSecTrustSettingsAllowedError, 418);
CONSTANT(kSecTrustSettingsResult, 424);
