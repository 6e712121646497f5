// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainKeys
internal import KeychainModel

/// Reads the blocks of a text.
struct TextReader {
    private let file: FileReader

    init(_ file: FileReader) { self.file = file }

    func read(_ text: UnsafeRawBufferPointer) throws(ExchangeFailure) -> FileContents {
        let blocks = try ExchangeFailure.translating { () throws(ExchangeError) in try unsafe PEM.blocks(in: text) }
        try checkCost(of: blocks)
        var found: [FileContents] = []
        var privateKeys = 0
        for block in blocks {
            guard let one = try content(of: block) else { continue }
            privateKeys += one.items.count(where: \.isPrivateKey)
            // Each takes a signature to check.
            guard privateKeys <= Self.mostKeys else {
                throw ExchangeFailure(.undecodable, "the data contains too many private keys")
            }
            found.append(one)
        }
        guard let first = found.first else {
            throw ExchangeFailure(.undecodable, "the text contains neither a key nor a certificate")
        }
        let isOne = found.count == 1 && !file.expectation.isSequence
        return FileContents(format: isOne ? first.format : .pemSequence, items: found.flatMap(\.items))
    }

    /// Counts what the passphrase is needed for, before it is used for any of it.
    private func checkCost(of blocks: [PEMBlock]) throws(ExchangeFailure) {
        var cost = WrappedKeyCost()
        for block in blocks where block.label == "ENCRYPTED PRIVATE KEY" {
            try unsafe block.content.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
                try unsafe cost.spend(on: bytes)
            }
        }
        guard blocks.count(where: { $0.label == "PKCS12" }) <= 1 else {
            throw ExchangeFailure(.unsupportedFormat, "the text contains more than one PKCS#12 file")
        }
    }

    /// What is in a block; nil when that is nothing of its own.
    private func content(of block: PEMBlock) throws(ExchangeFailure) -> FileContents? {
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE": return try structure(.certificate, block)
        case "PUBLIC KEY": return try structure(.publicKeyInfo, block)
        case "RSA PUBLIC KEY": return try structure(.rsaPublicKey, block)
        case "PKCS7", "CMS": return try structure(.pkcs7, block)
        case "PKCS12": return try structure(.pkcs12, block)
        case "ENCRYPTED PRIVATE KEY": return try structure(.encryptedKey, block)
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY": return try privateKey(block)
        // The openssl command writes it in front of a key, which says the same once more.
        case "EC PARAMETERS": return nil
        case "TRUSTED CERTIFICATE":
            throw ExchangeFailure(
                .unsupportedFormat,
                "certificates with trust settings (TRUSTED CERTIFICATE) cannot be imported; convert them with openssl x509"
            )
        case let label where label.contains("SSH"): throw FileExpectation.unsupportedSSH
        default:
            throw ExchangeFailure(.unsupportedFormat, "the text contains more than keys and certificates")
        }
    }

    private func structure(_ shape: FileShape, _ block: PEMBlock) throws(ExchangeFailure) -> FileContents {
        try unsafe block.content.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe file.structure(shape, bytes)
        }
    }

    private func privateKey(_ block: PEMBlock) throws(ExchangeFailure) -> FileContents {
        var format = block.label == "PRIVATE KEY" ? FileFormat.bsafe : .openSSL
        var key: PrivateKey?
        do throws(ExchangeError) { key = try PrivateKey(block, password: Passphrase.empty.bytes) } catch {
            guard error == .passwordRequired else { throw ExchangeFailure(error) }
            format = .wrappedOpenSSL
        }
        guard file.expectation.allows(format) else {
            throw ExchangeFailure(.undecodable, "the data is in another format than the given one")
        }
        let read: PrivateKey
        if let key {
            try file.expectation.checkOpenKey()
            read = key
        } else {
            let passphrase = try file.required()
            read = try ExchangeFailure.translating { () throws(ExchangeError) in
                try PrivateKey(block, password: passphrase.bytes)
            }
        }
        return FileContents(format: format, items: [.key(try CryptoKey.privateKey(read), label: nil)])
    }

    private static let mostKeys = 100
}

/// What reading the encrypted keys of one text costs: each may demand ten seconds, and a text has room for thousands.
struct WrappedKeyCost {
    private var spent = 0

    /// Counts one encrypted key; throws when it is too much with those before.
    mutating func spend(on key: UnsafeRawBufferPointer) throws(ExchangeFailure) {
        // What cannot be read costs nothing: it is refused before anything is hashed.
        let (cost, isTooLarge) = spent.addingReportingOverflow(unsafe Self.rounds(of: key) ?? 0)
        guard !isTooLarge, cost <= Self.most else {
            throw ExchangeFailure(.undecodable, "the passphrase's iteration count exceeds the limit")
        }
        spent = cost
    }

    /// The first number of the algorithm is how often the passphrase is hashed; scrypt has three to be multiplied.
    private static func rounds(of key: UnsafeRawBufferPointer) -> Int? {
        var outer = unsafe DERReader(unsafeBytes: key)
        guard var fields = outer.enter(DERTag.sequence), var algorithm = fields.enter(DERTag.sequence) else {
            return nil
        }
        var numbers: [Int] = []
        collect(&numbers, &algorithm, depth: 0)
        guard numbers.count >= 3 else { return numbers.first }
        return numbers.reduce(1) { product, number in
            let (larger, isTooLarge) = product.multipliedReportingOverflow(by: number)
            return isTooLarge ? .max : larger
        }
    }

    private static func collect(_ numbers: inout [Int], _ reader: inout DERReader, depth: Int) {
        while let element = reader.next() {
            switch element.tag {
            case DERTag.sequence where depth < 8:
                var inside = reader.inside(element)
                collect(&numbers, &inside, depth: depth + 1)
            case DERTag.integer where element.content.count <= 8:
                let number = reader.unsecretBytes(element.content).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                numbers.append(Int(clamping: number))
            case DERTag.integer: numbers.append(.max)
            default: break
            }
        }
    }

    // As much as one key alone may cost.
    private static let most = 20_000_000
}
