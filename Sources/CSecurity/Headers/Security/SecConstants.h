/* SPDX-License-Identifier: Apache-2.0 */
/* Written by Scripts/c-names.py of the module Security: edit that. */
#ifndef SECURITY_SECCONSTANTS_H
#define SECURITY_SECCONSTANTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* SecAccessControlCreateFlags. */
enum {
    /* A person who is known to this device, by biometry or passcode. */
    kSecAccessControlUserPresence = 1 << 0,
    /* Any enrolled biometry. */
    kSecAccessControlBiometryAny = 1 << 1,
    /* Any enrolled biometry, by its older name. */
    kSecAccessControlTouchIDAny = 1 << 1,
    /* The biometry enrolled when the item was stored. */
    kSecAccessControlBiometryCurrentSet = 1 << 3,
    /* The biometry enrolled when the item was stored, by its older name. */
    kSecAccessControlTouchIDCurrentSet = 1 << 3,
    /* The passcode. */
    kSecAccessControlDevicePasscode = 1 << 4,
    /* A paired watch. */
    kSecAccessControlWatch = 1 << 5,
    /* A paired companion device. */
    kSecAccessControlCompanion = 1 << 5,
    /* One of the demands is enough. */
    kSecAccessControlOr = 1 << 14,
    /* All of the demands are to be met. */
    kSecAccessControlAnd = 1 << 15,
    /* The item is a private key that signs and agrees, and is never read. */
    kSecAccessControlPrivateKeyUsage = 1 << 30,
};
/* A password of the item's own. */
#define kSecAccessControlApplicationPassword (1u << 31)

/* SecKeychainPromptSelector. */
enum {
    /* The passcode is asked for. */
    kSecKeychainPromptRequirePassphase = 0x0001,
    /* Programs without a signature ask. */
    kSecKeychainPromptUnsigned = 0x0010,
    /* The last flag counts. */
    kSecKeychainPromptUnsignedAct = 0x0020,
    /* Programs whose signature is wrong ask. */
    kSecKeychainPromptInvalid = 0x0040,
    /* The last flag counts. */
    kSecKeychainPromptInvalidAct = 0x0080,
};

/* Numbers. */
enum {
    /* Only the user counts. */
    kSecUseOnlyUID = 1,
    /* Only the group counts. */
    kSecUseOnlyGID = 2,
    /* The system's administrator is honoured too. */
    kSecHonorRoot = 0x100,
    /* User and group both have to match. */
    kSecMatchBits = kSecUseOnlyUID | kSecUseOnlyGID,
    /* The certificate's kind. */
    kSecCertTypeItemAttr = 0x63747970,
    /* How the certificate is written. */
    kSecCertEncodingItemAttr = 0x63656E63,
    /* The subject's name. */
    kSecSubjectItemAttr = 0x7375626A,
    /* The issuer's name. */
    kSecIssuerItemAttr = 0x69737375,
    /* The serial number. */
    kSecSerialNumberItemAttr = 0x736E6272,
    /* The hash of the public key. */
    kSecPublicKeyHashItemAttr = 0x68706B79,
    /* The name of the subject's key. */
    kSecSubjectKeyIdentifierItemAttr = 0x736B6964,
    /* What part of a key it is: 0 the public one, 1 the private one, 2 a symmetric key. */
    kSecKeyKeyClass = 0,
    /* Its name, for people. */
    kSecKeyPrintName = 1,
    /* Another name. */
    kSecKeyAlias = 2,
    /* Whether it is stored. */
    kSecKeyPermanent = 3,
    /* Whether it is private. */
    kSecKeyPrivate = 4,
    /* Whether what is said of it can be changed. */
    kSecKeyModifiable = 5,
    /* The hash of the public key. */
    kSecKeyLabel = 6,
    /* What its program calls it. */
    kSecKeyApplicationTag = 7,
    /* The code of what made it. */
    kSecKeyKeyCreator = 8,
    /* Its algorithm, as a number of CDSA: 42 for RSA, 73 for curves. */
    kSecKeyKeyType = 9,
    /* How many bits it has. */
    kSecKeyKeySizeInBits = 10,
    /* How many of its bits count. */
    kSecKeyEffectiveKeySize = 11,
    /* From when on it may be used. */
    kSecKeyStartDate = 12,
    /* Until when it may be used. */
    kSecKeyEndDate = 13,
    /* Whether it leaves only wrapped. */
    kSecKeySensitive = 14,
    /* Whether that was always so. */
    kSecKeyAlwaysSensitive = 15,
    /* Whether it can leave. */
    kSecKeyExtractable = 16,
    /* Whether it never could. */
    kSecKeyNeverExtractable = 17,
    /* Whether it encrypts. */
    kSecKeyEncrypt = 18,
    /* Whether it decrypts. */
    kSecKeyDecrypt = 19,
    /* Whether other keys are derived of it. */
    kSecKeyDerive = 20,
    /* Whether it signs. */
    kSecKeySign = 21,
    /* Whether it verifies signatures. */
    kSecKeyVerify = 22,
    /* Whether its signatures give the message back. */
    kSecKeySignRecover = 23,
    /* Whether it takes messages out of signatures. */
    kSecKeyVerifyRecover = 24,
    /* Whether it wraps other keys. */
    kSecKeyWrap = 25,
    /* Whether it unwraps other keys. */
    kSecKeyUnwrap = 26,
    /* An X.509 certificate of version 1. */
    CSSM_CERT_X_509v1 = 1,
    /* An X.509 certificate of version 2. */
    CSSM_CERT_X_509v2 = 2,
    /* An X.509 certificate of version 3. */
    CSSM_CERT_X_509v3 = 3,
    /* The basic encoding rules. */
    CSSM_CERT_ENCODING_BER = 2,
    /* The distinguished encoding rules. */
    CSSM_CERT_ENCODING_DER = 3,
    /* The network data representation. */
    CSSM_CERT_ENCODING_NDR = 4,
    /* The version of SecItemImportExportKeyParameters. */
    SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION = 0,
    /* To encrypt. */
    CSSM_KEYUSE_ENCRYPT = 0x1,
    /* To decrypt. */
    CSSM_KEYUSE_DECRYPT = 0x2,
    /* To sign. */
    CSSM_KEYUSE_SIGN = 0x4,
    /* To verify signatures. */
    CSSM_KEYUSE_VERIFY = 0x8,
    /* To sign so that the signature gives the message back; no key here does that. */
    CSSM_KEYUSE_SIGN_RECOVER = 0x10,
    /* To take the message out of its signature; no key here does that. */
    CSSM_KEYUSE_VERIFY_RECOVER = 0x20,
    /* To wrap other keys. */
    CSSM_KEYUSE_WRAP = 0x40,
    /* To unwrap other keys. */
    CSSM_KEYUSE_UNWRAP = 0x80,
    /* To derive keys. */
    CSSM_KEYUSE_DERIVE = 0x100,
    /* The key is stored. */
    CSSM_KEYATTR_PERMANENT = 0x1,
    /* The key is private. */
    CSSM_KEYATTR_PRIVATE = 0x2,
    /* What is said of the key can be changed. */
    CSSM_KEYATTR_MODIFIABLE = 0x4,
    /* The key leaves only wrapped. */
    CSSM_KEYATTR_SENSITIVE = 0x8,
    /* The key was always sensitive. */
    CSSM_KEYATTR_ALWAYS_SENSITIVE = 0x10,
    /* The key can leave. */
    CSSM_KEYATTR_EXTRACTABLE = 0x20,
    /* The key never could leave. */
    CSSM_KEYATTR_NEVER_EXTRACTABLE = 0x40,
    /* What is returned of a key is as usual. */
    CSSM_KEYATTR_RETURN_DEFAULT = 0,
    /* The key is returned as data; a reference is returned all the same. */
    CSSM_KEYATTR_RETURN_DATA = 0x10000000,
    /* A reference to the key is returned. */
    CSSM_KEYATTR_RETURN_REF = 0x20000000,
    /* No key is returned; a reference is returned all the same, where the caller has a place for it. */
    CSSM_KEYATTR_RETURN_NONE = 0x40000000,
    /* It is open. */
    kSecUnlockStateStatus = 1,
    /* It can be read. */
    kSecReadPermStatus = 2,
    /* It can be written. */
    kSecWritePermStatus = 4,
    /* The only version of SecKeychainSettings. */
    SEC_KEYCHAIN_SETTINGS_VERS1 = 1,
    /* Responses of OCSP servers. */
    kSecRevocationOCSPMethod = 1 << 0,
    /* Certificate revocation lists. */
    kSecRevocationCRLMethod = 1 << 1,
    /* Lists before responses. */
    kSecRevocationPreferCRL = 1 << 2,
    /* A certificate of which nothing is known fails. */
    kSecRevocationRequirePositiveResponse = 1 << 3,
    /* Nobody is asked, also where fetching is allowed. */
    kSecRevocationNetworkAccessDisabled = 1 << 4,
    /* Responses or lists. */
    kSecRevocationUseAnyAvailableMethod = kSecRevocationOCSPMethod | kSecRevocationCRLMethod,
};
/* For all that the key can. */
#define CSSM_KEYUSE_ANY (0x80000000u)

/* CMSSignerStatus. */
enum {
    /* The message is not signed. */
    kCMSSignerUnsigned = 0,
    /* The signature is right, and the certificate is trusted where that was asked. */
    kCMSSignerValid = 1,
    /* The content is not in the message; it has to be given. */
    kCMSSignerNeedsDetachedContent = 2,
    /* The signature is not of this content by this key. */
    kCMSSignerInvalidSignature = 3,
    /* The signature is right, but the certificate is not trusted, or is not there. */
    kCMSSignerInvalidCert = 4,
    /* There is no signer of that number. */
    kCMSSignerInvalidIndex = 5,
};

/* CMSSignedAttributes. */
enum {
    /* Which ciphers the signer can read. */
    kCMSAttrSmimeCapabilities = 0x0001,
    /* That mail to the signer goes to the same certificate. */
    kCMSAttrSmimeEncryptionKeyPrefs = 0x0002,
    /* The same, as programs of Microsoft's read it. */
    kCMSAttrSmimeMSEncryptionKeyPrefs = 0x0004,
    /* When it was signed, by the signer's own clock. */
    kCMSAttrSigningTime = 0x0008,
    /* Further hashes of a signed program; refused. */
    kCMSAttrAppleCodesigningHashAgility = 0x0010,
    /* Further hashes of a signed program, in a later form; refused. */
    kCMSAttrAppleCodesigningHashAgilityV2 = 0x0020,
    /* Until when a signed program is good; refused. */
    kCMSAttrAppleExpirationTime = 0x0040,
};

/* CMSCertificateChainMode. */
enum {
    /* None. */
    kCMSCertificateNone = 0,
    /* Those of the signers alone. */
    kCMSCertificateSignerOnly = 1,
    /* Those of the signers and the authorities above them, but for the roots. */
    kCMSCertificateChain = 2,
    /* The same with the roots, where they are found. */
    kCMSCertificateChainWithRoot = 3,
    /* The same; without a root there is no message. */
    kCMSCertificateChainWithRootOrFail = 4,
};

/* SecItemAttr. */
enum {
    /* When it was made, as yyyymmddhhmmssZ and a zero. */
    kSecCreationDateItemAttr = 0x63646174,
    /* When it was changed, as yyyymmddhhmmssZ and a zero. */
    kSecModDateItemAttr = 0x6D646174,
    /* What kind of item it is, for people. */
    kSecDescriptionItemAttr = 0x64657363,
    /* A comment. */
    kSecCommentItemAttr = 0x69636D74,
    /* The code of the program that made it. */
    kSecCreatorItemAttr = 0x63727472,
    /* The code of its type. */
    kSecTypeItemAttr = 0x74797065,
    /* The code of its script. */
    kSecScriptCodeItemAttr = 0x73637270,
    /* Its name, for people. */
    kSecLabelItemAttr = 0x6C61626C,
    /* Whether it is not shown. */
    kSecInvisibleItemAttr = 0x696E7669,
    /* Whether there is no password on purpose. */
    kSecNegativeItemAttr = 0x6E656761,
    /* Whether it has an icon of its own. */
    kSecCustomIconItemAttr = 0x63757369,
    /* The account. */
    kSecAccountItemAttr = 0x61636374,
    /* The service. */
    kSecServiceItemAttr = 0x73766365,
    /* What its program keeps with it. */
    kSecGenericItemAttr = 0x67656E61,
    /* The security domain. */
    kSecSecurityDomainItemAttr = 0x73646D6E,
    /* The server. */
    kSecServerItemAttr = 0x73727672,
    /* A SecAuthenticationType. */
    kSecAuthenticationTypeItemAttr = 0x61747970,
    /* The port. */
    kSecPortItemAttr = 0x706F7274,
    /* The path. */
    kSecPathItemAttr = 0x70617468,
    /* The volume of an AppleShare password; there are none here. */
    kSecVolumeItemAttr = 0x766C6D65,
    /* The address of an AppleShare password; there are none here. */
    kSecAddressItemAttr = 0x61646472,
    /* The signature of an AppleShare server; there are none here. */
    kSecSignatureItemAttr = 0x73736967,
    /* A SecProtocolType. */
    kSecProtocolItemAttr = 0x7074636C,
    /* The type of a certificate. */
    kSecCertificateType = 0x63747970,
    /* The encoding of a certificate. */
    kSecCertificateEncoding = 0x63656E63,
    /* The type of a revocation list; there are none here. */
    kSecCrlType = 0x63727470,
    /* The encoding of a revocation list; there are none here. */
    kSecCrlEncoding = 0x63726E63,
    /* The alias. */
    kSecAlias = 0x616C6973,
};

/* SecItemClass. */
enum {
    /* A password for a server. */
    kSecInternetPasswordItemClass = 0x696E6574,
    /* Any other password. */
    kSecGenericPasswordItemClass = 0x67656E70,
    /* A password of AppleShare; there are none here. */
    kSecAppleSharePasswordItemClass = 0x61736870,
    /* A public key. */
    kSecPublicKeyItemClass = 0xF,
    /* A private key. */
    kSecPrivateKeyItemClass = 0x10,
    /* A symmetric key. */
    kSecSymmetricKeyItemClass = 0x11,
};
/* A certificate. */
#define kSecCertificateItemClass (0x80001000u)

/* SecKeychainEvent. */
enum {
    /* It was locked. */
    kSecLockEvent = 1,
    /* It was unlocked. */
    kSecUnlockEvent = 2,
    /* An item was added. */
    kSecAddEvent = 3,
    /* An item was deleted. */
    kSecDeleteEvent = 4,
    /* An item was changed. */
    kSecUpdateEvent = 5,
    /* Its passcode was changed. */
    kSecPasswordChangedEvent = 6,
    /* Another keychain is the default now. */
    kSecDefaultChangedEvent = 9,
    /* An item's secret was read; nobody tells of that here. */
    kSecDataAccessEvent = 10,
    /* The search list changed. */
    kSecKeychainListChangedEvent = 11,
    /* Trust settings changed; nobody tells of that here. */
    kSecTrustSettingsChangedEvent = 12,
};

/* SecKeychainEventMask. */
enum {
    /* A keychain was locked. */
    kSecLockEventMask = 1 << 1,
    /* A keychain was unlocked. */
    kSecUnlockEventMask = 1 << 2,
    /* An item was added. */
    kSecAddEventMask = 1 << 3,
    /* An item was deleted. */
    kSecDeleteEventMask = 1 << 4,
    /* An item was changed. */
    kSecUpdateEventMask = 1 << 5,
    /* A passcode was changed. */
    kSecPasswordChangedEventMask = 1 << 6,
    /* Another keychain is the default now. */
    kSecDefaultChangedEventMask = 1 << 9,
    /* A secret was read; nobody tells of that here. */
    kSecDataAccessEventMask = 1 << 10,
    /* The search list changed. */
    kSecKeychainListChangedMask = 1 << 11,
    /* Trust settings changed; nobody tells of that here. */
    kSecTrustSettingsChangedEventMask = 1 << 12,
};
/* All of them. */
#define kSecEveryEventMask (0xFFFFFFFFu)

/* SecPreferencesDomain. */
enum {
    /* The user's. */
    kSecPreferencesDomainUser = 0,
    /* The machine's. */
    kSecPreferencesDomainSystem = 1,
    /* Those that all have. */
    kSecPreferencesDomainCommon = 2,
    /* Those of what is plugged in. */
    kSecPreferencesDomainDynamic = 3,
};

/* SecProtocolType. */
enum {
    /* Any protocol, when something is looked for. */
    kSecProtocolTypeAny = 0,
    /* FTP. */
    kSecProtocolTypeFTP = 0x66747020,
    /* An account of the client's side of FTP. */
    kSecProtocolTypeFtpAccount = 0x66747061,
    /* HTTP. */
    kSecProtocolTypeHTTP = 0x68747470,
    /* IRC. */
    kSecProtocolTypeIRC = 0x69726320,
    /* NNTP. */
    kSecProtocolTypeNNTP = 0x6E6E7470,
    /* POP3. */
    kSecProtocolTypePOP3 = 0x706F7033,
    /* SMTP. */
    kSecProtocolTypeSMTP = 0x736D7470,
    /* SOCKS. */
    kSecProtocolTypeSOCKS = 0x736F7820,
    /* IMAP. */
    kSecProtocolTypeIMAP = 0x696D6170,
    /* LDAP. */
    kSecProtocolTypeLDAP = 0x6C646170,
    /* AFP over AppleTalk. */
    kSecProtocolTypeAppleTalk = 0x61746C6B,
    /* AFP over TCP. */
    kSecProtocolTypeAFP = 0x61667020,
    /* Telnet. */
    kSecProtocolTypeTelnet = 0x74656C6E,
    /* SSH. */
    kSecProtocolTypeSSH = 0x73736820,
    /* FTP over TLS. */
    kSecProtocolTypeFTPS = 0x66747073,
    /* HTTP over TLS. */
    kSecProtocolTypeHTTPS = 0x68747073,
    /* A proxy for HTTP. */
    kSecProtocolTypeHttpProxy = 0x68747078,
    /* A proxy for HTTPS. */
    kSecProtocolTypeHttpsProxy = 0x68747378,
    /* A proxy for FTP. */
    kSecProtocolTypeFtpProxy = 0x66747078,
    /* CIFS. */
    kSecProtocolTypeCIFS = 0x63696673,
    /* SMB. */
    kSecProtocolTypeSMB = 0x736D6220,
    /* RTSP. */
    kSecProtocolTypeRTSP = 0x72747370,
    /* A proxy for RTSP. */
    kSecProtocolTypeRtspProxy = 0x72747378,
    /* DAAP. */
    kSecProtocolTypeDAAP = 0x64616170,
    /* Remote Apple Events. */
    kSecProtocolTypeEPPC = 0x65707063,
    /* IPP. */
    kSecProtocolTypeIPP = 0x69707020,
    /* NNTP over TLS. */
    kSecProtocolTypeNNTPS = 0x6E747073,
    /* LDAP over TLS. */
    kSecProtocolTypeLDAPS = 0x6C647073,
    /* Telnet over TLS. */
    kSecProtocolTypeTelnetS = 0x74656C73,
    /* IMAP over TLS. */
    kSecProtocolTypeIMAPS = 0x696D7073,
    /* IRC over TLS. */
    kSecProtocolTypeIRCS = 0x69726373,
    /* POP3 over TLS. */
    kSecProtocolTypePOP3S = 0x706F7073,
    /* A server of CVS. */
    kSecProtocolTypeCvSpserver = 0x63767370,
    /* Subversion. */
    kSecProtocolTypeSVN = 0x73766E20,
};

/* SecAuthenticationType. */
enum {
    /* Any, when something is looked for. */
    kSecAuthenticationTypeAny = 0,
    /* NTLM. */
    kSecAuthenticationTypeNTLM = 0x6D6C746E,
    /* That of MSN. */
    kSecAuthenticationTypeMSN = 0x616E736D,
    /* Distributed password authentication. */
    kSecAuthenticationTypeDPA = 0x61617064,
    /* Remote password authentication. */
    kSecAuthenticationTypeRPA = 0x61617072,
    /* Basic authentication of HTTP. */
    kSecAuthenticationTypeHTTPBasic = 0x70747468,
    /* Digest authentication of HTTP. */
    kSecAuthenticationTypeHTTPDigest = 0x64747468,
    /* A form on a page. */
    kSecAuthenticationTypeHTMLForm = 0x6D726F66,
    /* The usual one. */
    kSecAuthenticationTypeDefault = 0x746C6664,
};

/* SecExternalFormat. */
enum {
    /* To be found out on import; on export the one that programs expect. */
    kSecFormatUnknown = 0,
    /* One key as OpenSSL wrote it first: private RSA keys in PKCS#1, private keys on curves in SEC 1, public keys as
       SubjectPublicKeyInfo; the newer kinds of private key, which have no form of their own, in PKCS#8. */
    kSecFormatOpenSSL = 1,
    /* A key of the first OpenSSH; not supported. */
    kSecFormatSSH = 2,
    /* One key in the standards of RSA: private keys in PKCS#8, public RSA keys in PKCS#1. */
    kSecFormatBSAFE = 3,
    /* The bytes of a symmetric key. */
    kSecFormatRawKey = 4,
    /* One private key in PKCS#8, encrypted. */
    kSecFormatWrappedPKCS8 = 5,
    /* One private key encrypted as OpenSSL did it first, under one round of MD5; it is read and not written. */
    kSecFormatWrappedOpenSSL = 6,
    /* An encrypted key of the first OpenSSH; not supported. */
    kSecFormatWrappedSSH = 7,
    /* Not supported. */
    kSecFormatWrappedLSH = 8,
    /* One certificate in DER. */
    kSecFormatX509Cert = 9,
    /* Keys and certificates in PEM, one after the other. */
    kSecFormatPEMSequence = 10,
    /* Certificates in PKCS#7. */
    kSecFormatPKCS7 = 11,
    /* Keys and certificates in PKCS#12, encrypted. */
    kSecFormatPKCS12 = 12,
    /* Certificates as Netscape wrote them; not supported. */
    kSecFormatNetscapeCertSequence = 13,
    /* A key of OpenSSH; not supported. */
    kSecFormatSSHv2 = 14,
};

/* SecExternalItemType. */
enum {
    /* To be found out. */
    kSecItemTypeUnknown = 0,
    /* A private key. */
    kSecItemTypePrivateKey = 1,
    /* A public key. */
    kSecItemTypePublicKey = 2,
    /* A symmetric key. */
    kSecItemTypeSessionKey = 3,
    /* A certificate. */
    kSecItemTypeCertificate = 4,
    /* Several things. */
    kSecItemTypeAggregate = 5,
};

/* SecItemImportExportFlags. */
enum {
    /* What is exported is text between two lines of dashes; what is imported has to be that. */
    kSecItemPemArmour = 1 << 0,
};

/* SecKeyUsage. */
enum {
    /* Signatures that are neither of certificates nor of revocation lists. */
    kSecKeyUsageDigitalSignature = 1 << 0,
    /* Signatures that the signer cannot deny. */
    kSecKeyUsageNonRepudiation = 1 << 1,
    /* Encryption of keys. */
    kSecKeyUsageKeyEncipherment = 1 << 2,
    /* Encryption of data. */
    kSecKeyUsageDataEncipherment = 1 << 3,
    /* Agreement on keys. */
    kSecKeyUsageKeyAgreement = 1 << 4,
    /* Signatures of certificates. */
    kSecKeyUsageKeyCertSign = 1 << 5,
    /* Signatures of revocation lists. */
    kSecKeyUsageCRLSign = 1 << 6,
    /* Of an agreement, encryption alone. */
    kSecKeyUsageEncipherOnly = 1 << 7,
    /* Of an agreement, decryption alone. */
    kSecKeyUsageDecipherOnly = 1 << 8,
    /* Nothing is said. */
    kSecKeyUsageUnspecified = 0,
    /* The newer name of nonRepudiation. */
    kSecKeyUsageContentCommitment = 1 << 1,
    /* All of them. */
    kSecKeyUsageAll = 0x7FFFFFFF,
};
/* A reader that does not understand it must refuse the certificate; a request always says so. */
#define kSecKeyUsageCritical (1u << 31)

/* SecKeyImportExportFlags. */
enum {
    /* Data with more than one private key is refused. */
    kSecKeyImportOnlyOne = 1 << 0,
    /* The person is asked for the passphrase; there is nothing here that could ask, so it is refused. */
    kSecKeySecurePassphrase = 1 << 1,
    /* Imported keys get no access list, which none has here. */
    kSecKeyNoAccessControl = 1 << 2,
};

/* SecKeyOperationType. */
enum {
    /* Making a signature. */
    kSecKeyOperationTypeSign = 0,
    /* Checking a signature. */
    kSecKeyOperationTypeVerify = 1,
    /* Encrypting. */
    kSecKeyOperationTypeEncrypt = 2,
    /* Decrypting. */
    kSecKeyOperationTypeDecrypt = 3,
    /* Agreeing on a secret. */
    kSecKeyOperationTypeKeyExchange = 4,
};

/* SecKeySizes. */
enum {
    /* The usual size of the type. */
    kSecDefaultKeySize = 0,
    /* Triple DES, AES-192 and P-192. */
    kSec3DES192 = 192,
    /* AES-128. */
    kSecAES128 = 128,
    /* AES-256 and P-256. */
    kSecAES256 = 256,
    /* P-384. */
    kSecp384r1 = 384,
    /* P-521. */
    kSecp521r1 = 521,
    /* The shortest of RSA. */
    kSecRSAMin = 1024,
    /* The longest of RSA. */
    kSecRSAMax = 4096,
    /* AES-192. */
    kSecAES192 = 192,
    /* P-192. */
    kSecp192r1 = 192,
    /* P-256. */
    kSecp256r1 = 256,
};

/* SecCredentialType. */
enum {
    /* As the key says. */
    kSecCredentialTypeDefault = 0,
    /* Asking. */
    kSecCredentialTypeWithUI = 1,
    /* Not asking. */
    kSecCredentialTypeNoUI = 2,
};

/* SecPadding. */
enum {
    /* PKCS#1 v1.5. */
    kSecPaddingPKCS1 = 1,
    /* OAEP with SHA-1. */
    kSecPaddingOAEP = 2,
    /* For elliptic curve keys: the signature is r and s side by side. */
    kSecPaddingSigRaw = 0x4000,
    /* PKCS#1 v1.5 of an MD2 digest; every key refuses it. */
    kSecPaddingPKCS1MD2 = 0x8000,
    /* PKCS#1 v1.5 of an MD5 digest; every key refuses it, as on Apple platforms. */
    kSecPaddingPKCS1MD5 = 0x8001,
    /* PKCS#1 v1.5 of a SHA-1 digest. */
    kSecPaddingPKCS1SHA1 = 0x8002,
    /* PKCS#1 v1.5 of a SHA-224 digest. */
    kSecPaddingPKCS1SHA224 = 0x8003,
    /* PKCS#1 v1.5 of a SHA-256 digest. */
    kSecPaddingPKCS1SHA256 = 0x8004,
    /* PKCS#1 v1.5 of a SHA-384 digest. */
    kSecPaddingPKCS1SHA384 = 0x8005,
    /* PKCS#1 v1.5 of a SHA-512 digest. */
    kSecPaddingPKCS1SHA512 = 0x8006,
};

/* Results of calls. */
enum {
    /* No error. */
    errSecSuccess = 0,
    /* Function or operation not implemented. */
    errSecUnimplemented = -4,
    /* The disk is full. */
    errSecDiskFull = -34,
    /* Another spelling of errSecDiskFull, which old code uses. */
    errSecDskFull = -34,
    /* I/O error. */
    errSecIO = -36,
    /* The file is already open with write permission. */
    errSecOpWr = -49,
    /* One or more parameters passed to a function were not valid. */
    errSecParam = -50,
    /* Write permissions error. */
    errSecWrPerm = -61,
    /* Failed to allocate memory. */
    errSecAllocate = -108,
    /* User canceled the operation. */
    errSecUserCanceled = -128,
    /* Bad parameter or invalid state for operation. */
    errSecBadReq = -909,
    /* An internal component failed. */
    errSecInternalComponent = -2070,
    /* An unknown Core Foundation error occurred. */
    errSecCoreFoundationUnknown = -4960,
    /* A required entitlement isn't present. */
    errSecMissingEntitlement = -34018,
    /* Client is restricted and is not permitted to perform this operation. */
    errSecRestrictedAPI = -34020,
    /* Underlying cryptographic error. */
    errSSLCrypto = -9809,
    /* The specified access control list is not in standard (simple) form. */
    errSecACLNotSimple = -25240,
    /* The specified policy cannot be found. */
    errSecPolicyNotFound = -25241,
    /* The specified trust setting is invalid. */
    errSecInvalidTrustSetting = -25242,
    /* The specified item has no access control. */
    errSecNoAccessForItem = -25243,
    /* Invalid attempt to change the owner of this item. */
    errSecInvalidOwnerEdit = -25244,
    /* No trust results are available. */
    errSecTrustNotAvailable = -25245,
    /* Import/Export format unsupported. */
    errSecUnsupportedFormat = -25256,
    /* Unknown format in import. */
    errSecUnknownFormat = -25257,
    /* Key material must be wrapped for export. */
    errSecKeyIsSensitive = -25258,
    /* An attempt was made to import multiple private keys. */
    errSecMultiplePrivKeys = -25259,
    /* Passphrase is required for import/export. */
    errSecPassphraseRequired = -25260,
    /* The password reference was invalid. */
    errSecInvalidPasswordRef = -25261,
    /* The trust settings record was corrupted. */
    errSecInvalidTrustSettings = -25262,
    /* No trust settings were found. */
    errSecNoTrustSettings = -25263,
    /* MAC verification failed during PKCS12 import (wrong password?). */
    errSecPkcs12VerifyFailure = -25264,
    /* No keychain is available. */
    errSecNotAvailable = -25291,
    /* This keychain cannot be modified. */
    errSecReadOnly = -25292,
    /* The user name or passphrase you entered is not correct. */
    errSecAuthFailed = -25293,
    /* The specified keychain could not be found. */
    errSecNoSuchKeychain = -25294,
    /* The specified keychain is not a valid keychain file. */
    errSecInvalidKeychain = -25295,
    /* A keychain with the same name already exists. */
    errSecDuplicateKeychain = -25296,
    /* The specified callback function is already installed. */
    errSecDuplicateCallback = -25297,
    /* The specified callback function is not valid. */
    errSecInvalidCallback = -25298,
    /* The specified item already exists in the keychain. */
    errSecDuplicateItem = -25299,
    /* The specified item could not be found in the keychain. */
    errSecItemNotFound = -25300,
    /* There is not enough memory available to use the specified item. */
    errSecBufferTooSmall = -25301,
    /* This item contains information which is too large or in a format that cannot be displayed. */
    errSecDataTooLarge = -25302,
    /* The specified attribute does not exist. */
    errSecNoSuchAttr = -25303,
    /* The specified item is no longer valid. */
    errSecInvalidItemRef = -25304,
    /* Unable to search the current keychain. */
    errSecInvalidSearchRef = -25305,
    /* The specified item does not appear to be a valid keychain item. */
    errSecNoSuchClass = -25306,
    /* A default keychain could not be found. */
    errSecNoDefaultKeychain = -25307,
    /* User interaction is not allowed. */
    errSecInteractionNotAllowed = -25308,
    /* The specified attribute could not be modified. */
    errSecReadOnlyAttr = -25309,
    /* This keychain was created by a different version of the system software and cannot be opened. */
    errSecWrongSecVersion = -25310,
    /* This item specifies a key size which is too large or too small. */
    errSecKeySizeNotAllowed = -25311,
    /* A required component (data storage module) could not be loaded. */
    errSecNoStorageModule = -25312,
    /* A required component (certificate module) could not be loaded. */
    errSecNoCertificateModule = -25313,
    /* A required component (policy module) could not be loaded. */
    errSecNoPolicyModule = -25314,
    /* User interaction is required, but is currently not allowed. */
    errSecInteractionRequired = -25315,
    /* The contents of this item cannot be retrieved. */
    errSecDataNotAvailable = -25316,
    /* The contents of this item cannot be modified. */
    errSecDataNotModifiable = -25317,
    /* One or more certificates required to validate this certificate cannot be found. */
    errSecCreateChainFailed = -25318,
    /* The specified preferences domain is not valid. */
    errSecInvalidPrefsDomain = -25319,
    /* In dark wake, no UI possible. */
    errSecInDarkWake = -25320,
    /* The certificate is not one that signed this data. */
    errSecNotSigner = -26267,
    /* Unable to decode the provided data. */
    errSecDecode = -26275,
    /* The policy does not allow this. */
    errSecPolicyDenied = -26270,
    /* An internal error occurred in the Security framework. */
    errSecInternal = -26276,
    /* Authentication is needed to use the item. */
    errSecAuthNeeded = -25330,
    /* The result arrives through a callback. */
    errSecWaitForCallback = -34017,
    /* The keychain is being upgraded. */
    errSecUpgradePending = -34019,
    /* The service that this needs is not available. */
    errSecServiceNotAvailable = -67585,
    /* The client did not identify itself well enough. */
    errSecInsufficientClientID = -67586,
    /* The device was reset while it was in use. */
    errSecDeviceReset = -67587,
    /* The device failed. */
    errSecDeviceFailed = -67588,
    /* The application could not be added to the access control list. */
    errSecAppleAddAppACLSubject = -67589,
    /* The public key lacks parameters that it should inherit. */
    errSecApplePublicKeyIncomplete = -67590,
    /* The signature of the code does not match the one on record. */
    errSecAppleSignatureMismatch = -67591,
    /* The start date of the key is not valid. */
    errSecAppleInvalidKeyStartDate = -67592,
    /* The end date of the key is not valid. */
    errSecAppleInvalidKeyEndDate = -67593,
    /* A value could not be converted to another form. */
    errSecConversionError = -67594,
    /* The connection was rolled back to SSL version 2. */
    errSecAppleSSLv2Rollback = -67595,
    /* The storage quota is used up. */
    errSecQuotaExceeded = -67596,
    /* The file is larger than allowed. */
    errSecFileTooBig = -67597,
    /* The database holds a blob that is not valid. */
    errSecInvalidDatabaseBlob = -67598,
    /* The key holds a blob that is not valid. */
    errSecInvalidKeyBlob = -67599,
    /* The version of the database's blob is not supported. */
    errSecIncompatibleDatabaseBlob = -67600,
    /* The version of the key's blob is not supported. */
    errSecIncompatibleKeyBlob = -67601,
    /* The host name does not match the certificate. */
    errSecHostNameMismatch = -67602,
    /* The certificate has a critical extension that is not known. */
    errSecUnknownCriticalExtensionFlag = -67603,
    /* The certificate has no basic constraints. */
    errSecNoBasicConstraints = -67604,
    /* The basic constraints do not say that this is a certificate authority. */
    errSecNoBasicConstraintsCA = -67605,
    /* The authority key identifier is not valid. */
    errSecInvalidAuthorityKeyID = -67606,
    /* The subject key identifier is not valid. */
    errSecInvalidSubjectKeyID = -67607,
    /* The key usage does not satisfy the policy. */
    errSecInvalidKeyUsageForPolicy = -67608,
    /* The extended key usage is not valid. */
    errSecInvalidExtendedKeyUsage = -67609,
    /* The key identifiers of issuer and certificate do not link up. */
    errSecInvalidIDLinkage = -67610,
    /* The certificate chain is longer than its path length constraint allows. */
    errSecPathLengthConstraintExceeded = -67611,
    /* The root of the certificate chain is not valid. */
    errSecInvalidRoot = -67612,
    /* The certificate revocation list has expired. */
    errSecCRLExpired = -67613,
    /* The certificate revocation list is not valid yet. */
    errSecCRLNotValidYet = -67614,
    /* The certificate revocation list was not found. */
    errSecCRLNotFound = -67615,
    /* The server of the certificate revocation list does not answer. */
    errSecCRLServerDown = -67616,
    /* The address of the certificate revocation list is malformed. */
    errSecCRLBadURI = -67617,
    /* The certificate has an extension that is not known. */
    errSecUnknownCertExtension = -67618,
    /* The certificate revocation list has an extension that is not known. */
    errSecUnknownCRLExtension = -67619,
    /* The certificate revocation list is not trusted. */
    errSecCRLNotTrusted = -67620,
    /* The certificate revocation list failed a policy. */
    errSecCRLPolicyFailed = -67621,
    /* The issuing distribution point does not apply to this certificate. */
    errSecIDPFailure = -67622,
    /* The certificate does not name the expected e-mail address. */
    errSecSMIMEEmailAddressesNotFound = -67623,
    /* The extended key usage does not allow S/MIME. */
    errSecSMIMEBadExtendedKeyUsage = -67624,
    /* The key usage does not allow S/MIME. */
    errSecSMIMEBadKeyUsage = -67625,
    /* The key usage extension is not marked critical, as S/MIME demands. */
    errSecSMIMEKeyUsageNotCritical = -67626,
    /* The certificate names no e-mail address. */
    errSecSMIMENoEmailAddress = -67627,
    /* The subject alternative name is not marked critical, as S/MIME demands. */
    errSecSMIMESubjAltNameNotCritical = -67628,
    /* The extended key usage does not allow SSL. */
    errSecSSLBadExtendedKeyUsage = -67629,
    /* The OCSP response is malformed or cannot be parsed. */
    errSecOCSPBadResponse = -67630,
    /* The OCSP request is malformed or cannot be parsed. */
    errSecOCSPBadRequest = -67631,
    /* The OCSP service is not available. */
    errSecOCSPUnavailable = -67632,
    /* The OCSP server does not recognize this certificate. */
    errSecOCSPStatusUnrecognized = -67633,
    /* The data ended before it was complete. */
    errSecEndOfData = -67634,
    /* The check for revocation could not be completed. */
    errSecIncompleteCertRevocationCheck = -67635,
    /* The network failed. */
    errSecNetworkFailure = -67636,
    /* The OCSP response is not trusted by any anchor certificate. */
    errSecOCSPNotTrustedToAnchor = -67637,
    /* The record was modified in the meantime. */
    errSecRecordModified = -67638,
    /* The signature of the OCSP response is not valid. */
    errSecOCSPSignatureError = -67639,
    /* The OCSP response has no signer. */
    errSecOCSPNoSigner = -67640,
    /* The OCSP responder found the request malformed. */
    errSecOCSPResponderMalformedReq = -67641,
    /* The OCSP responder met an internal error. */
    errSecOCSPResponderInternalError = -67642,
    /* The OCSP responder is busy: try again later. */
    errSecOCSPResponderTryLater = -67643,
    /* The OCSP responder requires a signed request. */
    errSecOCSPResponderSignatureRequired = -67644,
    /* The OCSP responder refused the request as unauthorized. */
    errSecOCSPResponderUnauthorized = -67645,
    /* The nonce of the OCSP response differs from the request's. */
    errSecOCSPResponseNonceMismatch = -67646,
    /* The certificate chain for code signing has the wrong length. */
    errSecCodeSigningBadCertChainLength = -67647,
    /* The certificate for code signing has no basic constraints. */
    errSecCodeSigningNoBasicConstraints = -67648,
    /* The path length constraint of the code signing certificate is not valid. */
    errSecCodeSigningBadPathLengthConstraint = -67649,
    /* The certificate for code signing has no extended key usage. */
    errSecCodeSigningNoExtendedKeyUsage = -67650,
    /* The certificate may sign code for development only. */
    errSecCodeSigningDevelopment = -67651,
    /* The certificate chain for resource signing has the wrong length. */
    errSecResourceSignBadCertChainLength = -67652,
    /* The extended key usage does not allow resource signing. */
    errSecResourceSignBadExtKeyUsage = -67653,
    /* The trust settings for this policy say deny. */
    errSecTrustSettingDeny = -67654,
    /* The subject name is empty or not valid. */
    errSecInvalidSubjectName = -67655,
    /* The certificate has a qualified statement that is not known. */
    errSecUnknownQualifiedCertStatement = -67656,
    /* The MobileMe request will be sent at the next connection. */
    errSecMobileMeRequestQueued = -67657,
    /* The MobileMe request was redirected. */
    errSecMobileMeRequestRedirected = -67658,
    /* The MobileMe server met an error. */
    errSecMobileMeServerError = -67659,
    /* The MobileMe server is not available. */
    errSecMobileMeServerNotAvailable = -67660,
    /* The MobileMe server already has this item. */
    errSecMobileMeServerAlreadyExists = -67661,
    /* The MobileMe service met an error. */
    errSecMobileMeServerServiceErr = -67662,
    /* A MobileMe request is pending already. */
    errSecMobileMeRequestAlreadyPending = -67663,
    /* No MobileMe request is pending. */
    errSecMobileMeNoRequestPending = -67664,
    /* MobileMe could not verify the certificate signing request. */
    errSecMobileMeCSRVerifyFailure = -67665,
    /* MobileMe found an inconsistency. */
    errSecMobileMeFailedConsistencyCheck = -67666,
    /* The function was called before initialization. */
    errSecNotInitialized = -67667,
    /* The handle cannot be used for this. */
    errSecInvalidHandleUsage = -67668,
    /* The module that called this was not found among the verified ones. */
    errSecPVCReferentNotFound = -67669,
    /* The address of the function failed its integrity check. */
    errSecFunctionIntegrityFail = -67670,
    /* An internal error has occurred. */
    errSecInternalError = -67671,
    /* A memory error has occurred. */
    errSecMemoryError = -67672,
    /* The data is not valid. */
    errSecInvalidData = -67673,
    /* The module directory service met an error. */
    errSecMDSError = -67674,
    /* A pointer is not valid. */
    errSecInvalidPointer = -67675,
    /* The self-check failed. */
    errSecSelfCheckFailed = -67676,
    /* The function failed. */
    errSecFunctionFailed = -67677,
    /* The manifest of a module could not be verified. */
    errSecModuleManifestVerifyFailed = -67678,
    /* The unique identifier is not valid. */
    errSecInvalidGUID = -67679,
    /* The handle is not valid. */
    errSecInvalidHandle = -67680,
    /* The list of databases is not valid. */
    errSecInvalidDBList = -67681,
    /* The identifier of the passed-through operation is not valid. */
    errSecInvalidPassthroughID = -67682,
    /* The network address is not valid. */
    errSecInvalidNetworkAddress = -67683,
    /* The certificate revocation list is signed already. */
    errSecCRLAlreadySigned = -67684,
    /* The number of fields is not valid. */
    errSecInvalidNumberOfFields = -67685,
    /* A verification failed. */
    errSecVerificationFailure = -67686,
    /* The tag is not known. */
    errSecUnknownTag = -67687,
    /* The signature is not valid. */
    errSecInvalidSignature = -67688,
    /* The name is not valid. */
    errSecInvalidName = -67689,
    /* The certificate reference is not valid. */
    errSecInvalidCertificateRef = -67690,
    /* The certificate group is not valid. */
    errSecInvalidCertificateGroup = -67691,
    /* The tag was not found. */
    errSecTagNotFound = -67692,
    /* The query is not valid. */
    errSecInvalidQuery = -67693,
    /* The value is not valid. */
    errSecInvalidValue = -67694,
    /* A callback failed. */
    errSecCallbackFailed = -67695,
    /* An entry of the access control list could not be deleted. */
    errSecACLDeleteFailed = -67696,
    /* An entry of the access control list could not be replaced. */
    errSecACLReplaceFailed = -67697,
    /* An entry could not be added to the access control list. */
    errSecACLAddFailed = -67698,
    /* The access control list could not be changed. */
    errSecACLChangeFailed = -67699,
    /* The access credentials are not valid. */
    errSecInvalidAccessCredentials = -67700,
    /* The record is not valid. */
    errSecInvalidRecord = -67701,
    /* The access control list is not valid. */
    errSecInvalidACL = -67702,
    /* A sample value of the credentials is not valid. */
    errSecInvalidSampleValue = -67703,
    /* The version is not compatible. */
    errSecIncompatibleVersion = -67704,
    /* The privilege was not granted. */
    errSecPrivilegeNotGranted = -67705,
    /* The scope is not valid. */
    errSecInvalidScope = -67706,
    /* The verification of callers is configured already. */
    errSecPVCAlreadyConfigured = -67707,
    /* The setting for the verification of callers is not valid. */
    errSecInvalidPVC = -67708,
    /* The elective module manager could not be loaded. */
    errSecEMMLoadFailed = -67709,
    /* The elective module manager could not be unloaded. */
    errSecEMMUnloadFailed = -67710,
    /* A plug-in could not be loaded. */
    errSecAddinLoadFailed = -67711,
    /* The key reference is not valid. */
    errSecInvalidKeyRef = -67712,
    /* The key hierarchy is not valid. */
    errSecInvalidKeyHierarchy = -67713,
    /* A plug-in could not be unloaded. */
    errSecAddinUnloadFailed = -67714,
    /* The library reference was not found. */
    errSecLibraryReferenceNotFound = -67715,
    /* The function table of a plug-in is not valid. */
    errSecInvalidAddinFunctionTable = -67716,
    /* The service mask is not valid. */
    errSecInvalidServiceMask = -67717,
    /* The module is not loaded. */
    errSecModuleNotLoaded = -67718,
    /* The subservice identifier is not valid. */
    errSecInvalidSubServiceID = -67719,
    /* The attribute is not part of the context. */
    errSecAttributeNotInContext = -67720,
    /* The module manager could not be initialized. */
    errSecModuleManagerInitializeFailed = -67721,
    /* The module manager was not found. */
    errSecModuleManagerNotFound = -67722,
    /* The callback for event notifications was not found. */
    errSecEventNotificationCallbackNotFound = -67723,
    /* The input has the wrong length. */
    errSecInputLengthError = -67724,
    /* The output has the wrong length. */
    errSecOutputLengthError = -67725,
    /* The privilege is not supported. */
    errSecPrivilegeNotSupported = -67726,
    /* The device reported an error. */
    errSecDeviceError = -67727,
    /* The attached handle is busy. */
    errSecAttachHandleBusy = -67728,
    /* You are not logged in. */
    errSecNotLoggedIn = -67729,
    /* The algorithm does not match the key. */
    errSecAlgorithmMismatch = -67730,
    /* The key may not be used for this. */
    errSecKeyUsageIncorrect = -67731,
    /* The blob of the key has the wrong type. */
    errSecKeyBlobTypeIncorrect = -67732,
    /* The header of the key contradicts itself. */
    errSecKeyHeaderInconsistent = -67733,
    /* The key format is not supported. */
    errSecUnsupportedKeyFormat = -67734,
    /* The key size is not supported. */
    errSecUnsupportedKeySize = -67735,
    /* The key usage mask is not valid. */
    errSecInvalidKeyUsageMask = -67736,
    /* The key usage mask is not supported. */
    errSecUnsupportedKeyUsageMask = -67737,
    /* The key attribute mask is not valid. */
    errSecInvalidKeyAttributeMask = -67738,
    /* The key attribute mask is not supported. */
    errSecUnsupportedKeyAttributeMask = -67739,
    /* The key label is not valid. */
    errSecInvalidKeyLabel = -67740,
    /* The key label is not supported. */
    errSecUnsupportedKeyLabel = -67741,
    /* The key format is not valid. */
    errSecInvalidKeyFormat = -67742,
    /* A vector of buffers is not supported. */
    errSecUnsupportedVectorOfBuffers = -67743,
    /* The vector of input buffers is not valid. */
    errSecInvalidInputVector = -67744,
    /* The vector of output buffers is not valid. */
    errSecInvalidOutputVector = -67745,
    /* The context is not valid. */
    errSecInvalidContext = -67746,
    /* The algorithm is not valid. */
    errSecInvalidAlgorithm = -67747,
    /* The key is not valid. */
    errSecInvalidAttributeKey = -67748,
    /* The key is missing. */
    errSecMissingAttributeKey = -67749,
    /* The initialization vector is not valid. */
    errSecInvalidAttributeInitVector = -67750,
    /* The initialization vector is missing. */
    errSecMissingAttributeInitVector = -67751,
    /* The salt is not valid. */
    errSecInvalidAttributeSalt = -67752,
    /* The salt is missing. */
    errSecMissingAttributeSalt = -67753,
    /* The padding is not valid. */
    errSecInvalidAttributePadding = -67754,
    /* The padding is missing. */
    errSecMissingAttributePadding = -67755,
    /* The random number is not valid. */
    errSecInvalidAttributeRandom = -67756,
    /* The random number is missing. */
    errSecMissingAttributeRandom = -67757,
    /* The seed is not valid. */
    errSecInvalidAttributeSeed = -67758,
    /* The seed is missing. */
    errSecMissingAttributeSeed = -67759,
    /* The passphrase is not valid. */
    errSecInvalidAttributePassphrase = -67760,
    /* The passphrase is missing. */
    errSecMissingAttributePassphrase = -67761,
    /* The key length is not valid. */
    errSecInvalidAttributeKeyLength = -67762,
    /* The key length is missing. */
    errSecMissingAttributeKeyLength = -67763,
    /* The block size is not valid. */
    errSecInvalidAttributeBlockSize = -67764,
    /* The block size is missing. */
    errSecMissingAttributeBlockSize = -67765,
    /* The output size is not valid. */
    errSecInvalidAttributeOutputSize = -67766,
    /* The output size is missing. */
    errSecMissingAttributeOutputSize = -67767,
    /* The number of rounds is not valid. */
    errSecInvalidAttributeRounds = -67768,
    /* The number of rounds is missing. */
    errSecMissingAttributeRounds = -67769,
    /* The parameters of the algorithm are not valid. */
    errSecInvalidAlgorithmParms = -67770,
    /* The parameters of the algorithm are missing. */
    errSecMissingAlgorithmParms = -67771,
    /* The label is not valid. */
    errSecInvalidAttributeLabel = -67772,
    /* The label is missing. */
    errSecMissingAttributeLabel = -67773,
    /* The key type is not valid. */
    errSecInvalidAttributeKeyType = -67774,
    /* The key type is missing. */
    errSecMissingAttributeKeyType = -67775,
    /* The mode is not valid. */
    errSecInvalidAttributeMode = -67776,
    /* The mode is missing. */
    errSecMissingAttributeMode = -67777,
    /* The number of effective bits is not valid. */
    errSecInvalidAttributeEffectiveBits = -67778,
    /* The number of effective bits is missing. */
    errSecMissingAttributeEffectiveBits = -67779,
    /* The start date is not valid. */
    errSecInvalidAttributeStartDate = -67780,
    /* The start date is missing. */
    errSecMissingAttributeStartDate = -67781,
    /* The end date is not valid. */
    errSecInvalidAttributeEndDate = -67782,
    /* The end date is missing. */
    errSecMissingAttributeEndDate = -67783,
    /* The version is not valid. */
    errSecInvalidAttributeVersion = -67784,
    /* The version is missing. */
    errSecMissingAttributeVersion = -67785,
    /* The prime is not valid. */
    errSecInvalidAttributePrime = -67786,
    /* The prime is missing. */
    errSecMissingAttributePrime = -67787,
    /* The base is not valid. */
    errSecInvalidAttributeBase = -67788,
    /* The base is missing. */
    errSecMissingAttributeBase = -67789,
    /* The subprime is not valid. */
    errSecInvalidAttributeSubprime = -67790,
    /* The subprime is missing. */
    errSecMissingAttributeSubprime = -67791,
    /* The iteration count is not valid. */
    errSecInvalidAttributeIterationCount = -67792,
    /* The iteration count is missing. */
    errSecMissingAttributeIterationCount = -67793,
    /* The database handle is not valid. */
    errSecInvalidAttributeDLDBHandle = -67794,
    /* The database handle is missing. */
    errSecMissingAttributeDLDBHandle = -67795,
    /* The access credential is not valid. */
    errSecInvalidAttributeAccessCredentials = -67796,
    /* The access credential is missing. */
    errSecMissingAttributeAccessCredentials = -67797,
    /* The public key format is not valid. */
    errSecInvalidAttributePublicKeyFormat = -67798,
    /* The public key format is missing. */
    errSecMissingAttributePublicKeyFormat = -67799,
    /* The private key format is not valid. */
    errSecInvalidAttributePrivateKeyFormat = -67800,
    /* The private key format is missing. */
    errSecMissingAttributePrivateKeyFormat = -67801,
    /* The symmetric key format is not valid. */
    errSecInvalidAttributeSymmetricKeyFormat = -67802,
    /* The symmetric key format is missing. */
    errSecMissingAttributeSymmetricKeyFormat = -67803,
    /* The wrapped key format is not valid. */
    errSecInvalidAttributeWrappedKeyFormat = -67804,
    /* The wrapped key format is missing. */
    errSecMissingAttributeWrappedKeyFormat = -67805,
    /* A staged operation is in progress. */
    errSecStagedOperationInProgress = -67806,
    /* A staged operation was not started. */
    errSecStagedOperationNotStarted = -67807,
    /* A cryptographic verification failure has occurred. */
    errSecVerifyFailed = -67808,
    /* The size of the query's result is not known. */
    errSecQuerySizeUnknown = -67809,
    /* The block size does not match. */
    errSecBlockSizeMismatch = -67810,
    /* The public key contradicts itself. */
    errSecPublicKeyInconsistent = -67811,
    /* The device could not be verified. */
    errSecDeviceVerifyFailed = -67812,
    /* The login name is not valid. */
    errSecInvalidLoginName = -67813,
    /* You are logged in already. */
    errSecAlreadyLoggedIn = -67814,
    /* The digest algorithm is not valid. */
    errSecInvalidDigestAlgorithm = -67815,
    /* The group of certificate revocation lists is not valid. */
    errSecInvalidCRLGroup = -67816,
    /* The certificate cannot be used for this. */
    errSecCertificateCannotOperate = -67817,
    /* The certificate has expired. */
    errSecCertificateExpired = -67818,
    /* The certificate is not valid yet. */
    errSecCertificateNotValidYet = -67819,
    /* The certificate was revoked. */
    errSecCertificateRevoked = -67820,
    /* The certificate was suspended. */
    errSecCertificateSuspended = -67821,
    /* The credentials do not suffice. */
    errSecInsufficientCredentials = -67822,
    /* The action is not valid. */
    errSecInvalidAction = -67823,
    /* The authority is not valid. */
    errSecInvalidAuthority = -67824,
    /* The action could not be verified. */
    errSecVerifyActionFailed = -67825,
    /* The certificate authority is not valid. */
    errSecInvalidCertAuthority = -67826,
    /* The authority of the certificate revocation list is not valid. */
    errSecInvalidCRLAuthority = -67827,
    /* Another spelling of errSecInvalidCRLAuthority, which old code uses. */
    errSecInvaldCRLAuthority = -67827,
    /* The encoding of the certificate revocation list is not valid. */
    errSecInvalidCRLEncoding = -67828,
    /* The type of the certificate revocation list is not valid. */
    errSecInvalidCRLType = -67829,
    /* The certificate revocation list is not valid. */
    errSecInvalidCRL = -67830,
    /* The form type is not valid. */
    errSecInvalidFormType = -67831,
    /* The identifier in the request is not valid. */
    errSecInvalidID = -67832,
    /* The identifier is not valid. */
    errSecInvalidIdentifier = -67833,
    /* The index is not valid. */
    errSecInvalidIndex = -67834,
    /* The policy identifiers are not valid. */
    errSecInvalidPolicyIdentifiers = -67835,
    /* The time is not written as it should be. */
    errSecInvalidTimeString = -67836,
    /* The reason is not valid. */
    errSecInvalidReason = -67837,
    /* The inputs of the request are not valid. */
    errSecInvalidRequestInputs = -67838,
    /* The response vector is not valid. */
    errSecInvalidResponseVector = -67839,
    /* The policy to stop on is not valid. */
    errSecInvalidStopOnPolicy = -67840,
    /* The tuple is not valid. */
    errSecInvalidTuple = -67841,
    /* Several values are not supported here. */
    errSecMultipleValuesUnsupported = -67842,
    /* It is not trusted. */
    errSecNotTrusted = -67843,
    /* There is no default authority. */
    errSecNoDefaultAuthority = -67844,
    /* The form was rejected. */
    errSecRejectedForm = -67845,
    /* The request was lost. */
    errSecRequestLost = -67846,
    /* The request was rejected. */
    errSecRequestRejected = -67847,
    /* The address type is not supported. */
    errSecUnsupportedAddressType = -67848,
    /* The service is not supported. */
    errSecUnsupportedService = -67849,
    /* The group of tuples is not valid. */
    errSecInvalidTupleGroup = -67850,
    /* The base access control lists are not valid. */
    errSecInvalidBaseACLs = -67851,
    /* The credentials of the tuple are not valid. */
    errSecInvalidTupleCredentials = -67852,
    /* Another spelling of errSecInvalidTupleCredentials, which old code uses. */
    errSecInvalidTupleCredendtials = -67852,
    /* The encoding is not valid. */
    errSecInvalidEncoding = -67853,
    /* The validity period is not valid. */
    errSecInvalidValidityPeriod = -67854,
    /* The requestor is not valid. */
    errSecInvalidRequestor = -67855,
    /* The descriptor of the request is not valid. */
    errSecRequestDescriptor = -67856,
    /* The bundle information is not valid. */
    errSecInvalidBundleInfo = -67857,
    /* The index into the certificate revocation list is not valid. */
    errSecInvalidCRLIndex = -67858,
    /* The field has no values. */
    errSecNoFieldValues = -67859,
    /* The field format is not supported. */
    errSecUnsupportedFieldFormat = -67860,
    /* The index information is not supported. */
    errSecUnsupportedIndexInfo = -67861,
    /* The locality is not supported. */
    errSecUnsupportedLocality = -67862,
    /* This number of attributes is not supported. */
    errSecUnsupportedNumAttributes = -67863,
    /* This number of indexes is not supported. */
    errSecUnsupportedNumIndexes = -67864,
    /* This number of record types is not supported. */
    errSecUnsupportedNumRecordTypes = -67865,
    /* A field was given more than once. */
    errSecFieldSpecifiedMultiple = -67866,
    /* The field format is not compatible. */
    errSecIncompatibleFieldFormat = -67867,
    /* The parsing module is not valid. */
    errSecInvalidParsingModule = -67868,
    /* The database is locked. */
    errSecDatabaseLocked = -67869,
    /* The data store is open. */
    errSecDatastoreIsOpen = -67870,
    /* A value is missing. */
    errSecMissingValue = -67871,
    /* The query limits are not supported. */
    errSecUnsupportedQueryLimits = -67872,
    /* This number of selection predicates is not supported. */
    errSecUnsupportedNumSelectionPreds = -67873,
    /* The operator is not supported. */
    errSecUnsupportedOperator = -67874,
    /* The location of the database is not valid. */
    errSecInvalidDBLocation = -67875,
    /* The access request is not valid. */
    errSecInvalidAccessRequest = -67876,
    /* The index information is not valid. */
    errSecInvalidIndexInfo = -67877,
    /* The new owner is not valid. */
    errSecInvalidNewOwner = -67878,
    /* The modify mode is not valid. */
    errSecInvalidModifyMode = -67879,
    /* A required certificate extension is missing. */
    errSecMissingRequiredExtension = -67880,
    /* The extended key usage extension is not marked critical. */
    errSecExtendedKeyUsageNotCritical = -67881,
    /* A timestamp was expected but is missing. */
    errSecTimestampMissing = -67882,
    /* The timestamp is not valid. */
    errSecTimestampInvalid = -67883,
    /* The timestamp is not trusted. */
    errSecTimestampNotTrusted = -67884,
    /* The timestamp service is not available. */
    errSecTimestampServiceNotAvailable = -67885,
    /* The timestamp uses an algorithm that is unknown or not supported. */
    errSecTimestampBadAlg = -67886,
    /* The timestamp request is not allowed or not supported. */
    errSecTimestampBadRequest = -67887,
    /* The timestamp request has the wrong format. */
    errSecTimestampBadDataFormat = -67888,
    /* The time source of the timestamp authority is not available. */
    errSecTimestampTimeNotAvailable = -67889,
    /* The timestamp authority does not accept the requested policy. */
    errSecTimestampUnacceptedPolicy = -67890,
    /* The timestamp authority does not accept the requested extension. */
    errSecTimestampUnacceptedExtension = -67891,
    /* The timestamp authority lacks the additional information asked for. */
    errSecTimestampAddInfoNotAvailable = -67892,
    /* The timestamp authority failed to handle the request. */
    errSecTimestampSystemFailure = -67893,
    /* A signing time was expected but is missing. */
    errSecSigningTimeMissing = -67894,
    /* The timestamp request was rejected. */
    errSecTimestampRejection = -67895,
    /* The timestamp request is waiting. */
    errSecTimestampWaiting = -67896,
    /* The timestamp authority's certificate is about to be revoked. */
    errSecTimestampRevocationWarning = -67897,
    /* The timestamp authority's certificate was revoked. */
    errSecTimestampRevocationNotification = -67898,
    /* The issuer's policies do not allow this certificate. */
    errSecCertificatePolicyNotAllowed = -67899,
    /* The issuer's name constraints do not allow this certificate. */
    errSecCertificateNameNotAllowed = -67900,
    /* The certificate is valid for longer than allowed. */
    errSecCertificateValidityPeriodTooLong = -67901,
    /* The certificate is that of an authority, where another was expected. */
    errSecCertificateIsCA = -67902,
    /* The certificate has an extension twice. */
    errSecCertificateDuplicateExtension = -67903,
    /* A required qualified statement is missing from the certificate. */
    errSecMissingQualifiedCertStatement = -67904,
    /* TLS: the other side does not keep to the protocol. */
    errSSLProtocol = -9800,
    /* TLS: the two sides have no cipher suite in common. */
    errSSLNegotiation = -9801,
    /* TLS: the other side sent a fatal alert. */
    errSSLFatalAlert = -9802,
    /* TLS: the operation would have to wait; try again. */
    errSSLWouldBlock = -9803,
    /* TLS: there is no such session to resume. */
    errSSLSessionNotFound = -9804,
    /* TLS: the connection was closed in order. */
    errSSLClosedGraceful = -9805,
    /* TLS: the connection was closed because of an error. */
    errSSLClosedAbort = -9806,
    /* TLS: the certificate chain is not valid. */
    errSSLXCertChainInvalid = -9807,
    /* TLS: the certificate cannot be read. */
    errSSLBadCert = -9808,
    /* TLS: an internal error occurred. */
    errSSLInternal = -9810,
    /* TLS: a cryptographic module cannot be used. */
    errSSLModuleAttach = -9811,
    /* TLS: the chain ends at a root that is not known. */
    errSSLUnknownRootCert = -9812,
    /* TLS: the chain does not end at a root. */
    errSSLNoRootCert = -9813,
    /* TLS: a certificate of the chain has expired. */
    errSSLCertExpired = -9814,
    /* TLS: a certificate of the chain is not valid yet. */
    errSSLCertNotYetValid = -9815,
    /* TLS: the connection was closed without notice. */
    errSSLClosedNoNotify = -9816,
    /* TLS: a buffer is too small. */
    errSSLBufferOverflow = -9817,
    /* TLS: the cipher suite is not allowed here. */
    errSSLBadCipherSuite = -9818,
    /* TLS: the other side received an unexpected message. */
    errSSLPeerUnexpectedMsg = -9819,
    /* TLS: the other side found a wrong authentication code. */
    errSSLPeerBadRecordMac = -9820,
    /* TLS: the other side could not decrypt. */
    errSSLPeerDecryptionFail = -9821,
    /* TLS: the other side received a record that is too long. */
    errSSLPeerRecordOverflow = -9822,
    /* TLS: the other side could not decompress. */
    errSSLPeerDecompressFail = -9823,
    /* TLS: the other side refused the handshake. */
    errSSLPeerHandshakeFail = -9824,
    /* TLS: the other side found the certificate bad. */
    errSSLPeerBadCert = -9825,
    /* TLS: the other side does not support the certificate. */
    errSSLPeerUnsupportedCert = -9826,
    /* TLS: the other side found the certificate revoked. */
    errSSLPeerCertRevoked = -9827,
    /* TLS: the other side found the certificate expired. */
    errSSLPeerCertExpired = -9828,
    /* TLS: the other side does not accept the certificate. */
    errSSLPeerCertUnknown = -9829,
    /* TLS: a parameter is not legal. */
    errSSLIllegalParam = -9830,
    /* TLS: the other side does not know the authority. */
    errSSLPeerUnknownCA = -9831,
    /* TLS: the other side denied access. */
    errSSLPeerAccessDenied = -9832,
    /* TLS: the other side could not read a message. */
    errSSLPeerDecodeError = -9833,
    /* TLS: the other side found a signature or a key exchange wrong. */
    errSSLPeerDecryptError = -9834,
    /* TLS: the other side found an export restriction broken. */
    errSSLPeerExportRestriction = -9835,
    /* TLS: the other side does not support the version. */
    errSSLPeerProtocolVersion = -9836,
    /* TLS: the other side requires more security. */
    errSSLPeerInsufficientSecurity = -9837,
    /* TLS: the other side had an internal error. */
    errSSLPeerInternalError = -9838,
    /* TLS: the user of the other side cancelled. */
    errSSLPeerUserCancelled = -9839,
    /* TLS: the other side does not renegotiate. */
    errSSLPeerNoRenegotiation = -9840,
    /* TLS: the certificate of the other side is there and may be examined. */
    errSSLPeerAuthCompleted = -9841,
    /* TLS: the server asks for a certificate. */
    errSSLClientCertRequested = -9842,
    /* TLS: the certificate is for another host. */
    errSSLHostNameMismatch = -9843,
    /* TLS: the other side closed before it answered. */
    errSSLConnectionRefused = -9844,
    /* TLS: a record cannot be decrypted. */
    errSSLDecryptionFail = -9845,
    /* TLS: the authentication code of a record is wrong. */
    errSSLBadRecordMac = -9846,
    /* TLS: a record is too long. */
    errSSLRecordOverflow = -9847,
    /* TLS: the configuration contradicts itself. */
    errSSLBadConfiguration = -9848,
    /* TLS: a record was not expected. */
    errSSLUnexpectedRecord = -9849,
    /* TLS: the ephemeral key of the other side is too short. */
    errSSLWeakPeerEphemeralDHKey = -9850,
    /* TLS: the greeting of a client arrived and may be examined. */
    errSSLClientHelloReceived = -9851,
    /* TLS: the transport was reset. */
    errSSLTransportReset = -9852,
    /* TLS: the network did not answer in time. */
    errSSLNetworkTimeout = -9853,
    /* TLS: the configuration could not be used. */
    errSSLConfigurationFailed = -9854,
    /* TLS: an extension was not offered. */
    errSSLUnsupportedExtension = -9855,
    /* TLS: a message was not expected. */
    errSSLUnexpectedMessage = -9856,
    /* TLS: a record cannot be decompressed. */
    errSSLDecompressFail = -9857,
    /* TLS: the handshake failed. */
    errSSLHandshakeFail = -9858,
    /* TLS: a message cannot be read. */
    errSSLDecodeError = -9859,
    /* TLS: the client fell back to an older version without need. */
    errSSLInappropriateFallback = -9860,
    /* TLS: an extension is missing. */
    errSSLMissingExtension = -9861,
    /* TLS: the answer about the certificate is bad. */
    errSSLBadCertificateStatusResponse = -9862,
    /* TLS: a certificate is required. */
    errSSLCertificateRequired = -9863,
    /* TLS: the name of the shared key is not known. */
    errSSLUnknownPSKIdentity = -9864,
    /* TLS: the server does not know the name. */
    errSSLUnrecognizedName = -9865,
    /* TLS: the transport policy was broken. */
    errSSLATSViolation = -9880,
    /* TLS: the version is older than the transport policy allows. */
    errSSLATSMinimumVersionViolation = -9881,
    /* TLS: the transport policy does not allow the cipher suite. */
    errSSLATSCiphersuiteViolation = -9882,
    /* TLS: a key is shorter than the transport policy allows. */
    errSSLATSMinimumKeySizeViolation = -9883,
    /* TLS: the transport policy does not allow the digest of the certificate. */
    errSSLATSLeafCertificateHashAlgorithmViolation = -9884,
    /* TLS: the transport policy does not allow a digest in the chain. */
    errSSLATSCertificateHashAlgorithmViolation = -9885,
    /* TLS: a certificate is not trusted as the transport policy requires. */
    errSSLATSCertificateTrustViolation = -9886,
    /* TLS: early data was rejected. */
    errSSLEarlyDataRejected = -9890,
};

/* SecTrustResultType. */
enum {
    /* There was none since the trust was made or changed. */
    kSecTrustResultInvalid = 0,
    /* Trusted because the trust settings, or exceptions, say so. */
    kSecTrustResultProceed = 1,
    /* The user was to be asked; no longer a result anywhere. */
    kSecTrustResultConfirm = 2,
    /* Distrusted because the trust settings say so. */
    kSecTrustResultDeny = 3,
    /* Trusted. */
    kSecTrustResultUnspecified = 4,
    /* Not trusted; a user or other anchors might still accept it. */
    kSecTrustResultRecoverableTrustFailure = 5,
    /* Not trusted, and nothing can make it so: revoked, forged or too weak. */
    kSecTrustResultFatalTrustFailure = 6,
    /* It could not be examined. */
    kSecTrustResultOtherError = 7,
};

/* SecTrustOptionFlags. */
enum {
    /* A certificate under the root may have expired. */
    kSecTrustOptionAllowExpired = 0x00000001,
    /* The certificate in question may be an authority's; that is always allowed here. */
    kSecTrustOptionLeafIsCA = 0x00000002,
    /* A missing issuer may be fetched, with the transport that the program gave. */
    kSecTrustOptionFetchIssuerFromNet = 0x00000004,
    /* The root may have expired. */
    kSecTrustOptionAllowExpiredRoot = 0x00000008,
    /* Every certificate under the root has to be known not to be revoked. */
    kSecTrustOptionRequireRevPerCert = 0x00000010,
    /* Trust settings count; they always do here, unless the program set anchors of its own. */
    kSecTrustOptionUseTrustSettings = 0x00000020,
    /* Every given certificate that names itself as its issuer is believed. */
    kSecTrustOptionImplicitAnchors = 0x00000040,
};

/* SecTrustSettingsDomain. */
enum {
    /* The user's own. */
    kSecTrustSettingsDomainUser = 0,
    /* Those of the machine's administrator, for all users; root changes them. */
    kSecTrustSettingsDomainAdmin = 1,
    /* The authorities that the system came with; they cannot be changed here. */
    kSecTrustSettingsDomainSystem = 2,
};

/* SecTrustSettingsResult. */
enum {
    /* Nothing; it cannot be set. */
    kSecTrustSettingsResultInvalid = 0,
    /* It is a root, and believed. */
    kSecTrustSettingsResultTrustRoot = 1,
    /* It is no root, and believed like one. */
    kSecTrustSettingsResultTrustAsRoot = 2,
    /* It is never trusted, nor what it issued. */
    kSecTrustSettingsResultDeny = 3,
    /* Neither: its own chain decides. */
    kSecTrustSettingsResultUnspecified = 4,
};

/* SecTrustSettingsKeyUsage. */
enum {
    /* Signatures of data. */
    kSecTrustSettingsKeyUseSignature = 0x00000001,
    /* Encryption of data. */
    kSecTrustSettingsKeyUseEnDecryptData = 0x00000002,
    /* Encryption of keys. */
    kSecTrustSettingsKeyUseEnDecryptKey = 0x00000004,
    /* Signatures of certificates. */
    kSecTrustSettingsKeyUseSignCert = 0x00000008,
    /* Signatures of revocation lists and responses. */
    kSecTrustSettingsKeyUseSignRevocation = 0x00000010,
    /* Agreement on keys. */
    kSecTrustSettingsKeyUseKeyExchange = 0x00000020,
};
/* All of them. */
#define kSecTrustSettingsKeyUseAny (0xFFFFFFFFu)

/* Names and values in dictionaries, algorithms, policies. */

/* Anything. */
extern const CFStringRef kSecACLAuthorizationAny;
/* Changing the access list. */
extern const CFStringRef kSecACLAuthorizationChangeACL;
/* Changing the owner. */
extern const CFStringRef kSecACLAuthorizationChangeOwner;
/* Decrypting, and reading a password. */
extern const CFStringRef kSecACLAuthorizationDecrypt;
/* Deleting. */
extern const CFStringRef kSecACLAuthorizationDelete;
/* Deriving keys. */
extern const CFStringRef kSecACLAuthorizationDerive;
/* Encrypting. */
extern const CFStringRef kSecACLAuthorizationEncrypt;
/* Exporting a key as it is. */
extern const CFStringRef kSecACLAuthorizationExportClear;
/* Exporting a key encrypted. */
extern const CFStringRef kSecACLAuthorizationExportWrapped;
/* Making keys. */
extern const CFStringRef kSecACLAuthorizationGenKey;
/* Importing a key as it is. */
extern const CFStringRef kSecACLAuthorizationImportClear;
/* Importing an encrypted key. */
extern const CFStringRef kSecACLAuthorizationImportWrapped;
/* What seals the access list. */
extern const CFStringRef kSecACLAuthorizationIntegrity;
/* Making a keychain. */
extern const CFStringRef kSecACLAuthorizationKeychainCreate;
/* Deleting a keychain. */
extern const CFStringRef kSecACLAuthorizationKeychainDelete;
/* Deleting an item of a keychain. */
extern const CFStringRef kSecACLAuthorizationKeychainItemDelete;
/* Adding an item to a keychain. */
extern const CFStringRef kSecACLAuthorizationKeychainItemInsert;
/* Changing an item of a keychain. */
extern const CFStringRef kSecACLAuthorizationKeychainItemModify;
/* Reading an item of a keychain. */
extern const CFStringRef kSecACLAuthorizationKeychainItemRead;
/* Beginning a session. */
extern const CFStringRef kSecACLAuthorizationLogin;
/* Authenticating messages. */
extern const CFStringRef kSecACLAuthorizationMAC;
/* The partitions of programs that share it. */
extern const CFStringRef kSecACLAuthorizationPartitionID;
/* Signing. */
extern const CFStringRef kSecACLAuthorizationSign;
/* SHA-1, for readers that know no other. */
extern const CFStringRef kCMSEncoderDigestAlgorithmSHA1;
/* SHA-256. */
extern const CFStringRef kCMSEncoderDigestAlgorithmSHA256;
/* One of the kSecPropertyType… values. */
extern const CFStringRef kSecPropertyKeyType;
/* What the part is called. */
extern const CFStringRef kSecPropertyKeyLabel;
/* What the part is called in the reader's language; here as kSecPropertyKeyLabel. */
extern const CFStringRef kSecPropertyKeyLocalizedLabel;
/* What stands there. */
extern const CFStringRef kSecPropertyKeyValue;
/* A warning. */
extern const CFStringRef kSecPropertyTypeWarning;
/* That all is well. */
extern const CFStringRef kSecPropertyTypeSuccess;
/* An array of further parts. */
extern const CFStringRef kSecPropertyTypeSection;
/* Bytes. */
extern const CFStringRef kSecPropertyTypeData;
/* Text. */
extern const CFStringRef kSecPropertyTypeString;
/* An address. */
extern const CFStringRef kSecPropertyTypeURL;
/* A date. */
extern const CFStringRef kSecPropertyTypeDate;
/* An array. */
extern const CFStringRef kSecPropertyTypeArray;
/* A number; the moments of a validity are seconds since 2001. */
extern const CFStringRef kSecPropertyTypeNumber;
/* The usual identity of the system. */
extern const CFStringRef kSecIdentityDomainDefault;
/* The identity of the system's Kerberos server. */
extern const CFStringRef kSecIdentityDomainKerberosKDC;
/* Rules of Apple's own certificates. */
extern const CFStringRef kSecOIDADC_CERT_POLICY;
/* Rules of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_CERT_POLICY;
/* A purpose of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EKU_CODE_SIGNING;
/* A purpose of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EKU_CODE_SIGNING_DEV;
/* A purpose of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION;
/* A purpose of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EKU_ICHAT_SIGNING;
/* A purpose of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EKU_RESOURCE_SIGNING;
/* A purpose of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EKU_SYSTEM_IDENTITY;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_APPLE_SIGNING;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_CODE_SIGNING;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE;
/* An extension of Apple's own certificates. */
extern const CFStringRef kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE;
/* Where the issuer and its answers about revocation are to be had. */
extern const CFStringRef kSecOIDAuthorityInfoAccess;
/* Which key of the issuer signed. */
extern const CFStringRef kSecOIDAuthorityKeyIdentifier;
/* Whether it is an authority. */
extern const CFStringRef kSecOIDBasicConstraints;
/* Biometric data of the subject. */
extern const CFStringRef kSecOIDBiometricInfo;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDCSSMKeyStruct;
/* Who issued an entry of a list. */
extern const CFStringRef kSecOIDCertIssuer;
/* By which rules it was issued. */
extern const CFStringRef kSecOIDCertificatePolicies;
/* The client's end of TLS. */
extern const CFStringRef kSecOIDClientAuth;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDCollectiveStateProvinceName;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDCollectiveStreetAddress;
/* The name itself. */
extern const CFStringRef kSecOIDCommonName;
/* The country, two letters. */
extern const CFStringRef kSecOIDCountryName;
/* Where lists of what was revoked are to be had. */
extern const CFStringRef kSecOIDCrlDistributionPoints;
/* The number of a list. */
extern const CFStringRef kSecOIDCrlNumber;
/* Why an entry of a list was revoked. */
extern const CFStringRef kSecOIDCrlReason;
/* For certificates of a service that Apple no longer has. */
extern const CFStringRef kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT;
/* For certificates of a service that Apple no longer has. */
extern const CFStringRef kSecOIDDOTMAC_CERT_EMAIL_SIGN;
/* For certificates of a service that Apple no longer has. */
extern const CFStringRef kSecOIDDOTMAC_CERT_EXTENSION;
/* For certificates of a service that Apple no longer has. */
extern const CFStringRef kSecOIDDOTMAC_CERT_IDENTITY;
/* For certificates of a service that Apple no longer has. */
extern const CFStringRef kSecOIDDOTMAC_CERT_POLICY;
/* That a list has changes alone. */
extern const CFStringRef kSecOIDDeltaCrlIndicator;
/* A description. */
extern const CFStringRef kSecOIDDescription;
/* Virtual private networks. */
extern const CFStringRef kSecOIDEKU_IPSec;
/* An e-mail address in a name. */
extern const CFStringRef kSecOIDEmailAddress;
/* Signed or encrypted mail. */
extern const CFStringRef kSecOIDEmailProtection;
/* What the certificate is for. */
extern const CFStringRef kSecOIDExtendedKeyUsage;
/* Any purpose. */
extern const CFStringRef kSecOIDExtendedKeyUsageAny;
/* Signed programs. */
extern const CFStringRef kSecOIDExtendedUseCodeSigning;
/* A first name. */
extern const CFStringRef kSecOIDGivenName;
/* What to do while an entry is on hold. */
extern const CFStringRef kSecOIDHoldInstructionCode;
/* From when an entry was not to be believed. */
extern const CFStringRef kSecOIDInvalidityDate;
/* Further names of the issuer. */
extern const CFStringRef kSecOIDIssuerAltName;
/* What a list is about. */
extern const CFStringRef kSecOIDIssuingDistributionPoint;
/* What a list is about. */
extern const CFStringRef kSecOIDIssuingDistributionPoints;
/* Kerberos, one of its two ends. */
extern const CFStringRef kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH;
/* Kerberos, one of its two ends. */
extern const CFStringRef kSecOIDKERBv5_PKINIT_KP_KDC;
/* What the key is for. */
extern const CFStringRef kSecOIDKeyUsage;
/* A town. */
extern const CFStringRef kSecOIDLocalityName;
/* For programs of Microsoft's. */
extern const CFStringRef kSecOIDMS_NTPrincipalName;
/* For programs of Microsoft's. */
extern const CFStringRef kSecOIDMicrosoftSGC;
/* What names an authority may certify. */
extern const CFStringRef kSecOIDNameConstraints;
/* A row of certificates, as Netscape wrote it. */
extern const CFStringRef kSecOIDNetscapeCertSequence;
/* The kind of certificate, as Netscape wrote it. */
extern const CFStringRef kSecOIDNetscapeCertType;
/* For programs of Netscape's. */
extern const CFStringRef kSecOIDNetscapeSGC;
/* Answers about revocation. */
extern const CFStringRef kSecOIDOCSPSigning;
/* A company or another body. */
extern const CFStringRef kSecOIDOrganizationName;
/* A part of it. */
extern const CFStringRef kSecOIDOrganizationalUnitName;
/* Which rules have to be kept below an authority. */
extern const CFStringRef kSecOIDPolicyConstraints;
/* Which rules of two bodies are the same. */
extern const CFStringRef kSecOIDPolicyMappings;
/* How long the private key is used. */
extern const CFStringRef kSecOIDPrivateKeyUsagePeriod;
/* What a qualified certificate says of itself. */
extern const CFStringRef kSecOIDQC_Statements;
/* The name of a service. */
extern const CFStringRef kSecOIDSRVName;
/* The number of a device or a person in a name. */
extern const CFStringRef kSecOIDSerialNumber;
/* The server's end of TLS. */
extern const CFStringRef kSecOIDServerAuth;
/* A state or a province. */
extern const CFStringRef kSecOIDStateProvinceName;
/* A street. */
extern const CFStringRef kSecOIDStreetAddress;
/* Further names of the subject. */
extern const CFStringRef kSecOIDSubjectAltName;
/* What a directory says of the subject. */
extern const CFStringRef kSecOIDSubjectDirectoryAttributes;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDSubjectEmailAddress;
/* Where more of the subject is to be had. */
extern const CFStringRef kSecOIDSubjectInfoAccess;
/* By what the key is known. */
extern const CFStringRef kSecOIDSubjectKeyIdentifier;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDSubjectPicture;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDSubjectSignatureBitmap;
/* A last name. */
extern const CFStringRef kSecOIDSurname;
/* Time stamps. */
extern const CFStringRef kSecOIDTimeStamping;
/* A title. */
extern const CFStringRef kSecOIDTitle;
/* An identifier of older programs. */
extern const CFStringRef kSecOIDUseExemptions;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1CertificateIssuerUniqueId;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1CertificateSubjectUniqueId;
/* Who issued it. */
extern const CFStringRef kSecOIDX509V1IssuerName;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1IssuerNameCStruct;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1IssuerNameLDAP;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1IssuerNameStd;
/* The issuer's number of it. */
extern const CFStringRef kSecOIDX509V1SerialNumber;
/* The bits of the signature. */
extern const CFStringRef kSecOIDX509V1Signature;
/* How it was signed. */
extern const CFStringRef kSecOIDX509V1SignatureAlgorithm;
/* The parameters of the signature. */
extern const CFStringRef kSecOIDX509V1SignatureAlgorithmParameters;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SignatureAlgorithmTBS;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SignatureCStruct;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SignatureStruct;
/* Whose it is. */
extern const CFStringRef kSecOIDX509V1SubjectName;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SubjectNameCStruct;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SubjectNameLDAP;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SubjectNameStd;
/* The bits of the public key. */
extern const CFStringRef kSecOIDX509V1SubjectPublicKey;
/* The kind of public key. */
extern const CFStringRef kSecOIDX509V1SubjectPublicKeyAlgorithm;
/* The parameters of the public key. */
extern const CFStringRef kSecOIDX509V1SubjectPublicKeyAlgorithmParameters;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V1SubjectPublicKeyCStruct;
/* Until when it is valid. */
extern const CFStringRef kSecOIDX509V1ValidityNotAfter;
/* From when it is valid. */
extern const CFStringRef kSecOIDX509V1ValidityNotBefore;
/* The version, 1 to 3. */
extern const CFStringRef kSecOIDX509V1Version;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V3Certificate;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V3CertificateCStruct;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionCStruct;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionCritical;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionId;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionStruct;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionType;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionValue;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionsCStruct;
/* A part of an extension, as older programs name it. */
extern const CFStringRef kSecOIDX509V3CertificateExtensionsStruct;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V3CertificateNumberOfExtensions;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V3SignedCertificate;
/* A part of a certificate in a form of older programs; SecCertificateCopyValues() has no such value. */
extern const CFStringRef kSecOIDX509V3SignedCertificateCStruct;
/* When the item can be read: one of the kSecAttrAccessible… values. */
extern const CFStringRef kSecAttrAccessible;
/* The SecAccessControl that protects the item. */
extern const CFStringRef kSecAttrAccessControl;
/* The access list of an item in a file keychain; it has no meaning on Linux and is refused. */
extern const CFStringRef kSecAttrAccess;
/* The access group the item belongs to. */
extern const CFStringRef kSecAttrAccessGroup;
/* Whether the item may be synchronized. */
extern const CFStringRef kSecAttrSynchronizable;
/* The value of kSecAttrSynchronizable that finds items whether synchronized or not. */
extern const CFStringRef kSecAttrSynchronizableAny;
/* The set of synchronized items that the item belongs to. */
extern const CFStringRef kSecAttrSyncViewHint;
/* When the item was added. */
extern const CFStringRef kSecAttrCreationDate;
/* When the item last changed. */
extern const CFStringRef kSecAttrModificationDate;
/* The name of the item that a user sees. */
extern const CFStringRef kSecAttrLabel;
/* The persistent reference of an item, in the older spelling. */
extern const CFStringRef kSecAttrPersistantReference;
/* The persistent reference of an item. */
extern const CFStringRef kSecAttrPersistentReference;
/* What sort of item this is, for the user to see. */
extern const CFStringRef kSecAttrDescription;
/* A comment on the item that the user can edit. */
extern const CFStringRef kSecAttrComment;
/* The creator of the item, a four-character code as a number. */
extern const CFStringRef kSecAttrCreator;
/* The type of the item, a four-character code as a number. */
extern const CFStringRef kSecAttrType;
/* Whether the item is hidden from lists shown to the user. */
extern const CFStringRef kSecAttrIsInvisible;
/* Whether the item stands for "ask the user each time" and holds no valid password. */
extern const CFStringRef kSecAttrIsNegative;
/* The account's name. */
extern const CFStringRef kSecAttrAccount;
/* The service that a generic password is for. */
extern const CFStringRef kSecAttrService;
/* What the program wants to keep with a generic password. */
extern const CFStringRef kSecAttrGeneric;
/* The security domain of an internet password. */
extern const CFStringRef kSecAttrSecurityDomain;
/* The server's name or address. */
extern const CFStringRef kSecAttrServer;
/* The protocol: one of the kSecAttrProtocol… values. */
extern const CFStringRef kSecAttrProtocol;
/* The way of authenticating: one of the kSecAttrAuthenticationType… values. */
extern const CFStringRef kSecAttrAuthenticationType;
/* The server's port. */
extern const CFStringRef kSecAttrPort;
/* The path on the server. */
extern const CFStringRef kSecAttrPath;
/* The subject's name, as normalized DER. */
extern const CFStringRef kSecAttrSubject;
/* The issuer's name, as normalized DER. */
extern const CFStringRef kSecAttrIssuer;
/* The serial number of the certificate. */
extern const CFStringRef kSecAttrSerialNumber;
/* The subject key identifier of the certificate. */
extern const CFStringRef kSecAttrSubjectKeyID;
/* The hash of the certificate's public key. */
extern const CFStringRef kSecAttrPublicKeyHash;
/* The type of the certificate, such as CSSM_CERT_X_509v3. */
extern const CFStringRef kSecAttrCertificateType;
/* The encoding of the certificate, such as CSSM_CERT_ENCODING_DER. */
extern const CFStringRef kSecAttrCertificateEncoding;
/* Whether the key is public, private or symmetric: one of the kSecAttrKeyClass… values. */
extern const CFStringRef kSecAttrKeyClass;
/* The label that programs find a key by: the hash of the public key unless it was set. */
extern const CFStringRef kSecAttrApplicationLabel;
/* Whether the key is to be stored when it is made. */
extern const CFStringRef kSecAttrIsPermanent;
/* Whether the key leaves the keychain only wrapped. */
extern const CFStringRef kSecAttrIsSensitive;
/* Whether the key can leave the keychain at all. */
extern const CFStringRef kSecAttrIsExtractable;
/* The tag that a program gives its key. */
extern const CFStringRef kSecAttrApplicationTag;
/* The key's algorithm: one of the kSecAttrKeyType… values. */
extern const CFStringRef kSecAttrKeyType;
/* The number of bits of the key. */
extern const CFStringRef kSecAttrKeySizeInBits;
/* The number of bits of the key that count for its strength. */
extern const CFStringRef kSecAttrEffectiveKeySize;
/* The token that holds the key: one of the kSecAttrTokenID… values. */
extern const CFStringRef kSecAttrTokenID;
/* Whether the key may encrypt. */
extern const CFStringRef kSecAttrCanEncrypt;
/* Whether the key may decrypt. */
extern const CFStringRef kSecAttrCanDecrypt;
/* Whether other keys may be derived from the key. */
extern const CFStringRef kSecAttrCanDerive;
/* Whether the key may sign. */
extern const CFStringRef kSecAttrCanSign;
/* Whether the key may verify signatures. */
extern const CFStringRef kSecAttrCanVerify;
/* Whether the key may wrap other keys. */
extern const CFStringRef kSecAttrCanWrap;
/* Whether the key may unwrap other keys. */
extern const CFStringRef kSecAttrCanUnwrap;
/* The dictionary of attributes for the private key of a new pair. */
extern const CFStringRef kSecPrivateKeyAttrs;
/* The dictionary of attributes for the public key of a new pair. */
extern const CFStringRef kSecPublicKeyAttrs;
/* The function a key is derived with: one of the kSecAttrPRFHmacAlg… values. */
extern const CFStringRef kSecAttrPRF;
/* The salt a key is derived with, as data. */
extern const CFStringRef kSecAttrSalt;
/* The number of rounds a key is derived with. */
extern const CFStringRef kSecAttrRounds;
/* HMAC with SHA-1. */
extern const CFStringRef kSecAttrPRFHmacAlgSHA1;
/* HMAC with SHA-224. */
extern const CFStringRef kSecAttrPRFHmacAlgSHA224;
/* HMAC with SHA-256. */
extern const CFStringRef kSecAttrPRFHmacAlgSHA256;
/* HMAC with SHA-384. */
extern const CFStringRef kSecAttrPRFHmacAlgSHA384;
/* HMAC with SHA-512. */
extern const CFStringRef kSecAttrPRFHmacAlgSHA512;
/* Another name of the item. */
extern const CFStringRef kSecAttrAlias;
/* Whether the item stands for a deleted one. */
extern const CFStringRef kSecAttrTombstone;
/* The user that the item belongs to, on a machine of many users. */
extern const CFStringRef kSecAttrMultiUser;
/* The item's identity in synchronization. */
extern const CFStringRef kSecAttrUUID;
/* The digest of the item. */
extern const CFStringRef kSecAttrSHA1;
/* Whether a backup leaves the item out and a restore leaves it alone. */
extern const CFStringRef kSecAttrSysBound;
/* The former name of kSecUseDataProtectionKeychain. */
extern const CFStringRef kSecAttrNoLegacy;
/* The script that the item's strings are written in. */
extern const CFStringRef kSecAttrScriptCode;
/* Whether the item has an icon of its own. */
extern const CFStringRef kSecAttrHasCustomIcon;
/* The volume on an AppleShare server; no class has it. */
extern const CFStringRef kSecAttrVolume;
/* The address of an AppleShare server; no class has it. */
extern const CFStringRef kSecAttrAddress;
/* The signature of an AppleShare server; no class has it. */
extern const CFStringRef kSecAttrAFPServerSignature;
/* The type of a revocation list; no class has it. */
extern const CFStringRef kSecAttrCRLType;
/* The encoding of a revocation list; no class has it. */
extern const CFStringRef kSecAttrCRLEncoding;
/* Whether the key is private. */
extern const CFStringRef kSecAttrIsPrivate;
/* Whether the key can be changed. */
extern const CFStringRef kSecAttrIsModifiable;
/* The creator of the key. */
extern const CFStringRef kSecAttrKeyCreator;
/* When the key begins to be valid. */
extern const CFStringRef kSecAttrStartDate;
/* When the key ceases to be valid. */
extern const CFStringRef kSecAttrEndDate;
/* Whether the key has been sensitive all its life. */
extern const CFStringRef kSecAttrWasAlwaysSensitive;
/* Whether the key has never been extractable. */
extern const CFStringRef kSecAttrWasNeverExtractable;
/* Whether the key may sign so that the message can be recovered. */
extern const CFStringRef kSecAttrCanSignRecover;
/* Whether the key may recover messages while verifying. */
extern const CFStringRef kSecAttrCanVerifyRecover;
/* The dictionary of attributes for a new symmetric key. */
extern const CFStringRef kSecSymmetricKeyAttrs;
/* The key's object within its token. */
extern const CFStringRef kSecAttrTokenOID;
/* The key as the enclave wrapped it. */
extern const CFStringRef kSecAttrSecureEnclaveKeyBlob;
/* Notes on an internet password, secret like the password. */
extern const CFStringRef kSecDataInetExtraNotes;
/* The history of an internet password, secret like the password. */
extern const CFStringRef kSecDataInetExtraHistory;
/* What a program keeps secret with an internet password, first of four. */
extern const CFStringRef kSecDataInetExtraClientDefined0;
/* What a program keeps secret with an internet password, second of four. */
extern const CFStringRef kSecDataInetExtraClientDefined1;
/* What a program keeps secret with an internet password, third of four. */
extern const CFStringRef kSecDataInetExtraClientDefined2;
/* What a program keeps secret with an internet password, fourth of four. */
extern const CFStringRef kSecDataInetExtraClientDefined3;
/* The service of a protected cloud storage key, in the clear. */
extern const CFStringRef kSecAttrPCSPlaintextServiceIdentifier;
/* The public key of a protected cloud storage key, in the clear. */
extern const CFStringRef kSecAttrPCSPlaintextPublicKey;
/* The public identity of a protected cloud storage key, in the clear. */
extern const CFStringRef kSecAttrPCSPlaintextPublicIdentity;
/* Whether the item's identity in synchronization follows from its primary key. */
extern const CFStringRef kSecAttrDeriveSyncIDFromItemAttributes;
/* The group of people that the item is shared with. */
extern const CFStringRef kSecAttrSharingGroup;
/* The value of kSecAttrSharingGroup for an item that is not shared. */
extern const CFStringRef kSecAttrSharingGroupNone;
/* While the keychain is unlocked. */
extern const CFStringRef kSecAttrAccessibleWhenUnlocked;
/* Once the keychain has been unlocked for the first time since the start. */
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlock;
/* At any time, even while the keychain is locked. */
extern const CFStringRef kSecAttrAccessibleAlways;
/* While the keychain is unlocked and a passcode is set; deleted with the passcode. */
extern const CFStringRef kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly;
/* While the keychain is unlocked, and on this machine only. */
extern const CFStringRef kSecAttrAccessibleWhenUnlockedThisDeviceOnly;
/* Once the keychain has been unlocked for the first time, and on this machine only. */
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
/* At any time, and on this machine only. */
extern const CFStringRef kSecAttrAccessibleAlwaysThisDeviceOnly;
/* FTP. */
extern const CFStringRef kSecAttrProtocolFTP;
/* An account of the client's side of FTP. */
extern const CFStringRef kSecAttrProtocolFTPAccount;
/* HTTP. */
extern const CFStringRef kSecAttrProtocolHTTP;
/* IRC. */
extern const CFStringRef kSecAttrProtocolIRC;
/* NNTP. */
extern const CFStringRef kSecAttrProtocolNNTP;
/* POP3. */
extern const CFStringRef kSecAttrProtocolPOP3;
/* SMTP. */
extern const CFStringRef kSecAttrProtocolSMTP;
/* SOCKS. */
extern const CFStringRef kSecAttrProtocolSOCKS;
/* IMAP. */
extern const CFStringRef kSecAttrProtocolIMAP;
/* LDAP. */
extern const CFStringRef kSecAttrProtocolLDAP;
/* AFP over AppleTalk. */
extern const CFStringRef kSecAttrProtocolAppleTalk;
/* AFP over TCP. */
extern const CFStringRef kSecAttrProtocolAFP;
/* Telnet. */
extern const CFStringRef kSecAttrProtocolTelnet;
/* SSH. */
extern const CFStringRef kSecAttrProtocolSSH;
/* FTP over TLS. */
extern const CFStringRef kSecAttrProtocolFTPS;
/* HTTP over TLS. */
extern const CFStringRef kSecAttrProtocolHTTPS;
/* A proxy for HTTP. */
extern const CFStringRef kSecAttrProtocolHTTPProxy;
/* A proxy for HTTPS. */
extern const CFStringRef kSecAttrProtocolHTTPSProxy;
/* A proxy for FTP. */
extern const CFStringRef kSecAttrProtocolFTPProxy;
/* SMB. */
extern const CFStringRef kSecAttrProtocolSMB;
/* RTSP. */
extern const CFStringRef kSecAttrProtocolRTSP;
/* A proxy for RTSP. */
extern const CFStringRef kSecAttrProtocolRTSPProxy;
/* DAAP. */
extern const CFStringRef kSecAttrProtocolDAAP;
/* Remote Apple Events. */
extern const CFStringRef kSecAttrProtocolEPPC;
/* IPP. */
extern const CFStringRef kSecAttrProtocolIPP;
/* NNTP over TLS. */
extern const CFStringRef kSecAttrProtocolNNTPS;
/* LDAP over TLS. */
extern const CFStringRef kSecAttrProtocolLDAPS;
/* Telnet over TLS. */
extern const CFStringRef kSecAttrProtocolTelnetS;
/* IMAP over TLS. */
extern const CFStringRef kSecAttrProtocolIMAPS;
/* IRC over TLS. */
extern const CFStringRef kSecAttrProtocolIRCS;
/* POP3 over TLS. */
extern const CFStringRef kSecAttrProtocolPOP3S;
/* Windows NT LAN Manager. */
extern const CFStringRef kSecAttrAuthenticationTypeNTLM;
/* Microsoft Network. */
extern const CFStringRef kSecAttrAuthenticationTypeMSN;
/* Distributed password. */
extern const CFStringRef kSecAttrAuthenticationTypeDPA;
/* Remote password. */
extern const CFStringRef kSecAttrAuthenticationTypeRPA;
/* HTTP basic. */
extern const CFStringRef kSecAttrAuthenticationTypeHTTPBasic;
/* HTTP digest. */
extern const CFStringRef kSecAttrAuthenticationTypeHTTPDigest;
/* A form on a web page. */
extern const CFStringRef kSecAttrAuthenticationTypeHTMLForm;
/* The default way. */
extern const CFStringRef kSecAttrAuthenticationTypeDefault;
/* A public key. */
extern const CFStringRef kSecAttrKeyClassPublic;
/* A private key. */
extern const CFStringRef kSecAttrKeyClassPrivate;
/* A symmetric key. */
extern const CFStringRef kSecAttrKeyClassSymmetric;
/* An RSA key. */
extern const CFStringRef kSecAttrKeyTypeRSA;
/* An elliptic curve key, in the older spelling. */
extern const CFStringRef kSecAttrKeyTypeEC;
/* A key on one of the elliptic curves over a prime field that NIST names. */
extern const CFStringRef kSecAttrKeyTypeECSECPrimeRandom;
/* A key for encapsulation with ML-KEM. */
extern const CFStringRef kSecAttrKeyTypeMLKEM;
/* A key for signatures with ML-DSA. */
extern const CFStringRef kSecAttrKeyTypeMLDSA;
/* A DES key. */
extern const CFStringRef kSecAttrKeyTypeDES;
/* A triple DES key. */
extern const CFStringRef kSecAttrKeyType3DES;
/* An RC2 key. */
extern const CFStringRef kSecAttrKeyTypeRC2;
/* An RC4 key. */
extern const CFStringRef kSecAttrKeyTypeRC4;
/* A DSA key. */
extern const CFStringRef kSecAttrKeyTypeDSA;
/* A CAST key. */
extern const CFStringRef kSecAttrKeyTypeCAST;
/* An elliptic curve key, by the name it has on a Mac. */
extern const CFStringRef kSecAttrKeyTypeECDSA;
/* An AES key. */
extern const CFStringRef kSecAttrKeyTypeAES;
/* The enclave: the key is made there and never leaves it. */
extern const CFStringRef kSecAttrTokenIDSecureEnclave;
/* The access group of the items on tokens such as smart cards. */
extern const CFStringRef kSecAttrAccessGroupToken;
/* At any time, by the name without deprecation. */
extern const CFStringRef kSecAttrAccessibleAlwaysPrivate;
/* At any time and on this machine only, by the name without deprecation. */
extern const CFStringRef kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate;
/* Until the machine restarts; such an item cannot be stored. */
extern const CFStringRef kSecAttrAccessibleUntilReboot;
/* The key store of the enclave. */
extern const CFStringRef kSecAttrTokenIDAppleKeyStore;
/* The secure element. */
extern const CFStringRef kSecAttrTokenIDSecureElement;
/* An elliptic curve key of the enclave's public key accelerator. */
extern const CFStringRef kSecAttrKeyTypeECSECPrimeRandomPKA;
/* The key that the enclave attests other keys with. */
extern const CFStringRef kSecAttrKeyTypeSecureEnclaveAttestation;
/* The key that the enclave attests other keys with anonymously. */
extern const CFStringRef kSecAttrKeyTypeSecureEnclaveAnonymousAttestation;
/* A key for signatures on Curve25519. */
extern const CFStringRef kSecAttrKeyTypeEd25519;
/* A key for agreement on Curve25519. */
extern const CFStringRef kSecAttrKeyTypeX25519;
/* A key for signatures on Curve448. */
extern const CFStringRef kSecAttrKeyTypeEd448;
/* A key for agreement on Curve448. */
extern const CFStringRef kSecAttrKeyTypeX448;
/* A key for encapsulation with Kyber. */
extern const CFStringRef kSecAttrKeyTypeKyber;
/* The key that says which kind of item a dictionary is about. */
extern const CFStringRef kSecClass;
/* A password of any sort. */
extern const CFStringRef kSecClassGenericPassword;
/* A password for a server on the network. */
extern const CFStringRef kSecClassInternetPassword;
/* A certificate. */
extern const CFStringRef kSecClassCertificate;
/* A cryptographic key. */
extern const CFStringRef kSecClassKey;
/* A certificate together with its private key. */
extern const CFStringRef kSecClassIdentity;
/* A password for AppleShare, which no keychain of today stores. */
extern const CFStringRef kSecClassAppleSharePassword;
/* The item's data, which is secret for keys and passwords. */
extern const CFStringRef kSecValueData;
/* A reference to the item. */
extern const CFStringRef kSecValueRef;
/* A persistent reference to the item. */
extern const CFStringRef kSecValuePersistentRef;
/* Whether the items' data is returned. */
extern const CFStringRef kSecReturnData;
/* Whether a dictionary of the items' attributes is returned. */
extern const CFStringRef kSecReturnAttributes;
/* Whether references are returned. */
extern const CFStringRef kSecReturnRef;
/* Whether persistent references are returned. */
extern const CFStringRef kSecReturnPersistentRef;
/* The policy that a certificate must satisfy. */
extern const CFStringRef kSecMatchPolicy;
/* The items that alone are searched. */
extern const CFStringRef kSecMatchItemList;
/* The keychains that are searched, as an array of SecKeychain. */
extern const CFStringRef kSecMatchSearchList;
/* The issuers, as DER names, that the certificate's chain must contain one of. */
extern const CFStringRef kSecMatchIssuers;
/* The e-mail address that a certificate must have if it has any. */
extern const CFStringRef kSecMatchEmailAddressIfPresent;
/* A string that the subject must contain. */
extern const CFStringRef kSecMatchSubjectContains;
/* A string that the subject must start with. */
extern const CFStringRef kSecMatchSubjectStartsWith;
/* A string that the subject must end with. */
extern const CFStringRef kSecMatchSubjectEndsWith;
/* A string that the subject must be equal to. */
extern const CFStringRef kSecMatchSubjectWholeString;
/* A host that the server must be, or be a subdomain of. */
extern const CFStringRef kSecMatchHostOrSubdomainOfHost;
/* Whether strings match regardless of case. */
extern const CFStringRef kSecMatchCaseInsensitive;
/* Whether strings match regardless of accents. */
extern const CFStringRef kSecMatchDiacriticInsensitive;
/* Whether strings match regardless of the width of characters. */
extern const CFStringRef kSecMatchWidthInsensitive;
/* Whether only certificates with a trusted anchor match. */
extern const CFStringRef kSecMatchTrustedOnly;
/* The date on which the item must be valid; kCFNull means now. */
extern const CFStringRef kSecMatchValidOnDate;
/* How many items are found at most: a number, or one of the two values below. */
extern const CFStringRef kSecMatchLimit;
/* The first item alone. */
extern const CFStringRef kSecMatchLimitOne;
/* Every item. */
extern const CFStringRef kSecMatchLimitAll;
/* The items that the operation is about. */
extern const CFStringRef kSecUseItemList;
/* The keychain that the operation is about, as a SecKeychain. */
extern const CFStringRef kSecUseKeychain;
/* What the user is told when asked to authenticate. */
extern const CFStringRef kSecUseOperationPrompt;
/* Whether the user must not be asked; kSecUseAuthenticationUI replaced it. */
extern const CFStringRef kSecUseNoAuthenticationUI;
/* Whether the user may be asked: one of the three values below. */
extern const CFStringRef kSecUseAuthenticationUI;
/* The LAContext to authenticate with. */
extern const CFStringRef kSecUseAuthenticationContext;
/* Whether a Mac uses the data protection keychain; on Linux there is no other. */
extern const CFStringRef kSecUseDataProtectionKeychain;
/* Whether an Apple TV uses the keychain that its users share. */
extern const CFStringRef kSecUseUserIndependentKeychain;
/* The user may be asked. */
extern const CFStringRef kSecUseAuthenticationUIAllow;
/* An item that needs the user fails with errSecInteractionNotAllowed. */
extern const CFStringRef kSecUseAuthenticationUIFail;
/* Items that need the user are left out. */
extern const CFStringRef kSecUseAuthenticationUISkip;
/* Whether deleting leaves a tombstone. */
extern const CFStringRef kSecUseTombstones;
/* The authentication to use, as data. */
extern const CFStringRef kSecUseCredentialReference;
/* The name of the program that asks, for the user to see. */
extern const CFStringRef kSecUseCallerName;
/* Whether the items of tokens are returned unresolved. */
extern const CFStringRef kSecUseTokenRawItems;
/* Whether a Mac matches issuers for certificates too. */
extern const CFStringRef kSecUseCertificatesWithMatchIssuers;
/* Whether the machine's keychain is used where users share a machine. */
extern const CFStringRef kSecUseSystemKeychain;
/* Whether the machine's keychain is used in any case. */
extern const CFStringRef kSecUseSystemKeychainAlways;
/* The number of the user whose keychain is used in that user's absence. */
extern const CFStringRef kSecUseSyncBubbleKeychain;
/* The password in a dictionary of shared web credentials. */
extern const CFStringRef kSecSharedPassword;
/* The shortest password to generate. */
extern const CFStringRef kSecPasswordMinLength;
/* The longest password to generate. */
extern const CFStringRef kSecPasswordMaxLength;
/* The name itself. */
extern const CFStringRef kSecOidCommonName;
/* The country, two letters. */
extern const CFStringRef kSecOidCountryName;
/* A state or a province. */
extern const CFStringRef kSecOidStateProvinceName;
/* A town. */
extern const CFStringRef kSecOidLocalityName;
/* A company or another body. */
extern const CFStringRef kSecOidOrganization;
/* A part of it. */
extern const CFStringRef kSecOidOrganizationalUnit;
/* A password for revoking the certificate; it would stand in the request for all to read, and is refused. */
extern const CFStringRef kSecCSRChallengePassword;
/* A dictionary of names beside the subject: of kSecSubjectAltName… keys, each with a string or an array of strings.
   */
extern const CFStringRef kSecSubjectAltName;
/* A SecKeyUsage as a number. */
extern const CFStringRef kSecCertificateKeyUsage;
/* How many authorities may stand under the one that the certificate is for, below 256. */
extern const CFStringRef kSecCSRBasicConstraintsPathLen;
/* How many authorities may stand under the one that the certificate is for, as Apple spells it. */
extern const CFStringRef kSecCSRBasicContraintsPathLen;
/* Extensions by their identifiers; not supported. */
extern const CFStringRef kSecCertificateExtensions;
/* Extensions by their identifiers, in DER; not supported. */
extern const CFStringRef kSecCertificateExtensionsEncoded;
/* The hash of the signature: one of the kSecCMSHashingAlgorithm… values. */
extern const CFStringRef kSecCMSSignHashAlgorithm;
/* A host's name. */
extern const CFStringRef kSecSubjectAltNameDNSName;
/* An e-mail address. */
extern const CFStringRef kSecSubjectAltNameEmailAddress;
/* A URI. */
extern const CFStringRef kSecSubjectAltNameURI;
/* The name of a person in Windows; not supported. */
extern const CFStringRef kSecSubjectAltNameNTPrincipalName;
/* SHA-1, which is no longer accepted anywhere; refused. */
extern const CFStringRef kSecCMSHashingAlgorithmSHA1;
/* SHA-256. */
extern const CFStringRef kSecCMSHashingAlgorithmSHA256;
/* SHA-384. */
extern const CFStringRef kSecCMSHashingAlgorithmSHA384;
/* SHA-512. */
extern const CFStringRef kSecCMSHashingAlgorithmSHA512;
/* The passphrase of the file: a string, of which the UTF-8 counts, or data; it may be empty. */
extern const CFStringRef kSecImportExportPassphrase;
/* The SecKeychain that the identities are put into. */
extern const CFStringRef kSecImportExportKeychain;
/* The access list of an item in a file keychain; it has no meaning on Linux and is refused. */
extern const CFStringRef kSecImportExportAccess;
/* Whether the identities stay in memory; true unless something else says that they are stored. */
extern const CFStringRef kSecImportToMemoryOnly;
/* The name that the file gives it; not there when the file gives none. */
extern const CFStringRef kSecImportItemLabel;
/* The identifier by which key and certificate found each other, else the SHA-1 of the public key. */
extern const CFStringRef kSecImportItemKeyID;
/* A SecTrust for the certificate and those that came with it, under the basic policy. */
extern const CFStringRef kSecImportItemTrust;
/* The certificates from the identity's own towards its root, as far as the file has them. */
extern const CFStringRef kSecImportItemCertChain;
/* The SecIdentity. */
extern const CFStringRef kSecImportItemIdentity;
/* The bare RSA operation on a number below the modulus. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureRaw;
/* The bare RSA operation on a number in units of 8 bytes, the lowest first. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureRawCCUnit;
/* RSA with PKCS#1 v1.5 padding, of bytes that are signed as they are. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw;
/* RSA with PKCS#1 v1.5 padding, of a digest made with MD5. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15MD5;
/* RSA with PKCS#1 v1.5 padding, of a digest made with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1;
/* RSA with PKCS#1 v1.5 padding, of a digest made with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224;
/* RSA with PKCS#1 v1.5 padding, of a digest made with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256;
/* RSA with PKCS#1 v1.5 padding, of a digest made with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384;
/* RSA with PKCS#1 v1.5 padding, of a digest made with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512;
/* RSA with PSS padding, of a digest made with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPSSSHA1;
/* RSA with PSS padding, of a digest made with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPSSSHA224;
/* RSA with PSS padding, of a digest made with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPSSSHA256;
/* RSA with PSS padding, of a digest made with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPSSSHA384;
/* RSA with PSS padding, of a digest made with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureDigestPSSSHA512;
/* RSA with PKCS#1 v1.5 padding, of a message, with MD5. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePKCS1v15MD5;
/* RSA with PKCS#1 v1.5 padding, of a message, with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1;
/* RSA with PKCS#1 v1.5 padding, of a message, with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224;
/* RSA with PKCS#1 v1.5 padding, of a message, with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256;
/* RSA with PKCS#1 v1.5 padding, of a message, with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384;
/* RSA with PKCS#1 v1.5 padding, of a message, with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512;
/* RSA with PSS padding, of a message, with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePSSSHA1;
/* RSA with PSS padding, of a message, with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePSSSHA224;
/* RSA with PSS padding, of a message, with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePSSSHA256;
/* RSA with PSS padding, of a message, with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePSSSHA384;
/* RSA with PSS padding, of a message, with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmRSASignatureMessagePSSSHA512;
/* The bare RSA operation on a number below the modulus. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionRaw;
/* The bare RSA operation on a number in units of 8 bytes, the lowest first. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionRawCCUnit;
/* RSA with PKCS#1 v1.5 padding. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionPKCS1;
/* RSA with OAEP padding and SHA-1. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA1;
/* RSA with OAEP padding and SHA-224. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA224;
/* RSA with OAEP padding and SHA-256. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA256;
/* RSA with OAEP padding and SHA-384. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA384;
/* RSA with OAEP padding and SHA-512. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA512;
/* AES-GCM under a new key, which RSA with OAEP padding and SHA-1 encrypts. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM;
/* AES-GCM under a new key, which RSA with OAEP padding and SHA-224 encrypts. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM;
/* AES-GCM under a new key, which RSA with OAEP padding and SHA-256 encrypts. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM;
/* AES-GCM under a new key, which RSA with OAEP padding and SHA-384 encrypts. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM;
/* AES-GCM under a new key, which RSA with OAEP padding and SHA-512 encrypts. */
extern const CFStringRef kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM;
/* ECDSA of a digest of any size; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureRFC4754;
/* ECDSA of a digest of any size; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestRFC4754;
/* ECDSA of a digest made with SHA-1; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1;
/* ECDSA of a digest made with SHA-224; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224;
/* ECDSA of a digest made with SHA-256; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256;
/* ECDSA of a digest made with SHA-384; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384;
/* ECDSA of a digest made with SHA-512; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512;
/* ECDSA of a message, with SHA-1; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1;
/* ECDSA of a message, with SHA-224; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224;
/* ECDSA of a message, with SHA-256; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256;
/* ECDSA of a message, with SHA-384; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384;
/* ECDSA of a message, with SHA-512; the signature is r and s side by side. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512;
/* ECDSA of a digest of any size; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestX962;
/* ECDSA of a digest made with SHA-1; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestX962SHA1;
/* ECDSA of a digest made with SHA-224; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestX962SHA224;
/* ECDSA of a digest made with SHA-256; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestX962SHA256;
/* ECDSA of a digest made with SHA-384; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestX962SHA384;
/* ECDSA of a digest made with SHA-512; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureDigestX962SHA512;
/* ECDSA of a message, with SHA-1; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageX962SHA1;
/* ECDSA of a message, with SHA-224; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageX962SHA224;
/* ECDSA of a message, with SHA-256; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageX962SHA256;
/* ECDSA of a message, with SHA-384; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageX962SHA384;
/* ECDSA of a message, with SHA-512; the signature is DER. */
extern const CFStringRef kSecKeyAlgorithmECDSASignatureMessageX962SHA512;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-224, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-256, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-384, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM;
/* AES-GCM under a key from ECDH and the X9.63 derivation with SHA-512, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-224, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-256, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-384, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM;
/* AES-GCM under a key from cofactor ECDH and the X9.63 derivation with SHA-512, which also derives its vector. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM;
/* What some smart cards use; no key here supports it. */
extern const CFStringRef kSecKeyAlgorithmECIESEncryptionAKSSmartCard;
/* ECDH: the x coordinate of the shared point. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeStandard;
/* ECDH and the X9.63 derivation with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1;
/* ECDH and the X9.63 derivation with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224;
/* ECDH and the X9.63 derivation with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256;
/* ECDH and the X9.63 derivation with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384;
/* ECDH and the X9.63 derivation with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512;
/* Cofactor ECDH: the x coordinate of the shared point. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeCofactor;
/* Cofactor ECDH and the X9.63 derivation with SHA-1. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1;
/* Cofactor ECDH and the X9.63 derivation with SHA-224. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224;
/* Cofactor ECDH and the X9.63 derivation with SHA-256. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256;
/* Cofactor ECDH and the X9.63 derivation with SHA-384. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384;
/* Cofactor ECDH and the X9.63 derivation with SHA-512. */
extern const CFStringRef kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512;
/* Ed25519 of a message. */
extern const CFStringRef kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512;
/* Ed448 of a message. */
extern const CFStringRef kSecKeyAlgorithmEdDSASignatureMessageCurve448SHAKE256;
/* Encapsulation with Kyber; no key here supports it. */
extern const CFStringRef kSecKeyAlgorithmKemKyber;
/* Encapsulation with ML-KEM, which no function takes; MLKEM768 of CryptoKit encapsulates. */
extern const CFStringRef kSecKeyAlgorithmKemMLKEM;
/* ML-DSA of a message, with no context; there are keys for it where OpenSSL is 3.5 or newer. */
extern const CFStringRef kSecKeyAlgorithmMldsaSignatureMessage;
/* AES-GCM under a symmetric key: a random nonce of 12 bytes, the ciphertext, a tag of 16. */
extern const CFStringRef kSecKeyAlgorithmAesEncryptionGCM;
/* How many bytes are to be derived, a number. */
extern const CFStringRef kSecKeyKeyExchangeParameterRequestedSize;
/* What both sides mix into the derivation, as data. */
extern const CFStringRef kSecKeyKeyExchangeParameterSharedInfo;
/* A chain to an anchor, and no more. */
extern const CFStringRef kSecPolicyAppleX509Basic;
/* A TLS connection. */
extern const CFStringRef kSecPolicyAppleSSL;
/* Signed or encrypted mail. */
extern const CFStringRef kSecPolicyAppleSMIME;
/* Extensible authentication, as in wireless networks. */
extern const CFStringRef kSecPolicyAppleEAP;
/* A virtual private network. */
extern const CFStringRef kSecPolicyAppleIPsec;
/* A Kerberos client. */
extern const CFStringRef kSecPolicyApplePKINITClient;
/* A Kerberos server. */
extern const CFStringRef kSecPolicyApplePKINITServer;
/* Signed programs. */
extern const CFStringRef kSecPolicyAppleCodeSigning;
/* Apple's identities; not checked here. */
extern const CFStringRef kSecPolicyAppleIDValidation;
/* Receipts of the Mac App Store; not checked here. */
extern const CFStringRef kSecPolicyMacAppStoreReceipt;
/* Time stamps. */
extern const CFStringRef kSecPolicyAppleTimeStamping;
/* Whether it was revoked. */
extern const CFStringRef kSecPolicyAppleRevocation;
/* Passes of Wallet; not checked here. */
extern const CFStringRef kSecPolicyApplePassbookSigning;
/* The encryption of payments; not checked here. */
extern const CFStringRef kSecPolicyApplePayIssuerEncryption;
/* The server's end of TLS. */
extern const CFStringRef kSecPolicyAppleSSLServer;
/* The client's end of TLS. */
extern const CFStringRef kSecPolicyAppleSSLClient;
/* The server's end of extensible authentication. */
extern const CFStringRef kSecPolicyAppleEAPServer;
/* The client's end of extensible authentication. */
extern const CFStringRef kSecPolicyAppleEAPClient;
/* The server's end of a virtual private network. */
extern const CFStringRef kSecPolicyAppleIPSecServer;
/* The client's end of a virtual private network. */
extern const CFStringRef kSecPolicyAppleIPSecClient;
/* Apple's chat; not checked here. */
extern const CFStringRef kSecPolicyAppleiChat;
/* Signatures of lists of what was revoked. */
extern const CFStringRef kSecPolicyKU_CRLSign;
/* Encryption of data. */
extern const CFStringRef kSecPolicyKU_DataEncipherment;
/* Of an agreement, decryption alone. */
extern const CFStringRef kSecPolicyKU_DecipherOnly;
/* Signatures. */
extern const CFStringRef kSecPolicyKU_DigitalSignature;
/* Of an agreement, encryption alone. */
extern const CFStringRef kSecPolicyKU_EncipherOnly;
/* Agreement on keys. */
extern const CFStringRef kSecPolicyKU_KeyAgreement;
/* Signatures of certificates. */
extern const CFStringRef kSecPolicyKU_KeyCertSign;
/* Encryption of keys. */
extern const CFStringRef kSecPolicyKU_KeyEncipherment;
/* Signatures that the signer cannot deny. */
extern const CFStringRef kSecPolicyKU_NonRepudiation;
/* The policy's identifier, one of the kSecPolicyApple… values. */
extern const CFStringRef kSecPolicyOid;
/* The host name or the e-mail address that the certificate must be for. */
extern const CFStringRef kSecPolicyName;
/* Whether it is the client's certificate that is examined. */
extern const CFStringRef kSecPolicyClient;
/* The kSecRevocation… flags, as a number. */
extern const CFStringRef kSecPolicyRevocationFlags;
/* The team that signed; no policy here asks for it. */
extern const CFStringRef kSecPolicyTeamIdentifier;
/* The date at which the certificate was examined. */
extern const CFStringRef kSecTrustEvaluationDate;
/* The SecTrustResultType as a number. */
extern const CFStringRef kSecTrustResultValue;
/* Whether the certificate has extended validation; never given here. */
extern const CFStringRef kSecTrustExtendedValidation;
/* The organization of a certificate with extended validation; never given here. */
extern const CFStringRef kSecTrustOrganizationName;
/* Whether every certificate under the anchor is known not to be revoked; given where a policy asked for that. */
extern const CFStringRef kSecTrustRevocationChecked;
/* Until when that check holds; never given here. */
extern const CFStringRef kSecTrustRevocationValidUntilDate;
/* Whether the certificate stands in public logs; never given here. */
extern const CFStringRef kSecTrustCertificateTransparency;
/* Whether the certificate stands in a list of those that need no log; never given here. */
extern const CFStringRef kSecTrustCertificateTransparencyWhiteList;
/* What a qualified certificate says of itself; never given here. */
extern const CFStringRef kSecTrustQCStatements;
/* Whether it is a qualified certificate for websites; never given here. */
extern const CFStringRef kSecTrustQWACValidation;
/* Whose certificate it is. */
extern const CFStringRef kSecPropertyTypeTitle;
/* What is to be said against it. */
extern const CFStringRef kSecPropertyTypeError;
/* The SecPolicy that it is about; every one when it is not there. */
extern const CFStringRef kSecTrustSettingsPolicy;
/* The name of the policy, which is given and not read. */
extern const CFStringRef kSecTrustSettingsPolicyName;
/* The program that it is about; refused, because programs are not told apart here. */
extern const CFStringRef kSecTrustSettingsApplication;
/* The host or the e-mail address that it is about. */
extern const CFStringRef kSecTrustSettingsPolicyString;
/* The SecTrustSettingsKeyUsage that it is about, a number. */
extern const CFStringRef kSecTrustSettingsKeyUsage;
/* A status that is overlooked, a number. */
extern const CFStringRef kSecTrustSettingsAllowedError;
/* The SecTrustSettingsResult, a number; SecTrustSettingsResult/trustRoot when it is not there. */
extern const CFStringRef kSecTrustSettingsResult;

#ifdef __cplusplus
}
#endif

#endif
