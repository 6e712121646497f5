// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel

/// Reads the keys and certificates of a file.
struct FileImport {
    let expectation: FileExpectation
    /// Asked for when something turns out to be encrypted; nil where there is none.
    let passphrase: () throws(SecurityFailure) -> Passphrase?

    /// For files of certificates, which nobody encrypts.
    static var unencrypted: FileImport {
        FileImport(expectation: FileExpectation(nil, nil), passphrase: { () throws(SecurityFailure) in nil })
    }

    func read(_ path: String) throws(SecurityFailure) -> FileContents {
        let bytes = try InputFile.read(path)
        do throws(ExchangeFailure) { return try contents(bytes, nil) } catch {
            guard error.kind == .passphraseRequired, let passphrase = try passphrase() else {
                throw SecurityFailure(error, in: FileImport.call)
            }
            return try SecurityFailure.translating(exchange: FileImport.call) { () throws(ExchangeFailure) in
                try contents(bytes, passphrase)
            }
        }
    }

    private func contents(
        _ bytes: SecretValue, _ passphrase: Passphrase?
    ) throws(ExchangeFailure) -> FileContents {
        guard bytes.count > 0 else { throw ExchangeFailure(.unknownFormat, "the file is empty") }
        let reader = FileReader(expectation, passphrase: passphrase)
        return try unsafe bytes.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe reader.read(bytes, isText: false)
        }
    }

    static let call = "SecKeychainItemImport"
}
