// SPDX-License-Identifier: Apache-2.0

import Security

extension NamedValues {
    static var protocols: [(constant: CFString, value: String)] {
        [
            (kSecAttrProtocolFTP, "ftp "),
            (kSecAttrProtocolFTPAccount, "ftpa"),
            (kSecAttrProtocolHTTP, "http"),
            (kSecAttrProtocolIRC, "irc "),
            (kSecAttrProtocolNNTP, "nntp"),
            (kSecAttrProtocolPOP3, "pop3"),
            (kSecAttrProtocolSMTP, "smtp"),
            (kSecAttrProtocolSOCKS, "sox "),
            (kSecAttrProtocolIMAP, "imap"),
            (kSecAttrProtocolLDAP, "ldap"),
            (kSecAttrProtocolAppleTalk, "atlk"),
            (kSecAttrProtocolAFP, "afp "),
            (kSecAttrProtocolTelnet, "teln"),
            (kSecAttrProtocolSSH, "ssh "),
            (kSecAttrProtocolFTPS, "ftps"),
            (kSecAttrProtocolHTTPS, "htps"),
            (kSecAttrProtocolHTTPProxy, "htpx"),
            (kSecAttrProtocolHTTPSProxy, "htsx"),
            (kSecAttrProtocolFTPProxy, "ftpx"),
            (kSecAttrProtocolSMB, "smb "),
            (kSecAttrProtocolRTSP, "rtsp"),
            (kSecAttrProtocolRTSPProxy, "rtsx"),
            (kSecAttrProtocolDAAP, "daap"),
            (kSecAttrProtocolEPPC, "eppc"),
            (kSecAttrProtocolIPP, "ipp "),
            (kSecAttrProtocolNNTPS, "ntps"),
            (kSecAttrProtocolLDAPS, "ldps"),
            (kSecAttrProtocolTelnetS, "tels"),
            (kSecAttrProtocolIMAPS, "imps"),
            (kSecAttrProtocolIRCS, "ircs"),
            (kSecAttrProtocolPOP3S, "pops"),
        ]
    }

    static var authenticationTypes: [(constant: CFString, value: String)] {
        [
            (kSecAttrAuthenticationTypeNTLM, "ntlm"),
            (kSecAttrAuthenticationTypeMSN, "msna"),
            (kSecAttrAuthenticationTypeDPA, "dpaa"),
            (kSecAttrAuthenticationTypeRPA, "rpaa"),
            (kSecAttrAuthenticationTypeHTTPBasic, "http"),
            (kSecAttrAuthenticationTypeHTTPDigest, "httd"),
            (kSecAttrAuthenticationTypeHTMLForm, "form"),
            (kSecAttrAuthenticationTypeDefault, "dflt"),
        ]
    }

    static var keysAndTokens: [(constant: CFString, value: String)] {
        [
            (kSecAttrKeyTypeRSA, "42"),
            (kSecAttrKeyTypeEC, "73"),
            (kSecAttrKeyTypeECSECPrimeRandom, "73"),
            (kSecAttrKeyTypeECSECPrimeRandomPKA, "2147483678"),
            (kSecAttrKeyTypeSecureEnclaveAttestation, "2147483679"),
            (kSecAttrKeyTypeSecureEnclaveAnonymousAttestation, "2147483680"),
            (kSecAttrKeyTypeEd25519, "105"),
            (kSecAttrKeyTypeX25519, "106"),
            (kSecAttrKeyTypeEd448, "107"),
            (kSecAttrKeyTypeX448, "108"),
            (kSecAttrKeyTypeKyber, "109"),
            (kSecAttrKeyTypeMLKEM, "110"),
            (kSecAttrKeyTypeMLDSA, "111"),
            (kSecAttrKeyTypeDES, "14"),
            (kSecAttrKeyType3DES, "17"),
            (kSecAttrKeyTypeRC2, "23"),
            (kSecAttrKeyTypeRC4, "25"),
            (kSecAttrKeyTypeDSA, "43"),
            (kSecAttrKeyTypeCAST, "56"),
            (kSecAttrKeyTypeECDSA, "73"),
            (kSecAttrKeyTypeAES, "2147483649"),
            (kSecAttrKeyClassPublic, "0"),
            (kSecAttrKeyClassPrivate, "1"),
            (kSecAttrKeyClassSymmetric, "2"),
            (kSecPrivateKeyAttrs, "private"),
            (kSecPublicKeyAttrs, "public"),
            (kSecSymmetricKeyAttrs, "symmetric"),
            (kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
            (kSecAttrTokenIDAppleKeyStore, "com.apple.setoken:aks"),
            (kSecAttrTokenIDSecureElement, "com.apple.secelemtoken"),
            (kSecAttrAccessGroupToken, "com.apple.token"),
            (kSecAttrSynchronizableAny, "syna"),
            (kSecSharedPassword, "spwd"),
            (kSecPasswordMinLength, "PasswordMaxLength"),
            (kSecPasswordMaxLength, "PasswordMaxLength"),
            (kSecAttrPRF, "prf"),
            (kSecAttrSalt, "salt"),
            (kSecAttrRounds, "rounds"),
            (kSecAttrPRFHmacAlgSHA1, "hsha1"),
            (kSecAttrPRFHmacAlgSHA224, "hsha224"),
            (kSecAttrPRFHmacAlgSHA256, "hsha256"),
            (kSecAttrPRFHmacAlgSHA384, "hsha384"),
            (kSecAttrPRFHmacAlgSHA512, "hsha512"),
        ]
    }
}
