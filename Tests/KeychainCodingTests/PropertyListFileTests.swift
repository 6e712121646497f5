// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import TestSeed
import Testing

/// Property list files as people and Apple's tools write them, read without Foundation; Foundation writes some of them.
@Suite struct PropertyListFileTests {
    private func read(_ content: String) throws -> PropertyList {
        try PropertyList(xml: Array("<plist version=\"1.0\">\(content)</plist>".utf8))
    }

    private func fault(_ text: String) -> CodingError? {
        do throws(CodingError) { _ = try PropertyList(xml: Array(text.utf8)) } catch { return error }
        return nil
    }

    private static var objects: [String: Any] {
        [
            "text": "a < b & \"c\" 'd' > \u{E9}\u{1F511}\n", "empty": "", "yes": true, "no": false, "one": 1,
            "least": Int64.min, "most": Int64.max, "data": Data((0...255).map { UInt8($0) }), "none": Data(),
            "long": String(repeating: "\u{E9}", count: 300), "list": [1, "a", [], [:]] as [Any],
            "many": Array(repeating: "x", count: 70), "dictionary": ["key": ["key": "value"]],
        ]
    }
    private static let values: [String: PropertyList] = [
        "text": .string("a < b & \"c\" 'd' > \u{E9}\u{1F511}\n"), "empty": .string(""), "yes": .boolean(true),
        "no": .boolean(false), "one": .number(1), "least": .number(.min), "most": .number(.max),
        "data": .data((0...255).map { UInt8($0) }), "none": .data([]),
        "long": .string(String(repeating: "\u{E9}", count: 300)),
        "list": .array([.number(1), .string("a"), .array([]), .dictionary([:])]),
        "many": .array(Array(repeating: .string("x"), count: 70)),
        "dictionary": .dictionary(["key": .dictionary(["key": .string("value")])]),
    ]

    @Test(
        "what Foundation writes is read", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func foundation(format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.objects, format: format, options: 0)
        #expect(try PropertyList(file: [UInt8](data)) == .dictionary(Self.values))
    }

    @Test("a date and a fraction are there, and are nothing")
    func kindsOfNoUse() throws {
        let objects: [Any] = [Date(timeIntervalSince1970: 0), 1.5, "after"]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: objects, format: format, options: 0)
            #expect(try PropertyList(file: [UInt8](data)) == .array([.null, .null, .string("after")]))
        }
    }

    @Test("what people write around and between is passed over")
    func layout() throws {
        let text = """
            \u{FEFF}<?xml version='1.0' encoding='utf-8'?>
            <!-- <dict> -->
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0" >\r
            <array ><!-- a --><string><![CDATA[a&b]]>c\r
            d&#x20AC;&#233;</string><integer> -7\t</integer><true></true><data>
              AQ ==</data></array></plist>
            <!-- end -->
            """
        let expected: [PropertyList] = [
            .string("a&bc\nd\u{20AC}\u{E9}"), .number(-7), .boolean(true), .data([1]),
        ]
        #expect(try PropertyList(xml: Array(text.utf8)) == .array(expected))
    }

    @Test(
        "XML that is no list, or says more than a list can, is refused",
        arguments: [
            "", "garbage", "<dict/>", "<plist version=\"1.0\"/>", "<plist version=\"1.0\"><dict/><dict/></plist>",
            "<plist><dict/></plist>garbage", "<plist version=\"2.0\"><dict/></plist>",
            "<plist><dict a=\"b\"/></plist>", "<plist><dict></array></plist>", "<plist><dict>",
            "<plist><dict><string>a</string></dict></plist>", "<plist><dict><key>a</key></dict></plist>",
            "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
            "<plist><string>a</key></plist>", "<plist><string>&b;</string></plist>",
            "<plist><string>&#0;</string></plist>", "<plist><string>&#xD800;</string></plist>",
            "<plist><string>&#+65;</string></plist>", "<plist><string>\u{1}</string></plist>",
            "<plist><string><!-- --></string></plist>", "<plist><integer></integer></plist>",
            "<plist><integer>9223372036854775808</integer></plist>", "<plist><integer>1 2</integer></plist>",
            "<plist><data>A</data></plist>", "<plist><data>====</data></plist>", "<plist><data>A=AA</data></plist>",
            "<plist><data>AAA!</data></plist>", "<plist><true>a</true></plist>", "<plist><set/></plist>",
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict/></plist>",
            "<?xml version=\"1.0\" encoding=\"UTF-81\"?><plist><dict/></plist>", "<?xml encoding=",
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", "<!--", "<?xml", "<![CDATA[",
        ])
    func noList(text: String) { #expect(fault(text) != nil) }

    @Test("bytes that are no UTF-8 are refused")
    func encoding() {
        let bytes = Array("<plist><string>".utf8) + [0xC3, 0x28] + Array("</string></plist>".utf8)
        #expect(throws: CodingError.invalidString) { try PropertyList(xml: bytes) }
    }

    @Test("there is an end to depth")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
        }
        _ = try read(nested(PropertyList.greatestDepth))
        #expect(throws: CodingError.depthExceeded) { try read(nested(PropertyList.greatestDepth + 1)) }
        #expect(throws: CodingError.depthExceeded) { try read(nested(100_000)) }
    }

    @Test("a binary list that holds itself, or much of one thing many times, is refused")
    func loops() throws {
        func list(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var table: [UInt8] = []
            for object in objects {
                table.append(UInt8(bytes.count))
                bytes += object
            }
            let start = UInt8(bytes.count)
            let numbers: [UInt8] = [UInt8(objects.count), top, start].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] }
            return bytes + table + [0, 0, 0, 0, 0, 0, 1, 1] + numbers
        }
        #expect(try PropertyList(binary: list([[0xA1, 1], [0x09]])) == .array([.boolean(true)]))
        #expect(throws: CodingError.depthExceeded) { try PropertyList(binary: list([[0xA1, 0]])) }
        let doubling = (0..<20).map { [0xA4] + [UInt8](repeating: UInt8($0 + 1), count: 4) } + [[0x09]]
        #expect(throws: CodingError.depthExceeded) { try PropertyList(binary: list(doubling)) }
        for bad: [[UInt8]] in [
            [[0x00]], [[0xA1, 1]], [[0x14]], [[0x5F, 0x13]], [[0x80]], [[0x51, 0x80]], [[0x61, 0xD8, 0]],
        ] {
            #expect(throws: CodingError.self) { try PropertyList(binary: list(bad)) }
        }
        #expect(throws: CodingError.self) { try PropertyList(binary: list([[0x09]], top: 1)) }
    }

    @Test("changed bytes are read or refused, whatever they are")
    func mutations() throws {
        var seed = Seed(for: "PropertyListFiles")
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: Self.objects, format: format, options: 0)
            for _ in 0..<5000 {
                var bytes = [UInt8](data)
                for _ in 0...Int.random(in: 0..<4, using: &seed) {
                    let place = Int.random(in: 0..<bytes.count, using: &seed)
                    switch Int.random(in: 0..<3, using: &seed) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &seed)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &seed)], at: place)
                    }
                }
                if let value = try? PropertyList(file: bytes) { #expect((try? value.encoded()) != nil) }
                _ = try? PropertyList(binary: Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &seed))))
            }
        }
    }
}
