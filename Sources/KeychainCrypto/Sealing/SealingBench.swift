// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The tools one lane of work seals and opens items with: OpenSSL contexts that keep their key schedules.
///
/// Contexts serve one thread at a time, so every lane has a bench of its own. A scheduled key is a secret: a bench
/// lives no longer than the unlocked keybag it was made for.
package final class SealingBench {
    package let keybag: UnlockedKeybag
    let oneTime: GCM
    private let index: KeyedHash
    private var last: (domain: UInt64, bytes: [UInt8], hash: [UInt8])?
    /// Wrapping contexts by class number, made when first needed; of the current generation.
    private var current: [Wraps?] = Array(repeating: nil, count: 16)
    private var earlier: [Wraps] = []

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
        case .missing: throw .undecodable
        case .unknown: throw .unknownVersion
        }
        let wraps: Wraps
        do throws(CryptoError) { wraps = try Wraps(keys) } catch { throw .crypto(error) }
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
        do throws(CryptoError) { try unsafe index.hash(domain: domain, bytes, into: hash) } catch {
            throw .crypto(error)
        }
        if isRemembered { unsafe last = (domain, Array(bytes), Array(hash)) }
    }
}
