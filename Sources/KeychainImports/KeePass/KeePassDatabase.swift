// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem

/// A database of KeePass 2 and KeePassXC, `.kdbx`, of the versions 3.1 and 4: an XML export that is sealed.
internal struct KeePassDatabase {
    private let bytes: ImportedBytes
    private var position = 12
    private let isFourth: Bool
    private var fields: [UInt8: Range<Int>] = [:]

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5].enumerated().allSatisfy { bytes[$0.offset] == $0.element }
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, _ password: Passcode?, _ options: ImportOptions,
        into report: inout ImportReport
    ) throws(ImportError) {
        let database = try KeePassDatabase(bytes)
        let ways: [Passcode?]
        if options.keyFile != nil {
            // It may be all that opens the database.
            ways = password.map { [nil, $0] } ?? [nil]
        } else {
            guard let password else { throw .passwordNeeded }
            ways = [password]
        }
        for (index, way) in ways.enumerated() {
            do throws(ImportError) {
                let text = try database.opened(by: try compositeKey(way, options.keyFile))
                return try KeePassXML.read(text.xml, file, options, text.secrets, into: &report)
            } catch {
                guard error == .wrongPassword else { throw error }
                if index + 1 < ways.count { continue }
                throw password == nil ? .passwordNeeded : error
            }
        }
    }

    /// What a database under a password alone has inside.
    internal static func open(_ bytes: ImportedBytes, _ password: Passcode) throws(ImportError) -> Opened {
        try KeePassDatabase(bytes).opened(by: try compositeKey(password, nil))
    }

    private init(_ bytes: ImportedBytes) throws(ImportError) {
        guard KeePassDatabase.isOne(bytes) else { throw .notThisFormat }
        self.bytes = bytes
        switch bytes.littleEndian(10..<12) {
        case 3: isFourth = false
        case 4: isFourth = true
        default: throw .unknownVersion
        }
        guard bytes.littleEndian(8..<10).map({ $0 <= 1 }) ?? false else { throw .unknownVersion }
        while true {
            let size = isFourth ? 4 : 2
            guard let id = bytes[position], let count = bytes.littleEndian(position + 1..<position + 1 + size),
                position + 1 + size + count <= bytes.count
            else { throw .damaged }
            let start = position + 1 + size
            position = start + count
            // A comment may come again; anything else has one meaning.
            guard id == 1 || fields.updateValue(start..<start + count, forKey: id) == nil else { throw .damaged }
            if id == 0 { return }
        }
    }

    private func field(_ id: UInt8, count: Int) throws(ImportError) -> [UInt8] {
        guard let range = fields[id], range.count == count else { throw .damaged }
        return range.compactMap { bytes[$0] }
    }

    private func number(_ id: UInt8, count: Int) throws(ImportError) -> Int {
        guard let range = fields[id], range.count == count, let number = bytes.littleEndian(range) else {
            throw .damaged
        }
        return number
    }

    /// The XML, and what is sealed in it once more.
    internal struct Opened {
        let xml: ImportedBytes
        let secrets: KeePassSecrets
    }

    private func opened(by key: borrowing SecretBytes) throws(ImportError) -> Opened {
        let cipher = try cipher()
        let seed = try field(4, count: 32)
        let vector = try field(7, count: cipher == .aes ? 16 : 12)
        let isCompressed: Bool
        switch try number(3, count: 4) {
        case 0: isCompressed = false
        case 1: isCompressed = true
        default: throw .unknownVersion
        }
        let transformed = try transformed(key)
        let main = try Crypto.sha256([ImportedBytes(seed), ImportedBytes(transformed.clone())])
        if isFourth {
            let base = try Crypto.sha512([ImportedBytes(seed), ImportedBytes(transformed), ImportedBytes([1])])
            let sealed = try content(authenticatedBy: base)
            let plain = try plain(of: sealed, cipher, main, vector)
            return try withInnerHeader(isCompressed ? KeePassDatabase.decompressed(plain) : plain)
        }
        let sealed = bytes.part(position..<bytes.count)
        let plain = try plain(of: sealed, cipher, main, vector)
        let start = try field(9, count: 32)
        guard plain.count >= 32, start.indices.allSatisfy({ plain[$0] == start[$0] }) else { throw .wrongPassword }
        // Only now, so that a wrong password is told as such.
        let secrets = try secrets(stream: try number(10, count: 4), key: ImportedBytes(try field(8, count: 32)))
        let blocks = try KeePassDatabase.hashedBlocks(plain, from: 32)
        return Opened(xml: isCompressed ? try KeePassDatabase.decompressed(blocks) : blocks, secrets: secrets)
    }

    private enum Cipher { case aes, chaCha20 }

    private func cipher() throws(ImportError) -> Cipher {
        switch Hexadecimal.digits(of: try field(2, count: 16)) {
        case "31c1f2e6bf714350be5805216afc5aff": return .aes
        case "d6038a2b8b6f4cb5a524339a31dbb59a": return .chaCha20
        case "ad68f29f576f4bb9a36ad47af965346c": throw .sealed(.twofish)
        default: throw .unknownVersion
        }
    }

    private func plain(
        of sealed: ImportedBytes, _ cipher: Cipher, _ key: ImportedBytes, _ vector: [UInt8]
    ) throws(ImportError) -> ImportedBytes {
        do throws(CryptoError) {
            return ImportedBytes(
                try unsafe sealed.bytes.withUnsafeBytes { (sealed) throws(CryptoError) in
                    try unsafe key.bytes.withUnsafeBytes { (key) throws(CryptoError) in
                        switch cipher {
                        case .aes: try unsafe ForeignCipher.openCBC(sealed, key: key, vector: vector)
                        case .chaCha20: try unsafe ForeignCipher.chaCha20(sealed, key: key, nonce: vector)
                        }
                    }
                })
        } catch {
            switch error {
            case .authenticationFailed: throw .wrongPassword
            case .invalidLength: throw .damaged
            default: throw .crypto(error)
            }
        }
    }
}

/// The keys.
extension KeePassDatabase {
    /// What the password and the key file make together.
    private static func compositeKey(_ password: Passcode?, _ keyFile: ImportedBytes?) throws(ImportError)
        -> SecretBytes
    {
        var parts: [ImportedBytes] = []
        if let password { parts.append(try Crypto.sha256([ImportedBytes(password.bytes.clone())])) }
        if let keyFile { parts.append(try self.keyFile(keyFile)) }
        return try Crypto.sha256(parts).bytes.clone()
    }

    /// The key in a file: XML of version 1 or 2, 32 bytes, 64 hexadecimal digits, or what any other file hashes to.
    private static func keyFile(_ file: ImportedBytes) throws(ImportError) -> ImportedBytes {
        if (0..<min(file.count, 1024)).contains(where: { file.has("<KeyFile", at: $0) }) { return try xmlKey(file) }
        if file.count == 32 { return file }
        if file.count == 64, let key = file.decodingHexadecimal(file.all) { return key }
        return try Crypto.sha256([file])
    }

    private static func xmlKey(_ file: ImportedBytes) throws(ImportError) -> ImportedBytes {
        var reader = XMLReader(file)
        var stack: [String] = []
        var text = XMLText()
        var (data, version): (ImportedBytes?, ImportedBytes?)
        while true {
            switch reader.next() {
            case .end:
                guard let data, let version = version?.text else { throw .damaged }
                let key: ImportedBytes?
                if version.hasPrefix("2.") {
                    key = data.decodingHexadecimal(data.all)
                } else if version.hasPrefix("1.") {
                    key = data.decodingBase64(data.all)
                } else {
                    throw .unknownVersion
                }
                guard let key, key.count == 32 else { throw .damaged }
                return key
            case .damaged: throw .damaged
            case .text(let range, let isVerbatim): text.append(range, isVerbatim: isVerbatim)
            case .open(let name, _, let isEmpty):
                guard stack.count < 16 else { throw .tooDeep }
                if !isEmpty { stack.append(name) }
                text = XMLText()
            case .close(let name):
                guard stack.popLast() == name else { throw .damaged }
                guard let content = text.decoded(file) else { throw .damaged }
                if name == "Data" { data = content.withoutSpace }
                if name == "Version" { version = content.withoutSpace }
                text = XMLText()
            }
        }
    }

    private func transformed(_ key: borrowing SecretBytes) throws(ImportError) -> SecretBytes {
        do throws(CryptoError) {
            guard isFourth else {
                let (seed, rounds) = (try? field(5, count: 32), try? number(6, count: 8))
                guard let seed, let rounds else { throw .invalidParameters }
                return try ForeignCipher.keePass(key, seed: seed, rounds: UInt64(rounds))
            }
            guard let range = fields[11], let terms = KeePassTerms(bytes, range) else { throw .invalidParameters }
            switch terms.function {
            case .aes(let seed, let rounds): return try ForeignCipher.keePass(key, seed: seed, rounds: rounds)
            case .argon2(let terms):
                return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe ForeignCipher.argon2(key, terms)
                }
            case nil: throw .invalidParameters
            }
        } catch {
            if isFourth, let range = fields[11], case .argon2? = KeePassTerms(bytes, range)?.function,
                error != .invalidParameters, !ForeignCipher.hasArgon2
            {
                throw .sealed(.argon2)
            }
            switch error {
            case .invalidParameters, .invalidLength: throw .damaged
            default: throw .crypto(error)
            }
        }
    }

    /// The sealed content of version 4: blocks, each with its HMAC; before them digest and HMAC of the header.
    private func content(authenticatedBy base: ImportedBytes) throws(ImportError) -> ImportedBytes {
        let header = bytes.part(0..<position)
        let digest = try Crypto.sha256([header])
        guard bytes.has(digest, at: position) else { throw .damaged }
        guard bytes.has(try Crypto.blockCode(.max, [header], base), at: position + 32) else { throw .wrongPassword }
        var (place, number): (Int, UInt64) = (position + 64, 0)
        var parts: [Range<Int>] = []
        while true {
            guard let size = bytes.littleEndian(place + 32..<place + 36), place + 36 + size <= bytes.count else {
                throw .damaged
            }
            let part = bytes.part(place + 36..<place + 36 + size)
            let code = try Crypto.blockCode(number, [bytes.part(place + 32..<place + 36), part], base)
            guard bytes.has(code, at: place) else { throw .damaged }
            if size == 0 { break }
            parts.append(place + 36..<place + 36 + size)
            place += 36 + size
            number += 1
        }
        let whole = ImportedBytes(capacity: parts.reduce(0) { $0 + $1.count }) { output in
            for part in parts { output.append(bytes, part) }
            return true
        }
        guard let whole else { throw .damaged }
        return whole
    }
}

/// What is inside.
extension KeePassDatabase {
    private static func decompressed(_ bytes: ImportedBytes) throws(ImportError) -> ImportedBytes {
        guard GzipReader.size(bytes) ?? 0 <= ImportLimits.largestSum else { throw .tooLarge }
        guard let content = GzipReader.read(bytes, limit: ImportLimits.largestSum) else { throw .damaged }
        return content
    }

    /// The blocks of version 3.1: number, digest, size, content; one of no size is the last.
    private static func hashedBlocks(_ bytes: ImportedBytes, from start: Int) throws(ImportError) -> ImportedBytes {
        var (place, number) = (start, 0)
        var parts: [Range<Int>] = []
        while true {
            guard bytes.littleEndian(place..<place + 4) == number,
                let size = bytes.littleEndian(place + 36..<place + 40), place + 40 + size <= bytes.count
            else { throw .damaged }
            if size == 0 { break }
            let part = place + 40..<place + 40 + size
            guard bytes.has(try Crypto.sha256([bytes.part(part)]), at: place + 4) else { throw .damaged }
            parts.append(part)
            place = part.upperBound
            number += 1
        }
        let whole = ImportedBytes(capacity: parts.reduce(0) { $0 + $1.count }) { output in
            for part in parts { output.append(bytes, part) }
            return true
        }
        guard let whole else { throw .damaged }
        return whole
    }

    /// Version 4 has the inner key, and attachments, before the XML.
    private func withInnerHeader(_ plain: ImportedBytes) throws(ImportError) -> Opened {
        var (place, stream): (Int, Int?) = (0, nil)
        var key: ImportedBytes?
        var files: [ImportedBytes] = []
        while true {
            guard let id = plain[place], let size = plain.littleEndian(place + 1..<place + 5),
                place + 5 + size <= plain.count
            else { throw .damaged }
            let range = place + 5..<place + 5 + size
            place = range.upperBound
            switch id {
            case 0:
                guard let stream, let key else { throw .damaged }
                var secrets = try secrets(stream: stream, key: key)
                secrets.files = files
                return Opened(xml: plain.part(place..<plain.count), secrets: secrets)
            case 1 where stream == nil && size == 4: stream = plain.littleEndian(range)
            case 2 where key == nil: key = plain.part(range)
            // The first byte says whether programs should keep it from being swapped.
            case 3 where size > 0: files.append(plain.part(range.lowerBound + 1..<range.upperBound))
            default: throw .damaged
            }
            guard files.count <= ImportLimits.mostItems else { throw .tooLarge }
        }
    }

    private func secrets(stream: Int, key: ImportedBytes) throws(ImportError) -> KeePassSecrets {
        switch stream {
        case 0: return KeePassSecrets(key: nil)
        case 2: throw .sealed(.salsa20)
        case 3: return KeePassSecrets(key: try Crypto.sha512([key]))
        default: throw .unknownVersion
        }
    }
}

/// The parameters of a key derivation, a dictionary of KeePass': type, name, value.
private struct KeePassTerms {
    enum Function {
        case aes(seed: [UInt8], rounds: UInt64)
        case argon2(ForeignCipher.Argon2)
    }

    private var values: [String: Range<Int>] = [:]
    private let bytes: ImportedBytes

    init?(_ bytes: ImportedBytes, _ range: Range<Int>) {
        self.bytes = bytes
        guard range.count > 2, bytes[range.lowerBound + 1] == 1 else { return nil }
        var place = range.lowerBound + 2
        while let type = bytes[place], place < range.upperBound, type != 0 {
            guard let count = bytes.littleEndian(place + 1..<place + 5), place + 5 + count <= range.upperBound,
                let name = bytes.text(place + 5..<place + 5 + count),
                let size = bytes.littleEndian(place + 5 + count..<place + 9 + count),
                place + 9 + count + size <= range.upperBound
            else { return nil }
            let start = place + 9 + count
            guard values.updateValue(start..<start + size, forKey: name) == nil else { return nil }
            place = start + size
        }
    }

    var function: Function? {
        switch values["$UUID"].map({ Hexadecimal.digits(of: $0.compactMap { bytes[$0] }) }) {
        case "c9d9f39a628a4460bf740d08c18a4fea", "7c02bb8279a74ac0927d114a00648238":
            guard let seed = data("S"), let rounds = number("R", count: 8) else { return nil }
            return .aes(seed: seed, rounds: UInt64(rounds))
        case "ef636ddf8c29444b91f7a9a403e30a0c": return argon2(isID: false)
        case "9e298b1956db4773b23dfc3ec6f0a1e6": return argon2(isID: true)
        default: return nil
        }
    }

    private func argon2(isID: Bool) -> Function? {
        guard let salt = data("S"), let passes = number("I", count: 8).flatMap({ UInt32(exactly: $0) }),
            let memory = number("M", count: 8).flatMap({ UInt32(exactly: $0 / 1024) }),
            let lanes = number("P", count: 4).flatMap({ UInt32(exactly: $0) }), number("V", count: 4) == 0x13
        else { return nil }
        return .argon2(.init(isID: isID, salt: salt, passes: passes, memory: memory, lanes: lanes))
    }

    private func data(_ name: String) -> [UInt8]? { values[name].map { $0.compactMap { bytes[$0] } } }

    private func number(_ name: String, count: Int) -> Int? {
        guard let range = values[name], range.count == count else { return nil }
        return bytes.littleEndian(range)
    }
}
