// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

/// What `llavero export` writes, the keychain removed, and `llavero import`.
@Suite("what was exported comes back") struct ExportRoundTripTests {
    private let scene: ToolScene

    init() throws { scene = try ToolScene() }

    private func keychain() throws -> ToolKeychain {
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        if try !keychain.isThere { _ = try keychain.host.create(in: .software, makesRecoveryKey: false) }
        return keychain
    }

    private func request(
        _ itemClass: ItemClass, _ entries: [(Attribute, AttributeValue)], secret: [UInt8]?,
        group: AccessGroup = .passwords, control: AccessControl? = nil, isSynchronizable: Bool = false
    ) -> AddRequest {
        var list = AttributeList()
        for (attribute, value) in entries { list[attribute] = value }
        return AddRequest(
            itemClass: itemClass, attributes: list, group: .named(group.name),
            protection: control.map { .accessControl($0) } ?? .byClassAndGroup, isSynchronizable: isSynchronizable,
            isTombstone: false, secret: secret.map { SecretValue(copying: $0) }, returning: [], origin: .caller)
    }

    /// One of everything.
    private func requests() throws -> [AddRequest] {
        let own = try #require(AccessGroup("team.own"))
        var rules = AccessRules([.decrypt: .allowed, .delete: .forbidden, .encrypt: .atLeast(1, of: [.allowed])])
        rules.isMarkedBound = true
        let fingers = [UInt8](0..<32)
        rules.set(.factor(.biometrySet(fingers)), on: .attest)
        var requests = [
            request(
                .genericPassword,
                [
                    (.service, .string("né\"\\\n\u{7F}\u{2028}")), (.account, .data([0, 0xFF])),
                    (.label, .string("a\0b")), (.generic, .data([])), (.comment, .string("")),
                    (.creator, .number(1_634_887_534)), (.type, .number(-1)), (.isInvisible, .number(1)),
                    (.scriptCode, .string("x")), (.viewHint, .string("hint")), (.alias, .number(7)),
                ], secret: Array(0...255)),
            request(.genericPassword, [(.service, .string("none"))], secret: nil),
            request(.genericPassword, [(.service, .string("empty"))], secret: []),
            request(.genericPassword, [(.service, .string("never")), (.isNegative, .number(1))], secret: nil),
            request(
                .genericPassword, [(.service, .string("text"))],
                secret: Array("\u{1}\"\\/\u{1F600} \r\n\t\u{7F}".utf8)),
            request(
                .genericPassword, [(.service, .string("large"))], secret: [UInt8](repeating: 0xC3, count: 300_001)),
            request(
                .internetPassword,
                [
                    (.server, .string("h")), (.protocol, .string("htps")), (.port, .number(8443)),
                    (.path, .string("/p")), (.securityDomain, .string("d")), (.authenticationType, .string("dflt")),
                    (.account, .string("ada")), (.isNegative, .number(0)),
                ], secret: [1], group: own),
            request(
                .internetPassword, [(.server, .string("h")), (.protocol, .number(7))], secret: [1], group: .open,
                isSynchronizable: true),
            request(
                .genericPassword, [(.service, .string("ruled"))], secret: [1],
                control: AccessControl(protection: .afterFirstUnlock, rules: rules)),
            request(
                .certificate,
                [
                    (.certificateType, .number(3)), (.certificateEncoding, .number(3)), (.subject, .data([0x30, 0])),
                    (.issuer, .data([0x30, 0])), (.serialNumber, .data([1])), (.publicKeyHash, .data([2])),
                    (.label, .string("cert")),
                ], secret: [0x30, 0x03, 1, 2, 3]),
            request(
                .key,
                [
                    (.keyClass, .number(2)), (.type, .number(0x8000_0001)), (.keySizeInBits, .number(128)),
                    (.applicationLabel, .data([9])), (.applicationTag, .data([0xFE])), (.startDate, .date(0.1)),
                    (.endDate, .date(800_000_000)), (.canEncrypt, .number(1)), (.isExtractable, .number(1)),
                ], secret: [UInt8](repeating: 7, count: 16)),
        ]
        for protection in Accessibility.allCases where protection != .whenPasscodeSetThisDeviceOnly {
            requests.append(
                request(
                    .genericPassword, [(.service, .string(protection.name))], secret: [2],
                    control: AccessControl(protection: protection)))
        }
        return requests
    }

    /// An item as any program would find it, without when it was changed.
    private struct Seen: Equatable {
        let itemClass: ItemClass
        let attributes: AttributeList
        let control: AccessControl
        let secret: [UInt8]?
    }

    private func everything() throws -> [Seen] {
        let keychain = try keychain()
        var seen: [Seen] = []
        for itemClass in ItemClass.allCases {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            let found = try keychain.match(
                MatchRequest(predicate: predicate, returning: [.attributes, .data], limit: .all), of: .everybody)
            for case .item(let item) in found {
                var attributes = try #require(item.attributes)
                // The digest is of that date, too.
                for attribute in [Attribute.modificationDate, .digest] { attributes[attribute] = nil }
                seen.append(
                    Seen(
                        itemClass: itemClass, attributes: attributes, control: item.accessControl,
                        secret: item.secret.map { secret in secret.withUnsafeBytes { Array($0) } }))
            }
        }
        // In no order that both would have.
        return seen.sorted { "\($0.control)\(names(of: $0))" < "\($1.control)\(names(of: $1))" }
    }

    private func names(of seen: Seen) -> String {
        seen.attributes.entries.map { entry in
            let bytes = entry.value.withComparisonBytes { Array($0) }
            return "\(entry.attribute.key)=\(bytes)"
        }.sorted().joined()
    }

    @Test("every attribute, secret, group, class of protection and rule")
    func all() throws {
        let requests = try requests()
        for request in requests { try keychain().add(request, of: .everybody) }
        let before = try everything()
        #expect(before.count == requests.count)
        let export = try scene.tool("export", "--all", "out.json")
        #expect(export == ToolScene.Answer(code: 0, output: "", complaint: ""))
        try keychain().remove()
        #expect(try scene.tool("import", "out.json", "--dry-run", "--plain").code == 0)
        #expect(try everything().isEmpty)
        let imported = try scene.tool("import", "out.json", "--plain")
        #expect(imported.code == 0, "\(imported.output)\(imported.complaint)")
        #expect(
            imported.complaint.hasPrefix(
                "llavero: \(requests.count) kept (\(requests.count - 2) passwords, 1 certificate, 1 key), 0 here already, 0 left out (llavero-json)\n"
            ))
        let after = try everything()
        #expect(after.count == before.count)
        for (new, old) in zip(after, before) {
            #expect(new.secret == old.secret)
            #expect(new.control == old.control)
            for entry in old.attributes.entries {
                #expect(new.attributes[entry.attribute] == entry.value, "\(entry.attribute)")
            }
            #expect(new.attributes.entries.count == old.attributes.entries.count)
        }
        let again = try scene.tool("import", "out.json")
        #expect(again.code == 0)
        #expect(again.complaint == "llavero: 0 kept, \(requests.count) here already, 0 left out (llavero-json)\n")
        #expect(try scene.tool("check").code == 0)
    }

    @Test("what cannot come back is said, and why")
    func refused() throws {
        try scene.write(
            """
            {"llavero":2,"items":[
            {"name":"p","kind":"password","service":"p","group":"g","protection":"when-passcode-set-this-device-only","secret":"x"},
            {"name":"t","kind":"password","service":"t","group":"com.apple.token","protection":"always","secret":"x"},
            {"name":"s","kind":"password","service":"s","group":"g","synchronizable":true,"protection":"always-this-device-only"},
            {"name":"ok","kind":"password","service":"ok","group":"g","protection":"always","secret":"x"}
            ]}
            """, to: "in.json")
        let answer = try scene.tool("import", "in.json", "--plain")
        #expect(answer.code == 1)
        let lines = answer.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(lines.map { $0[0] } == ["kept", "kept", "left out", "left out"])
        #expect(lines.map { $0[1] } == ["s", "ok", "p", "t"])
        #expect(lines.dropFirst(2).allSatisfy { !$0[4].isEmpty })
        #expect(answer.complaint.hasPrefix("llavero: 2 kept, 0 here already, 2 left out (llavero-json)\n"))
    }
}
