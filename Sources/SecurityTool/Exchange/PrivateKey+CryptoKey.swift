// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Private keys between files, which have them in ASN.1, and items, which have their external bytes.
extension PrivateKey {
    /// The key for an item; nil of a kind that items do not have, or malformed.
    func cryptoKey() -> CryptoKey? {
        do throws(ExchangeError) {
            switch publicKey.kind {
            case .rsa:
                let form = try ownForm()
                return unsafe form.withUnsafeBytes { unsafe PrivateKey.key(.rsa, $0) }
            case .ellipticCurve:
                let form = try ownForm()
                let point = publicKey.externalBytes
                return unsafe form.withUnsafeBytes { bytes in
                    guard let place = unsafe PrivateKey.numberOfSEC1(bytes) else { return nil }
                    let number = unsafe UnsafeRawBufferPointer(rebasing: bytes[place])
                    let external = unsafe PrivateKey.joined(point, number, [])
                    return unsafe external.withUnsafeBytes { unsafe PrivateKey.key(.ec, $0) }
                }
            case .other(let identifier):
                guard let kind = PrivateKey.others.first(where: { $0.identifier == identifier }) else { return nil }
                return unsafe pkcs8.withUnsafeBytes { bytes in
                    // The last that stands in it, in an OCTET STRING inside another.
                    let (size, head) = (kind.size, [4, UInt8(kind.size + 2), 4, UInt8(kind.size)])
                    guard bytes.count > size + 4,
                        unsafe bytes.dropLast(size).suffix(4).elementsEqual(head)
                    else { return nil }
                    return unsafe PrivateKey.key(
                        kind.type, UnsafeRawBufferPointer(rebasing: bytes.suffix(size)))
                }
            }
        } catch { return nil }
    }

    private static func key(_ type: KeyType, _ bytes: UnsafeRawBufferPointer) -> CryptoKey? {
        unsafe try? CryptoKey(type, .private, representation: bytes)
    }

    /// SEQUENCE, INTEGER 1, OCTET STRING: where the last one's content is.
    private static func numberOfSEC1(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard bytes.count > 8, unsafe bytes[0] == 0x30 else { return nil }
        let start = unsafe bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7F)
        guard bytes.count > start + 5, unsafe bytes[start..<start + 4].elementsEqual([2, 1, 1, 4]) else { return nil }
        let count = unsafe Int(bytes[start + 4])
        guard count < 0x80, start + 5 + count <= bytes.count else { return nil }
        return start + 5..<start + 5 + count
    }

    /// The file's form of a private key whose bytes may leave.
    static func file(of key: CryptoKey) -> PrivateKey? {
        guard key.part == .private, let bytes = try? key.representation() else { return nil }
        let form = unsafe bytes.withUnsafeBytes { unsafe PrivateKey.form(of: key, $0) }
        guard let form else { return nil }
        return unsafe form.withUnsafeBytes { unsafe try? PrivateKey(der: $0) }
    }

    private static func form(of key: CryptoKey, _ bytes: UnsafeRawBufferPointer) -> SecretBytes? {
        guard let point = key.publicRepresentation else { return nil }
        switch key.type {
        case .rsa: return unsafe SecretBytes(copying: bytes)
        case .ec:
            guard let curve = curves.first(where: { $0.bits == key.bits })?.identifier, bytes.count > point.count
            else { return nil }
            let number = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(point.count))
            let behind =
                element(0xA0, element(0x06, curve.content)) + element(0xA1, element(0x03, [0] + point))
            let fields = [2, 1, 1] + head(4, number.count)
            return unsafe joined(
                head(0x30, fields.count + number.count + behind.count) + fields, number, behind)
        default:
            guard let kind = others.first(where: { $0.type == key.type }), bytes.count == kind.size else { return nil }
            let inner = head(4, kind.size)
            let fields =
                [2, 1, 0] + element(0x30, element(0x06, kind.identifier.content))
                + head(4, inner.count + kind.size) + inner
            return unsafe joined(head(0x30, fields.count + kind.size) + fields, bytes, [])
        }
    }

    private static func joined(
        _ before: [UInt8], _ secret: UnsafeRawBufferPointer, _ behind: [UInt8]
    ) -> SecretBytes {
        unsafe SecretBytes(count: before.count + secret.count + behind.count) { output in
            let middle = unsafe UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(before.count))
            unsafe output.copyBytes(from: before)
            unsafe middle.copyMemory(from: secret)
            unsafe UnsafeMutableRawBufferPointer(rebasing: middle.dropFirst(secret.count)).copyBytes(from: behind)
        }
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { head(tag, content.count) + content }

    private static func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
        if count < 0x80 { return [tag, UInt8(count)] }
        return count < 0x100
            ? [tag, 0x81, UInt8(count)] : [tag, 0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(count & 0xFF)]
    }

    private static let curves: [(bits: Int, identifier: ObjectIdentifier)] = [
        (256, .p256), (384, .p384), (521, .p521),
    ]
    private static let others: [(type: KeyType, identifier: ObjectIdentifier, size: Int)] = [
        (.ed25519, .ed25519, 32), (.x25519, .x25519, 32), (.ed448, .ed448, 57), (.x448, .x448, 56),
    ]
}
