// SPDX-License-Identifier: Apache-2.0

// The cases have the names that Swift gives them on Apple's systems.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

/// The protocol of an Internet password, as the classic functions take it.
///
/// `kSecAttrProtocol` has the same four letters as text (decision D17).
@frozen public enum SecProtocolType: FourCharCode, Sendable, CaseIterable {
    /// Any protocol, when something is looked for.
    case any = 0
    /// FTP.
    case FTP = 0x66_74_70_20  // ftp
    /// An account of the client's side of FTP.
    case ftpAccount = 0x66_74_70_61  // ftpa
    /// HTTP.
    case HTTP = 0x68_74_74_70  // http
    /// IRC.
    case IRC = 0x69_72_63_20  // irc
    /// NNTP.
    case NNTP = 0x6E_6E_74_70  // nntp
    /// POP3.
    case POP3 = 0x70_6F_70_33  // pop3
    /// SMTP.
    case SMTP = 0x73_6D_74_70  // smtp
    /// SOCKS.
    case SOCKS = 0x73_6F_78_20  // sox
    /// IMAP.
    case IMAP = 0x69_6D_61_70  // imap
    /// LDAP.
    case LDAP = 0x6C_64_61_70  // ldap
    /// AFP over AppleTalk.
    case appleTalk = 0x61_74_6C_6B  // atlk
    /// AFP over TCP.
    case AFP = 0x61_66_70_20  // afp
    /// Telnet.
    case telnet = 0x74_65_6C_6E  // teln
    /// SSH.
    case SSH = 0x73_73_68_20  // ssh
    /// FTP over TLS.
    case FTPS = 0x66_74_70_73  // ftps
    /// HTTP over TLS.
    case HTTPS = 0x68_74_70_73  // htps
    /// A proxy for HTTP.
    case httpProxy = 0x68_74_70_78  // htpx
    /// A proxy for HTTPS.
    case httpsProxy = 0x68_74_73_78  // htsx
    /// A proxy for FTP.
    case ftpProxy = 0x66_74_70_78  // ftpx
    /// CIFS.
    case CIFS = 0x63_69_66_73  // cifs
    /// SMB.
    case SMB = 0x73_6D_62_20  // smb
    /// RTSP.
    case RTSP = 0x72_74_73_70  // rtsp
    /// A proxy for RTSP.
    case rtspProxy = 0x72_74_73_78  // rtsx
    /// DAAP.
    case DAAP = 0x64_61_61_70  // daap
    /// Remote Apple Events.
    case EPPC = 0x65_70_70_63  // eppc
    /// IPP.
    case IPP = 0x69_70_70_20  // ipp
    /// NNTP over TLS.
    case NNTPS = 0x6E_74_70_73  // ntps
    /// LDAP over TLS.
    case LDAPS = 0x6C_64_70_73  // ldps
    /// Telnet over TLS.
    case telnetS = 0x74_65_6C_73  // tels
    /// IMAP over TLS.
    case IMAPS = 0x69_6D_70_73  // imps
    /// IRC over TLS.
    case IRCS = 0x69_72_63_73  // ircs
    /// POP3 over TLS.
    case POP3S = 0x70_6F_70_73  // pops
    /// A server of CVS.
    case cvSpserver = 0x63_76_73_70  // cvsp
    /// Subversion.
    case SVN = 0x73_76_6E_20  // svn
}

// Apple's numbers have the letters in reverse on little-endian machines, which are all that there are now.
/// How a server asks for a password, as the classic functions take it.
///
/// `kSecAttrAuthenticationType` has the letters as text, in their order (decision D17).
@frozen public enum SecAuthenticationType: FourCharCode, Sendable, CaseIterable {
    /// Any, when something is looked for.
    case any = 0
    /// NTLM.
    case NTLM = 0x6D_6C_74_6E  // ntlm
    /// That of MSN.
    case MSN = 0x61_6E_73_6D  // msna
    /// Distributed password authentication.
    case DPA = 0x61_61_70_64  // dpaa
    /// Remote password authentication.
    case RPA = 0x61_61_70_72  // rpaa
    /// Basic authentication of HTTP.
    case httpBasic = 0x70_74_74_68  // http
    /// Digest authentication of HTTP.
    case httpDigest = 0x64_74_74_68  // httd
    /// A form on a page.
    case htmlForm = 0x6D_72_6F_66  // form
    /// The usual one.
    case `default` = 0x74_6C_66_64  // dflt
}

/// Four letters in a number, and the text that attributes have for them.
enum FourLetterCode {
    /// The letters of a number, the first in its highest byte.
    static func text(_ code: UInt32) -> String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }, as: UTF8.self)
    }

    /// The number of four letters; nil for any other text.
    static func code(_ text: String) -> UInt32? {
        guard text.utf8.count == 4 else { return nil }
        return text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
