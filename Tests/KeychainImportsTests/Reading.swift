// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainImports
import KeychainModel

extension ImportedBytes {
    convenience init(_ bytes: [UInt8]) { self.init(SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }) }

    /// What no program outside a test should do.
    var array: [UInt8] { bytes.withUnsafeBytes { Array($0) } }
    var string: String { String(decoding: array, as: UTF8.self) }
}

/// An item, as far as tests compare it.
struct Seen: Hashable, CustomStringConvertible {
    let kind: ImportedItem.Kind
    let account: String
    let secret: [UInt8]

    init(_ item: ImportedItem) {
        kind = item.kind
        account = item.account
        secret = item.secret.array
    }

    init(_ kind: ImportedItem.Kind, _ account: String, _ secret: [UInt8]) {
        self.kind = kind
        self.account = account
        self.secret = secret
    }

    init(_ service: String, _ account: String, _ secret: String) {
        self.init(.generic(service: service), account, Array(secret.utf8))
    }

    var description: String { "\(kind) \(account) \(String(decoding: secret, as: UTF8.self).debugDescription)" }
}

extension ExportedItem {
    var account: String { if case .string(let account)? = attributes[.account] { account } else { "" } }
}

extension ImportReport {
    var seen: [Seen] { items.map { Seen($0) } }

    func item(_ account: String) -> ImportedItem? { items.first { $0.account == account } }

    var skipped: [SkipReason] {
        findings.compactMap { if case .skipped(let reason) = $0.matter { reason } else { nil } }
    }
}

extension ImportedItem {
    var place: InternetPlace? { if case .internet(let place) = kind { place } else { nil } }

    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

func read(
    _ bytes: [UInt8], as format: ImportFormat, password: String? = nil
) throws(ImportError) -> ImportReport {
    let passcode = password.flatMap { text in Array(text.utf8).withUnsafeBytes { Passcode(copying: $0) } }
    return try ImportFile(name: "test", content: ImportedBytes(bytes)).read(as: format, password: passcode)
}

func read(_ text: String, as format: ImportFormat) throws(ImportError) -> ImportReport {
    try read(Array(text.utf8), as: format)
}

/// The path of a file that another program has made.
func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)").path
}
