// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainSystem
internal import ProgramSigning
internal import TestPrograms
internal import Testing

@Suite struct SignerTests {
    private let signer: TestSigner

    init() throws { signer = try TestSigner() }

    private func fault(_ text: String) -> EntitlementFault? {
        do throws(EntitlementFault) {
            _ = try ProgramSigner(parsing: Array(text.utf8), file: "a.plist")
            return nil
        } catch { return error }
    }

    private func parsed(_ signer: TestSigner, _ prefixes: [String], as file: String) throws -> ProgramSigner {
        try ProgramSigner(parsing: Array(signer.file(prefixes: prefixes).utf8), file: file)
    }

    @Test("a file says whose key, what for, from which version on, and for whom")
    func whole() throws {
        let text = signer.file([
            "minimum-serial": "<dict><key>TEAM.a</key><integer>3</integer></dict>",
            "uids": EntitlementText.numbers([1000]),
        ])
        let parsed = try ProgramSigner(parsing: Array(text.utf8), file: "a.plist")
        #expect(parsed.publicKey == signer.publicKey)
        #expect(parsed.prefixes == ["TEAM."])
        #expect(parsed.minimumSerials == ["TEAM.a": 3])
        #expect(parsed.users == [1000])
        let data = text.replacing("<key>key</key><string>", with: "<key>key</key><data>")
            .replacing("=</string>", with: "=</data>")
        #expect(try ProgramSigner(parsing: Array(data.utf8), file: "a.plist") == parsed)
    }

    @Test("what is not understood in full believes nobody")
    func faults() {
        #expect(fault("garbage") == .notAPropertyList)
        #expect(fault("<plist version=\"1.0\"><dict/></plist>") == .wrongValue("key"))
        #expect(fault(signer.file(prefixes: [])) == .grantsNothing)
        for prefix in ["TEAM", ".", "TEAM.a", "TEAM.\u{7}."] {
            #expect(fault(signer.file(prefixes: ["OK.", prefix])) != nil)
        }
        #expect(fault(signer.file(["prefix": EntitlementText.text("TEAM.")])) == .unknownKey("prefix"))
        for value in ["<integer>1</integer>", "<dict><key>TEAM.a</key><string>1</string></dict>"] {
            #expect(fault(signer.file(["minimum-serial": value])) == .wrongValue("minimum-serial"))
        }
        // Not the signer's, so meant for something else; and a number that no program has.
        for entry in ["<key>OTHER.a</key><integer>1</integer>", "<key>TEAM.a</key><integer>-1</integer>"] {
            #expect(fault(signer.file(["minimum-serial": "<dict>\(entry)</dict>"])) == .wrongValue("minimum-serial"))
        }
        #expect(fault(signer.file(["uids": "<array/>"])) == .wrongValue("uids"))
    }

    @Test("a key is written one way")
    func keyText() {
        let text = Base64.text(of: signer.publicKey)
        #expect(KeyText.bytes(in: text) == signer.publicKey)
        #expect(KeyText.bytes(in: String(repeating: "A", count: 43) + "=") == [UInt8](repeating: 0, count: 32))
        #expect(KeyText.bytes(in: String(repeating: "/", count: 42) + "8=") == [UInt8](repeating: 0xFF, count: 32))
        let wrong = [
            "", "=", String(text.dropLast()), text + "=", " " + text.dropFirst(), String(repeating: "A", count: 44),
            String(repeating: "A", count: 42) + "B=", String(repeating: "A", count: 42) + "-=",
        ]
        for text in wrong { #expect(KeyText.bytes(in: text) == nil) }
    }

    @Test("a name is granted under a prefix alone, byte for byte")
    func prefixes() throws {
        let parsed = try parsed(signer, ["TEAM.", "GROUP.caf\u{E9}."], as: "a.plist")
        for name in ["TEAM.a", "TEAM..", "GROUP.caf\u{E9}.x"] { #expect(parsed.mayGrant(name)) }
        let others = [
            "TEAM.", "TEAM", "team.a", "OTHER.a", "*", "", "XTEAM.a", "TEA\u{301}M.a", "GROUP.cafe\u{301}.x",
            "llavero.open",
        ]
        for name in others { #expect(!parsed.mayGrant(name)) }
    }

    @Test("one name too many, an old serial, or another user refuse the whole statement")
    func refusals() throws {
        let text = signer.file([
            "minimum-serial": "<dict><key>TEAM.a</key><integer>3</integer></dict>",
            "uids": EntitlementText.numbers([1000]),
        ])
        let parsed = try ProgramSigner(parsing: Array(text.utf8), file: "a.plist")
        func refusal(
            _ identifier: String, _ groups: [String] = [], _ applicationGroups: [String] = [], serial: Int64 = 3,
            user: UInt32 = 1000
        ) throws -> SignerRefusal? {
            let bytes = try signer.sign(
                ProgramFixture.client, identifier: identifier, groups: groups, applicationGroups: applicationGroups,
                serial: serial)
            return parsed.refusal(of: try signer.statement(of: bytes), user: user)
        }
        #expect(try refusal("TEAM.a", ["TEAM.b"], ["TEAM.c"]) == nil)
        #expect(try refusal("TEAM.other", serial: 0) == nil)
        #expect(try refusal("OTHER.a") == .notTheirs("OTHER.a"))
        #expect(try refusal("TEAM.a", ["TEAM.b", "OTHER.b"]) == .notTheirs("OTHER.b"))
        #expect(try refusal("TEAM.a", ["*"]) == .notTheirs("*"))
        #expect(try refusal("TEAM.a", [], ["group.other"]) == .notTheirs("group.other"))
        #expect(try refusal("TEAM.a", serial: 2) == .outdated(2, minimum: 3))
        #expect(try refusal("TEAM.a", user: 1001) == .user(1001))
    }

    @Test("two signers who share a key or a prefix, or of whom one has part of the other's, are not believed")
    func contests() throws {
        let other = try TestSigner(8)
        let third = try parsed(try TestSigner(9), ["THIRD."], as: "c.plist")
        for (mine, theirs) in [
            (["TEAM."], ["TEAM."]), (["TEAM."], ["X.", "TEAM.a."]), (["TEAM.a.", "Y."], ["TEAM."]),
        ] {
            let table = SignerTable(
                signers: [try parsed(signer, mine, as: "a.plist"), try parsed(other, theirs, as: "b.plist"), third],
                reports: [])
            #expect(table.signers == [third])
            #expect(
                table.reports == [
                    EntitlementReport(file: "a.plist", fault: .contestedPrefix(by: "b.plist")),
                    EntitlementReport(file: "b.plist", fault: .contestedPrefix(by: "a.plist")),
                ])
        }
        let table = SignerTable(
            signers: [try parsed(signer, ["A."], as: "a.plist"), try parsed(signer, ["B."], as: "b.plist")], reports: []
        )
        #expect(table.signers.isEmpty)
        #expect(table.reports.first?.fault == .contestedKey(by: "b.plist"))
        let apart = SignerTable(
            signers: [try parsed(signer, ["TEAM."], as: "a.plist"), try parsed(other, ["TEAMS."], as: "b.plist")],
            reports: [])
        #expect(apart.signers.count == 2)
    }
}
