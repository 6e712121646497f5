// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem

/// The file of a software enclave. All its bytes are secret, so they are in `SecretBytes` from the first to the last.
// Up to four gates such a buffer fits the locked arena; a file with more is in ordinary memory for a moment, and wiped.
enum DeviceKeyFile {
    static func read(_ path: String) throws(EnclaveError) -> DeviceKey {
        let file = try EnclaveFile(path)
        guard let layout = DeviceKeyLayout.ofFile(size: file.size) else { throw .damaged }
        let content = try unsafe SecretBytes(count: layout.fileSize) { (buffer) throws(EnclaveError) in
            try unsafe file.read(into: buffer)
        }
        return try DeviceKey.decode(content)
    }

    /// Makes the file, which must not exist; it is on the disk, whole and under its name, when this returns.
    static func create(_ key: borrowing DeviceKey, at path: String) throws(EnclaveError) {
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path, &status) == ENOENT else { throw .unreadable(EEXIST) }
        try replace(key, with: key.gates, at: path)
    }

    /// Puts these gates, and whatever else `key` says, in the place of the file; for the holder of the owner lock.
    static func replace(
        _ key: borrowing DeviceKey, with gates: GateTable, at path: String
    ) throws(EnclaveError) {
        let content = try key.encoded(with: gates)
        let middle = DeviceKeyLayout.current(gateCount: gates.entries.count).payload(1).lowerBound
        let isSecondDamaged = key.isSecondDamaged
        let failure = unsafe content.withUnsafeBytes { content -> Int32 in
            // Only the buffer of an abandoned secret starts nowhere.
            guard let start = content.baseAddress else { return EINVAL }
            let failure: Int32
            do throws(ReplacementFailure) {
                try unsafe FileReplacement.replace(path, with: content, as: .fixed)
                return 0
            } catch { failure = error.code }
            guard failure == ENOSPC || failure == EDQUOT else { return failure }
            // A passcode must be counted on a full disk too, and there is no space for another file. Each of the two copies
            // is on the disk before the other one is touched, a damaged one first, so that one of them is always whole.
            let inPlace = unsafe llv_overwrite_halves(path, start, content.count, middle, isSecondDamaged)
            // Of another size is the file of another number of gates: that change has to wait for space. So has a file that
            // is not there yet.
            return inPlace == EINVAL || inPlace == ENOENT ? failure : inPlace
        }
        guard failure == 0 else { throw .unreadable(failure) }
    }
}

/// What a device key file says.
struct DeviceKey: ~Copyable {
    let keychain: KeychainUUID
    let root: SecretBytes
    let gates: GateTable
    /// Whether a part of the file is damaged that the other copy has made up for.
    let isHalfDamaged: Bool

    /// Whether that part is the second copy.
    let isSecondDamaged: Bool

    init(
        keychain: KeychainUUID, root: consuming SecretBytes, gates: GateTable, isHalfDamaged: Bool = false,
        isSecondDamaged: Bool = false
    ) {
        self.isSecondDamaged = isSecondDamaged
        self.keychain = keychain
        self.root = root
        self.gates = gates
        self.isHalfDamaged = isHalfDamaged
    }
}

extension DeviceKey {
    /// The bytes of the file that says the same, with these gates in the place of its own.
    borrowing func encoded(with gates: GateTable) throws(EnclaveError) -> SecretBytes {
        let layout = DeviceKeyLayout.current(gateCount: gates.entries.count)
        return try unsafe SecretBytes(count: layout.fileSize) { (file) throws(EnclaveError) in
            unsafe file.copyBytes(from: layout.mark)
            for copy in 0..<2 {
                let payload = unsafe UnsafeMutableRawBufferPointer(rebasing: file[layout.payload(copy)])
                unsafe write(gates, to: payload)
                let digest = unsafe UnsafeMutableRawBufferPointer(rebasing: file[layout.digest(copy)])
                try EnclaveError.catching { () throws(CryptoError) in
                    try unsafe Digest.sha256(UnsafeRawBufferPointer(payload), into: digest)
                }
            }
        }
    }

    private borrowing func write(_ gates: GateTable, to payload: UnsafeMutableRawBufferPointer) {
        var writer = unsafe PayloadWriter(rest: payload)
        unsafe writer.write(keychain.bytes)
        unsafe writer.write(root)
        unsafe writer.write([UInt8(gates.entries.count)])
        for entry in gates.entries {
            unsafe writer.write(entry.id.bytes)
            if let keys = entry.keys {
                unsafe writer.write(keys.secret)
                unsafe writer.write(keys.verifier)
            } else {
                // Zeros: the payload has been nothing else so far.
                unsafe writer.skip(GateKeys.secretSize + GateKeys.verifierSize)
            }
            unsafe writer.write(entry.eraseAfter)
            unsafe writer.write(entry.failures)
            unsafe writer.write(entry.lastFailure.bitPattern)
            unsafe writer.write([entry.keys == nil ? 1 : 0])
        }
    }

    /// What the bytes of a file say: its first whole copy counts.
    static func decode(_ file: borrowing SecretBytes) throws(EnclaveError) -> DeviceKey {
        guard let layout = DeviceKeyLayout.ofFile(size: file.count) else { throw .damaged }
        return try unsafe file.withUnsafeBytes { (file) throws(EnclaveError) in
            guard file.count == layout.fileSize else { throw .damaged }
            let first = unsafe UnsafeRawBufferPointer(rebasing: file[layout.payload(0)])
            let second = unsafe UnsafeRawBufferPointer(rebasing: file[layout.payload(1)])
            let isFirstWhole = try unsafe isWhole(first, UnsafeRawBufferPointer(rebasing: file[layout.digest(0)]))
            let isSecondWhole = try unsafe isWhole(second, UnsafeRawBufferPointer(rebasing: file[layout.digest(1)]))
            guard isFirstWhole || isSecondWhole else { throw .damaged }
            // A digest that holds says more than the mark does.
            let isMarked = unsafe file.prefix(DeviceKeyLayout.markSize).elementsEqual(layout.mark)
            let areSame = unsafe isFirstWhole && isSecondWhole && isEqualInConstantTime(first, second)
            return try unsafe DeviceKey(
                isFirstWhole ? first : second, layout, isHalfDamaged: !isMarked || !areSame,
                isSecondDamaged: !isSecondWhole)
        }
    }

    private init(
        _ payload: UnsafeRawBufferPointer, _ layout: DeviceKeyLayout, isHalfDamaged: Bool, isSecondDamaged: Bool
    ) throws(EnclaveError) {
        var reader = unsafe PayloadReader(rest: payload)
        let keychain = unsafe KeychainUUID(reader.bytes(DeviceKeyLayout.keychainSize))
        let root = unsafe reader.secret(DeviceKeyLayout.rootEnd - DeviceKeyLayout.keychainSize)
        var entries: [GateEntry] = []
        if let gateCount = layout.gateCount {
            guard unsafe reader.bytes(1) == [UInt8(gateCount)] else { throw .damaged }
            for _ in 0..<gateCount { entries.append(try unsafe reader.gate()) }
        }
        guard let keychain, !root.isAllZero, let gates = GateTable(entries) else { throw .damaged }
        self.init(
            keychain: keychain, root: root, gates: gates, isHalfDamaged: isHalfDamaged,
            isSecondDamaged: isSecondDamaged)
    }

    private static func isWhole(
        _ payload: UnsafeRawBufferPointer, _ digest: UnsafeRawBufferPointer
    ) throws(EnclaveError) -> Bool {
        let computed = try EnclaveError.catching { () throws(CryptoError) in
            try unsafe SecretBytes(count: DeviceKeyLayout.digestSize) { (output) throws(CryptoError) in
                try unsafe Digest.sha256(payload, into: output)
            }
        }
        return unsafe computed.withUnsafeBytes { unsafe isEqualInConstantTime($0, digest) }
    }
}

/// Where things are in a device key file, which follows from its size: no damaged number leads a reader astray.
struct DeviceKeyLayout {
    let mark: [UInt8]
    /// Nil in version 1, which has no gates and no number of them.
    let gateCount: Int?

    static func current(gateCount: Int) -> DeviceKeyLayout {
        DeviceKeyLayout(mark: Array("LLAVEKY2".utf8), gateCount: gateCount)
    }

    private static let version1 = DeviceKeyLayout(mark: Array("LLAVEKEY".utf8), gateCount: nil)

    /// The layout of a file of so many bytes; nil when none has that size.
    static func ofFile(size: Int) -> DeviceKeyLayout? {
        if size == version1.fileSize { return version1 }
        return (0...GateTable.largestCount).lazy.map(current).first { $0.fileSize == size }
    }

    var payloadSize: Int { gateCount.map { Self.rootEnd + 1 + $0 * Self.entrySize } ?? Self.rootEnd }
    var copySize: Int { payloadSize + Self.digestSize }
    var fileSize: Int { Self.markSize + 2 * copySize }

    /// Where the payload of the first or the second copy is.
    func payload(_ copy: Int) -> Range<Int> {
        let start = Self.markSize + copy * copySize
        return start..<start + payloadSize
    }

    func digest(_ copy: Int) -> Range<Int> {
        let start = payload(copy).upperBound
        return start..<start + Self.digestSize
    }

    static let markSize = 8
    static let digestSize = 32
    /// In a payload: the keychain, and the root behind it.
    static let keychainSize = 16
    static let rootEnd = keychainSize + 32
    /// A gate: its name, secret and verifier, then erase after, failures, last failure, and whether it is erased.
    static let entrySize = 16 + GateKeys.secretSize + GateKeys.verifierSize + 4 + 4 + 8 + 1
}

/// What writes one thing after the other, numbers BE.
@unsafe
private struct PayloadWriter {
    var rest: UnsafeMutableRawBufferPointer

    mutating func write(_ bytes: [UInt8]) {
        unsafe rest.copyBytes(from: bytes)
        unsafe skip(bytes.count)
    }

    mutating func write(_ secret: borrowing SecretBytes) {
        unsafe secret.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
        unsafe skip(secret.count)
    }

    mutating func write(_ number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe rest.copyMemory(from: $0) }
        unsafe skip(number.bitWidth / 8)
    }

    mutating func skip(_ count: Int) {
        unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
    }
}

/// What reads one thing after the other, numbers BE; the layout has seen to it that all of them are there.
@unsafe
private struct PayloadReader {
    var rest: UnsafeRawBufferPointer

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    mutating func bytes(_ count: Int) -> [UInt8] { unsafe Array(take(count)) }

    mutating func secret(_ count: Int) -> SecretBytes { unsafe SecretBytes(copying: take(count)) }

    mutating func number<Number: FixedWidthInteger>() -> Number {
        unsafe Number(bigEndian: take(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }

    /// A gate; throws `damaged` for whatever is never written.
    mutating func gate() throws(EnclaveError) -> GateEntry {
        let id = unsafe GateID(bytes(16))
        let secret = unsafe self.secret(GateKeys.secretSize)
        let verifier = unsafe self.secret(GateKeys.verifierSize)
        let eraseAfter: UInt32 = unsafe number()
        let failures: UInt32 = unsafe number()
        let lastFailure = unsafe Double(bitPattern: number())
        let isErased: UInt8 = unsafe number()
        guard let id, lastFailure.isFinite, isErased <= 1, secret.isAllZero == (isErased == 1),
            isErased == 0 || verifier.isAllZero
        else { throw .damaged }
        return GateEntry(
            id: id, eraseAfter: eraseAfter,
            keys: isErased == 1 ? nil : GateKeys(secret: secret, verifier: verifier),
            failures: failures, lastFailure: lastFailure)
    }
}
