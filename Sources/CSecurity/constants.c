/* SPDX-License-Identifier: Apache-2.0 */
/* Written by Scripts/c-names.py of the module Security: edit that. */
#include "constants.h"

#include "CSecurity.h"

CONSTANT(kSecACLAuthorizationAny, "ACLAuthorizationAny");
CONSTANT(kSecACLAuthorizationChangeACL, "ACLAuthorizationChangeACL");
CONSTANT(kSecACLAuthorizationChangeOwner, "ACLAuthorizationChangeOwner");
CONSTANT(kSecACLAuthorizationDecrypt, "ACLAuthorizationDecrypt");
CONSTANT(kSecACLAuthorizationDelete, "ACLAuthorizationDelete");
CONSTANT(kSecACLAuthorizationDerive, "ACLAuthorizationDerive");
CONSTANT(kSecACLAuthorizationEncrypt, "ACLAuthorizationEncrypt");
CONSTANT(kSecACLAuthorizationExportClear, "ACLAuthorizationExportClear");
CONSTANT(kSecACLAuthorizationExportWrapped, "ACLAuthorizationExportWrapped");
CONSTANT(kSecACLAuthorizationGenKey, "ACLAuthorizationGenKey");
CONSTANT(kSecACLAuthorizationImportClear, "ACLAuthorizationImportClear");
CONSTANT(kSecACLAuthorizationImportWrapped, "ACLAuthorizationImportWrapped");
CONSTANT(kSecACLAuthorizationIntegrity, "ACLAuthorizationIntegrity");
CONSTANT(kSecACLAuthorizationKeychainCreate, "ACLAuthorizationKeychainCreate");
CONSTANT(kSecACLAuthorizationKeychainDelete, "ACLAuthorizationKeychainDelete");
CONSTANT(kSecACLAuthorizationKeychainItemDelete, "ACLAuthorizationKeychainItemDelete");
CONSTANT(kSecACLAuthorizationKeychainItemInsert, "ACLAuthorizationKeychainItemInsert");
CONSTANT(kSecACLAuthorizationKeychainItemModify, "ACLAuthorizationKeychainItemModify");
CONSTANT(kSecACLAuthorizationKeychainItemRead, "ACLAuthorizationKeychainItemRead");
CONSTANT(kSecACLAuthorizationLogin, "ACLAuthorizationLogin");
CONSTANT(kSecACLAuthorizationMAC, "ACLAuthorizationMAC");
CONSTANT(kSecACLAuthorizationPartitionID, "ACLAuthorizationPartitionID");
CONSTANT(kSecACLAuthorizationSign, "ACLAuthorizationSign");
CONSTANT(kCMSEncoderDigestAlgorithmSHA1, "sha1");
CONSTANT(kCMSEncoderDigestAlgorithmSHA256, "sha256");
CONSTANT(kSecPropertyKeyType, "type");
CONSTANT(kSecPropertyKeyLabel, "label");
CONSTANT(kSecPropertyKeyLocalizedLabel, "localized label");
CONSTANT(kSecPropertyKeyValue, "value");
CONSTANT(kSecPropertyTypeWarning, "warning");
CONSTANT(kSecPropertyTypeSuccess, "success");
CONSTANT(kSecPropertyTypeSection, "section");
CONSTANT(kSecPropertyTypeData, "data");
CONSTANT(kSecPropertyTypeString, "string");
CONSTANT(kSecPropertyTypeURL, "url");
CONSTANT(kSecPropertyTypeDate, "date");
CONSTANT(kSecPropertyTypeArray, "array");
CONSTANT(kSecPropertyTypeNumber, "number");
CONSTANT(kSecIdentityDomainDefault, "com.apple.systemdefault");
CONSTANT(kSecIdentityDomainKerberosKDC, "com.apple.kerberos.kdc");
CONSTANT(kSecOIDADC_CERT_POLICY, "1.2.840.113635.100.5.3");
CONSTANT(kSecOIDAPPLE_CERT_POLICY, "1.2.840.113635.100.5.1");
CONSTANT(kSecOIDAPPLE_EKU_CODE_SIGNING, "1.2.840.113635.100.4.1");
CONSTANT(kSecOIDAPPLE_EKU_CODE_SIGNING_DEV, "1.2.840.113635.100.4.1.1");
CONSTANT(kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION, "1.2.840.113635.100.4.3");
CONSTANT(kSecOIDAPPLE_EKU_ICHAT_SIGNING, "1.2.840.113635.100.4.2");
CONSTANT(kSecOIDAPPLE_EKU_RESOURCE_SIGNING, "1.2.840.113635.100.4.1.4");
CONSTANT(kSecOIDAPPLE_EKU_SYSTEM_IDENTITY, "1.2.840.113635.100.4.4");
CONSTANT(kSecOIDAPPLE_EXTENSION, "1.2.840.113635.100.6");
CONSTANT(kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE, "1.2.840.113635.100.6.2.3");
CONSTANT(kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING, "1.2.840.113635.100.6.1.2.0.0");
CONSTANT(kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING, "1.2.840.113635.100.6.1.2.0");
CONSTANT(kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE, "1.2.840.113635.100.6.2.7");
CONSTANT(kSecOIDAPPLE_EXTENSION_APPLE_SIGNING, "1.2.840.113635.100.6.1.1");
CONSTANT(kSecOIDAPPLE_EXTENSION_CODE_SIGNING, "1.2.840.113635.100.6.1");
CONSTANT(kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER, "1.2.840.113635.100.6.2");
CONSTANT(kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE, "1.2.840.113635.100.6.2.2");
CONSTANT(kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE, "1.2.840.113635.100.6.2.1");
CONSTANT(kSecOIDAuthorityInfoAccess, "1.3.6.1.5.5.7.1.1");
CONSTANT(kSecOIDAuthorityKeyIdentifier, "2.5.29.35");
CONSTANT(kSecOIDBasicConstraints, "2.5.29.19");
CONSTANT(kSecOIDBiometricInfo, "1.3.6.1.5.5.7.1.2");
CONSTANT(kSecOIDCSSMKeyStruct, "2.16.840.1.113741.2.1.1.1.20");
CONSTANT(kSecOIDCertIssuer, "2.5.29.29");
CONSTANT(kSecOIDCertificatePolicies, "2.5.29.32");
CONSTANT(kSecOIDClientAuth, "1.3.6.1.5.5.7.3.2");
CONSTANT(kSecOIDCollectiveStateProvinceName, "2.5.4.8.1");
CONSTANT(kSecOIDCollectiveStreetAddress, "2.5.4.9.1");
CONSTANT(kSecOIDCommonName, "2.5.4.3");
CONSTANT(kSecOIDCountryName, "2.5.4.6");
CONSTANT(kSecOIDCrlDistributionPoints, "2.5.29.31");
CONSTANT(kSecOIDCrlNumber, "2.5.29.20");
CONSTANT(kSecOIDCrlReason, "2.5.29.21");
CONSTANT(kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT, "1.2.840.113635.100.3.2.3");
CONSTANT(kSecOIDDOTMAC_CERT_EMAIL_SIGN, "1.2.840.113635.100.3.2.2");
CONSTANT(kSecOIDDOTMAC_CERT_EXTENSION, "1.2.840.113635.100.3.2");
CONSTANT(kSecOIDDOTMAC_CERT_IDENTITY, "1.2.840.113635.100.3.2.1");
CONSTANT(kSecOIDDOTMAC_CERT_POLICY, "1.2.840.113635.100.5.2");
CONSTANT(kSecOIDDeltaCrlIndicator, "2.5.29.27");
CONSTANT(kSecOIDDescription, "2.5.4.13");
CONSTANT(kSecOIDEKU_IPSec, "1.3.6.1.5.5.8.2.2");
CONSTANT(kSecOIDEmailAddress, "1.2.840.113549.1.9.1");
CONSTANT(kSecOIDEmailProtection, "1.3.6.1.5.5.7.3.4");
CONSTANT(kSecOIDExtendedKeyUsage, "2.5.29.37");
CONSTANT(kSecOIDExtendedKeyUsageAny, "2.5.29.37.0");
CONSTANT(kSecOIDExtendedUseCodeSigning, "1.3.6.1.5.5.7.3.3");
CONSTANT(kSecOIDGivenName, "2.5.4.42");
CONSTANT(kSecOIDHoldInstructionCode, "2.5.29.23");
CONSTANT(kSecOIDInvalidityDate, "2.5.29.24");
CONSTANT(kSecOIDIssuerAltName, "2.5.29.18");
CONSTANT(kSecOIDIssuingDistributionPoint, "2.5.29.28");
CONSTANT(kSecOIDIssuingDistributionPoints, "2.5.29.28");
CONSTANT(kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH, "1.3.6.1.5.2.3.4");
CONSTANT(kSecOIDKERBv5_PKINIT_KP_KDC, "1.3.6.1.5.2.3.5");
CONSTANT(kSecOIDKeyUsage, "2.5.29.15");
CONSTANT(kSecOIDLocalityName, "2.5.4.7");
CONSTANT(kSecOIDMS_NTPrincipalName, "1.3.6.1.4.1.311.20.2.3");
CONSTANT(kSecOIDMicrosoftSGC, "1.3.6.1.4.1.311.10.3.3");
CONSTANT(kSecOIDNameConstraints, "2.5.29.30");
CONSTANT(kSecOIDNetscapeCertSequence, "2.16.840.1.113730.2.5");
CONSTANT(kSecOIDNetscapeCertType, "2.16.840.1.113730.1.1");
CONSTANT(kSecOIDNetscapeSGC, "2.16.840.1.113730.4.1");
CONSTANT(kSecOIDOCSPSigning, "1.3.6.1.5.5.7.3.9");
CONSTANT(kSecOIDOrganizationName, "2.5.4.10");
CONSTANT(kSecOIDOrganizationalUnitName, "2.5.4.11");
CONSTANT(kSecOIDPolicyConstraints, "2.5.29.36");
CONSTANT(kSecOIDPolicyMappings, "2.5.29.33");
CONSTANT(kSecOIDPrivateKeyUsagePeriod, "2.5.29.16");
CONSTANT(kSecOIDQC_Statements, "1.3.6.1.5.5.7.1.3");
CONSTANT(kSecOIDSRVName, "1.3.6.1.5.5.7.8.7");
CONSTANT(kSecOIDSerialNumber, "2.5.4.5");
CONSTANT(kSecOIDServerAuth, "1.3.6.1.5.5.7.3.1");
CONSTANT(kSecOIDStateProvinceName, "2.5.4.8");
CONSTANT(kSecOIDStreetAddress, "2.5.4.9");
CONSTANT(kSecOIDSubjectAltName, "2.5.29.17");
CONSTANT(kSecOIDSubjectDirectoryAttributes, "2.5.29.9");
CONSTANT(kSecOIDSubjectEmailAddress, "2.16.840.1.113741.2.1.1.1.50.3");
CONSTANT(kSecOIDSubjectInfoAccess, "1.3.6.1.5.5.7.1.11");
CONSTANT(kSecOIDSubjectKeyIdentifier, "2.5.29.14");
CONSTANT(kSecOIDSubjectPicture, "2.16.840.1.113741.2.1.1.1.50.2");
CONSTANT(kSecOIDSubjectSignatureBitmap, "2.16.840.1.113741.2.1.1.1.50.1");
CONSTANT(kSecOIDSurname, "2.5.4.4");
CONSTANT(kSecOIDTimeStamping, "1.3.6.1.5.5.7.3.8");
CONSTANT(kSecOIDTitle, "2.5.4.12");
CONSTANT(kSecOIDUseExemptions, "2.16.840.1.113741.2.1.1.1.50.4");
CONSTANT(kSecOIDX509V1CertificateIssuerUniqueId, "2.16.840.1.113741.2.1.1.1.11");
CONSTANT(kSecOIDX509V1CertificateSubjectUniqueId, "2.16.840.1.113741.2.1.1.1.12");
CONSTANT(kSecOIDX509V1IssuerName, "2.16.840.1.113741.2.1.1.1.5");
CONSTANT(kSecOIDX509V1IssuerNameCStruct, "2.16.840.1.113741.2.1.1.1.5.1");
CONSTANT(kSecOIDX509V1IssuerNameLDAP, "2.16.840.1.113741.2.1.1.1.5.2");
CONSTANT(kSecOIDX509V1IssuerNameStd, "2.16.840.1.113741.2.1.1.1.23");
CONSTANT(kSecOIDX509V1SerialNumber, "2.16.840.1.113741.2.1.1.1.3");
CONSTANT(kSecOIDX509V1Signature, "2.16.840.1.113741.2.1.3.2.2");
CONSTANT(kSecOIDX509V1SignatureAlgorithm, "2.16.840.1.113741.2.1.3.2.1");
CONSTANT(kSecOIDX509V1SignatureAlgorithmParameters, "2.16.840.1.113741.2.1.3.2.3");
CONSTANT(kSecOIDX509V1SignatureAlgorithmTBS, "2.16.840.1.113741.2.1.3.2.10");
CONSTANT(kSecOIDX509V1SignatureCStruct, "2.16.840.1.113741.2.1.3.2.0.1");
CONSTANT(kSecOIDX509V1SignatureStruct, "2.16.840.1.113741.2.1.3.2.0");
CONSTANT(kSecOIDX509V1SubjectName, "2.16.840.1.113741.2.1.1.1.8");
CONSTANT(kSecOIDX509V1SubjectNameCStruct, "2.16.840.1.113741.2.1.1.1.8.1");
CONSTANT(kSecOIDX509V1SubjectNameLDAP, "2.16.840.1.113741.2.1.1.1.8.2");
CONSTANT(kSecOIDX509V1SubjectNameStd, "2.16.840.1.113741.2.1.1.1.22");
CONSTANT(kSecOIDX509V1SubjectPublicKey, "2.16.840.1.113741.2.1.1.1.10");
CONSTANT(kSecOIDX509V1SubjectPublicKeyAlgorithm, "2.16.840.1.113741.2.1.1.1.9");
CONSTANT(kSecOIDX509V1SubjectPublicKeyAlgorithmParameters, "2.16.840.1.113741.2.1.1.1.18");
CONSTANT(kSecOIDX509V1SubjectPublicKeyCStruct, "2.16.840.1.113741.2.1.1.1.20.1");
CONSTANT(kSecOIDX509V1ValidityNotAfter, "2.16.840.1.113741.2.1.1.1.7");
CONSTANT(kSecOIDX509V1ValidityNotBefore, "2.16.840.1.113741.2.1.1.1.6");
CONSTANT(kSecOIDX509V1Version, "2.16.840.1.113741.2.1.1.1.2");
CONSTANT(kSecOIDX509V3Certificate, "2.16.840.1.113741.2.1.1.1.1");
CONSTANT(kSecOIDX509V3CertificateCStruct, "2.16.840.1.113741.2.1.1.1.1.1");
CONSTANT(kSecOIDX509V3CertificateExtensionCStruct, "2.16.840.1.113741.2.1.1.1.13.1");
CONSTANT(kSecOIDX509V3CertificateExtensionCritical, "2.16.840.1.113741.2.1.1.1.16");
CONSTANT(kSecOIDX509V3CertificateExtensionId, "2.16.840.1.113741.2.1.1.1.15");
CONSTANT(kSecOIDX509V3CertificateExtensionStruct, "2.16.840.1.113741.2.1.1.1.13");
CONSTANT(kSecOIDX509V3CertificateExtensionType, "2.16.840.1.113741.2.1.1.1.19");
CONSTANT(kSecOIDX509V3CertificateExtensionValue, "2.16.840.1.113741.2.1.1.1.17");
CONSTANT(kSecOIDX509V3CertificateExtensionsCStruct, "2.16.840.1.113741.2.1.1.1.21.1");
CONSTANT(kSecOIDX509V3CertificateExtensionsStruct, "2.16.840.1.113741.2.1.1.1.21");
CONSTANT(kSecOIDX509V3CertificateNumberOfExtensions, "2.16.840.1.113741.2.1.1.1.14");
CONSTANT(kSecOIDX509V3SignedCertificate, "2.16.840.1.113741.2.1.1.1.0");
CONSTANT(kSecOIDX509V3SignedCertificateCStruct, "2.16.840.1.113741.2.1.1.1.0.1");
CONSTANT(kSecAttrAccessible, "pdmn");
CONSTANT(kSecAttrAccessControl, "accc");
CONSTANT(kSecAttrAccess, "acls");
CONSTANT(kSecAttrAccessGroup, "agrp");
CONSTANT(kSecAttrSynchronizable, "sync");
CONSTANT(kSecAttrSynchronizableAny, "syna");
CONSTANT(kSecAttrSyncViewHint, "vwht");
CONSTANT(kSecAttrCreationDate, "cdat");
CONSTANT(kSecAttrModificationDate, "mdat");
CONSTANT(kSecAttrLabel, "labl");
CONSTANT(kSecAttrPersistantReference, "persistref");
CONSTANT(kSecAttrPersistentReference, "persistref");
CONSTANT(kSecAttrDescription, "desc");
CONSTANT(kSecAttrComment, "icmt");
CONSTANT(kSecAttrCreator, "crtr");
CONSTANT(kSecAttrType, "type");
CONSTANT(kSecAttrIsInvisible, "invi");
CONSTANT(kSecAttrIsNegative, "nega");
CONSTANT(kSecAttrAccount, "acct");
CONSTANT(kSecAttrService, "svce");
CONSTANT(kSecAttrGeneric, "gena");
CONSTANT(kSecAttrSecurityDomain, "sdmn");
CONSTANT(kSecAttrServer, "srvr");
CONSTANT(kSecAttrProtocol, "ptcl");
CONSTANT(kSecAttrAuthenticationType, "atyp");
CONSTANT(kSecAttrPort, "port");
CONSTANT(kSecAttrPath, "path");
CONSTANT(kSecAttrSubject, "subj");
CONSTANT(kSecAttrIssuer, "issr");
CONSTANT(kSecAttrSerialNumber, "slnr");
CONSTANT(kSecAttrSubjectKeyID, "skid");
CONSTANT(kSecAttrPublicKeyHash, "pkhh");
CONSTANT(kSecAttrCertificateType, "ctyp");
CONSTANT(kSecAttrCertificateEncoding, "cenc");
CONSTANT(kSecAttrKeyClass, "kcls");
CONSTANT(kSecAttrApplicationLabel, "klbl");
CONSTANT(kSecAttrIsPermanent, "perm");
CONSTANT(kSecAttrIsSensitive, "sens");
CONSTANT(kSecAttrIsExtractable, "extr");
CONSTANT(kSecAttrApplicationTag, "atag");
CONSTANT(kSecAttrKeyType, "type");
CONSTANT(kSecAttrKeySizeInBits, "bsiz");
CONSTANT(kSecAttrEffectiveKeySize, "esiz");
CONSTANT(kSecAttrTokenID, "tkid");
CONSTANT(kSecAttrCanEncrypt, "encr");
CONSTANT(kSecAttrCanDecrypt, "decr");
CONSTANT(kSecAttrCanDerive, "drve");
CONSTANT(kSecAttrCanSign, "sign");
CONSTANT(kSecAttrCanVerify, "vrfy");
CONSTANT(kSecAttrCanWrap, "wrap");
CONSTANT(kSecAttrCanUnwrap, "unwp");
CONSTANT(kSecPrivateKeyAttrs, "private");
CONSTANT(kSecPublicKeyAttrs, "public");
CONSTANT(kSecAttrPRF, "prf");
CONSTANT(kSecAttrSalt, "salt");
CONSTANT(kSecAttrRounds, "rounds");
CONSTANT(kSecAttrPRFHmacAlgSHA1, "hsha1");
CONSTANT(kSecAttrPRFHmacAlgSHA224, "hsha224");
CONSTANT(kSecAttrPRFHmacAlgSHA256, "hsha256");
CONSTANT(kSecAttrPRFHmacAlgSHA384, "hsha384");
CONSTANT(kSecAttrPRFHmacAlgSHA512, "hsha512");
CONSTANT(kSecAttrAlias, "alis");
CONSTANT(kSecAttrTombstone, "tomb");
CONSTANT(kSecAttrMultiUser, "musr");
CONSTANT(kSecAttrUUID, "UUID");
CONSTANT(kSecAttrSHA1, "sha1");
CONSTANT(kSecAttrSysBound, "sysb");
CONSTANT(kSecAttrNoLegacy, "nleg");
CONSTANT(kSecAttrScriptCode, "scrp");
CONSTANT(kSecAttrHasCustomIcon, "cusi");
CONSTANT(kSecAttrVolume, "volm");
CONSTANT(kSecAttrAddress, "addr");
CONSTANT(kSecAttrAFPServerSignature, "afps");
CONSTANT(kSecAttrCRLType, "crlt");
CONSTANT(kSecAttrCRLEncoding, "crle");
CONSTANT(kSecAttrIsPrivate, "priv");
CONSTANT(kSecAttrIsModifiable, "modi");
CONSTANT(kSecAttrKeyCreator, "crtr");
CONSTANT(kSecAttrStartDate, "sdat");
CONSTANT(kSecAttrEndDate, "edat");
CONSTANT(kSecAttrWasAlwaysSensitive, "asen");
CONSTANT(kSecAttrWasNeverExtractable, "next");
CONSTANT(kSecAttrCanSignRecover, "snrc");
CONSTANT(kSecAttrCanVerifyRecover, "vyrc");
CONSTANT(kSecSymmetricKeyAttrs, "symmetric");
CONSTANT(kSecAttrTokenOID, "toid");
CONSTANT(kSecAttrSecureEnclaveKeyBlob, "toid");
CONSTANT(kSecDataInetExtraNotes, "binn");
CONSTANT(kSecDataInetExtraHistory, "bini");
CONSTANT(kSecDataInetExtraClientDefined0, "bin0");
CONSTANT(kSecDataInetExtraClientDefined1, "bin1");
CONSTANT(kSecDataInetExtraClientDefined2, "bin2");
CONSTANT(kSecDataInetExtraClientDefined3, "bin3");
CONSTANT(kSecAttrPCSPlaintextServiceIdentifier, "pcss");
CONSTANT(kSecAttrPCSPlaintextPublicKey, "pcsk");
CONSTANT(kSecAttrPCSPlaintextPublicIdentity, "pcsi");
CONSTANT(kSecAttrDeriveSyncIDFromItemAttributes, "dspk");
CONSTANT(kSecAttrSharingGroup, "ggrp");
CONSTANT(kSecAttrSharingGroupNone, "");
CONSTANT(kSecAttrAccessibleWhenUnlocked, "ak");
CONSTANT(kSecAttrAccessibleAfterFirstUnlock, "ck");
CONSTANT(kSecAttrAccessibleAlways, "dk");
CONSTANT(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu");
CONSTANT(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku");
CONSTANT(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku");
CONSTANT(kSecAttrAccessibleAlwaysThisDeviceOnly, "dku");
CONSTANT(kSecAttrProtocolFTP, "ftp ");
CONSTANT(kSecAttrProtocolFTPAccount, "ftpa");
CONSTANT(kSecAttrProtocolHTTP, "http");
CONSTANT(kSecAttrProtocolIRC, "irc ");
CONSTANT(kSecAttrProtocolNNTP, "nntp");
CONSTANT(kSecAttrProtocolPOP3, "pop3");
CONSTANT(kSecAttrProtocolSMTP, "smtp");
CONSTANT(kSecAttrProtocolSOCKS, "sox ");
CONSTANT(kSecAttrProtocolIMAP, "imap");
CONSTANT(kSecAttrProtocolLDAP, "ldap");
CONSTANT(kSecAttrProtocolAppleTalk, "atlk");
CONSTANT(kSecAttrProtocolAFP, "afp ");
CONSTANT(kSecAttrProtocolTelnet, "teln");
CONSTANT(kSecAttrProtocolSSH, "ssh ");
CONSTANT(kSecAttrProtocolFTPS, "ftps");
CONSTANT(kSecAttrProtocolHTTPS, "htps");
CONSTANT(kSecAttrProtocolHTTPProxy, "htpx");
CONSTANT(kSecAttrProtocolHTTPSProxy, "htsx");
CONSTANT(kSecAttrProtocolFTPProxy, "ftpx");
CONSTANT(kSecAttrProtocolSMB, "smb ");
CONSTANT(kSecAttrProtocolRTSP, "rtsp");
CONSTANT(kSecAttrProtocolRTSPProxy, "rtsx");
CONSTANT(kSecAttrProtocolDAAP, "daap");
CONSTANT(kSecAttrProtocolEPPC, "eppc");
CONSTANT(kSecAttrProtocolIPP, "ipp ");
CONSTANT(kSecAttrProtocolNNTPS, "ntps");
CONSTANT(kSecAttrProtocolLDAPS, "ldps");
CONSTANT(kSecAttrProtocolTelnetS, "tels");
CONSTANT(kSecAttrProtocolIMAPS, "imps");
CONSTANT(kSecAttrProtocolIRCS, "ircs");
CONSTANT(kSecAttrProtocolPOP3S, "pops");
CONSTANT(kSecAttrAuthenticationTypeNTLM, "ntlm");
CONSTANT(kSecAttrAuthenticationTypeMSN, "msna");
CONSTANT(kSecAttrAuthenticationTypeDPA, "dpaa");
CONSTANT(kSecAttrAuthenticationTypeRPA, "rpaa");
CONSTANT(kSecAttrAuthenticationTypeHTTPBasic, "http");
CONSTANT(kSecAttrAuthenticationTypeHTTPDigest, "httd");
CONSTANT(kSecAttrAuthenticationTypeHTMLForm, "form");
CONSTANT(kSecAttrAuthenticationTypeDefault, "dflt");
CONSTANT(kSecAttrKeyClassPublic, "0");
CONSTANT(kSecAttrKeyClassPrivate, "1");
CONSTANT(kSecAttrKeyClassSymmetric, "2");
CONSTANT(kSecAttrKeyTypeRSA, "42");
CONSTANT(kSecAttrKeyTypeEC, "73");
CONSTANT(kSecAttrKeyTypeECSECPrimeRandom, "73");
CONSTANT(kSecAttrKeyTypeMLKEM, "110");
CONSTANT(kSecAttrKeyTypeMLDSA, "111");
CONSTANT(kSecAttrKeyTypeDES, "14");
CONSTANT(kSecAttrKeyType3DES, "17");
CONSTANT(kSecAttrKeyTypeRC2, "23");
CONSTANT(kSecAttrKeyTypeRC4, "25");
CONSTANT(kSecAttrKeyTypeDSA, "43");
CONSTANT(kSecAttrKeyTypeCAST, "56");
CONSTANT(kSecAttrKeyTypeECDSA, "73");
CONSTANT(kSecAttrKeyTypeAES, "2147483649");
CONSTANT(kSecAttrTokenIDSecureEnclave, "com.apple.setoken");
CONSTANT(kSecAttrAccessGroupToken, "com.apple.token");
CONSTANT(kSecAttrAccessibleAlwaysPrivate, "dk");
CONSTANT(kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate, "dku");
CONSTANT(kSecAttrAccessibleUntilReboot, "f");
CONSTANT(kSecAttrTokenIDAppleKeyStore, "com.apple.setoken:aks");
CONSTANT(kSecAttrTokenIDSecureElement, "com.apple.secelemtoken");
CONSTANT(kSecAttrKeyTypeECSECPrimeRandomPKA, "2147483678");
CONSTANT(kSecAttrKeyTypeSecureEnclaveAttestation, "2147483679");
CONSTANT(kSecAttrKeyTypeSecureEnclaveAnonymousAttestation, "2147483680");
CONSTANT(kSecAttrKeyTypeEd25519, "105");
CONSTANT(kSecAttrKeyTypeX25519, "106");
CONSTANT(kSecAttrKeyTypeEd448, "107");
CONSTANT(kSecAttrKeyTypeX448, "108");
CONSTANT(kSecAttrKeyTypeKyber, "109");
CONSTANT(kSecClass, "class");
CONSTANT(kSecClassGenericPassword, "genp");
CONSTANT(kSecClassInternetPassword, "inet");
CONSTANT(kSecClassCertificate, "cert");
CONSTANT(kSecClassKey, "keys");
CONSTANT(kSecClassIdentity, "idnt");
CONSTANT(kSecClassAppleSharePassword, "apls");
CONSTANT(kSecValueData, "v_Data");
CONSTANT(kSecValueRef, "v_Ref");
CONSTANT(kSecValuePersistentRef, "v_PersistentRef");
CONSTANT(kSecReturnData, "r_Data");
CONSTANT(kSecReturnAttributes, "r_Attributes");
CONSTANT(kSecReturnRef, "r_Ref");
CONSTANT(kSecReturnPersistentRef, "r_PersistentRef");
CONSTANT(kSecMatchPolicy, "m_Policy");
CONSTANT(kSecMatchItemList, "m_ItemList");
CONSTANT(kSecMatchSearchList, "m_SearchList");
CONSTANT(kSecMatchIssuers, "m_Issuers");
CONSTANT(kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent");
CONSTANT(kSecMatchSubjectContains, "m_SubjectContains");
CONSTANT(kSecMatchSubjectStartsWith, "m_SubjectStartsWith");
CONSTANT(kSecMatchSubjectEndsWith, "m_SubjectEndsWith");
CONSTANT(kSecMatchSubjectWholeString, "m_SubjectWholeString");
CONSTANT(kSecMatchHostOrSubdomainOfHost, "m_HostOrSubdomainOfHost");
CONSTANT(kSecMatchCaseInsensitive, "m_CaseInsensitive");
CONSTANT(kSecMatchDiacriticInsensitive, "m_DiacriticInsensitive");
CONSTANT(kSecMatchWidthInsensitive, "m_WidthInsensitive");
CONSTANT(kSecMatchTrustedOnly, "m_TrustedOnly");
CONSTANT(kSecMatchValidOnDate, "m_ValidOnDate");
CONSTANT(kSecMatchLimit, "m_Limit");
CONSTANT(kSecMatchLimitOne, "m_LimitOne");
CONSTANT(kSecMatchLimitAll, "m_LimitAll");
CONSTANT(kSecUseItemList, "u_ItemList");
CONSTANT(kSecUseKeychain, "u_Keychain");
CONSTANT(kSecUseOperationPrompt, "u_OpPrompt");
CONSTANT(kSecUseNoAuthenticationUI, "u_NoAuthUI");
CONSTANT(kSecUseAuthenticationUI, "u_AuthUI");
CONSTANT(kSecUseAuthenticationContext, "u_AuthCtx");
CONSTANT(kSecUseDataProtectionKeychain, "nleg");
CONSTANT(kSecUseUserIndependentKeychain, "u_UserIndependentKeychain");
CONSTANT(kSecUseAuthenticationUIAllow, "u_AuthUIA");
CONSTANT(kSecUseAuthenticationUIFail, "u_AuthUIF");
CONSTANT(kSecUseAuthenticationUISkip, "u_AuthUIS");
CONSTANT(kSecUseTombstones, "u_Tomb");
CONSTANT(kSecUseCredentialReference, "u_CredRef");
CONSTANT(kSecUseCallerName, "u_CallerName");
CONSTANT(kSecUseTokenRawItems, "u_TokenRawItems");
CONSTANT(kSecUseCertificatesWithMatchIssuers, "u_CertWithIssuers");
CONSTANT(kSecUseSystemKeychain, "u_SystemKeychain");
CONSTANT(kSecUseSystemKeychainAlways, "u_SystemKeychainAlways");
CONSTANT(kSecUseSyncBubbleKeychain, "u_SyncBubbleKeychain");
CONSTANT(kSecSharedPassword, "spwd");
CONSTANT(kSecPasswordMinLength, "PasswordMaxLength");
CONSTANT(kSecPasswordMaxLength, "PasswordMaxLength");
CONSTANT(kSecOidCommonName, "CN");
CONSTANT(kSecOidCountryName, "C");
CONSTANT(kSecOidStateProvinceName, "ST");
CONSTANT(kSecOidLocalityName, "L");
CONSTANT(kSecOidOrganization, "O");
CONSTANT(kSecOidOrganizationalUnit, "OU");
CONSTANT(kSecCSRChallengePassword, "csrChallengePassword");
CONSTANT(kSecSubjectAltName, "subjectAltName");
CONSTANT(kSecCertificateKeyUsage, "keyUsage");
CONSTANT(kSecCSRBasicConstraintsPathLen, "basicConstraints");
CONSTANT(kSecCSRBasicContraintsPathLen, "basicConstraints");
CONSTANT(kSecCertificateExtensions, "certificateExtensions");
CONSTANT(kSecCertificateExtensionsEncoded, "certificateExtensionsEncoded");
CONSTANT(kSecCMSSignHashAlgorithm, "kSecCMSSignHashAlgorithm");
CONSTANT(kSecSubjectAltNameDNSName, "dNSName");
CONSTANT(kSecSubjectAltNameEmailAddress, "rfc822Name");
CONSTANT(kSecSubjectAltNameURI, "uniformResourceIdentifier");
CONSTANT(kSecSubjectAltNameNTPrincipalName, "ntPrincipalName");
CONSTANT(kSecCMSHashingAlgorithmSHA1, "kSecCMSHashingAlgorithmSHA1");
CONSTANT(kSecCMSHashingAlgorithmSHA256, "kSecCMSHashingAlgorithmSHA256");
CONSTANT(kSecCMSHashingAlgorithmSHA384, "kSecCMSHashingAlgorithmSHA384");
CONSTANT(kSecCMSHashingAlgorithmSHA512, "kSecCMSHashingAlgorithmSHA512");
CONSTANT(kSecImportExportPassphrase, "passphrase");
CONSTANT(kSecImportExportKeychain, "keychain");
CONSTANT(kSecImportExportAccess, "access");
CONSTANT(kSecImportToMemoryOnly, "memory");
CONSTANT(kSecImportItemLabel, "label");
CONSTANT(kSecImportItemKeyID, "keyid");
CONSTANT(kSecImportItemTrust, "trust");
CONSTANT(kSecImportItemCertChain, "chain");
CONSTANT(kSecImportItemIdentity, "identity");
CONSTANT(kSecKeyAlgorithmRSASignatureRaw, "algid:sign:RSA:raw");
CONSTANT(kSecKeyAlgorithmRSASignatureRawCCUnit, "algid:sign:RSA:raw-cc");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw, "algid:sign:RSA:digest-PKCS1v15");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15MD5, "algid:sign:RSA:digest-PKCS1v15:MD5");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1, "algid:sign:RSA:digest-PKCS1v15:SHA1");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224, "algid:sign:RSA:digest-PKCS1v15:SHA224");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256, "algid:sign:RSA:digest-PKCS1v15:SHA256");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384, "algid:sign:RSA:digest-PKCS1v15:SHA384");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512, "algid:sign:RSA:digest-PKCS1v15:SHA512");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA1, "algid:sign:RSA:digest-PSS:SHA1:SHA1:20");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA224, "algid:sign:RSA:digest-PSS:SHA224:SHA224:24");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA256, "algid:sign:RSA:digest-PSS:SHA256:SHA256:32");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA384, "algid:sign:RSA:digest-PSS:SHA384:SHA384:48");
CONSTANT(kSecKeyAlgorithmRSASignatureDigestPSSSHA512, "algid:sign:RSA:digest-PSS:SHA512:SHA512:64");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15MD5, "algid:sign:RSA:message-PKCS1v15:MD5");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1, "algid:sign:RSA:message-PKCS1v15:SHA1");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224, "algid:sign:RSA:message-PKCS1v15:SHA224");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256, "algid:sign:RSA:message-PKCS1v15:SHA256");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384, "algid:sign:RSA:message-PKCS1v15:SHA384");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512, "algid:sign:RSA:message-PKCS1v15:SHA512");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA1, "algid:sign:RSA:message-PSS:SHA1:SHA1:20");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA224, "algid:sign:RSA:message-PSS:SHA224:SHA224:24");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA256, "algid:sign:RSA:message-PSS:SHA256:SHA256:32");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA384, "algid:sign:RSA:message-PSS:SHA384:SHA384:48");
CONSTANT(kSecKeyAlgorithmRSASignatureMessagePSSSHA512, "algid:sign:RSA:message-PSS:SHA512:SHA512:64");
CONSTANT(kSecKeyAlgorithmRSAEncryptionRaw, "algid:encrypt:RSA:raw");
CONSTANT(kSecKeyAlgorithmRSAEncryptionRawCCUnit, "algid:encrypt:RSA:raw-cc");
CONSTANT(kSecKeyAlgorithmRSAEncryptionPKCS1, "algid:encrypt:RSA:PKCS1");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA1, "algid:encrypt:RSA:OAEP:SHA1");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA224, "algid:encrypt:RSA:OAEP:SHA224");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA256, "algid:encrypt:RSA:OAEP:SHA256");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA384, "algid:encrypt:RSA:OAEP:SHA384");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA512, "algid:encrypt:RSA:OAEP:SHA512");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM, "algid:encrypt:RSA:OAEP:SHA1:AESGCM");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM, "algid:encrypt:RSA:OAEP:SHA224:AESGCM");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM, "algid:encrypt:RSA:OAEP:SHA256:AESGCM");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM, "algid:encrypt:RSA:OAEP:SHA384:AESGCM");
CONSTANT(kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM, "algid:encrypt:RSA:OAEP:SHA512:AESGCM");
CONSTANT(kSecKeyAlgorithmECDSASignatureRFC4754, "algid:sign:ECDSA:RFC4754");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754, "algid:sign:ECDSA:digest-RFC4754");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1, "algid:sign:ECDSA:digest-RFC4754:SHA1");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224, "algid:sign:ECDSA:digest-RFC4754:SHA224");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256, "algid:sign:ECDSA:digest-RFC4754:SHA256");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384, "algid:sign:ECDSA:digest-RFC4754:SHA384");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512, "algid:sign:ECDSA:digest-RFC4754:SHA512");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1, "algid:sign:ECDSA:message-RFC4754:SHA1");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224, "algid:sign:ECDSA:message-RFC4754:SHA224");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256, "algid:sign:ECDSA:message-RFC4754:SHA256");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384, "algid:sign:ECDSA:message-RFC4754:SHA384");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512, "algid:sign:ECDSA:message-RFC4754:SHA512");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962, "algid:sign:ECDSA:digest-X962");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA1, "algid:sign:ECDSA:digest-X962:SHA1");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA224, "algid:sign:ECDSA:digest-X962:SHA224");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA256, "algid:sign:ECDSA:digest-X962:SHA256");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA384, "algid:sign:ECDSA:digest-X962:SHA384");
CONSTANT(kSecKeyAlgorithmECDSASignatureDigestX962SHA512, "algid:sign:ECDSA:digest-X962:SHA512");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA1, "algid:sign:ECDSA:message-X962:SHA1");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA224, "algid:sign:ECDSA:message-X962:SHA224");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA256, "algid:sign:ECDSA:message-X962:SHA256");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA384, "algid:sign:ECDSA:message-X962:SHA384");
CONSTANT(kSecKeyAlgorithmECDSASignatureMessageX962SHA512, "algid:sign:ECDSA:message-X962:SHA512");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV");
CONSTANT(kSecKeyAlgorithmECIESEncryptionAKSSmartCard, "algid:encrypt:ECIES:ECDH:SHA256:2PubKeys");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandard, "algid:keyexchange:ECDH");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1, "algid:keyexchange:ECDH:KDFX963:SHA1");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224, "algid:keyexchange:ECDH:KDFX963:SHA224");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256, "algid:keyexchange:ECDH:KDFX963:SHA256");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384, "algid:keyexchange:ECDH:KDFX963:SHA384");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512, "algid:keyexchange:ECDH:KDFX963:SHA512");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactor, "algid:keyexchange:ECDHC");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1, "algid:keyexchange:ECDHC:KDFX963:SHA1");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224, "algid:keyexchange:ECDHC:KDFX963:SHA224");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256, "algid:keyexchange:ECDHC:KDFX963:SHA256");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384, "algid:keyexchange:ECDHC:KDFX963:SHA384");
CONSTANT(kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512, "algid:keyexchange:ECDHC:KDFX963:SHA512");
CONSTANT(kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512, "algid:sign:EdDSA:message-Curve25519:SHA512");
CONSTANT(kSecKeyAlgorithmEdDSASignatureMessageCurve448SHAKE256, "algid:sign:EdDSA:message-Curve448:SHAKE256");
CONSTANT(kSecKeyAlgorithmKemKyber, "algid:kem:kyber");
CONSTANT(kSecKeyAlgorithmKemMLKEM, "algid:kem:ML-KEM");
CONSTANT(kSecKeyAlgorithmMldsaSignatureMessage, "algid:sign:ML-DSA:message");
CONSTANT(kSecKeyAlgorithmAesEncryptionGCM, "algid:encrypt:AES:GCM");
CONSTANT(kSecKeyKeyExchangeParameterRequestedSize, "requestedSize");
CONSTANT(kSecKeyKeyExchangeParameterSharedInfo, "sharedInfo");
CONSTANT(kSecPolicyAppleX509Basic, "1.2.840.113635.100.1.2");
CONSTANT(kSecPolicyAppleSSL, "1.2.840.113635.100.1.3");
CONSTANT(kSecPolicyAppleSMIME, "1.2.840.113635.100.1.8");
CONSTANT(kSecPolicyAppleEAP, "1.2.840.113635.100.1.9");
CONSTANT(kSecPolicyAppleIPsec, "1.2.840.113635.100.1.11");
CONSTANT(kSecPolicyApplePKINITClient, "1.2.840.113635.100.1.14");
CONSTANT(kSecPolicyApplePKINITServer, "1.2.840.113635.100.1.15");
CONSTANT(kSecPolicyAppleCodeSigning, "1.2.840.113635.100.1.16");
CONSTANT(kSecPolicyAppleIDValidation, "1.2.840.113635.100.1.18");
CONSTANT(kSecPolicyMacAppStoreReceipt, "1.2.840.113635.100.1.19");
CONSTANT(kSecPolicyAppleTimeStamping, "1.2.840.113635.100.1.20");
CONSTANT(kSecPolicyAppleRevocation, "1.2.840.113635.100.1.21");
CONSTANT(kSecPolicyApplePassbookSigning, "1.2.840.113635.100.1.22");
CONSTANT(kSecPolicyApplePayIssuerEncryption, "1.2.840.113635.100.1.39");
CONSTANT(kSecPolicyAppleSSLServer, "1.2.840.113635.100.1.3.1");
CONSTANT(kSecPolicyAppleSSLClient, "1.2.840.113635.100.1.3.2");
CONSTANT(kSecPolicyAppleEAPServer, "1.2.840.113635.100.1.9.1");
CONSTANT(kSecPolicyAppleEAPClient, "1.2.840.113635.100.1.9.2");
CONSTANT(kSecPolicyAppleIPSecServer, "1.2.840.113635.100.1.11.1");
CONSTANT(kSecPolicyAppleIPSecClient, "1.2.840.113635.100.1.11.2");
CONSTANT(kSecPolicyAppleiChat, "1.2.840.113635.100.1.12");
CONSTANT(kSecPolicyKU_CRLSign, "CE_KU_CRLSign");
CONSTANT(kSecPolicyKU_DataEncipherment, "CE_KU_DataEncipherment");
CONSTANT(kSecPolicyKU_DecipherOnly, "CE_KU_DecipherOnly");
CONSTANT(kSecPolicyKU_DigitalSignature, "CE_KU_DigitalSignature");
CONSTANT(kSecPolicyKU_EncipherOnly, "CE_KU_EncipherOnly");
CONSTANT(kSecPolicyKU_KeyAgreement, "CE_KU_KeyAgreement");
CONSTANT(kSecPolicyKU_KeyCertSign, "CE_KU_KeyCertSign");
CONSTANT(kSecPolicyKU_KeyEncipherment, "CE_KU_KeyEncipherment");
CONSTANT(kSecPolicyKU_NonRepudiation, "CE_KU_NonRepudiation");
CONSTANT(kSecPolicyOid, "SecPolicyOid");
CONSTANT(kSecPolicyName, "SecPolicyName");
CONSTANT(kSecPolicyClient, "SecPolicyClient");
CONSTANT(kSecPolicyRevocationFlags, "SecPolicyRevocationFlags");
CONSTANT(kSecPolicyTeamIdentifier, "SecPolicyTeamIdentifier");
CONSTANT(kSecTrustEvaluationDate, "TrustEvaluationDate");
CONSTANT(kSecTrustResultValue, "TrustResultValue");
CONSTANT(kSecTrustExtendedValidation, "TrustExtendedValidation");
CONSTANT(kSecTrustOrganizationName, "Organization");
CONSTANT(kSecTrustRevocationChecked, "TrustRevocationChecked");
CONSTANT(kSecTrustRevocationValidUntilDate, "TrustExpirationDate");
CONSTANT(kSecTrustCertificateTransparency, "TrustCertificateTransparency");
CONSTANT(kSecTrustCertificateTransparencyWhiteList, "TrustCertificateTransparencyWhiteList");
CONSTANT(kSecTrustQCStatements, "TrustQCStatements");
CONSTANT(kSecTrustQWACValidation, "TrustQWACValidation");
CONSTANT(kSecPropertyTypeTitle, "title");
CONSTANT(kSecPropertyTypeError, "error");
CONSTANT(kSecTrustSettingsPolicy, "kSecTrustSettingsPolicy");
CONSTANT(kSecTrustSettingsPolicyName, "kSecTrustSettingsPolicyName");
CONSTANT(kSecTrustSettingsApplication, "kSecTrustSettingsApplication");
CONSTANT(kSecTrustSettingsPolicyString, "kSecTrustSettingsPolicyString");
CONSTANT(kSecTrustSettingsKeyUsage, "kSecTrustSettingsKeyUsage");
CONSTANT(kSecTrustSettingsAllowedError, "kSecTrustSettingsAllowedError");
CONSTANT(kSecTrustSettingsResult, "kSecTrustSettingsResult");

static const struct csec_constant all[] = {
    {&kSecACLAuthorizationAny__string, "ACLAuthorizationAny", sizeof("ACLAuthorizationAny") - 1},
    {&kSecACLAuthorizationChangeACL__string, "ACLAuthorizationChangeACL", sizeof("ACLAuthorizationChangeACL") - 1},
    {&kSecACLAuthorizationChangeOwner__string, "ACLAuthorizationChangeOwner", sizeof("ACLAuthorizationChangeOwner") - 1},
    {&kSecACLAuthorizationDecrypt__string, "ACLAuthorizationDecrypt", sizeof("ACLAuthorizationDecrypt") - 1},
    {&kSecACLAuthorizationDelete__string, "ACLAuthorizationDelete", sizeof("ACLAuthorizationDelete") - 1},
    {&kSecACLAuthorizationDerive__string, "ACLAuthorizationDerive", sizeof("ACLAuthorizationDerive") - 1},
    {&kSecACLAuthorizationEncrypt__string, "ACLAuthorizationEncrypt", sizeof("ACLAuthorizationEncrypt") - 1},
    {&kSecACLAuthorizationExportClear__string, "ACLAuthorizationExportClear", sizeof("ACLAuthorizationExportClear") - 1},
    {&kSecACLAuthorizationExportWrapped__string, "ACLAuthorizationExportWrapped", sizeof("ACLAuthorizationExportWrapped") - 1},
    {&kSecACLAuthorizationGenKey__string, "ACLAuthorizationGenKey", sizeof("ACLAuthorizationGenKey") - 1},
    {&kSecACLAuthorizationImportClear__string, "ACLAuthorizationImportClear", sizeof("ACLAuthorizationImportClear") - 1},
    {&kSecACLAuthorizationImportWrapped__string, "ACLAuthorizationImportWrapped", sizeof("ACLAuthorizationImportWrapped") - 1},
    {&kSecACLAuthorizationIntegrity__string, "ACLAuthorizationIntegrity", sizeof("ACLAuthorizationIntegrity") - 1},
    {&kSecACLAuthorizationKeychainCreate__string, "ACLAuthorizationKeychainCreate", sizeof("ACLAuthorizationKeychainCreate") - 1},
    {&kSecACLAuthorizationKeychainDelete__string, "ACLAuthorizationKeychainDelete", sizeof("ACLAuthorizationKeychainDelete") - 1},
    {&kSecACLAuthorizationKeychainItemDelete__string, "ACLAuthorizationKeychainItemDelete", sizeof("ACLAuthorizationKeychainItemDelete") - 1},
    {&kSecACLAuthorizationKeychainItemInsert__string, "ACLAuthorizationKeychainItemInsert", sizeof("ACLAuthorizationKeychainItemInsert") - 1},
    {&kSecACLAuthorizationKeychainItemModify__string, "ACLAuthorizationKeychainItemModify", sizeof("ACLAuthorizationKeychainItemModify") - 1},
    {&kSecACLAuthorizationKeychainItemRead__string, "ACLAuthorizationKeychainItemRead", sizeof("ACLAuthorizationKeychainItemRead") - 1},
    {&kSecACLAuthorizationLogin__string, "ACLAuthorizationLogin", sizeof("ACLAuthorizationLogin") - 1},
    {&kSecACLAuthorizationMAC__string, "ACLAuthorizationMAC", sizeof("ACLAuthorizationMAC") - 1},
    {&kSecACLAuthorizationPartitionID__string, "ACLAuthorizationPartitionID", sizeof("ACLAuthorizationPartitionID") - 1},
    {&kSecACLAuthorizationSign__string, "ACLAuthorizationSign", sizeof("ACLAuthorizationSign") - 1},
    {&kCMSEncoderDigestAlgorithmSHA1__string, "sha1", sizeof("sha1") - 1},
    {&kCMSEncoderDigestAlgorithmSHA256__string, "sha256", sizeof("sha256") - 1},
    {&kSecPropertyKeyType__string, "type", sizeof("type") - 1},
    {&kSecPropertyKeyLabel__string, "label", sizeof("label") - 1},
    {&kSecPropertyKeyLocalizedLabel__string, "localized label", sizeof("localized label") - 1},
    {&kSecPropertyKeyValue__string, "value", sizeof("value") - 1},
    {&kSecPropertyTypeWarning__string, "warning", sizeof("warning") - 1},
    {&kSecPropertyTypeSuccess__string, "success", sizeof("success") - 1},
    {&kSecPropertyTypeSection__string, "section", sizeof("section") - 1},
    {&kSecPropertyTypeData__string, "data", sizeof("data") - 1},
    {&kSecPropertyTypeString__string, "string", sizeof("string") - 1},
    {&kSecPropertyTypeURL__string, "url", sizeof("url") - 1},
    {&kSecPropertyTypeDate__string, "date", sizeof("date") - 1},
    {&kSecPropertyTypeArray__string, "array", sizeof("array") - 1},
    {&kSecPropertyTypeNumber__string, "number", sizeof("number") - 1},
    {&kSecIdentityDomainDefault__string, "com.apple.systemdefault", sizeof("com.apple.systemdefault") - 1},
    {&kSecIdentityDomainKerberosKDC__string, "com.apple.kerberos.kdc", sizeof("com.apple.kerberos.kdc") - 1},
    {&kSecOIDADC_CERT_POLICY__string, "1.2.840.113635.100.5.3", sizeof("1.2.840.113635.100.5.3") - 1},
    {&kSecOIDAPPLE_CERT_POLICY__string, "1.2.840.113635.100.5.1", sizeof("1.2.840.113635.100.5.1") - 1},
    {&kSecOIDAPPLE_EKU_CODE_SIGNING__string, "1.2.840.113635.100.4.1", sizeof("1.2.840.113635.100.4.1") - 1},
    {&kSecOIDAPPLE_EKU_CODE_SIGNING_DEV__string, "1.2.840.113635.100.4.1.1", sizeof("1.2.840.113635.100.4.1.1") - 1},
    {&kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION__string, "1.2.840.113635.100.4.3", sizeof("1.2.840.113635.100.4.3") - 1},
    {&kSecOIDAPPLE_EKU_ICHAT_SIGNING__string, "1.2.840.113635.100.4.2", sizeof("1.2.840.113635.100.4.2") - 1},
    {&kSecOIDAPPLE_EKU_RESOURCE_SIGNING__string, "1.2.840.113635.100.4.1.4", sizeof("1.2.840.113635.100.4.1.4") - 1},
    {&kSecOIDAPPLE_EKU_SYSTEM_IDENTITY__string, "1.2.840.113635.100.4.4", sizeof("1.2.840.113635.100.4.4") - 1},
    {&kSecOIDAPPLE_EXTENSION__string, "1.2.840.113635.100.6", sizeof("1.2.840.113635.100.6") - 1},
    {&kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE__string, "1.2.840.113635.100.6.2.3", sizeof("1.2.840.113635.100.6.2.3") - 1},
    {&kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING__string, "1.2.840.113635.100.6.1.2.0.0", sizeof("1.2.840.113635.100.6.1.2.0.0") - 1},
    {&kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING__string, "1.2.840.113635.100.6.1.2.0", sizeof("1.2.840.113635.100.6.1.2.0") - 1},
    {&kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE__string, "1.2.840.113635.100.6.2.7", sizeof("1.2.840.113635.100.6.2.7") - 1},
    {&kSecOIDAPPLE_EXTENSION_APPLE_SIGNING__string, "1.2.840.113635.100.6.1.1", sizeof("1.2.840.113635.100.6.1.1") - 1},
    {&kSecOIDAPPLE_EXTENSION_CODE_SIGNING__string, "1.2.840.113635.100.6.1", sizeof("1.2.840.113635.100.6.1") - 1},
    {&kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER__string, "1.2.840.113635.100.6.2", sizeof("1.2.840.113635.100.6.2") - 1},
    {&kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE__string, "1.2.840.113635.100.6.2.2", sizeof("1.2.840.113635.100.6.2.2") - 1},
    {&kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE__string, "1.2.840.113635.100.6.2.1", sizeof("1.2.840.113635.100.6.2.1") - 1},
    {&kSecOIDAuthorityInfoAccess__string, "1.3.6.1.5.5.7.1.1", sizeof("1.3.6.1.5.5.7.1.1") - 1},
    {&kSecOIDAuthorityKeyIdentifier__string, "2.5.29.35", sizeof("2.5.29.35") - 1},
    {&kSecOIDBasicConstraints__string, "2.5.29.19", sizeof("2.5.29.19") - 1},
    {&kSecOIDBiometricInfo__string, "1.3.6.1.5.5.7.1.2", sizeof("1.3.6.1.5.5.7.1.2") - 1},
    {&kSecOIDCSSMKeyStruct__string, "2.16.840.1.113741.2.1.1.1.20", sizeof("2.16.840.1.113741.2.1.1.1.20") - 1},
    {&kSecOIDCertIssuer__string, "2.5.29.29", sizeof("2.5.29.29") - 1},
    {&kSecOIDCertificatePolicies__string, "2.5.29.32", sizeof("2.5.29.32") - 1},
    {&kSecOIDClientAuth__string, "1.3.6.1.5.5.7.3.2", sizeof("1.3.6.1.5.5.7.3.2") - 1},
    {&kSecOIDCollectiveStateProvinceName__string, "2.5.4.8.1", sizeof("2.5.4.8.1") - 1},
    {&kSecOIDCollectiveStreetAddress__string, "2.5.4.9.1", sizeof("2.5.4.9.1") - 1},
    {&kSecOIDCommonName__string, "2.5.4.3", sizeof("2.5.4.3") - 1},
    {&kSecOIDCountryName__string, "2.5.4.6", sizeof("2.5.4.6") - 1},
    {&kSecOIDCrlDistributionPoints__string, "2.5.29.31", sizeof("2.5.29.31") - 1},
    {&kSecOIDCrlNumber__string, "2.5.29.20", sizeof("2.5.29.20") - 1},
    {&kSecOIDCrlReason__string, "2.5.29.21", sizeof("2.5.29.21") - 1},
    {&kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT__string, "1.2.840.113635.100.3.2.3", sizeof("1.2.840.113635.100.3.2.3") - 1},
    {&kSecOIDDOTMAC_CERT_EMAIL_SIGN__string, "1.2.840.113635.100.3.2.2", sizeof("1.2.840.113635.100.3.2.2") - 1},
    {&kSecOIDDOTMAC_CERT_EXTENSION__string, "1.2.840.113635.100.3.2", sizeof("1.2.840.113635.100.3.2") - 1},
    {&kSecOIDDOTMAC_CERT_IDENTITY__string, "1.2.840.113635.100.3.2.1", sizeof("1.2.840.113635.100.3.2.1") - 1},
    {&kSecOIDDOTMAC_CERT_POLICY__string, "1.2.840.113635.100.5.2", sizeof("1.2.840.113635.100.5.2") - 1},
    {&kSecOIDDeltaCrlIndicator__string, "2.5.29.27", sizeof("2.5.29.27") - 1},
    {&kSecOIDDescription__string, "2.5.4.13", sizeof("2.5.4.13") - 1},
    {&kSecOIDEKU_IPSec__string, "1.3.6.1.5.5.8.2.2", sizeof("1.3.6.1.5.5.8.2.2") - 1},
    {&kSecOIDEmailAddress__string, "1.2.840.113549.1.9.1", sizeof("1.2.840.113549.1.9.1") - 1},
    {&kSecOIDEmailProtection__string, "1.3.6.1.5.5.7.3.4", sizeof("1.3.6.1.5.5.7.3.4") - 1},
    {&kSecOIDExtendedKeyUsage__string, "2.5.29.37", sizeof("2.5.29.37") - 1},
    {&kSecOIDExtendedKeyUsageAny__string, "2.5.29.37.0", sizeof("2.5.29.37.0") - 1},
    {&kSecOIDExtendedUseCodeSigning__string, "1.3.6.1.5.5.7.3.3", sizeof("1.3.6.1.5.5.7.3.3") - 1},
    {&kSecOIDGivenName__string, "2.5.4.42", sizeof("2.5.4.42") - 1},
    {&kSecOIDHoldInstructionCode__string, "2.5.29.23", sizeof("2.5.29.23") - 1},
    {&kSecOIDInvalidityDate__string, "2.5.29.24", sizeof("2.5.29.24") - 1},
    {&kSecOIDIssuerAltName__string, "2.5.29.18", sizeof("2.5.29.18") - 1},
    {&kSecOIDIssuingDistributionPoint__string, "2.5.29.28", sizeof("2.5.29.28") - 1},
    {&kSecOIDIssuingDistributionPoints__string, "2.5.29.28", sizeof("2.5.29.28") - 1},
    {&kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH__string, "1.3.6.1.5.2.3.4", sizeof("1.3.6.1.5.2.3.4") - 1},
    {&kSecOIDKERBv5_PKINIT_KP_KDC__string, "1.3.6.1.5.2.3.5", sizeof("1.3.6.1.5.2.3.5") - 1},
    {&kSecOIDKeyUsage__string, "2.5.29.15", sizeof("2.5.29.15") - 1},
    {&kSecOIDLocalityName__string, "2.5.4.7", sizeof("2.5.4.7") - 1},
    {&kSecOIDMS_NTPrincipalName__string, "1.3.6.1.4.1.311.20.2.3", sizeof("1.3.6.1.4.1.311.20.2.3") - 1},
    {&kSecOIDMicrosoftSGC__string, "1.3.6.1.4.1.311.10.3.3", sizeof("1.3.6.1.4.1.311.10.3.3") - 1},
    {&kSecOIDNameConstraints__string, "2.5.29.30", sizeof("2.5.29.30") - 1},
    {&kSecOIDNetscapeCertSequence__string, "2.16.840.1.113730.2.5", sizeof("2.16.840.1.113730.2.5") - 1},
    {&kSecOIDNetscapeCertType__string, "2.16.840.1.113730.1.1", sizeof("2.16.840.1.113730.1.1") - 1},
    {&kSecOIDNetscapeSGC__string, "2.16.840.1.113730.4.1", sizeof("2.16.840.1.113730.4.1") - 1},
    {&kSecOIDOCSPSigning__string, "1.3.6.1.5.5.7.3.9", sizeof("1.3.6.1.5.5.7.3.9") - 1},
    {&kSecOIDOrganizationName__string, "2.5.4.10", sizeof("2.5.4.10") - 1},
    {&kSecOIDOrganizationalUnitName__string, "2.5.4.11", sizeof("2.5.4.11") - 1},
    {&kSecOIDPolicyConstraints__string, "2.5.29.36", sizeof("2.5.29.36") - 1},
    {&kSecOIDPolicyMappings__string, "2.5.29.33", sizeof("2.5.29.33") - 1},
    {&kSecOIDPrivateKeyUsagePeriod__string, "2.5.29.16", sizeof("2.5.29.16") - 1},
    {&kSecOIDQC_Statements__string, "1.3.6.1.5.5.7.1.3", sizeof("1.3.6.1.5.5.7.1.3") - 1},
    {&kSecOIDSRVName__string, "1.3.6.1.5.5.7.8.7", sizeof("1.3.6.1.5.5.7.8.7") - 1},
    {&kSecOIDSerialNumber__string, "2.5.4.5", sizeof("2.5.4.5") - 1},
    {&kSecOIDServerAuth__string, "1.3.6.1.5.5.7.3.1", sizeof("1.3.6.1.5.5.7.3.1") - 1},
    {&kSecOIDStateProvinceName__string, "2.5.4.8", sizeof("2.5.4.8") - 1},
    {&kSecOIDStreetAddress__string, "2.5.4.9", sizeof("2.5.4.9") - 1},
    {&kSecOIDSubjectAltName__string, "2.5.29.17", sizeof("2.5.29.17") - 1},
    {&kSecOIDSubjectDirectoryAttributes__string, "2.5.29.9", sizeof("2.5.29.9") - 1},
    {&kSecOIDSubjectEmailAddress__string, "2.16.840.1.113741.2.1.1.1.50.3", sizeof("2.16.840.1.113741.2.1.1.1.50.3") - 1},
    {&kSecOIDSubjectInfoAccess__string, "1.3.6.1.5.5.7.1.11", sizeof("1.3.6.1.5.5.7.1.11") - 1},
    {&kSecOIDSubjectKeyIdentifier__string, "2.5.29.14", sizeof("2.5.29.14") - 1},
    {&kSecOIDSubjectPicture__string, "2.16.840.1.113741.2.1.1.1.50.2", sizeof("2.16.840.1.113741.2.1.1.1.50.2") - 1},
    {&kSecOIDSubjectSignatureBitmap__string, "2.16.840.1.113741.2.1.1.1.50.1", sizeof("2.16.840.1.113741.2.1.1.1.50.1") - 1},
    {&kSecOIDSurname__string, "2.5.4.4", sizeof("2.5.4.4") - 1},
    {&kSecOIDTimeStamping__string, "1.3.6.1.5.5.7.3.8", sizeof("1.3.6.1.5.5.7.3.8") - 1},
    {&kSecOIDTitle__string, "2.5.4.12", sizeof("2.5.4.12") - 1},
    {&kSecOIDUseExemptions__string, "2.16.840.1.113741.2.1.1.1.50.4", sizeof("2.16.840.1.113741.2.1.1.1.50.4") - 1},
    {&kSecOIDX509V1CertificateIssuerUniqueId__string, "2.16.840.1.113741.2.1.1.1.11", sizeof("2.16.840.1.113741.2.1.1.1.11") - 1},
    {&kSecOIDX509V1CertificateSubjectUniqueId__string, "2.16.840.1.113741.2.1.1.1.12", sizeof("2.16.840.1.113741.2.1.1.1.12") - 1},
    {&kSecOIDX509V1IssuerName__string, "2.16.840.1.113741.2.1.1.1.5", sizeof("2.16.840.1.113741.2.1.1.1.5") - 1},
    {&kSecOIDX509V1IssuerNameCStruct__string, "2.16.840.1.113741.2.1.1.1.5.1", sizeof("2.16.840.1.113741.2.1.1.1.5.1") - 1},
    {&kSecOIDX509V1IssuerNameLDAP__string, "2.16.840.1.113741.2.1.1.1.5.2", sizeof("2.16.840.1.113741.2.1.1.1.5.2") - 1},
    {&kSecOIDX509V1IssuerNameStd__string, "2.16.840.1.113741.2.1.1.1.23", sizeof("2.16.840.1.113741.2.1.1.1.23") - 1},
    {&kSecOIDX509V1SerialNumber__string, "2.16.840.1.113741.2.1.1.1.3", sizeof("2.16.840.1.113741.2.1.1.1.3") - 1},
    {&kSecOIDX509V1Signature__string, "2.16.840.1.113741.2.1.3.2.2", sizeof("2.16.840.1.113741.2.1.3.2.2") - 1},
    {&kSecOIDX509V1SignatureAlgorithm__string, "2.16.840.1.113741.2.1.3.2.1", sizeof("2.16.840.1.113741.2.1.3.2.1") - 1},
    {&kSecOIDX509V1SignatureAlgorithmParameters__string, "2.16.840.1.113741.2.1.3.2.3", sizeof("2.16.840.1.113741.2.1.3.2.3") - 1},
    {&kSecOIDX509V1SignatureAlgorithmTBS__string, "2.16.840.1.113741.2.1.3.2.10", sizeof("2.16.840.1.113741.2.1.3.2.10") - 1},
    {&kSecOIDX509V1SignatureCStruct__string, "2.16.840.1.113741.2.1.3.2.0.1", sizeof("2.16.840.1.113741.2.1.3.2.0.1") - 1},
    {&kSecOIDX509V1SignatureStruct__string, "2.16.840.1.113741.2.1.3.2.0", sizeof("2.16.840.1.113741.2.1.3.2.0") - 1},
    {&kSecOIDX509V1SubjectName__string, "2.16.840.1.113741.2.1.1.1.8", sizeof("2.16.840.1.113741.2.1.1.1.8") - 1},
    {&kSecOIDX509V1SubjectNameCStruct__string, "2.16.840.1.113741.2.1.1.1.8.1", sizeof("2.16.840.1.113741.2.1.1.1.8.1") - 1},
    {&kSecOIDX509V1SubjectNameLDAP__string, "2.16.840.1.113741.2.1.1.1.8.2", sizeof("2.16.840.1.113741.2.1.1.1.8.2") - 1},
    {&kSecOIDX509V1SubjectNameStd__string, "2.16.840.1.113741.2.1.1.1.22", sizeof("2.16.840.1.113741.2.1.1.1.22") - 1},
    {&kSecOIDX509V1SubjectPublicKey__string, "2.16.840.1.113741.2.1.1.1.10", sizeof("2.16.840.1.113741.2.1.1.1.10") - 1},
    {&kSecOIDX509V1SubjectPublicKeyAlgorithm__string, "2.16.840.1.113741.2.1.1.1.9", sizeof("2.16.840.1.113741.2.1.1.1.9") - 1},
    {&kSecOIDX509V1SubjectPublicKeyAlgorithmParameters__string, "2.16.840.1.113741.2.1.1.1.18", sizeof("2.16.840.1.113741.2.1.1.1.18") - 1},
    {&kSecOIDX509V1SubjectPublicKeyCStruct__string, "2.16.840.1.113741.2.1.1.1.20.1", sizeof("2.16.840.1.113741.2.1.1.1.20.1") - 1},
    {&kSecOIDX509V1ValidityNotAfter__string, "2.16.840.1.113741.2.1.1.1.7", sizeof("2.16.840.1.113741.2.1.1.1.7") - 1},
    {&kSecOIDX509V1ValidityNotBefore__string, "2.16.840.1.113741.2.1.1.1.6", sizeof("2.16.840.1.113741.2.1.1.1.6") - 1},
    {&kSecOIDX509V1Version__string, "2.16.840.1.113741.2.1.1.1.2", sizeof("2.16.840.1.113741.2.1.1.1.2") - 1},
    {&kSecOIDX509V3Certificate__string, "2.16.840.1.113741.2.1.1.1.1", sizeof("2.16.840.1.113741.2.1.1.1.1") - 1},
    {&kSecOIDX509V3CertificateCStruct__string, "2.16.840.1.113741.2.1.1.1.1.1", sizeof("2.16.840.1.113741.2.1.1.1.1.1") - 1},
    {&kSecOIDX509V3CertificateExtensionCStruct__string, "2.16.840.1.113741.2.1.1.1.13.1", sizeof("2.16.840.1.113741.2.1.1.1.13.1") - 1},
    {&kSecOIDX509V3CertificateExtensionCritical__string, "2.16.840.1.113741.2.1.1.1.16", sizeof("2.16.840.1.113741.2.1.1.1.16") - 1},
    {&kSecOIDX509V3CertificateExtensionId__string, "2.16.840.1.113741.2.1.1.1.15", sizeof("2.16.840.1.113741.2.1.1.1.15") - 1},
    {&kSecOIDX509V3CertificateExtensionStruct__string, "2.16.840.1.113741.2.1.1.1.13", sizeof("2.16.840.1.113741.2.1.1.1.13") - 1},
    {&kSecOIDX509V3CertificateExtensionType__string, "2.16.840.1.113741.2.1.1.1.19", sizeof("2.16.840.1.113741.2.1.1.1.19") - 1},
    {&kSecOIDX509V3CertificateExtensionValue__string, "2.16.840.1.113741.2.1.1.1.17", sizeof("2.16.840.1.113741.2.1.1.1.17") - 1},
    {&kSecOIDX509V3CertificateExtensionsCStruct__string, "2.16.840.1.113741.2.1.1.1.21.1", sizeof("2.16.840.1.113741.2.1.1.1.21.1") - 1},
    {&kSecOIDX509V3CertificateExtensionsStruct__string, "2.16.840.1.113741.2.1.1.1.21", sizeof("2.16.840.1.113741.2.1.1.1.21") - 1},
    {&kSecOIDX509V3CertificateNumberOfExtensions__string, "2.16.840.1.113741.2.1.1.1.14", sizeof("2.16.840.1.113741.2.1.1.1.14") - 1},
    {&kSecOIDX509V3SignedCertificate__string, "2.16.840.1.113741.2.1.1.1.0", sizeof("2.16.840.1.113741.2.1.1.1.0") - 1},
    {&kSecOIDX509V3SignedCertificateCStruct__string, "2.16.840.1.113741.2.1.1.1.0.1", sizeof("2.16.840.1.113741.2.1.1.1.0.1") - 1},
    {&kSecAttrAccessible__string, "pdmn", sizeof("pdmn") - 1},
    {&kSecAttrAccessControl__string, "accc", sizeof("accc") - 1},
    {&kSecAttrAccess__string, "acls", sizeof("acls") - 1},
    {&kSecAttrAccessGroup__string, "agrp", sizeof("agrp") - 1},
    {&kSecAttrSynchronizable__string, "sync", sizeof("sync") - 1},
    {&kSecAttrSynchronizableAny__string, "syna", sizeof("syna") - 1},
    {&kSecAttrSyncViewHint__string, "vwht", sizeof("vwht") - 1},
    {&kSecAttrCreationDate__string, "cdat", sizeof("cdat") - 1},
    {&kSecAttrModificationDate__string, "mdat", sizeof("mdat") - 1},
    {&kSecAttrLabel__string, "labl", sizeof("labl") - 1},
    {&kSecAttrPersistantReference__string, "persistref", sizeof("persistref") - 1},
    {&kSecAttrPersistentReference__string, "persistref", sizeof("persistref") - 1},
    {&kSecAttrDescription__string, "desc", sizeof("desc") - 1},
    {&kSecAttrComment__string, "icmt", sizeof("icmt") - 1},
    {&kSecAttrCreator__string, "crtr", sizeof("crtr") - 1},
    {&kSecAttrType__string, "type", sizeof("type") - 1},
    {&kSecAttrIsInvisible__string, "invi", sizeof("invi") - 1},
    {&kSecAttrIsNegative__string, "nega", sizeof("nega") - 1},
    {&kSecAttrAccount__string, "acct", sizeof("acct") - 1},
    {&kSecAttrService__string, "svce", sizeof("svce") - 1},
    {&kSecAttrGeneric__string, "gena", sizeof("gena") - 1},
    {&kSecAttrSecurityDomain__string, "sdmn", sizeof("sdmn") - 1},
    {&kSecAttrServer__string, "srvr", sizeof("srvr") - 1},
    {&kSecAttrProtocol__string, "ptcl", sizeof("ptcl") - 1},
    {&kSecAttrAuthenticationType__string, "atyp", sizeof("atyp") - 1},
    {&kSecAttrPort__string, "port", sizeof("port") - 1},
    {&kSecAttrPath__string, "path", sizeof("path") - 1},
    {&kSecAttrSubject__string, "subj", sizeof("subj") - 1},
    {&kSecAttrIssuer__string, "issr", sizeof("issr") - 1},
    {&kSecAttrSerialNumber__string, "slnr", sizeof("slnr") - 1},
    {&kSecAttrSubjectKeyID__string, "skid", sizeof("skid") - 1},
    {&kSecAttrPublicKeyHash__string, "pkhh", sizeof("pkhh") - 1},
    {&kSecAttrCertificateType__string, "ctyp", sizeof("ctyp") - 1},
    {&kSecAttrCertificateEncoding__string, "cenc", sizeof("cenc") - 1},
    {&kSecAttrKeyClass__string, "kcls", sizeof("kcls") - 1},
    {&kSecAttrApplicationLabel__string, "klbl", sizeof("klbl") - 1},
    {&kSecAttrIsPermanent__string, "perm", sizeof("perm") - 1},
    {&kSecAttrIsSensitive__string, "sens", sizeof("sens") - 1},
    {&kSecAttrIsExtractable__string, "extr", sizeof("extr") - 1},
    {&kSecAttrApplicationTag__string, "atag", sizeof("atag") - 1},
    {&kSecAttrKeyType__string, "type", sizeof("type") - 1},
    {&kSecAttrKeySizeInBits__string, "bsiz", sizeof("bsiz") - 1},
    {&kSecAttrEffectiveKeySize__string, "esiz", sizeof("esiz") - 1},
    {&kSecAttrTokenID__string, "tkid", sizeof("tkid") - 1},
    {&kSecAttrCanEncrypt__string, "encr", sizeof("encr") - 1},
    {&kSecAttrCanDecrypt__string, "decr", sizeof("decr") - 1},
    {&kSecAttrCanDerive__string, "drve", sizeof("drve") - 1},
    {&kSecAttrCanSign__string, "sign", sizeof("sign") - 1},
    {&kSecAttrCanVerify__string, "vrfy", sizeof("vrfy") - 1},
    {&kSecAttrCanWrap__string, "wrap", sizeof("wrap") - 1},
    {&kSecAttrCanUnwrap__string, "unwp", sizeof("unwp") - 1},
    {&kSecPrivateKeyAttrs__string, "private", sizeof("private") - 1},
    {&kSecPublicKeyAttrs__string, "public", sizeof("public") - 1},
    {&kSecAttrPRF__string, "prf", sizeof("prf") - 1},
    {&kSecAttrSalt__string, "salt", sizeof("salt") - 1},
    {&kSecAttrRounds__string, "rounds", sizeof("rounds") - 1},
    {&kSecAttrPRFHmacAlgSHA1__string, "hsha1", sizeof("hsha1") - 1},
    {&kSecAttrPRFHmacAlgSHA224__string, "hsha224", sizeof("hsha224") - 1},
    {&kSecAttrPRFHmacAlgSHA256__string, "hsha256", sizeof("hsha256") - 1},
    {&kSecAttrPRFHmacAlgSHA384__string, "hsha384", sizeof("hsha384") - 1},
    {&kSecAttrPRFHmacAlgSHA512__string, "hsha512", sizeof("hsha512") - 1},
    {&kSecAttrAlias__string, "alis", sizeof("alis") - 1},
    {&kSecAttrTombstone__string, "tomb", sizeof("tomb") - 1},
    {&kSecAttrMultiUser__string, "musr", sizeof("musr") - 1},
    {&kSecAttrUUID__string, "UUID", sizeof("UUID") - 1},
    {&kSecAttrSHA1__string, "sha1", sizeof("sha1") - 1},
    {&kSecAttrSysBound__string, "sysb", sizeof("sysb") - 1},
    {&kSecAttrNoLegacy__string, "nleg", sizeof("nleg") - 1},
    {&kSecAttrScriptCode__string, "scrp", sizeof("scrp") - 1},
    {&kSecAttrHasCustomIcon__string, "cusi", sizeof("cusi") - 1},
    {&kSecAttrVolume__string, "volm", sizeof("volm") - 1},
    {&kSecAttrAddress__string, "addr", sizeof("addr") - 1},
    {&kSecAttrAFPServerSignature__string, "afps", sizeof("afps") - 1},
    {&kSecAttrCRLType__string, "crlt", sizeof("crlt") - 1},
    {&kSecAttrCRLEncoding__string, "crle", sizeof("crle") - 1},
    {&kSecAttrIsPrivate__string, "priv", sizeof("priv") - 1},
    {&kSecAttrIsModifiable__string, "modi", sizeof("modi") - 1},
    {&kSecAttrKeyCreator__string, "crtr", sizeof("crtr") - 1},
    {&kSecAttrStartDate__string, "sdat", sizeof("sdat") - 1},
    {&kSecAttrEndDate__string, "edat", sizeof("edat") - 1},
    {&kSecAttrWasAlwaysSensitive__string, "asen", sizeof("asen") - 1},
    {&kSecAttrWasNeverExtractable__string, "next", sizeof("next") - 1},
    {&kSecAttrCanSignRecover__string, "snrc", sizeof("snrc") - 1},
    {&kSecAttrCanVerifyRecover__string, "vyrc", sizeof("vyrc") - 1},
    {&kSecSymmetricKeyAttrs__string, "symmetric", sizeof("symmetric") - 1},
    {&kSecAttrTokenOID__string, "toid", sizeof("toid") - 1},
    {&kSecAttrSecureEnclaveKeyBlob__string, "toid", sizeof("toid") - 1},
    {&kSecDataInetExtraNotes__string, "binn", sizeof("binn") - 1},
    {&kSecDataInetExtraHistory__string, "bini", sizeof("bini") - 1},
    {&kSecDataInetExtraClientDefined0__string, "bin0", sizeof("bin0") - 1},
    {&kSecDataInetExtraClientDefined1__string, "bin1", sizeof("bin1") - 1},
    {&kSecDataInetExtraClientDefined2__string, "bin2", sizeof("bin2") - 1},
    {&kSecDataInetExtraClientDefined3__string, "bin3", sizeof("bin3") - 1},
    {&kSecAttrPCSPlaintextServiceIdentifier__string, "pcss", sizeof("pcss") - 1},
    {&kSecAttrPCSPlaintextPublicKey__string, "pcsk", sizeof("pcsk") - 1},
    {&kSecAttrPCSPlaintextPublicIdentity__string, "pcsi", sizeof("pcsi") - 1},
    {&kSecAttrDeriveSyncIDFromItemAttributes__string, "dspk", sizeof("dspk") - 1},
    {&kSecAttrSharingGroup__string, "ggrp", sizeof("ggrp") - 1},
    {&kSecAttrSharingGroupNone__string, "", sizeof("") - 1},
    {&kSecAttrAccessibleWhenUnlocked__string, "ak", sizeof("ak") - 1},
    {&kSecAttrAccessibleAfterFirstUnlock__string, "ck", sizeof("ck") - 1},
    {&kSecAttrAccessibleAlways__string, "dk", sizeof("dk") - 1},
    {&kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly__string, "akpu", sizeof("akpu") - 1},
    {&kSecAttrAccessibleWhenUnlockedThisDeviceOnly__string, "aku", sizeof("aku") - 1},
    {&kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly__string, "cku", sizeof("cku") - 1},
    {&kSecAttrAccessibleAlwaysThisDeviceOnly__string, "dku", sizeof("dku") - 1},
    {&kSecAttrProtocolFTP__string, "ftp ", sizeof("ftp ") - 1},
    {&kSecAttrProtocolFTPAccount__string, "ftpa", sizeof("ftpa") - 1},
    {&kSecAttrProtocolHTTP__string, "http", sizeof("http") - 1},
    {&kSecAttrProtocolIRC__string, "irc ", sizeof("irc ") - 1},
    {&kSecAttrProtocolNNTP__string, "nntp", sizeof("nntp") - 1},
    {&kSecAttrProtocolPOP3__string, "pop3", sizeof("pop3") - 1},
    {&kSecAttrProtocolSMTP__string, "smtp", sizeof("smtp") - 1},
    {&kSecAttrProtocolSOCKS__string, "sox ", sizeof("sox ") - 1},
    {&kSecAttrProtocolIMAP__string, "imap", sizeof("imap") - 1},
    {&kSecAttrProtocolLDAP__string, "ldap", sizeof("ldap") - 1},
    {&kSecAttrProtocolAppleTalk__string, "atlk", sizeof("atlk") - 1},
    {&kSecAttrProtocolAFP__string, "afp ", sizeof("afp ") - 1},
    {&kSecAttrProtocolTelnet__string, "teln", sizeof("teln") - 1},
    {&kSecAttrProtocolSSH__string, "ssh ", sizeof("ssh ") - 1},
    {&kSecAttrProtocolFTPS__string, "ftps", sizeof("ftps") - 1},
    {&kSecAttrProtocolHTTPS__string, "htps", sizeof("htps") - 1},
    {&kSecAttrProtocolHTTPProxy__string, "htpx", sizeof("htpx") - 1},
    {&kSecAttrProtocolHTTPSProxy__string, "htsx", sizeof("htsx") - 1},
    {&kSecAttrProtocolFTPProxy__string, "ftpx", sizeof("ftpx") - 1},
    {&kSecAttrProtocolSMB__string, "smb ", sizeof("smb ") - 1},
    {&kSecAttrProtocolRTSP__string, "rtsp", sizeof("rtsp") - 1},
    {&kSecAttrProtocolRTSPProxy__string, "rtsx", sizeof("rtsx") - 1},
    {&kSecAttrProtocolDAAP__string, "daap", sizeof("daap") - 1},
    {&kSecAttrProtocolEPPC__string, "eppc", sizeof("eppc") - 1},
    {&kSecAttrProtocolIPP__string, "ipp ", sizeof("ipp ") - 1},
    {&kSecAttrProtocolNNTPS__string, "ntps", sizeof("ntps") - 1},
    {&kSecAttrProtocolLDAPS__string, "ldps", sizeof("ldps") - 1},
    {&kSecAttrProtocolTelnetS__string, "tels", sizeof("tels") - 1},
    {&kSecAttrProtocolIMAPS__string, "imps", sizeof("imps") - 1},
    {&kSecAttrProtocolIRCS__string, "ircs", sizeof("ircs") - 1},
    {&kSecAttrProtocolPOP3S__string, "pops", sizeof("pops") - 1},
    {&kSecAttrAuthenticationTypeNTLM__string, "ntlm", sizeof("ntlm") - 1},
    {&kSecAttrAuthenticationTypeMSN__string, "msna", sizeof("msna") - 1},
    {&kSecAttrAuthenticationTypeDPA__string, "dpaa", sizeof("dpaa") - 1},
    {&kSecAttrAuthenticationTypeRPA__string, "rpaa", sizeof("rpaa") - 1},
    {&kSecAttrAuthenticationTypeHTTPBasic__string, "http", sizeof("http") - 1},
    {&kSecAttrAuthenticationTypeHTTPDigest__string, "httd", sizeof("httd") - 1},
    {&kSecAttrAuthenticationTypeHTMLForm__string, "form", sizeof("form") - 1},
    {&kSecAttrAuthenticationTypeDefault__string, "dflt", sizeof("dflt") - 1},
    {&kSecAttrKeyClassPublic__string, "0", sizeof("0") - 1},
    {&kSecAttrKeyClassPrivate__string, "1", sizeof("1") - 1},
    {&kSecAttrKeyClassSymmetric__string, "2", sizeof("2") - 1},
    {&kSecAttrKeyTypeRSA__string, "42", sizeof("42") - 1},
    {&kSecAttrKeyTypeEC__string, "73", sizeof("73") - 1},
    {&kSecAttrKeyTypeECSECPrimeRandom__string, "73", sizeof("73") - 1},
    {&kSecAttrKeyTypeMLKEM__string, "110", sizeof("110") - 1},
    {&kSecAttrKeyTypeMLDSA__string, "111", sizeof("111") - 1},
    {&kSecAttrKeyTypeDES__string, "14", sizeof("14") - 1},
    {&kSecAttrKeyType3DES__string, "17", sizeof("17") - 1},
    {&kSecAttrKeyTypeRC2__string, "23", sizeof("23") - 1},
    {&kSecAttrKeyTypeRC4__string, "25", sizeof("25") - 1},
    {&kSecAttrKeyTypeDSA__string, "43", sizeof("43") - 1},
    {&kSecAttrKeyTypeCAST__string, "56", sizeof("56") - 1},
    {&kSecAttrKeyTypeECDSA__string, "73", sizeof("73") - 1},
    {&kSecAttrKeyTypeAES__string, "2147483649", sizeof("2147483649") - 1},
    {&kSecAttrTokenIDSecureEnclave__string, "com.apple.setoken", sizeof("com.apple.setoken") - 1},
    {&kSecAttrAccessGroupToken__string, "com.apple.token", sizeof("com.apple.token") - 1},
    {&kSecAttrAccessibleAlwaysPrivate__string, "dk", sizeof("dk") - 1},
    {&kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate__string, "dku", sizeof("dku") - 1},
    {&kSecAttrAccessibleUntilReboot__string, "f", sizeof("f") - 1},
    {&kSecAttrTokenIDAppleKeyStore__string, "com.apple.setoken:aks", sizeof("com.apple.setoken:aks") - 1},
    {&kSecAttrTokenIDSecureElement__string, "com.apple.secelemtoken", sizeof("com.apple.secelemtoken") - 1},
    {&kSecAttrKeyTypeECSECPrimeRandomPKA__string, "2147483678", sizeof("2147483678") - 1},
    {&kSecAttrKeyTypeSecureEnclaveAttestation__string, "2147483679", sizeof("2147483679") - 1},
    {&kSecAttrKeyTypeSecureEnclaveAnonymousAttestation__string, "2147483680", sizeof("2147483680") - 1},
    {&kSecAttrKeyTypeEd25519__string, "105", sizeof("105") - 1},
    {&kSecAttrKeyTypeX25519__string, "106", sizeof("106") - 1},
    {&kSecAttrKeyTypeEd448__string, "107", sizeof("107") - 1},
    {&kSecAttrKeyTypeX448__string, "108", sizeof("108") - 1},
    {&kSecAttrKeyTypeKyber__string, "109", sizeof("109") - 1},
    {&kSecClass__string, "class", sizeof("class") - 1},
    {&kSecClassGenericPassword__string, "genp", sizeof("genp") - 1},
    {&kSecClassInternetPassword__string, "inet", sizeof("inet") - 1},
    {&kSecClassCertificate__string, "cert", sizeof("cert") - 1},
    {&kSecClassKey__string, "keys", sizeof("keys") - 1},
    {&kSecClassIdentity__string, "idnt", sizeof("idnt") - 1},
    {&kSecClassAppleSharePassword__string, "apls", sizeof("apls") - 1},
    {&kSecValueData__string, "v_Data", sizeof("v_Data") - 1},
    {&kSecValueRef__string, "v_Ref", sizeof("v_Ref") - 1},
    {&kSecValuePersistentRef__string, "v_PersistentRef", sizeof("v_PersistentRef") - 1},
    {&kSecReturnData__string, "r_Data", sizeof("r_Data") - 1},
    {&kSecReturnAttributes__string, "r_Attributes", sizeof("r_Attributes") - 1},
    {&kSecReturnRef__string, "r_Ref", sizeof("r_Ref") - 1},
    {&kSecReturnPersistentRef__string, "r_PersistentRef", sizeof("r_PersistentRef") - 1},
    {&kSecMatchPolicy__string, "m_Policy", sizeof("m_Policy") - 1},
    {&kSecMatchItemList__string, "m_ItemList", sizeof("m_ItemList") - 1},
    {&kSecMatchSearchList__string, "m_SearchList", sizeof("m_SearchList") - 1},
    {&kSecMatchIssuers__string, "m_Issuers", sizeof("m_Issuers") - 1},
    {&kSecMatchEmailAddressIfPresent__string, "m_EmailAddressIfPresent", sizeof("m_EmailAddressIfPresent") - 1},
    {&kSecMatchSubjectContains__string, "m_SubjectContains", sizeof("m_SubjectContains") - 1},
    {&kSecMatchSubjectStartsWith__string, "m_SubjectStartsWith", sizeof("m_SubjectStartsWith") - 1},
    {&kSecMatchSubjectEndsWith__string, "m_SubjectEndsWith", sizeof("m_SubjectEndsWith") - 1},
    {&kSecMatchSubjectWholeString__string, "m_SubjectWholeString", sizeof("m_SubjectWholeString") - 1},
    {&kSecMatchHostOrSubdomainOfHost__string, "m_HostOrSubdomainOfHost", sizeof("m_HostOrSubdomainOfHost") - 1},
    {&kSecMatchCaseInsensitive__string, "m_CaseInsensitive", sizeof("m_CaseInsensitive") - 1},
    {&kSecMatchDiacriticInsensitive__string, "m_DiacriticInsensitive", sizeof("m_DiacriticInsensitive") - 1},
    {&kSecMatchWidthInsensitive__string, "m_WidthInsensitive", sizeof("m_WidthInsensitive") - 1},
    {&kSecMatchTrustedOnly__string, "m_TrustedOnly", sizeof("m_TrustedOnly") - 1},
    {&kSecMatchValidOnDate__string, "m_ValidOnDate", sizeof("m_ValidOnDate") - 1},
    {&kSecMatchLimit__string, "m_Limit", sizeof("m_Limit") - 1},
    {&kSecMatchLimitOne__string, "m_LimitOne", sizeof("m_LimitOne") - 1},
    {&kSecMatchLimitAll__string, "m_LimitAll", sizeof("m_LimitAll") - 1},
    {&kSecUseItemList__string, "u_ItemList", sizeof("u_ItemList") - 1},
    {&kSecUseKeychain__string, "u_Keychain", sizeof("u_Keychain") - 1},
    {&kSecUseOperationPrompt__string, "u_OpPrompt", sizeof("u_OpPrompt") - 1},
    {&kSecUseNoAuthenticationUI__string, "u_NoAuthUI", sizeof("u_NoAuthUI") - 1},
    {&kSecUseAuthenticationUI__string, "u_AuthUI", sizeof("u_AuthUI") - 1},
    {&kSecUseAuthenticationContext__string, "u_AuthCtx", sizeof("u_AuthCtx") - 1},
    {&kSecUseDataProtectionKeychain__string, "nleg", sizeof("nleg") - 1},
    {&kSecUseUserIndependentKeychain__string, "u_UserIndependentKeychain", sizeof("u_UserIndependentKeychain") - 1},
    {&kSecUseAuthenticationUIAllow__string, "u_AuthUIA", sizeof("u_AuthUIA") - 1},
    {&kSecUseAuthenticationUIFail__string, "u_AuthUIF", sizeof("u_AuthUIF") - 1},
    {&kSecUseAuthenticationUISkip__string, "u_AuthUIS", sizeof("u_AuthUIS") - 1},
    {&kSecUseTombstones__string, "u_Tomb", sizeof("u_Tomb") - 1},
    {&kSecUseCredentialReference__string, "u_CredRef", sizeof("u_CredRef") - 1},
    {&kSecUseCallerName__string, "u_CallerName", sizeof("u_CallerName") - 1},
    {&kSecUseTokenRawItems__string, "u_TokenRawItems", sizeof("u_TokenRawItems") - 1},
    {&kSecUseCertificatesWithMatchIssuers__string, "u_CertWithIssuers", sizeof("u_CertWithIssuers") - 1},
    {&kSecUseSystemKeychain__string, "u_SystemKeychain", sizeof("u_SystemKeychain") - 1},
    {&kSecUseSystemKeychainAlways__string, "u_SystemKeychainAlways", sizeof("u_SystemKeychainAlways") - 1},
    {&kSecUseSyncBubbleKeychain__string, "u_SyncBubbleKeychain", sizeof("u_SyncBubbleKeychain") - 1},
    {&kSecSharedPassword__string, "spwd", sizeof("spwd") - 1},
    {&kSecPasswordMinLength__string, "PasswordMaxLength", sizeof("PasswordMaxLength") - 1},
    {&kSecPasswordMaxLength__string, "PasswordMaxLength", sizeof("PasswordMaxLength") - 1},
    {&kSecOidCommonName__string, "CN", sizeof("CN") - 1},
    {&kSecOidCountryName__string, "C", sizeof("C") - 1},
    {&kSecOidStateProvinceName__string, "ST", sizeof("ST") - 1},
    {&kSecOidLocalityName__string, "L", sizeof("L") - 1},
    {&kSecOidOrganization__string, "O", sizeof("O") - 1},
    {&kSecOidOrganizationalUnit__string, "OU", sizeof("OU") - 1},
    {&kSecCSRChallengePassword__string, "csrChallengePassword", sizeof("csrChallengePassword") - 1},
    {&kSecSubjectAltName__string, "subjectAltName", sizeof("subjectAltName") - 1},
    {&kSecCertificateKeyUsage__string, "keyUsage", sizeof("keyUsage") - 1},
    {&kSecCSRBasicConstraintsPathLen__string, "basicConstraints", sizeof("basicConstraints") - 1},
    {&kSecCSRBasicContraintsPathLen__string, "basicConstraints", sizeof("basicConstraints") - 1},
    {&kSecCertificateExtensions__string, "certificateExtensions", sizeof("certificateExtensions") - 1},
    {&kSecCertificateExtensionsEncoded__string, "certificateExtensionsEncoded", sizeof("certificateExtensionsEncoded") - 1},
    {&kSecCMSSignHashAlgorithm__string, "kSecCMSSignHashAlgorithm", sizeof("kSecCMSSignHashAlgorithm") - 1},
    {&kSecSubjectAltNameDNSName__string, "dNSName", sizeof("dNSName") - 1},
    {&kSecSubjectAltNameEmailAddress__string, "rfc822Name", sizeof("rfc822Name") - 1},
    {&kSecSubjectAltNameURI__string, "uniformResourceIdentifier", sizeof("uniformResourceIdentifier") - 1},
    {&kSecSubjectAltNameNTPrincipalName__string, "ntPrincipalName", sizeof("ntPrincipalName") - 1},
    {&kSecCMSHashingAlgorithmSHA1__string, "kSecCMSHashingAlgorithmSHA1", sizeof("kSecCMSHashingAlgorithmSHA1") - 1},
    {&kSecCMSHashingAlgorithmSHA256__string, "kSecCMSHashingAlgorithmSHA256", sizeof("kSecCMSHashingAlgorithmSHA256") - 1},
    {&kSecCMSHashingAlgorithmSHA384__string, "kSecCMSHashingAlgorithmSHA384", sizeof("kSecCMSHashingAlgorithmSHA384") - 1},
    {&kSecCMSHashingAlgorithmSHA512__string, "kSecCMSHashingAlgorithmSHA512", sizeof("kSecCMSHashingAlgorithmSHA512") - 1},
    {&kSecImportExportPassphrase__string, "passphrase", sizeof("passphrase") - 1},
    {&kSecImportExportKeychain__string, "keychain", sizeof("keychain") - 1},
    {&kSecImportExportAccess__string, "access", sizeof("access") - 1},
    {&kSecImportToMemoryOnly__string, "memory", sizeof("memory") - 1},
    {&kSecImportItemLabel__string, "label", sizeof("label") - 1},
    {&kSecImportItemKeyID__string, "keyid", sizeof("keyid") - 1},
    {&kSecImportItemTrust__string, "trust", sizeof("trust") - 1},
    {&kSecImportItemCertChain__string, "chain", sizeof("chain") - 1},
    {&kSecImportItemIdentity__string, "identity", sizeof("identity") - 1},
    {&kSecKeyAlgorithmRSASignatureRaw__string, "algid:sign:RSA:raw", sizeof("algid:sign:RSA:raw") - 1},
    {&kSecKeyAlgorithmRSASignatureRawCCUnit__string, "algid:sign:RSA:raw-cc", sizeof("algid:sign:RSA:raw-cc") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw__string, "algid:sign:RSA:digest-PKCS1v15", sizeof("algid:sign:RSA:digest-PKCS1v15") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15MD5__string, "algid:sign:RSA:digest-PKCS1v15:MD5", sizeof("algid:sign:RSA:digest-PKCS1v15:MD5") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1__string, "algid:sign:RSA:digest-PKCS1v15:SHA1", sizeof("algid:sign:RSA:digest-PKCS1v15:SHA1") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224__string, "algid:sign:RSA:digest-PKCS1v15:SHA224", sizeof("algid:sign:RSA:digest-PKCS1v15:SHA224") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256__string, "algid:sign:RSA:digest-PKCS1v15:SHA256", sizeof("algid:sign:RSA:digest-PKCS1v15:SHA256") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384__string, "algid:sign:RSA:digest-PKCS1v15:SHA384", sizeof("algid:sign:RSA:digest-PKCS1v15:SHA384") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512__string, "algid:sign:RSA:digest-PKCS1v15:SHA512", sizeof("algid:sign:RSA:digest-PKCS1v15:SHA512") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPSSSHA1__string, "algid:sign:RSA:digest-PSS:SHA1:SHA1:20", sizeof("algid:sign:RSA:digest-PSS:SHA1:SHA1:20") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPSSSHA224__string, "algid:sign:RSA:digest-PSS:SHA224:SHA224:24", sizeof("algid:sign:RSA:digest-PSS:SHA224:SHA224:24") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPSSSHA256__string, "algid:sign:RSA:digest-PSS:SHA256:SHA256:32", sizeof("algid:sign:RSA:digest-PSS:SHA256:SHA256:32") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPSSSHA384__string, "algid:sign:RSA:digest-PSS:SHA384:SHA384:48", sizeof("algid:sign:RSA:digest-PSS:SHA384:SHA384:48") - 1},
    {&kSecKeyAlgorithmRSASignatureDigestPSSSHA512__string, "algid:sign:RSA:digest-PSS:SHA512:SHA512:64", sizeof("algid:sign:RSA:digest-PSS:SHA512:SHA512:64") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePKCS1v15MD5__string, "algid:sign:RSA:message-PKCS1v15:MD5", sizeof("algid:sign:RSA:message-PKCS1v15:MD5") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1__string, "algid:sign:RSA:message-PKCS1v15:SHA1", sizeof("algid:sign:RSA:message-PKCS1v15:SHA1") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224__string, "algid:sign:RSA:message-PKCS1v15:SHA224", sizeof("algid:sign:RSA:message-PKCS1v15:SHA224") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256__string, "algid:sign:RSA:message-PKCS1v15:SHA256", sizeof("algid:sign:RSA:message-PKCS1v15:SHA256") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384__string, "algid:sign:RSA:message-PKCS1v15:SHA384", sizeof("algid:sign:RSA:message-PKCS1v15:SHA384") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512__string, "algid:sign:RSA:message-PKCS1v15:SHA512", sizeof("algid:sign:RSA:message-PKCS1v15:SHA512") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePSSSHA1__string, "algid:sign:RSA:message-PSS:SHA1:SHA1:20", sizeof("algid:sign:RSA:message-PSS:SHA1:SHA1:20") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePSSSHA224__string, "algid:sign:RSA:message-PSS:SHA224:SHA224:24", sizeof("algid:sign:RSA:message-PSS:SHA224:SHA224:24") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePSSSHA256__string, "algid:sign:RSA:message-PSS:SHA256:SHA256:32", sizeof("algid:sign:RSA:message-PSS:SHA256:SHA256:32") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePSSSHA384__string, "algid:sign:RSA:message-PSS:SHA384:SHA384:48", sizeof("algid:sign:RSA:message-PSS:SHA384:SHA384:48") - 1},
    {&kSecKeyAlgorithmRSASignatureMessagePSSSHA512__string, "algid:sign:RSA:message-PSS:SHA512:SHA512:64", sizeof("algid:sign:RSA:message-PSS:SHA512:SHA512:64") - 1},
    {&kSecKeyAlgorithmRSAEncryptionRaw__string, "algid:encrypt:RSA:raw", sizeof("algid:encrypt:RSA:raw") - 1},
    {&kSecKeyAlgorithmRSAEncryptionRawCCUnit__string, "algid:encrypt:RSA:raw-cc", sizeof("algid:encrypt:RSA:raw-cc") - 1},
    {&kSecKeyAlgorithmRSAEncryptionPKCS1__string, "algid:encrypt:RSA:PKCS1", sizeof("algid:encrypt:RSA:PKCS1") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA1__string, "algid:encrypt:RSA:OAEP:SHA1", sizeof("algid:encrypt:RSA:OAEP:SHA1") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA224__string, "algid:encrypt:RSA:OAEP:SHA224", sizeof("algid:encrypt:RSA:OAEP:SHA224") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA256__string, "algid:encrypt:RSA:OAEP:SHA256", sizeof("algid:encrypt:RSA:OAEP:SHA256") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA384__string, "algid:encrypt:RSA:OAEP:SHA384", sizeof("algid:encrypt:RSA:OAEP:SHA384") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA512__string, "algid:encrypt:RSA:OAEP:SHA512", sizeof("algid:encrypt:RSA:OAEP:SHA512") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM__string, "algid:encrypt:RSA:OAEP:SHA1:AESGCM", sizeof("algid:encrypt:RSA:OAEP:SHA1:AESGCM") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM__string, "algid:encrypt:RSA:OAEP:SHA224:AESGCM", sizeof("algid:encrypt:RSA:OAEP:SHA224:AESGCM") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM__string, "algid:encrypt:RSA:OAEP:SHA256:AESGCM", sizeof("algid:encrypt:RSA:OAEP:SHA256:AESGCM") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM__string, "algid:encrypt:RSA:OAEP:SHA384:AESGCM", sizeof("algid:encrypt:RSA:OAEP:SHA384:AESGCM") - 1},
    {&kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM__string, "algid:encrypt:RSA:OAEP:SHA512:AESGCM", sizeof("algid:encrypt:RSA:OAEP:SHA512:AESGCM") - 1},
    {&kSecKeyAlgorithmECDSASignatureRFC4754__string, "algid:sign:ECDSA:RFC4754", sizeof("algid:sign:ECDSA:RFC4754") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestRFC4754__string, "algid:sign:ECDSA:digest-RFC4754", sizeof("algid:sign:ECDSA:digest-RFC4754") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1__string, "algid:sign:ECDSA:digest-RFC4754:SHA1", sizeof("algid:sign:ECDSA:digest-RFC4754:SHA1") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224__string, "algid:sign:ECDSA:digest-RFC4754:SHA224", sizeof("algid:sign:ECDSA:digest-RFC4754:SHA224") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256__string, "algid:sign:ECDSA:digest-RFC4754:SHA256", sizeof("algid:sign:ECDSA:digest-RFC4754:SHA256") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384__string, "algid:sign:ECDSA:digest-RFC4754:SHA384", sizeof("algid:sign:ECDSA:digest-RFC4754:SHA384") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512__string, "algid:sign:ECDSA:digest-RFC4754:SHA512", sizeof("algid:sign:ECDSA:digest-RFC4754:SHA512") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1__string, "algid:sign:ECDSA:message-RFC4754:SHA1", sizeof("algid:sign:ECDSA:message-RFC4754:SHA1") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224__string, "algid:sign:ECDSA:message-RFC4754:SHA224", sizeof("algid:sign:ECDSA:message-RFC4754:SHA224") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256__string, "algid:sign:ECDSA:message-RFC4754:SHA256", sizeof("algid:sign:ECDSA:message-RFC4754:SHA256") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384__string, "algid:sign:ECDSA:message-RFC4754:SHA384", sizeof("algid:sign:ECDSA:message-RFC4754:SHA384") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512__string, "algid:sign:ECDSA:message-RFC4754:SHA512", sizeof("algid:sign:ECDSA:message-RFC4754:SHA512") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestX962__string, "algid:sign:ECDSA:digest-X962", sizeof("algid:sign:ECDSA:digest-X962") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestX962SHA1__string, "algid:sign:ECDSA:digest-X962:SHA1", sizeof("algid:sign:ECDSA:digest-X962:SHA1") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestX962SHA224__string, "algid:sign:ECDSA:digest-X962:SHA224", sizeof("algid:sign:ECDSA:digest-X962:SHA224") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestX962SHA256__string, "algid:sign:ECDSA:digest-X962:SHA256", sizeof("algid:sign:ECDSA:digest-X962:SHA256") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestX962SHA384__string, "algid:sign:ECDSA:digest-X962:SHA384", sizeof("algid:sign:ECDSA:digest-X962:SHA384") - 1},
    {&kSecKeyAlgorithmECDSASignatureDigestX962SHA512__string, "algid:sign:ECDSA:digest-X962:SHA512", sizeof("algid:sign:ECDSA:digest-X962:SHA512") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageX962SHA1__string, "algid:sign:ECDSA:message-X962:SHA1", sizeof("algid:sign:ECDSA:message-X962:SHA1") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageX962SHA224__string, "algid:sign:ECDSA:message-X962:SHA224", sizeof("algid:sign:ECDSA:message-X962:SHA224") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageX962SHA256__string, "algid:sign:ECDSA:message-X962:SHA256", sizeof("algid:sign:ECDSA:message-X962:SHA256") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageX962SHA384__string, "algid:sign:ECDSA:message-X962:SHA384", sizeof("algid:sign:ECDSA:message-X962:SHA384") - 1},
    {&kSecKeyAlgorithmECDSASignatureMessageX962SHA512__string, "algid:sign:ECDSA:message-X962:SHA512", sizeof("algid:sign:ECDSA:message-X962:SHA512") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM__string, "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM__string, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV", sizeof("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV") - 1},
    {&kSecKeyAlgorithmECIESEncryptionAKSSmartCard__string, "algid:encrypt:ECIES:ECDH:SHA256:2PubKeys", sizeof("algid:encrypt:ECIES:ECDH:SHA256:2PubKeys") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeStandard__string, "algid:keyexchange:ECDH", sizeof("algid:keyexchange:ECDH") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1__string, "algid:keyexchange:ECDH:KDFX963:SHA1", sizeof("algid:keyexchange:ECDH:KDFX963:SHA1") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224__string, "algid:keyexchange:ECDH:KDFX963:SHA224", sizeof("algid:keyexchange:ECDH:KDFX963:SHA224") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256__string, "algid:keyexchange:ECDH:KDFX963:SHA256", sizeof("algid:keyexchange:ECDH:KDFX963:SHA256") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384__string, "algid:keyexchange:ECDH:KDFX963:SHA384", sizeof("algid:keyexchange:ECDH:KDFX963:SHA384") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512__string, "algid:keyexchange:ECDH:KDFX963:SHA512", sizeof("algid:keyexchange:ECDH:KDFX963:SHA512") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeCofactor__string, "algid:keyexchange:ECDHC", sizeof("algid:keyexchange:ECDHC") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1__string, "algid:keyexchange:ECDHC:KDFX963:SHA1", sizeof("algid:keyexchange:ECDHC:KDFX963:SHA1") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224__string, "algid:keyexchange:ECDHC:KDFX963:SHA224", sizeof("algid:keyexchange:ECDHC:KDFX963:SHA224") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256__string, "algid:keyexchange:ECDHC:KDFX963:SHA256", sizeof("algid:keyexchange:ECDHC:KDFX963:SHA256") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384__string, "algid:keyexchange:ECDHC:KDFX963:SHA384", sizeof("algid:keyexchange:ECDHC:KDFX963:SHA384") - 1},
    {&kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512__string, "algid:keyexchange:ECDHC:KDFX963:SHA512", sizeof("algid:keyexchange:ECDHC:KDFX963:SHA512") - 1},
    {&kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512__string, "algid:sign:EdDSA:message-Curve25519:SHA512", sizeof("algid:sign:EdDSA:message-Curve25519:SHA512") - 1},
    {&kSecKeyAlgorithmEdDSASignatureMessageCurve448SHAKE256__string, "algid:sign:EdDSA:message-Curve448:SHAKE256", sizeof("algid:sign:EdDSA:message-Curve448:SHAKE256") - 1},
    {&kSecKeyAlgorithmKemKyber__string, "algid:kem:kyber", sizeof("algid:kem:kyber") - 1},
    {&kSecKeyAlgorithmKemMLKEM__string, "algid:kem:ML-KEM", sizeof("algid:kem:ML-KEM") - 1},
    {&kSecKeyAlgorithmMldsaSignatureMessage__string, "algid:sign:ML-DSA:message", sizeof("algid:sign:ML-DSA:message") - 1},
    {&kSecKeyAlgorithmAesEncryptionGCM__string, "algid:encrypt:AES:GCM", sizeof("algid:encrypt:AES:GCM") - 1},
    {&kSecKeyKeyExchangeParameterRequestedSize__string, "requestedSize", sizeof("requestedSize") - 1},
    {&kSecKeyKeyExchangeParameterSharedInfo__string, "sharedInfo", sizeof("sharedInfo") - 1},
    {&kSecPolicyAppleX509Basic__string, "1.2.840.113635.100.1.2", sizeof("1.2.840.113635.100.1.2") - 1},
    {&kSecPolicyAppleSSL__string, "1.2.840.113635.100.1.3", sizeof("1.2.840.113635.100.1.3") - 1},
    {&kSecPolicyAppleSMIME__string, "1.2.840.113635.100.1.8", sizeof("1.2.840.113635.100.1.8") - 1},
    {&kSecPolicyAppleEAP__string, "1.2.840.113635.100.1.9", sizeof("1.2.840.113635.100.1.9") - 1},
    {&kSecPolicyAppleIPsec__string, "1.2.840.113635.100.1.11", sizeof("1.2.840.113635.100.1.11") - 1},
    {&kSecPolicyApplePKINITClient__string, "1.2.840.113635.100.1.14", sizeof("1.2.840.113635.100.1.14") - 1},
    {&kSecPolicyApplePKINITServer__string, "1.2.840.113635.100.1.15", sizeof("1.2.840.113635.100.1.15") - 1},
    {&kSecPolicyAppleCodeSigning__string, "1.2.840.113635.100.1.16", sizeof("1.2.840.113635.100.1.16") - 1},
    {&kSecPolicyAppleIDValidation__string, "1.2.840.113635.100.1.18", sizeof("1.2.840.113635.100.1.18") - 1},
    {&kSecPolicyMacAppStoreReceipt__string, "1.2.840.113635.100.1.19", sizeof("1.2.840.113635.100.1.19") - 1},
    {&kSecPolicyAppleTimeStamping__string, "1.2.840.113635.100.1.20", sizeof("1.2.840.113635.100.1.20") - 1},
    {&kSecPolicyAppleRevocation__string, "1.2.840.113635.100.1.21", sizeof("1.2.840.113635.100.1.21") - 1},
    {&kSecPolicyApplePassbookSigning__string, "1.2.840.113635.100.1.22", sizeof("1.2.840.113635.100.1.22") - 1},
    {&kSecPolicyApplePayIssuerEncryption__string, "1.2.840.113635.100.1.39", sizeof("1.2.840.113635.100.1.39") - 1},
    {&kSecPolicyAppleSSLServer__string, "1.2.840.113635.100.1.3.1", sizeof("1.2.840.113635.100.1.3.1") - 1},
    {&kSecPolicyAppleSSLClient__string, "1.2.840.113635.100.1.3.2", sizeof("1.2.840.113635.100.1.3.2") - 1},
    {&kSecPolicyAppleEAPServer__string, "1.2.840.113635.100.1.9.1", sizeof("1.2.840.113635.100.1.9.1") - 1},
    {&kSecPolicyAppleEAPClient__string, "1.2.840.113635.100.1.9.2", sizeof("1.2.840.113635.100.1.9.2") - 1},
    {&kSecPolicyAppleIPSecServer__string, "1.2.840.113635.100.1.11.1", sizeof("1.2.840.113635.100.1.11.1") - 1},
    {&kSecPolicyAppleIPSecClient__string, "1.2.840.113635.100.1.11.2", sizeof("1.2.840.113635.100.1.11.2") - 1},
    {&kSecPolicyAppleiChat__string, "1.2.840.113635.100.1.12", sizeof("1.2.840.113635.100.1.12") - 1},
    {&kSecPolicyKU_CRLSign__string, "CE_KU_CRLSign", sizeof("CE_KU_CRLSign") - 1},
    {&kSecPolicyKU_DataEncipherment__string, "CE_KU_DataEncipherment", sizeof("CE_KU_DataEncipherment") - 1},
    {&kSecPolicyKU_DecipherOnly__string, "CE_KU_DecipherOnly", sizeof("CE_KU_DecipherOnly") - 1},
    {&kSecPolicyKU_DigitalSignature__string, "CE_KU_DigitalSignature", sizeof("CE_KU_DigitalSignature") - 1},
    {&kSecPolicyKU_EncipherOnly__string, "CE_KU_EncipherOnly", sizeof("CE_KU_EncipherOnly") - 1},
    {&kSecPolicyKU_KeyAgreement__string, "CE_KU_KeyAgreement", sizeof("CE_KU_KeyAgreement") - 1},
    {&kSecPolicyKU_KeyCertSign__string, "CE_KU_KeyCertSign", sizeof("CE_KU_KeyCertSign") - 1},
    {&kSecPolicyKU_KeyEncipherment__string, "CE_KU_KeyEncipherment", sizeof("CE_KU_KeyEncipherment") - 1},
    {&kSecPolicyKU_NonRepudiation__string, "CE_KU_NonRepudiation", sizeof("CE_KU_NonRepudiation") - 1},
    {&kSecPolicyOid__string, "SecPolicyOid", sizeof("SecPolicyOid") - 1},
    {&kSecPolicyName__string, "SecPolicyName", sizeof("SecPolicyName") - 1},
    {&kSecPolicyClient__string, "SecPolicyClient", sizeof("SecPolicyClient") - 1},
    {&kSecPolicyRevocationFlags__string, "SecPolicyRevocationFlags", sizeof("SecPolicyRevocationFlags") - 1},
    {&kSecPolicyTeamIdentifier__string, "SecPolicyTeamIdentifier", sizeof("SecPolicyTeamIdentifier") - 1},
    {&kSecTrustEvaluationDate__string, "TrustEvaluationDate", sizeof("TrustEvaluationDate") - 1},
    {&kSecTrustResultValue__string, "TrustResultValue", sizeof("TrustResultValue") - 1},
    {&kSecTrustExtendedValidation__string, "TrustExtendedValidation", sizeof("TrustExtendedValidation") - 1},
    {&kSecTrustOrganizationName__string, "Organization", sizeof("Organization") - 1},
    {&kSecTrustRevocationChecked__string, "TrustRevocationChecked", sizeof("TrustRevocationChecked") - 1},
    {&kSecTrustRevocationValidUntilDate__string, "TrustExpirationDate", sizeof("TrustExpirationDate") - 1},
    {&kSecTrustCertificateTransparency__string, "TrustCertificateTransparency", sizeof("TrustCertificateTransparency") - 1},
    {&kSecTrustCertificateTransparencyWhiteList__string, "TrustCertificateTransparencyWhiteList", sizeof("TrustCertificateTransparencyWhiteList") - 1},
    {&kSecTrustQCStatements__string, "TrustQCStatements", sizeof("TrustQCStatements") - 1},
    {&kSecTrustQWACValidation__string, "TrustQWACValidation", sizeof("TrustQWACValidation") - 1},
    {&kSecPropertyTypeTitle__string, "title", sizeof("title") - 1},
    {&kSecPropertyTypeError__string, "error", sizeof("error") - 1},
    {&kSecTrustSettingsPolicy__string, "kSecTrustSettingsPolicy", sizeof("kSecTrustSettingsPolicy") - 1},
    {&kSecTrustSettingsPolicyName__string, "kSecTrustSettingsPolicyName", sizeof("kSecTrustSettingsPolicyName") - 1},
    {&kSecTrustSettingsApplication__string, "kSecTrustSettingsApplication", sizeof("kSecTrustSettingsApplication") - 1},
    {&kSecTrustSettingsPolicyString__string, "kSecTrustSettingsPolicyString", sizeof("kSecTrustSettingsPolicyString") - 1},
    {&kSecTrustSettingsKeyUsage__string, "kSecTrustSettingsKeyUsage", sizeof("kSecTrustSettingsKeyUsage") - 1},
    {&kSecTrustSettingsAllowedError__string, "kSecTrustSettingsAllowedError", sizeof("kSecTrustSettingsAllowedError") - 1},
    {&kSecTrustSettingsResult__string, "kSecTrustSettingsResult", sizeof("kSecTrustSettingsResult") - 1},
};

size_t csec_constant_count(void) {
    return sizeof all / sizeof *all;
}

struct csec_constant csec_constant_at(size_t index) {
    return all[index];
}
