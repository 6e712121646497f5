// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange

/// What a caller of `Security` says that a file is.
extension FileExpectation {
    init(_ format: SecExternalFormat, _ type: SecExternalItemType, fileName: CFString?) throws(ExchangeFailure) {
        switch format {
        case .formatSSH, .formatSSHv2, .formatWrappedSSH: throw Self.unsupportedSSH
        case .formatWrappedLSH, .formatNetscapeCertSequence:
            throw ExchangeFailure(.unsupportedFormat, "nobody writes this format any more, and it is not read")
        default: break
        }
        // What the end of the name says decides nothing but how a failure is called.
        let name = fileName.map { ($0 as String).split(separator: ".").last?.lowercased() ?? "" } ?? ""
        // The numbers are the same, and none is for what is not known.
        self.init(
            FileFormat(rawValue: format.rawValue).map { [$0] }, FileItemType(rawValue: type.rawValue),
            isNamed: Self.extensions.contains(name))
    }

    private static let extensions: Set<String> = [
        "cer", "crt", "der", "pem", "key", "p12", "pfx", "p7b", "p7c", "p8", "pk8",
    ]
}
