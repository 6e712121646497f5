// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCoding
package import KeychainModel

/// Seals and opens items for one store connection, with OpenSSL contexts that keep their key schedules.
///
/// Contexts serve one thread at a time, so every connection has a sealer of its own. A scheduled key is a secret: a sealer
/// lives no longer than the unlocked keybag it was made for.
package final class ItemSealer {
    package let keybag: UnlockedKeybag
    let oneTime: GCM
    private let index: KeyedHash
    private var last: RememberedHash?
    /// Wrapping contexts by class number, made when first needed; of the current generation.
    private var current: [Wraps?] = Array(repeating: nil, count: 16)
    private var earlier: [Wraps] = []

    /// A value that was hashed, and its hash.
    private final class RememberedHash {
        let domain: UInt64
        let bytes: [UInt8]
        let hash: [UInt8]

        init(domain: UInt64, _ bytes: UnsafeRawBufferPointer, _ hash: UnsafeMutableRawBufferPointer) {
            self.domain = domain
            self.bytes = unsafe Array(bytes)
            self.hash = unsafe Array(hash)
        }
    }

    /// The two wrapping contexts of one class and generation.
    final class Wraps {
        let keys: ClassKeys
        let metadata: KeyWrap
        let secret: KeyWrap

        init(_ keys: ClassKeys) throws(CryptoError) {
            self.keys = keys
            metadata = try unsafe keys.metadataKey.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe KeyWrap(key: key)
            }
            secret = try unsafe keys.secretKey.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe KeyWrap(key: key)
            }
        }
    }

    package init(_ keybag: UnlockedKeybag) throws(CryptoError) {
        self.keybag = keybag
        oneTime = try GCM()
        index = try unsafe keybag.indexKey.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyedHash(key: key)
        }
    }

    /// The contexts to seal new items of a class with, or why there are none.
    func wrapsForSealing(_ accessibility: Accessibility) throws(SealingError) -> Wraps {
        do throws(SealingError) {
            return try wraps(of: accessibility, generation: keybag.header.generation)
        } catch {
            guard error == .undecodable else { throw error }
            let needsPasscode = accessibility == .whenPasscodeSetThisDeviceOnly && keybag.header.passcode == nil
            throw needsPasscode ? .noPasscode : .classKeyMissing(accessibility)
        }
    }

    /// The contexts of a class to open items with, or why there are none.
    func wraps(of accessibility: Accessibility, generation: UInt32) throws(SealingError) -> Wraps {
        let isCurrent = generation == keybag.header.generation
        if isCurrent, let wraps = current[Int(accessibility.rawValue)] { return wraps }
        if let wraps = earlier.first(where: {
            $0.keys.accessibility == accessibility && $0.keys.generation == generation
        }) {
            return wraps
        }
        let keys: ClassKeys
        switch keybag.availability(of: accessibility, generation: generation) {
        case .available(let available): keys = available
        case .locked: throw .classUnavailable(accessibility)
        // A generation that the keybag does not know: the keys in hand are the database's, so the row's number is wrong.
        case .missing, .unknown: throw .undecodable
        }
        let wraps = try SealingError.translating { () throws(CryptoError) in try Wraps(keys) }
        if isCurrent { current[Int(accessibility.rawValue)] = wraps } else { earlier.append(wraps) }
        return wraps
    }

    /// The keyed hash that stands for a value in a searchable column; equal values of one column have equal hashes.
    package func indexHash(
        table: ItemClass, column: Attribute, _ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        // A certificate and its key are joined on these two columns, so they share one domain.
        let domain =
            column == .applicationLabel || column == .publicKeyHash
            ? UInt64(Attribute.publicKeyHash.rawValue)
            : (UInt64(table.rawValue) + 1) << 32 | UInt64(column.rawValue)
        // A program asks for the same service or server again and again; the last one's hash is kept.
        let isRemembered = column == .service || column == .server
        if isRemembered, let last, last.domain == domain, unsafe last.bytes.elementsEqual(bytes) {
            unsafe hash.copyBytes(from: last.hash)
            return
        }
        try SealingError.translating { () throws(CryptoError) in
            try unsafe index.hash(domain: domain, bytes, into: hash)
        }
        if isRemembered { unsafe last = RememberedHash(domain: domain, bytes, hash) }
    }
}

extension ItemSealer {
    /// Seals an item into its row.
    ///
    /// The attributes include everything that is bound; the digest is taken here.
    package func seal(
        _ attributes: AttributeList, secret: SecretValue?, accessibility: Accessibility, binding: RowBinding
    ) throws(SealingError) -> [UInt8] {
        let generation = keybag.header.generation
        let wraps = try wrapsForSealing(accessibility)
        let metadata: [UInt8]
        do throws(CodingError) { metadata = try AttributeCoding.encode(attributes) } catch { throw .unencodable }
        guard unsafe UInt32(exactly: metadata.count + SealedItem.tagCount) != nil else { throw .unencodable }
        let secretCount = SecretPadding.paddedSize(SecretCoding.encodedSize(dataCount: secret?.count))
        let metadataAt = unsafe SealedItem.headerCount + SealedItem.wrappedKeyCount + 4
        let secretKeyAt = unsafe metadataAt + metadata.count + SealedItem.tagCount
        let secretAt = unsafe secretKeyAt + SealedItem.wrappedKeyCount
        var binding = binding
        return try unsafe [UInt8](count: secretAt + secretCount + SealedItem.tagCount) { (blob) throws(SealingError) in
            unsafe blob[0] = SealedItem.magic.0
            unsafe blob[1] = SealedItem.magic.1
            unsafe blob[2] = SealedItem.version
            unsafe blob[3] = accessibility.rawValue
            unsafe blob.storeBytes(of: generation.littleEndian, toByteOffset: 4, as: UInt32.self)
            unsafe blob.storeBytes(
                of: UInt32(metadata.count + SealedItem.tagCount).littleEndian, toByteOffset: metadataAt - 4,
                as: UInt32.self)
            unsafe binding.bind(header: UnsafeRawBufferPointer(rebasing: blob[0..<SealedItem.headerCount]))
            try unsafe withWipedMemory(64) { (keys) throws(SealingError) in
                try SealingError.translating { () throws(CryptoError) in try unsafe fillRandom(keys) }
                let metadataKey = unsafe UnsafeRawBufferPointer(rebasing: keys[0..<32])
                let secretKey = unsafe UnsafeRawBufferPointer(rebasing: keys[32..<64])
                try unsafe wrapKey(
                    metadataKey, with: wraps.metadata, into: blob, at: SealedItem.headerCount)
                try unsafe metadata.lendingBytes { (plain) throws(SealingError) in
                    try unsafe seal(
                        plain, key: metadataKey, binding,
                        into: UnsafeMutableRawBufferPointer(rebasing: blob[metadataAt..<secretKeyAt]))
                }
                unsafe binding.bindSecret(
                    toMetadataTag: UnsafeRawBufferPointer(
                        rebasing: blob[(secretKeyAt - SealedItem.tagCount)..<secretKeyAt]))
                try unsafe wrapKey(secretKey, with: wraps.secret, into: blob, at: secretKeyAt)
                try unsafe withWipedMemory(secretCount) { (plain) throws(SealingError) in
                    try unsafe writeSecret(secret, of: attributes, into: plain)
                    try unsafe seal(
                        UnsafeRawBufferPointer(plain), key: secretKey, binding,
                        into: UnsafeMutableRawBufferPointer(rebasing: blob[secretAt...]))
                }
            }
        }
    }

    private func wrapKey(
        _ key: UnsafeRawBufferPointer, with wrap: KeyWrap, into blob: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SealingError) {
        let place = unsafe UnsafeMutableRawBufferPointer(
            rebasing: blob[offset..<(offset + SealedItem.wrappedKeyCount)])
        try SealingError.translating { () throws(CryptoError) in try unsafe wrap.wrap(key, into: place) }
    }

    private func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ binding: RowBinding,
        into sealed: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        try SealingError.translating { () throws(CryptoError) in
            try unsafe binding.lendingBytes { (additional) throws(CryptoError) in
                try unsafe oneTime.seal(key: key, additional: additional, plain: plain, into: sealed)
            }
        }
    }

    /// The padded plaintext of the secret envelope: digest and secret.
    ///
    /// `plain` comes zeroed in no way.
    private func writeSecret(
        _ secret: SecretValue?, of attributes: AttributeList, into plain: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        let data = unsafe secret.map { unsafe UnsafeRawBufferPointer(start: $0.bytes, count: $0.count) }
        defer { withExtendedLifetime(secret) {} }
        let digest = try unsafe ItemSealer.digest(of: attributes, data: data)
        let count = SecretCoding.encodedSize(dataCount: secret?.count)
        unsafe digest.withUnsafeBytes { digest in
            unsafe SecretCoding.encode(
                data: data, digest: digest, into: UnsafeMutableRawBufferPointer(rebasing: plain[0..<count]))
        }
        unsafe plain[count] = 0x80
        for index in count + 1..<plain.count { unsafe plain[index] = 0 }
    }

    /// The SHA-1 of attributes and secret that a seal has inside: the same for an item on all devices.
    package static func digest(of attributes: AttributeList, secret: SecretValue?) throws(SealingError) -> [UInt8] {
        let data = unsafe secret.map { unsafe UnsafeRawBufferPointer(start: $0.bytes, count: $0.count) }
        defer { withExtendedLifetime(secret) {} }
        return try unsafe digest(of: attributes, data: data)
    }

    private static func digest(
        of attributes: AttributeList, data: UnsafeRawBufferPointer?
    ) throws(SealingError) -> [UInt8] {
        let outcome: Result<[UInt8], CryptoError>
        do throws(CodingError) {
            outcome = try unsafe AttributeCoding.withDigestEncoding(attributes, data: data) { bytes in
                do throws(CryptoError) { return .success(try unsafe Digest.sha1(bytes)) } catch {
                    return .failure(error)
                }
            }
        } catch { throw .unencodable }
        return try SealingError.translating { () throws(CryptoError) in try outcome.get() }
    }

    /// Opens the attributes alone; the secret stays sealed.
    ///
    /// The binding must be a row's own, untouched so far.
    package func openMetadata(
        _ item: SealedItem, binding: inout RowBinding
    ) throws(SealingError) -> AttributeList {
        unsafe binding.bind(header: item.header)
        let wraps = try unsafe wraps(of: item.accessibility, generation: item.generation)
        let count = unsafe item.metadata.count - SealedItem.tagCount
        return try unsafe withWipedMemory(count) { (plain) throws(SealingError) in
            try unsafe open(item.wrappedMetadataKey, with: wraps.metadata, item.metadata, binding, into: plain)
            do throws(CodingError) { return try unsafe AttributeCoding.decode(UnsafeRawBufferPointer(plain)) } catch {
                throw .undecodable
            }
        }
    }

    /// Opens the secret, after the attributes: the binding goes on from them.
    package func openSecret(
        _ item: SealedItem, binding: inout RowBinding, wantsDigest: Bool
    ) throws(SealingError) -> OpenedSecret {
        unsafe binding.bindSecret(toMetadataTag: item.metadataTag)
        let wraps = try unsafe wraps(of: item.accessibility, generation: item.generation)
        let count = unsafe item.secret.count - SealedItem.tagCount
        return try unsafe withWipedMemory(count) { (plain) throws(SealingError) in
            try unsafe open(item.wrappedSecretKey, with: wraps.secret, item.secret, binding, into: plain)
            let whole = UnsafeRawBufferPointer(plain)
            guard let content = unsafe SecretPadding.content(of: whole) else { throw .undecodable }
            let ranges: (dataRange: Range<Int>?, digestRange: Range<Int>)
            do throws(CodingError) { ranges = try unsafe SecretCoding.decode(content) } catch { throw .undecodable }
            let data = ranges.dataRange.map {
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: content[$0]))
            }
            return unsafe OpenedSecret(data: data, digest: wantsDigest ? Array(content[ranges.digestRange]) : nil)
        }
    }

    private func open(
        _ wrappedKey: UnsafeRawBufferPointer, with wrap: KeyWrap, _ sealed: UnsafeRawBufferPointer,
        _ binding: RowBinding, into plain: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        try unsafe withWipedMemory(32) { (key) throws(SealingError) in
            do throws(CryptoError) {
                try unsafe wrap.unwrap(wrappedKey, into: key)
                try unsafe binding.lendingBytes { (additional) throws(CryptoError) in
                    try unsafe oneTime.open(
                        key: UnsafeRawBufferPointer(key), additional: additional, sealed: sealed, into: plain)
                }
            } catch { throw error == .authenticationFailed ? .undecodable : .crypto(error) }
        }
    }

    /// Lends memory that is wiped afterwards, whichever way it is left.
    @inline(__always)
    func withWipedMemory<Result>(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(SealingError) -> Result
    ) throws(SealingError) -> Result {
        let outcome = unsafe withUnsafeTemporaryAllocation(byteCount: max(count, 1), alignment: 8) {
            memory -> Swift.Result<Result, SealingError> in
            defer { if let start = memory.baseAddress { unsafe llv_wipe(start, memory.count) } }
            do throws(SealingError) {
                return .success(try unsafe body(UnsafeMutableRawBufferPointer(rebasing: memory[0..<count])))
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// What a secret envelope holds.
package struct OpenedSecret: Sendable {
    /// The item's secret, or nil for an item stored without one.
    package let data: SecretValue?
    /// The SHA-1 of the item's attributes and secret as they were when it was written; nil when it was not wanted.
    package let digest: [UInt8]?
}

/// Why an item could not be sealed or opened.
package enum SealingError: Error, CryptoCaused, Equatable {
    /// The class is locked.
    case classUnavailable(Accessibility)
    /// The class needs a passcode and none is set.
    case noPasscode
    /// The keybag has lost the key that new items of the class are sealed with.
    case classKeyMissing(Accessibility)
    /// Bytes that are no sealed item, or that do not belong to this row.
    case undecodable
    /// The attributes cannot be written: a date or number that has no stored form.
    case unencodable
    case crypto(CryptoError)
}

/// Padding of a secret's plaintext to a multiple of 32 bytes: one byte 0x80, then zeros.
///
/// It hides exact lengths.
enum SecretPadding {
    static let block = 32

    /// The padded size; there is always at least one byte of padding.
    static func paddedSize(_ count: Int) -> Int { (count / block + 1) * block }

    /// The bytes before the padding, or nil when there is no proper padding.
    static func content(of padded: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard padded.count > 0, padded.count % block == 0 else { return nil }
        var end = padded.count - 1
        while unsafe padded[end] == 0 {
            guard end > padded.count - block else { return nil }
            end -= 1
        }
        guard unsafe padded[end] == 0x80 else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: padded[0..<end])
    }
}
