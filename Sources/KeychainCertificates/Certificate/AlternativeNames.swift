// SPDX-License-Identifier: Apache-2.0

/// The names beside the subject that a certificate is for.
package struct AlternativeNames: Hashable, Sendable {
    package private(set) var emailAddresses: [String] = []
    package private(set) var dnsNames: [String] = []
    /// 4 or 16 bytes each.
    package private(set) var addresses: [[UInt8]] = []
    package private(set) var uris: [String] = []

    internal init() {}

    /// The names in an extension's value; nil when it is none such.
    internal init?(_ bytes: ArraySlice<UInt8>) {
        guard let names = DERValue(bytes, tag: DERTag.sequence)?.elements, !names.isEmpty else { return nil }
        for name in names {
            switch name.tag {
            case DERTag.context(1, isConstructed: false): append(name, to: \.emailAddresses)
            case DERTag.context(2, isConstructed: false): append(name, to: \.dnsNames)
            case DERTag.context(6, isConstructed: false): append(name, to: \.uris)
            case DERTag.context(7, isConstructed: false):
                guard name.content.count == 4 || name.content.count == 16 else { return nil }
                addresses.append(Array(name.content))
            // Other names, X.400 and EDI names, directory names, registered identifiers: nobody here asks for them.
            case 0x88, 0xA0, 0xA3...0xA5: guard name.isStrict else { return nil }
            default: return nil
            }
        }
    }

    // IA5 texts. One with other bytes, or with a NUL, which C code would take for the end of it, is no name of anybody.
    private mutating func append(_ name: DERValue, to list: WritableKeyPath<AlternativeNames, [String]>) {
        guard name.content.allSatisfy({ (0x01..<0x80).contains($0) }) else { return }
        self[keyPath: list].append(String(decoding: name.content, as: UTF8.self))
    }
}
