// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// Encodings of what is stored.
internal enum CodingSeeds {
    static func propertyLists() throws -> [[UInt8]] {
        let values: [PropertyList] = [
            .null, .boolean(true), .boolean(false), .number(0), .number(-1), .number(.max), .number(.min),
            .string(""), .string("Größe"), .data([]), .data([UInt8](0..<200)), .date(0), .date(777_000_000.25),
            .array([]), .array([.null, .array([.number(128)])]), .dictionary([:]),
            .dictionary(["a": .null, "bb": .dictionary(["c": .string("d")]), "": .date(-1e9)]),
        ]
        let deep = (0..<PropertyList.greatestDepth).reduce(PropertyList.null) { inner, _ in .array([inner]) }
        return try (values + [deep]).map { try $0.encoded() } + [[0x30, 0x80, 0x00, 0x00], [0x02, 0x02, 0x00, 0x01]]
    }

    static var propertyListFiles: [[UInt8]] {
        let texts = [
            "<plist><dict/></plist>", "<plist version=\"1.0\"><array><true/><integer>-7</integer></array></plist>",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- a program of ours -->
            <plist version="1.0"><dict><key>match</key>
            <dict><key>path</key><string>/usr/bin/a &amp; b</string>
            <key>sha256</key><data>AAECAwQ=</data></dict><key>keychain-access-groups</key>
            <array><string><![CDATA[TEAM.one]]></string><string/></array><key>d</key><date>2026-01-01T00:00:00Z</date>
            </dict></plist>
            """,
        ]
        // The binary form of {"a": [1, "b"]}: objects, their places, and the trailer.
        let binary: [UInt8] =
            Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xA2, 3, 4, 0x10, 1, 0x51, 0x62] + [8, 11, 13, 16, 18]
            + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 5] + [0, 0, 0, 0, 0, 0, 0, 0] + [
                0, 0, 0, 0, 0, 0, 0, 20,
            ]
        return texts.map { Array($0.utf8) } + [binary]
    }

    static func attributes() throws -> [[UInt8]] {
        var item = AttributeList()
        item[.account] = .string("somebody")
        item[.service] = .string("Größe")
        item[.creationDate] = .date(777_000_000.5)
        item[.generic] = .data([1, 2, 3])
        item[.isInvisible] = .number(1)
        var all = AttributeList()
        for (number, attribute) in Attribute.allCases.enumerated() {
            switch number % 4 {
            case 0: all[attribute] = .string("\(number)")
            case 1: all[attribute] = .data([UInt8](repeating: UInt8(number), count: number))
            case 2: all[attribute] = .number(Int64(number) << number)
            default: all[attribute] = .date(Double(number) / 4)
            }
        }
        return try [AttributeList(), item, all].map { try AttributeCoding.encode($0) }
    }

    static func secrets() -> [[UInt8]] {
        let digest = [UInt8](1...20)
        return [nil, 0, 1, 17, 18, 19, 119, 300].map { (count: Int?) in
            var memory = [UInt8](repeating: 0, count: SecretCoding.encodedSize(dataCount: count))
            let data = count.map { [UInt8](repeating: 0x5A, count: $0) }
            memory.withUnsafeMutableBytes { memory in
                digest.withUnsafeBytes { digest in
                    if let data {
                        data.withUnsafeBytes { SecretCoding.encode(data: $0, digest: digest, into: memory) }
                    } else {
                        SecretCoding.encode(data: nil, digest: digest, into: memory)
                    }
                }
            }
            return memory
        }
    }

    static func accessControls() throws -> [[UInt8]] {
        let flags: [AccessFlags] = [
            [], .userPresence, .devicePasscode, .biometryAny, .biometryCurrentSet,
            [.biometryAny, .devicePasscode, .or],
            [.biometryCurrentSet, .devicePasscode, .companion],
            [.privateKeyUsage, .userPresence, .applicationPassword],
        ]
        var controls = flags.compactMap { AccessControl(protection: .whenUnlocked, flags: $0) }
        controls.append(AccessControl(protection: .afterFirstUnlock))
        let few = AccessConstraint.atLeast(1, of: [.factor(.passcode), .factor(.biometrySet([UInt8](0..<32)))])
        var rules = AccessRules([.decrypt: .atLeast(2, of: [few, .allowed, .factor(.presence)]), .delete: .forbidden])
        rules.isMarkedBound = true
        controls.append(AccessControl(protection: .whenPasscodeSetThisDeviceOnly, rules: rules))
        return try controls.map { try AccessControlCoding.encode($0) }
    }

    static let times = [
        "20010101000000Z", "20240229235959Z", "00000101000000Z", "99991231235959Z", "20250825112257.123Z",
        "20010101000000.30000000000000004Z", "20010101000000.0Z", "20230230000000Z", "2001010100000Z",
    ].map { Array($0.utf8) }

    static let objectIdentifiers = [
        "1.2.840.113549.1.7.1", "2.5.29.37", "2.999.3", "0.0", "1.39.72057594037927936", "2.72057594037927935", "1.40",
        "01.2", "3.1", "1..2", "1.3.6.1.4.1.311.21.20",
    ].map { Array($0.utf8) }
}
