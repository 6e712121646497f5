// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainOneTimeCodes

/// Seeds of one-time codes that a source keeps as several fields: KeePass' `TimeOtp-…` and `HmacOtp-…`, and the two that
/// KeePassXC and plug-ins had before (`TOTP Seed`, `TOTP Settings`).
///
/// Each becomes one URL, where all that belongs to it is understood; else its fields stay as they are.
internal enum OneTimeFields {
    internal static func joined(
        _ secrets: [FurtherSecret], _ attributes: inout [ImportedAttribute]
    ) -> [FurtherSecret] {
        var secrets = secrets
        for (seed, prefix) in [
            ("TimeOtp-Secret-Base32", "TimeOtp-"), ("HmacOtp-Secret-Base32", "HmacOtp-"),
            ("TOTP Seed", "TOTP Settings"),
        ] {
            guard let index = secrets.firstIndex(where: { $0.name == seed }) else { continue }
            // They are in either list, as they were protected or not.
            var terms: [String: String] = [:]
            var isText = true
            for secret in secrets where secret.name.hasPrefix(prefix) && secret.name != seed {
                guard let text = secret.value.text else {
                    isText = false
                    continue
                }
                isText = terms.updateValue(text, forKey: secret.name) == nil && isText
            }
            for attribute in attributes where attribute.name.hasPrefix(prefix) {
                isText = terms.updateValue(attribute.value, forKey: attribute.name) == nil && isText
            }
            guard isText, let tail = tail(prefix, terms), let url = url(secrets[index].value, prefix, tail) else {
                // Computed with the usual terms it would give wrong codes.
                for place in secrets.indices where secrets[place].name.hasPrefix(prefix) || secrets[place].name == seed
                {
                    secrets[place] = FurtherSecret(secrets[place].name, secrets[place].value)
                }
                continue
            }
            secrets[index] = FurtherSecret("otp", url, .oneTimeCode)
            secrets.removeAll { $0.name.hasPrefix(prefix) }
            attributes.removeAll { $0.name.hasPrefix(prefix) }
        }
        return secrets
    }

    private static func url(_ seed: ImportedBytes, _ prefix: String, _ tail: String) -> ImportedBytes? {
        let kind = prefix == "HmacOtp-" ? "hotp" : "totp"
        let (head, seed) = (ImportedBytes("otpauth://\(kind)/?secret="), seed.withoutSpace)
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
    private static func tail(_ prefix: String, _ terms: [String: String]) -> String? {
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
