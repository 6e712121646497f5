// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainOneTimeCodes

/// Seeds of one-time codes that a source keeps as several fields: KeePass' `TimeOtp-…` and `HmacOtp-…`, and the two that
/// KeePassXC and plug-ins had before (`TOTP Seed`, `TOTP Settings`).
///
/// Each becomes one URL, where all that belongs to it is understood; else its fields are fields, and none is taken for a seed.
internal enum OneTimeFields {
    /// How a field writes the key.
    private enum Encoding {
        case base32, hexadecimal, base64
        /// The bytes of the text are the key.
        case text
    }

    private struct Family {
        let prefix: String
        let seeds: [String: Encoding]

        func has(_ name: String) -> Bool { name.utf8.starts(with: prefix.utf8) || seeds[name] != nil }

        /// A file of such a name is a file.
        func has(_ secret: FurtherSecret) -> Bool {
            (secret.part == .oneTimeCode || secret.part == .field) && has(secret.name)
        }
    }

    private static let families = [
        family("TimeOtp-"), family("HmacOtp-"), Family(prefix: "TOTP Settings", seeds: ["TOTP Seed": .base32]),
    ]

    // https://keepass.info/help/base/placeholders.html#otp
    private static func family(_ prefix: String) -> Family {
        let seeds: [String: Encoding] = [
            "Secret": .text, "Secret-Hex": .hexadecimal, "Secret-Base32": .base32, "Secret-Base64": .base64,
        ]
        return Family(prefix: prefix, seeds: Dictionary(uniqueKeysWithValues: seeds.map { (prefix + $0, $1) }))
    }

    internal static func joined(
        _ secrets: [FurtherSecret], _ attributes: inout [ImportedAttribute]
    ) -> [FurtherSecret] {
        var secrets = secrets
        for family in families {
            guard let (index, url) = code(family, secrets, attributes) else {
                // Computed with the usual terms, or of the name of an algorithm, it would give wrong codes.
                for place in secrets.indices where family.has(secrets[place]) {
                    secrets[place] = FurtherSecret(secrets[place].name, secrets[place].value)
                }
                continue
            }
            secrets[index] = FurtherSecret("otp", url, .oneTimeCode)
            secrets.removeAll { family.has($0) }
            attributes.removeAll { family.has($0.name) }
        }
        return secrets
    }

    /// The one seed of a family, and the URL of it and all its terms; nil where there is none, or something is not understood.
    private static func code(
        _ family: Family, _ secrets: [FurtherSecret], _ attributes: [ImportedAttribute]
    ) -> (index: Int, url: ImportedBytes)? {
        let seeds = secrets.indices.filter { family.has(secrets[$0]) && family.seeds[secrets[$0].name] != nil }
        // Of two the right one is not known.
        guard let index = seeds.first, seeds.count == 1, let encoding = family.seeds[secrets[index].name] else {
            return nil
        }
        // They are in either list, as they were protected or not.
        var terms: [String: String] = [:]
        for place in secrets.indices where place != index && family.has(secrets[place]) {
            guard let text = secrets[place].value.text, terms.updateValue(text, forKey: secrets[place].name) == nil
            else { return nil }
        }
        for attribute in attributes where family.has(attribute.name) {
            guard terms.updateValue(attribute.value, forKey: attribute.name) == nil else { return nil }
        }
        guard let tail = tail(terms), let seed = base32(secrets[index].value, encoding),
            let url = url(seed, family.prefix, tail)
        else { return nil }
        return (index, url)
    }

    /// The key as a URL writes it.
    private static func base32(_ seed: ImportedBytes, _ encoding: Encoding) -> ImportedBytes? {
        let written = seed.withoutSpace
        let key: ImportedBytes?
        switch encoding {
        case .base32: return written
        case .hexadecimal: key = written.decodingHexadecimal(written.all)
        case .base64: key = written.decodingBase64(written.all)
        case .text: key = seed
        }
        return key.map { ImportedBytes(unsafe $0.bytes.withUnsafeBytes { unsafe Base32.encode($0) }) }
    }

    private static func url(_ seed: ImportedBytes, _ prefix: String, _ tail: String) -> ImportedBytes? {
        let kind = prefix == "HmacOtp-" ? "hotp" : "totp"
        let head = ImportedBytes("otpauth://\(kind)/?secret=")
        guard seed.all.allSatisfy({ seed[$0].map { $0 != ASCII.ampersand && $0 != ASCII.percent } ?? false }) else {
            return nil
        }
        let end = ImportedBytes(tail)
        let url = ImportedBytes(capacity: head.count + seed.count + end.count) { output in
            for part in [head, seed, end] { output.append(part, part.all) }
            return true
        }
        guard let url, unsafe url.bytes.withUnsafeBytes({ unsafe (try? OneTimeCode(text: $0)) != nil }) else {
            return nil
        }
        return url
    }

    /// The other parts of the URL; nil where something is not understood.
    private static func tail(_ terms: [String: String]) -> String? {
        var tail = ""
        for (name, value) in terms.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "TimeOtp-Length": tail += "&digits=\(value)"
            case "TimeOtp-Period": tail += "&period=\(value)"
            case "TimeOtp-Algorithm": tail += "&algorithm=\(value)"
            case "HmacOtp-Counter": tail += "&counter=\(value)"
            case "TOTP Settings":
                // Seconds and digits, or S for Steam's.
                let parts = value.split(separator: ";")
                guard parts.count == 2 else { return nil }
                tail += "&period=\(parts[0])" + (parts[1] == "S" ? "&encoder=steam" : "&digits=\(parts[1])")
            default: return nil
            }
        }
        return tail.utf8.contains(ASCII.percent) || tail.utf8.contains(ASCII.number) ? nil : tail
    }
}
