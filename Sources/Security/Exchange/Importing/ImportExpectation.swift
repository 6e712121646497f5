// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a caller says that a file is.
struct ImportExpectation {
    let format: SecExternalFormat
    let type: SecExternalItemType
    /// What the end of the file's name says; it decides nothing but how a failure is called.
    let isNamed: Bool

    init(_ format: SecExternalFormat, _ type: SecExternalItemType, fileName: CFString?) throws(ExchangeFailure) {
        self.format = format
        self.type = type
        let name = fileName.map { ($0 as String).split(separator: ".").last?.lowercased() ?? "" } ?? ""
        isNamed = Self.extensions.contains(name)
        switch format {
        case .formatSSH, .formatSSHv2, .formatWrappedSSH: throw Self.unsupportedSSH
        case .formatWrappedLSH, .formatNetscapeCertSequence:
            throw ExchangeFailure(.unsupportedFormat, "nobody writes this format any more, and it is not read")
        default: break
        }
    }

    /// Whether a file that could not be read was said to be something.
    var isDefinite: Bool { isNamed || format != .formatUnknown }

    /// Whether a thing that was found in this format is what was said.
    func allows(_ found: SecExternalFormat) -> Bool {
        switch format {
        case .formatUnknown, .formatPEMSequence, found: true
        // Programs say OpenSSL for all that the command writes, and that is PKCS#8 now.
        case .formatOpenSSL, .formatBSAFE: found == .formatOpenSSL || found == .formatBSAFE
        default: false
        }
    }

    /// Throws when something else was found.
    func check(_ file: ImportedFile) throws(ExchangeFailure) {
        switch type {
        case .itemTypeUnknown, .itemTypeAggregate: return
        default:
            guard file.items.allSatisfy({ $0.type == type }) else {
                throw ExchangeFailure(.undecodable, "the data holds something else than the item type says")
            }
        }
    }

    static var unsupportedSSH: ExchangeFailure {
        ExchangeFailure(
            .unsupportedFormat, "keys of OpenSSH are not read; ssh-keygen -p -m PKCS8 writes the key in another format")
    }

    private static let extensions: Set<String> = [
        "cer", "crt", "der", "pem", "key", "p12", "pfx", "p7b", "p7c", "p8", "pk8",
    ]
}
