// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainExchange
import TestCertificates
import Testing

@Suite("A malformed certificate is none")
struct MalformedCertificateTests {
    /// The children of a certificate's first child, in version 3.
    private enum Part {
        static let version = [0, 0]
        static let serial = [0, 1]
        static let algorithm = [0, 2]
        static let issuer = [0, 3]
        static let validity = [0, 4]
        static let subject = [0, 5]
        static let key = [0, 6]
        static let extensions = [0, 7, 0]
    }

    private static let made = Result { () throws -> (p256: [UInt8], rsa: [UInt8], ed25519: [UInt8], v1: [UInt8]) in
        let workshop = try Workshop()
        let text = Workshop.server + "keyUsage = critical, digitalSignature\nsubjectKeyIdentifier = hash\n"
        return (
            try workshop.make("a", extensions: text).der, try workshop.make("b", .rsa2048, extensions: text).der,
            try workshop.make("c", .ed25519, extensions: text).der, try workshop.make("d").der
        )
    }

    @Test("in its outer form")
    func outer() throws {
        let good = try Self.made.get().p256
        let tree = Element(good)
        #expect(Certificate(der: good) != nil)
        #expect(tree.bytes == good)
        let content = Array(good[4...])
        var cases: [(String, [UInt8])] = [
            ("nothing", []), ("one byte", [0x30]), ("an empty sequence", [0x30, 0]), ("zeros", [0, 0, 0, 0]),
            ("a byte after it", good + [0]), ("itself twice", good + good), ("a set", [0x31] + good[1...]),
            ("a length of five bytes", [0x30, 0x85, 0, 0, 0] + good[2...4].dropFirst() + content),
            ("a length with a zero before", [0x30, 0x83, 0] + good[2...3] + content),
            ("a length beyond the end", [0x30, 0x82, 0xFF, 0xFF] + content),
            ("a length of 4 GiB", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + content),
            ("a length of eight bytes", [0x30, 0x88] + [UInt8](repeating: 0x7F, count: 8) + content),
            ("an indefinite length", [0x30, 0x80] + content + [0, 0]),
            ("a reserved length", [0x30, 0xFF] + content),
            ("PEM", Array(PEM.publicText("CERTIFICATE", of: good).utf8)),
            ("too large", [0x30, 0x83, 0x20, 0, 0] + [UInt8](repeating: 0, count: 0x200000)),
            ("deep", (0..<5000).reduce([5, 0]) { inner, _ in [0x30] + Element.length(inner.count) + inner }),
        ]
        for count in [1, 2, 3, 4, 5, 10, 100, good.count / 2, good.count - 1] {
            cases.append(("cut after \(count)", Array(good.prefix(count))))
        }
        cases += [
            ("no signature", tree.with([]) { $0.children.removeLast() }),
            ("a fourth part", tree.with([]) { $0.children.append(Element(5, [])) }),
            ("an octet string for a signature", tree.with([2]) { $0.tag = 4 }),
            ("an empty signature", tree.with([2]) { $0.content = [] }),
            ("a signature of no bytes", tree.with([2]) { $0.content = [0] }),
            ("a signature of half a byte", tree.with([2]) { $0.content[0] = 4 }),
            ("another algorithm outside", tree.with([1, 0]) { $0.content[$0.content.count - 1] = 3 }),
            ("no algorithm outside", tree.with([1]) { $0.children = [] }),
        ]
        expectNone(cases)
        // However it is cut, it is none.
        for count in 0..<good.count where Certificate(der: Array(good.prefix(count))) != nil {
            Issue.record("cut after \(count)")
        }
    }

    @Test("in its numbers, times and names")
    func fields() throws {
        let tree = Element(try Self.made.get().p256)
        let old = Element(try Self.made.get().v1)
        let time = Part.validity + [0]
        expectNone([
            ("version 0 written out", tree.with(Part.version + [0]) { $0.content = [0] }),
            ("version 4", tree.with(Part.version + [0]) { $0.content = [3] }),
            ("a negative version", tree.with(Part.version + [0]) { $0.content = [0xFF] }),
            ("a version of two bytes", tree.with(Part.version + [0]) { $0.content = [0, 2] }),
            ("an empty version", tree.with(Part.version) { $0.children = [] }),
            ("two versions", tree.with(Part.version) { $0.children.append($0.children[0]) }),
            ("extensions in version 2", tree.with(Part.version + [0]) { $0.content = [1] }),
            ("extensions in version 1", tree.with([0]) { $0.children.removeFirst() }),
            ("a negative serial number", tree.with(Part.serial) { $0.content = [0x80] }),
            ("a serial number of no bytes", tree.with(Part.serial) { $0.content = [] }),
            ("a serial number with a zero before", tree.with(Part.serial) { $0.content = [0, 1] }),
            ("a serial number of ones", tree.with(Part.serial) { $0.content = [0xFF, 0xFF] }),
            ("an enumerated serial number", tree.with(Part.serial) { $0.tag = 10 }),
            ("another algorithm inside", tree.with(Part.algorithm + [0]) { $0.content[$0.content.count - 1] = 3 }),
            ("an unfinished identifier", tree.with(Part.algorithm + [0]) { $0.content = [0x2A, 0x86] }),
            ("an issuer that is a set", tree.with(Part.issuer) { $0.tag = 0x31 }),
            ("an empty set in the issuer", tree.with(Part.issuer + [0]) { $0.children = [] }),
            ("three parts in a name", tree.with(Part.subject + [0, 0]) { $0.children.append(Element(5, [])) }),
            ("half a character", tree.with(Part.subject + [0, 0, 1]) { $0 = Element(0x1E, [0, 0x41, 0]) }),
            ("text that is no UTF-8", tree.with(Part.subject + [0, 0, 1]) { $0 = Element(0x0C, [0xFF, 0xFE]) }),
            ("one time", tree.with(Part.validity) { $0.children.removeLast() }),
            ("three times", tree.with(Part.validity) { $0.children.append($0.children[0]) }),
            ("a time without seconds", tree.with(time) { $0.content = Array("2401010000Z".utf8) }),
            ("a time with a zone", tree.with(time) { $0.content = Array("240101000000+0100".utf8) }),
            ("a time with a fraction", tree.with(time) { $0 = Element(0x18, Array("20240101000000.5Z".utf8)) }),
            ("the 30th of February", tree.with(time) { $0.content = Array("240230000000Z".utf8) }),
            ("hour 24", tree.with(time) { $0.content = Array("240101240000Z".utf8) }),
            ("a time of letters", tree.with(time) { $0.content = Array("abcdefghijklZ".utf8) }),
            ("a time that is a number", tree.with(time) { $0.tag = 2 }),
            ("a part after the key", old.with([0]) { $0.children.append(Element(5, [])) }),
            ("an issuer's identifier in version 1", old.with([0]) { $0.children.append(Element(0x81, [0, 1])) }),
        ])
    }

    @Test("in its extensions")
    func extensions() throws {
        let tree = Element(try Self.made.get().p256)
        let all = tree[Part.extensions].children
        func value(_ content: [UInt8], of identifier: [UInt8], isCritical: UInt8? = nil) -> [UInt8] {
            tree.with(Part.extensions) { list in
                list.children = list.children.filter { $0.children[0].content != identifier }
                let flag = isCritical.map { [Element(1, [$0])] } ?? []
                list.children.append(
                    Element(0x30, children: [Element(6, identifier)] + flag + [Element(4, content)]))
            }
        }
        let names: [UInt8] = [0x55, 0x1D, 0x11]
        let usage: [UInt8] = [0x55, 0x1D, 0x0F]
        let constraints: [UInt8] = [0x55, 0x1D, 0x13]
        let purposes: [UInt8] = [0x55, 0x1D, 0x25]
        #expect(Certificate(der: value([5, 0], of: [0x2A, 3])) != nil)
        expectNone([
            ("none of them", tree.with(Part.extensions) { $0.children = [] }),
            ("one twice", tree.with(Part.extensions) { $0.children.append(all[0]) }),
            ("one without a value", tree.with(Part.extensions + [0]) { $0.children.removeLast() }),
            ("a flag that is neither", value([5, 0], of: [0x2A, 3], isCritical: 1)),
            ("no names", value([0x30, 0], of: names)), ("names that are none", value([5, 0], of: names)),
            ("an empty value", value([], of: names)), ("names and more", value([0x30, 2, 0x82, 0, 0], of: names)),
            ("an address of three bytes", value([0x30, 5, 0x87, 3, 1, 2, 3], of: names)),
            ("a name of an unknown kind", value([0x30, 3, 0x8C, 1, 0x41], of: names)),
            ("usage in three bytes", value([3, 4, 0, 1, 2, 3], of: usage)),
            ("usage with set bits beyond", value([3, 2, 4, 0x88 | 1], of: usage)),
            ("usage that is a number", value([2, 1, 1], of: usage)),
            ("a negative path length", value([0x30, 6, 1, 1, 0xFF, 2, 1, 0xFF], of: constraints)),
            ("a path length of five bytes", value([0x30, 10, 1, 1, 0xFF, 2, 5, 1, 0, 0, 0, 0], of: constraints)),
            ("constraints and more", value([0x30, 5, 1, 1, 0xFF, 5, 0], of: constraints)),
            ("constraints of another truth", value([0x30, 3, 1, 1, 1], of: constraints)),
            ("no purposes", value([0x30, 0], of: purposes)),
            ("a purpose that is a number", value([0x30, 3, 2, 1, 1], of: purposes)),
            ("an identifier that is none", value([4, 1], of: [0x55, 0x1D, 0x0E])),
        ])
    }

    @Test("in its key")
    func keys() throws {
        let curve = Element(try Self.made.get().p256)
        let rsa = Element(try Self.made.get().rsa)
        let edwards = Element(try Self.made.get().ed25519)
        let bits = Part.key + [1]
        func numbers(_ modulus: [UInt8], _ exponent: [UInt8], more: [UInt8] = []) -> [UInt8] {
            let sequence = Element(0x30, children: [Element(2, modulus), Element(2, exponent)]).bytes
            return rsa.with(bits) { $0.content = [0] + sequence + more }
        }
        let modulus = Element(Array(rsa[bits].content.dropFirst()))[[0]].content
        let point = Array(curve[bits].content.dropFirst())
        #expect(Certificate(der: numbers(modulus, [1, 0, 1])) != nil)
        expectNone([
            ("a point off the curve", curve.with(bits) { $0.content[$0.content.count - 1] ^= 1 }),
            ("the point at infinity", curve.with(bits) { $0.content = [0, 0] }),
            ("a point of zeros", curve.with(bits) { $0.content = [0, 4] + [UInt8](repeating: 0, count: 64) }),
            (
                "coordinates beyond the field",
                curve.with(bits) { $0.content = [0, 4] + [UInt8](repeating: 0xFF, count: 64) }
            ),
            ("half a point", curve.with(bits) { $0.content = [0] + point.prefix(33) }),
            ("a point and a byte", curve.with(bits) { $0.content.append(0) }),
            ("a hybrid point", curve.with(bits) { $0.content[1] = 6 | point[64] & 1 }),
            (
                "a compressed point of no curve",
                curve.with(bits) { $0.content = [0, 2] + [UInt8](repeating: 0xFF, count: 32) }
            ),
            ("a curve nobody knows", curve.with(Part.key + [0, 1]) { $0.content = [0x2A, 3, 4] }),
            ("a curve in numbers", curve.with(Part.key + [0, 1]) { $0 = Element(0x30, children: [Element(2, [1])]) }),
            ("no curve", curve.with(Part.key + [0]) { $0.children.removeLast() }),
            ("the curve of another size", curve.with(Part.key + [0, 1]) { $0.content = [0x2B, 0x81, 4, 0, 0x22] }),
            ("no key", curve.with(bits) { $0.content = [0] }),
            ("a key of half a byte", curve.with(bits) { $0.content[0] = 1 }),
            ("a negative modulus", numbers([0x80 | modulus[1]] + modulus.dropFirst(2), [1, 0, 1])),
            ("a modulus of zero", numbers([0], [1, 0, 1])),
            ("an even modulus", numbers(modulus.dropLast() + [2], [1, 0, 1])),
            ("a modulus of 20000 bits", numbers([1] + [UInt8](repeating: 1, count: 2500), [1, 0, 1])),
            ("a modulus of 400000 bits", numbers([1] + [UInt8](repeating: 1, count: 50000), [1, 0, 1])),
            ("a small modulus", numbers([1, 1, 1], [1, 0, 1])),
            ("an exponent of one", numbers(modulus, [1])), ("an exponent of zero", numbers(modulus, [0])),
            ("an even exponent", numbers(modulus, [4])), ("a negative exponent", numbers(modulus, [0xFD])),
            ("an exponent of 100 bits", numbers(modulus, [UInt8](repeating: 1, count: 13))),
            ("an exponent with a zero before", numbers(modulus, [0, 3])),
            ("bytes after the numbers", numbers(modulus, [3], more: [0])),
            ("parameters that mean something", rsa.with(Part.key + [0, 1]) { $0 = Element(2, [1]) }),
            ("33 bytes of Ed25519", edwards.with(bits) { $0.content.append(0) }),
            ("31 bytes of Ed25519", edwards.with(bits) { $0.content.removeLast() }),
            ("Ed25519 with parameters", edwards.with(Part.key + [0]) { $0.children.append(Element(5, [])) }),
        ])
    }

    private func expectNone(_ cases: [(String, [UInt8])]) {
        for (name, bytes) in cases where Certificate(der: bytes) != nil { Issue.record("\(name) is accepted") }
    }
}
