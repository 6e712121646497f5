// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// The values of kSecAttrAccessible.

/// While the keychain is unlocked.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Once the keychain has been unlocked for the first time since the start.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// At any time, even while the keychain is locked.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"
/// While the keychain is unlocked and a passcode is set; deleted with the passcode.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// While the keychain is unlocked, and on this machine only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Once the keychain has been unlocked for the first time, and on this machine only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// At any time, and on this machine only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

// The values of kSecAttrProtocol.

/// FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = "ftp "
/// An account of the client's side of FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// HTTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http"
/// IRC.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = "irc "
/// NNTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = "nntp"
/// POP3.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = "pop3"
/// SMTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = "smtp"
/// SOCKS.
@safe nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = "sox "
/// IMAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = "imap"
/// LDAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = "ldap"
/// AFP over AppleTalk.
@safe nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// AFP over TCP.
@safe nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = "afp "
/// Telnet.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = "teln"
/// SSH.
@safe nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = "ssh "
/// FTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = "ftps"
/// HTTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps"
/// A proxy for HTTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// A proxy for HTTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// A proxy for FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// SMB.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = "smb "
/// RTSP.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = "rtsp"
/// A proxy for RTSP.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// DAAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = "daap"
/// Remote Apple Events.
@safe nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = "eppc"
/// IPP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = "ipp "
/// NNTP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = "ntps"
/// LDAP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = "ldps"
/// Telnet over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = "tels"
/// IMAP over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = "imps"
/// IRC over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = "ircs"
/// POP3 over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = "pops"

// The values of kSecAttrAuthenticationType.

/// Windows NT LAN Manager.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// Microsoft Network.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// Distributed password.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// Remote password.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// HTTP basic.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// HTTP digest.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// A form on a web page.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// The default way.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"

// The values of kSecAttrKeyClass.

/// A public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"

// The values of kSecAttrKeyType.

/// An RSA key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
/// An elliptic curve key, in the older spelling.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"
/// A key on one of the elliptic curves over a prime field that NIST names.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// A key for encapsulation with ML-KEM.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLKEM: CFString = "110"
/// A key for signatures with ML-DSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLDSA: CFString = "111"

// A Mac alone has these.

/// A DES key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"
/// A triple DES key.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"
/// An RC2 key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"
/// An RC4 key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"
/// A DSA key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"
/// A CAST key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"
/// An elliptic curve key, by the name it has on a Mac.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"
/// An AES key.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"

// The values of kSecAttrTokenID, and the access group of tokens.

/// The enclave: the key is made there and never leaves it.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The access group of the items on tokens such as smart cards.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"

// The values of kSecAttrCertificateType.

/// An X.509 certificate of version 1.
public let CSSM_CERT_X_509v1 = 1
/// An X.509 certificate of version 2.
public let CSSM_CERT_X_509v2 = 2
/// An X.509 certificate of version 3.
public let CSSM_CERT_X_509v3 = 3

// The values of kSecAttrCertificateEncoding.

/// The basic encoding rules.
public let CSSM_CERT_ENCODING_BER = 2
/// The distinguished encoding rules.
public let CSSM_CERT_ENCODING_DER = 3
/// The network data representation.
public let CSSM_CERT_ENCODING_NDR = 4
/// The encoding of a certificate in DER, as a number object.
public let kSecAttrCertificateEncodingDER: CFNumber = 3

// Apple has the rest in private headers.

// kSecAttrAccessible.

/// At any time, by the name without deprecation.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysPrivate: CFString = "dk"
/// At any time and on this machine only, by the name without deprecation.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate: CFString = "dku"
/// Until the machine restarts; such an item cannot be stored.
@safe nonisolated(unsafe) public let kSecAttrAccessibleUntilReboot: CFString = "f"

// kSecAttrTokenID.

/// The key store of the enclave.
@safe nonisolated(unsafe) public let kSecAttrTokenIDAppleKeyStore: CFString = "com.apple.setoken:aks"
/// The secure element.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureElement: CFString = "com.apple.secelemtoken"

// kSecAttrKeyType.

/// An elliptic curve key of the enclave's public key accelerator.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandomPKA: CFString = "2147483678"
/// The key that the enclave attests other keys with.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAttestation: CFString = "2147483679"
/// The key that the enclave attests other keys with anonymously.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString = "2147483680"
/// A key for signatures on Curve25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd25519: CFString = "105"
/// A key for agreement on Curve25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX25519: CFString = "106"
/// A key for signatures on Curve448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd448: CFString = "107"
/// A key for agreement on Curve448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX448: CFString = "108"
/// A key for encapsulation with Kyber.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeKyber: CFString = "109"
