// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files that are not quite what they were.
enum FileMutations {
    /// Cut off after every sixteenth, and one byte before the end.
    static func truncated(_ file: Data) -> [Data] {
        (0..<16).map { file.prefix(file.count * $0 / 16) } + [file.dropLast()]
    }

    /// With something behind it.
    static func extended(_ file: Data) -> [Data] { [file + [0], file + [0x30, 0], file + file] }

    /// With the length of an element at each place in `places` set to something else.
    static func lengths(_ der: Data) -> [Data] {
        places(der).flatMap { place -> [Data] in
            let wrong: [[UInt8]] = [
                [0x80], [0xFF], [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
                [0x00], [der[place] &+ 1], [der[place] &- 1], [0x81, 0x01], [0x85, 0, 0, 0, 0, 1],
            ]
            return wrong.map { der.prefix(place) + $0 + der[(place + 1)...] }
        }
    }

    /// With the tag of an element replaced by others.
    static func tags(_ der: Data) -> [Data] {
        places(der).flatMap { place in
            ([0x00, 0x02, 0x04, 0x05, 0x1F, 0x30, 0x31, 0xA0, 0xFF] as [UInt8]).map { tag in
                var changed = der
                changed[place - 1] = tag
                return changed
            }
        }
    }

    /// With bits turned over, the same ones every time.
    static func flipped(_ file: Data, count: Int, seed: UInt64) -> [Data] {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<count).map { _ in
            var changed = file
            for _ in 0...next(3) { changed[next(file.count)] ^= UInt8(1 << next(8)) }
            return changed
        }
    }

    /// Where the lengths of the first elements are, going into those that have others inside.
    private static func places(_ der: Data) -> [Int] {
        var places: [Int] = []
        var position = 0
        while position + 2 < der.count, places.count < 12 {
            places.append(position + 1)
            let (tag, length) = (der[position], Int(der[position + 1]))
            let head = 2 + (length >= 0x80 ? length & 0x7F : 0)
            position += tag & 0x20 != 0 ? head : head + (length < 0x80 ? length : 0)
        }
        return places
    }
}

/// Numbers and sequences of DER, for files that no program writes.
enum HandDER {
    static func element(_ tag: UInt8, _ content: Data) -> Data {
        let count = content.count
        if count < 0x80 { return Data([tag, UInt8(count)]) + content }
        return Data([tag, 0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]).minimal + content
    }

    static func sequence(_ elements: Data...) -> Data { element(0x30, elements.reduce(Data(), +)) }

    static func integer(_ bytes: [UInt8]) -> Data { element(2, Data(bytes)) }

    /// An odd number of so many bits that is not a prime's product on purpose.
    static func large(bits: Int) -> Data { integer([0] + [0xC5] + [UInt8](repeating: 0x5B, count: bits / 8 - 1)) }

    static let rsa = Data(hex: "300d06092a864886f70d0101010500")

    /// A key in PKCS#8 under PBKDF2 and AES-256, with nothing in it.
    static func wrappedKey(rounds: [UInt8]) -> Data {
        let derivation = sequence(
            Data(hex: "06092a864886f70d01050c"), sequence(element(4, Data(count: 8)), integer(rounds)))
        let cipher = sequence(Data(hex: "060960864801650304012a"), element(4, Data(count: 16)))
        let algorithm = sequence(Data(hex: "06092a864886f70d01050d"), sequence(derivation, cipher))
        return sequence(algorithm, element(4, Data(count: 48)))
    }

    static func pem(_ label: String, _ der: Data) -> Data {
        Data("-----BEGIN \(label)-----\n\(der.base64EncodedString())\n-----END \(label)-----\n".utf8)
    }
}

extension Data {
    /// A head of element with its length as short as it can be.
    fileprivate var minimal: Data {
        if self[2] != 0 { return self }
        if self[3] != 0 { return Data([self[0], 0x82, self[3], self[4]]) }
        return Data([self[0], 0x81, self[4]])
    }
}
