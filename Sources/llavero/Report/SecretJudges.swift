// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// Finds items that have the same secret, without any two secrets beside each other in memory.
///
/// Of each secret an HMAC under a key of this run is kept, which is wiped when the run ends and is of no use to anybody else.
struct SecretReuse {
    private let hash: KeyedHash
    private var holders: [Mark: [Int]] = [:]

    /// Half of an HMAC-SHA-256.
    private struct Mark: Hashable {
        var first: UInt64 = 0
        var second: UInt64 = 0
    }

    init() throws(CommandError) {
        var random = SystemRandomNumberGenerator()
        let key = unsafe SecretValue(count: KeyedHash.size) { key in
            for index in key.indices { unsafe key[index] = UInt8.random(in: 0...255, using: &random) }
        }
        hash = try CommandError.saying("secrets cannot be compared") { () throws(CryptoError) in
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyedHash(key: key) }
        }
    }

    mutating func add(_ secret: SecretValue, of item: Int) throws(CommandError) {
        var mark = Mark()
        try CommandError.saying("secrets cannot be compared") { () throws(CryptoError) in
            try unsafe secret.withUnsafeBytes { (bytes) throws(CryptoError) in
                try unsafe withUnsafeMutableBytes(of: &mark) { (output) throws(CryptoError) in
                    try unsafe hash.hash(domain: 0, bytes, into: output)
                }
            }
        }
        holders[mark, default: []].append(item)
    }

    /// The items that share one, in the order in which they were added.
    var groups: [[Int]] { holders.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] } }
}

@available(*, unavailable)
extension SecretReuse: Sendable {}

/// Finds secrets of the keychain in files where they stand in plain text: as they are, as URLs have them, and as the logins to
/// registries in base64.
struct SecretExposure {
    private let files: [(path: String, places: PlaintextPlaces)]
    /// Files that may have some, and could not be read.
    let unread: Int

    /// A place where a secret stands.
    struct Sighting {
        let path: String
        let line: Int
    }

    init() {
        let found = PlaintextExamination.files()
        files = found.read.map { ($0.path, PlaintextPlaces($0.text)) }
        unread = found.unread
    }

    var examined: Int { files.count }

    /// A short secret would be found in every other word.
    func places(of secret: SecretValue, user: String) -> [Sighting] {
        guard secret.count >= SecretExposure.least, secret.count <= SecretExposure.most else { return [] }
        var forms = [secret]
        if let inURL = SecretExposure.percentEncoded(secret) { forms.append(inURL) }
        if !user.isEmpty {
            forms.append(SecretValue.joined([SecretValue(copying: Array("\(user):".utf8)), secret]).base64())
        }
        var (places, seen): ([Sighting], Set<String>) = ([], [])
        for (path, known) in files {
            for form in forms {
                for line in known.lines(of: form) where seen.insert("\(line) \(path)").inserted {
                    places.append(Sighting(path: path, line: line))
                }
            }
        }
        return places
    }

    /// As it stands in a URL; nil where that is the same.
    private static func percentEncoded(_ secret: SecretValue) -> SecretValue? {
        func isPlain(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) && byte < 0x80
                || "-._~".utf8.contains(byte)
        }
        let special = unsafe secret.withUnsafeBytes { bytes in unsafe bytes.count { !isPlain($0) } }
        guard special > 0 else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        return unsafe SecretValue(count: secret.count + 2 * special) { output in
            unsafe secret.withUnsafeBytes { bytes in
                var place = 0
                for index in bytes.indices {
                    let byte = unsafe bytes[index]
                    if isPlain(byte) {
                        unsafe output[place] = byte
                        place += 1
                    } else {
                        unsafe output[place] = UInt8(ascii: "%")
                        unsafe output[place + 1] = digits[Int(byte >> 4)]
                        unsafe output[place + 2] = digits[Int(byte & 15)]
                        place += 3
                    }
                }
            }
        }
    }

    private static let least = 6
    private static let most = 4096
}
