// SPDX-License-Identifier: Apache-2.0

internal import Security

/// A file of any format, through the public function that finds out which it is; the passphrase is "p".
internal enum ImportFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard !RoundLimit.isCostly(bytes) && !text(bytes).contains(where: RoundLimit.isCostly) else { return .skipped }
        var file = File()
        let status = file.read(bytes, passphrase: "p")
        guard status == errSecSuccess else {
            try promise(statuses.contains(status), "only documented statuses are returned")
            try promise(file.items == nil, "an import that fails sets no items")
            try promise(file.format == .formatUnknown, "an import that fails says no format")
            try promise(Llavero.lastFailure != nil, "a failure is explained")
            return .refused
        }
        try promise(file.format != .formatUnknown, "an import that succeeds says the format")
        guard let items = file.items as? [AnyObject], !items.isEmpty else {
            // A PKCS#12 file may have nothing in it that anybody asks for.
            try promise(file.format == .formatPKCS12, "an import that succeeds gives items")
            return .accepted
        }
        try promise(
            items.allSatisfy { $0 is SecKey || $0 is SecCertificate || $0 is SecIdentity },
            "an import gives keys, certificates and identities")
        try checkExport(items)
        return .accepted
    }

    /// What was imported is exported, and imported again as the same.
    private static func checkExport(_ items: [AnyObject]) throws(BrokenPromise) {
        var exported: CFData?
        let status = SecItemExport(items as NSArray, .formatPEMSequence, [], nil, &exported)
        guard status == errSecSuccess, let exported else { throw BrokenPromise("what was imported is exported") }
        var again = File()
        try promise(again.read([UInt8](exported as Data), passphrase: nil) == errSecSuccess, "an export is imported")
        try promise(
            Set((again.items as? [NSObject]) ?? []) == Set(items.flatMap(parts)),
            "what was exported is imported as the same")
    }

    private static func parts(_ item: AnyObject) -> [NSObject] {
        guard let identity = item as? SecIdentity else { return (item as? NSObject).map { [$0] } ?? [] }
        var certificate: SecCertificate?
        var key: SecKey?
        SecIdentityCopyCertificate(identity, &certificate)
        SecIdentityCopyPrivateKey(identity, &key)
        return [certificate, key].compactMap { $0 as NSObject? }
    }

    /// What stands in blocks of PEM, as far as that is easily found.
    private static func text(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "-")).compactMap { part in
            guard part.count > 16 else { return nil }
            let digits = String(decoding: part.filter { $0 > 0x20 && $0 != 0x3A }, as: UTF8.self)
            return Data(base64Encoded: digits, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
        }
    }

    private struct File {
        var format = SecExternalFormat.formatUnknown
        var items: CFArray?

        mutating func read(_ bytes: [UInt8], passphrase: String?) -> OSStatus {
            var parameters = SecItemImportExportKeyParameters()
            let text = passphrase.map { $0 as NSString }
            parameters.passphrase = text.map { Unmanaged.passUnretained($0) }
            return withExtendedLifetime(text) {
                SecItemImport(Data(bytes) as NSData, nil, &format, nil, [], &parameters, nil, &items)
            }
        }
    }

    private static let statuses: Set<OSStatus> = [
        errSecUnknownFormat, errSecUnsupportedFormat, errSecDecode, errSecUnsupportedKeySize, errSecPassphraseRequired,
        errSecAuthFailed, errSecPkcs12VerifyFailure,
    ]
}
