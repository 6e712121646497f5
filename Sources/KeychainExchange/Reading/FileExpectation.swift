// SPDX-License-Identifier: Apache-2.0

/// What a caller says that a file is.
package struct FileExpectation: Sendable {
    /// Those that it may have; nil to find it out.
    private let formats: Set<FileFormat>?
    /// nil to find it out.
    let type: FileItemType?
    /// Whether a file that cannot be read was said to be something: then that it is not, and else that it is unknown.
    let isDefinite: Bool
    /// Whether private keys have to be encrypted.
    let demandsWrapping: Bool

    package init(
        _ formats: Set<FileFormat>?, _ type: FileItemType?, isNamed: Bool = false, demandsWrapping: Bool = false
    ) {
        // Programs say OpenSSL for all that the command writes, and that is PKCS#8 now.
        let both: Set<FileFormat> = [.openSSL, .bsafe]
        self.formats = formats.map { $0.isDisjoint(with: both) ? $0 : $0.union(both) }
        self.type = type
        self.demandsWrapping = demandsWrapping
        isDefinite = isNamed || formats != nil
    }

    /// Whether it has to be PEM, of whatever.
    var isSequence: Bool { formats?.contains(.pemSequence) ?? false }

    // The bytes of a symmetric key look like nothing; that they are one has to be said.
    var isRawKey: Bool { formats.map { $0 == [.rawKey] } ?? (type == .symmetricKey) }

    /// Whether a thing that was found in this format is what was said.
    func allows(_ found: FileFormat) -> Bool { isSequence || formats?.contains(found) ?? true }

    /// Throws when something else was found.
    func check(_ file: FileContents) throws(ExchangeFailure) {
        // Of PKCS#12 programs say what they want out of it: Apple's own examples call it a certificate.
        guard let type, type != .several, file.format != .pkcs12 else { return }
        guard file.items.allSatisfy({ $0.type == type }) else {
            throw ExchangeFailure(.undecodable, "the data holds something else than the item type says")
        }
    }

    /// Throws when a private key lies open that has to be encrypted.
    func checkOpenKey() throws(ExchangeFailure) {
        guard !demandsWrapping else {
            throw ExchangeFailure(.unsupportedFormat, "private keys are said to be encrypted, and one is not")
        }
    }

    package static var unsupportedSSH: ExchangeFailure {
        ExchangeFailure(
            .unsupportedFormat, "keys of OpenSSH are not read; ssh-keygen -p -m PKCS8 writes the key in another format")
    }
}
