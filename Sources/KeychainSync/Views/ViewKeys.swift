// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest

/// The key of one view in one generation, and what is derived from it.
///
/// It has two halves, which a device keeps apart. The first opens what a device may read before its owner is there:
/// records of class C, and the names of records. The second is the view key itself, from which class A comes; it is
/// there while the keychain is unlocked.
package final class ViewKey: Sendable {
    package let circle: CircleID
    package let view: SyncView
    package let generation: UInt32
    /// Seals records of items that are readable after the first unlock, or always.
    let classC: SecretBytes
    /// Names records; the same in all generations.
    private let ids: SecretBytes
    private let open: Open?

    private final class Open: Sendable {
        let view: SecretBytes
        let classA: SecretBytes

        init(_ view: consuming SecretBytes, _ classA: consuming SecretBytes) {
            self.view = view
            self.classA = classA
        }
    }

    /// The key of a view's first generation: 32 random bytes, of which its record names come.
    package convenience init(circle: CircleID, view: SyncView, secret: borrowing SecretBytes) throws(CircleError) {
        let ids = try ViewKey.derived(secret, "llavero view ids", count: ViewKey.idsSize)
        try self.init(circle: circle, view: view, generation: 1, secret: secret, ids: ids)
    }

    /// The key of the next generation, 32 random bytes, which names records as this one does.
    package func next(secret: borrowing SecretBytes) throws(CircleError) -> ViewKey {
        guard generation < .max else { throw .malformed }
        return try later(generation + 1, secret: secret)
    }

    /// The same for any later one: between the two there may be keys that this device never got.
    func later(_ generation: UInt32, secret: borrowing SecretBytes) throws(CircleError) -> ViewKey {
        guard generation > self.generation else { throw .malformed }
        return try ViewKey(circle: circle, view: view, generation: generation, secret: secret, ids: ids.clone())
    }

    /// The key whose halves came together, in a share.
    init(
        circle: CircleID, view: SyncView, generation: UInt32, secret: borrowing SecretBytes,
        ids: consuming SecretBytes
    ) throws(CircleError) {
        guard generation > 0, secret.count == ViewKey.size, ids.count == ViewKey.idsSize else { throw .malformed }
        let classC = try ViewKey.derived(secret, "llavero view C", count: SIV.keySize)
        let classA = try ViewKey.derived(secret, "llavero view A", count: SIV.keySize)
        self.circle = circle
        self.view = view
        self.generation = generation
        self.ids = ids
        self.classC = classC
        open = Open(secret.clone(), classA)
    }

    /// What a device kept of it, where the second half may be locked.
    package init(
        circle: CircleID, view: SyncView, generation: UInt32, first: borrowing SecretBytes,
        second: borrowing SecretBytes?
    ) throws(CircleError) {
        guard generation > 0, first.count == ViewKey.firstSize else { throw .malformed }
        let classC = ViewKey.part(of: first, 0..<SIV.keySize)
        let open: Open?
        switch second {
        case nil: open = nil
        case .some(let second):
            guard second.count == ViewKey.size else { throw .malformed }
            let derived = try ViewKey.derived(second, "llavero view C", count: SIV.keySize)
            // Two halves of different keys would seal what nobody else opens.
            guard derived.isEqualInConstantTime(to: classC) else { throw .malformed }
            open = Open(second.clone(), try ViewKey.derived(second, "llavero view A", count: SIV.keySize))
        }
        self.circle = circle
        self.view = view
        self.generation = generation
        self.classC = classC
        ids = ViewKey.part(of: first, SIV.keySize..<ViewKey.firstSize)
        self.open = open
    }

    /// Whether the second half is there.
    package var isOpen: Bool { open != nil }

    /// The half to keep for use after the first unlock: class C and the key of names, 96 bytes.
    package func firstHalf() -> SecretBytes { ViewKey.joined(classC, ids) }

    /// The half to keep for use while unlocked: the view key, 32 bytes.
    package func secondHalf() throws(CircleError) -> SecretBytes {
        guard let open else { throw .locked }
        return open.view.clone()
    }

    /// What goes to another device: the view key and the key of names, 64 bytes.
    func shared() throws(CircleError) -> SecretBytes {
        guard let open else { throw .locked }
        return ViewKey.joined(open.view, ids)
    }

    /// Seals records of items that are readable while unlocked.
    func withClassA<Result: ~Copyable>(
        _ body: (borrowing SecretBytes) throws(CircleError) -> Result
    ) throws(CircleError) -> Result {
        guard let open else { throw .locked }
        return try body(open.classA)
    }

    /// The 32 bytes by which the log says which key this is, that of names included; they tell nothing about it.
    package func commitment() throws(CircleError) -> [UInt8] {
        try ViewKey.commitment(to: shared())
    }

    /// The commitment to a first key of these 32 bytes, whatever circle and view it is for.
    ///
    /// A circle gets its name from what founds it, and that has the commitment to the key of names.
    package static func commitment(toFirst secret: borrowing SecretBytes) throws(CircleError) -> [UInt8] {
        try commitment(to: joined(secret, derived(secret, "llavero view ids", count: idsSize)))
    }

    private static func commitment(to whole: borrowing SecretBytes) throws(CircleError) -> [UInt8] {
        let commitment = try derived(whole, "llavero view commitment", count: commitmentSize)
        return unsafe commitment.withUnsafeBytes { unsafe Array($0) }
    }

    /// What names records: HMAC-SHA256 under the key of names, set up once for many of them.
    func naming() throws(CircleError) -> RecordNaming {
        RecordNaming(
            try CircleError.translating { () throws(CryptoError) in
                try unsafe ids.withUnsafeBytes { (ids) throws(CryptoError) in try unsafe KeyedHash(key: ids) }
            })
    }

    // MARK: Derivation

    /// HKDF-SHA256 without salt.
    private static func derived(
        _ secret: borrowing SecretBytes, _ info: String, count: Int
    ) throws(CircleError) -> SecretBytes {
        try CircleError.translating { () throws(CryptoError) in
            try unsafe SecretBytes(count: count) { (output) throws(CryptoError) in
                try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: [], info: Array(info.utf8), into: output)
                }
            }
        }
    }

    static func part(of secret: borrowing SecretBytes, _ place: Range<Int>) -> SecretBytes {
        unsafe secret.withUnsafeBytes { bytes in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[place]))
        }
    }

    static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        unsafe SecretBytes(count: first.count + second.count) { buffer in
            unsafe first.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            unsafe second.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...]).copyMemory(from: $0)
            }
        }
    }

    package static let size = 32
    static let idsSize = 32
    package static let firstSize = SIV.keySize + idsSize
    package static let commitmentSize = 32
}

/// Gives records their names.
struct RecordNaming {
    private let hash: KeyedHash

    fileprivate init(_ hash: KeyedHash) { self.hash = hash }

    /// The first 16 bytes of the hash.
    func name(of bytes: [UInt8]) throws(CircleError) -> SyncRecordID {
        let whole = try CircleError.translating { () throws(CryptoError) in
            try hash.begin()
            try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe hash.update(bytes) }
            return try unsafe [UInt8](count: KeyedHash.size) { (output) throws(CryptoError) in
                try unsafe hash.finish(into: output)
            }
        }
        guard let id = SyncRecordID(in: whole, at: 0..<SyncRecordID.size) else { throw .malformed }
        return id
    }
}

/// The keys of a circle that a device has.
package struct ViewKeyring: Sendable {
    package let circle: CircleID
    private var keys: [SyncView: [UInt32: ViewKey]] = [:]

    package init(circle: CircleID) { self.circle = circle }

    /// Whether records of class A can be opened and sealed: every key has its second half.
    package var isOpen: Bool { keys.values.allSatisfy { $0.values.allSatisfy(\.isOpen) } }

    package func key(of view: SyncView, generation: UInt32) -> ViewKey? { keys[view]?[generation] }

    /// The highest generation that is there.
    package func newest(of view: SyncView) -> ViewKey? { keys[view]?.values.max { $0.generation < $1.generation } }

    /// The generations that are there, in order.
    package func generations(of view: SyncView) -> [UInt32] { keys[view]?.keys.sorted() ?? [] }

    /// The views of which there is a key.
    package var views: [SyncView] { Array(keys.keys) }

    /// Takes a key in; false when it is another circle's, or the place has a key already that is open.
    @discardableResult
    package mutating func insert(_ key: ViewKey) -> Bool {
        guard key.circle == circle else { return false }
        if let there = keys[key.view]?[key.generation], there.isOpen { return false }
        keys[key.view, default: [:]][key.generation] = key
        return true
    }

    /// Takes a key in, in place of one that is there.
    mutating func replace(_ key: ViewKey) {
        forget(key.view, generation: key.generation)
        insert(key)
    }

    /// Those that the log has a commitment to, which has to be theirs: whoever can write into the keychain may have put others there.
    ///
    /// Of a key whose second half is locked there is nothing to compare: it is one of them where the log has its generation.
    package func committed(in membership: Membership) throws(CircleError) -> ViewKeyring {
        var committed = ViewKeyring(circle: circle)
        for (view, generations) in keys {
            for (generation, key) in generations {
                guard let commitment = membership.views[view]?.commitments[generation] else { continue }
                if key.isOpen, try key.commitment() != commitment { continue }
                committed.keys[view, default: [:]][generation] = key
            }
        }
        return committed
    }

    /// Forgets keys of a view below a generation.
    package mutating func forget(_ view: SyncView, below generation: UInt32) {
        keys[view] = keys[view]?.filter { $0.key >= generation }
    }

    /// Forgets the key of one generation.
    package mutating func forget(_ view: SyncView, generation: UInt32) { keys[view]?[generation] = nil }

    /// Forgets a view.
    package mutating func forget(_ view: SyncView) { keys[view] = nil }
}

// MARK: Names

/// What a sealed text is about: in another place it does not open.
package enum NamedThing: Sendable, Equatable {
    case device(DeviceID)
    case invite([UInt8])
    case policy(SyncView)

    fileprivate var bytes: [UInt8] {
        switch self {
        case .device(let device): Array("d".utf8) + device.bytes
        case .invite(let name): Array("i".utf8) + name
        case .policy(let view): Array("p".utf8) + view.bytes
        }
    }
}

extension CircleID {
    /// The view that is not one: its key seals the names that people give to devices and views.
    ///
    /// Every member has it.
    package var names: SyncView? { SyncView(bytes) }
}

extension ViewKeyring {
    /// Seals what a person called something, so that the server sees neither it nor its length.
    ///
    /// The same name of the same thing is sealed as the same bytes.
    package func seal(_ text: [UInt8], of thing: NamedThing) throws(CircleError) -> [UInt8] {
        guard let names = circle.names, let key = newest(of: names) else { throw .missingKey }
        guard let size = ViewKeyring.padded(4 + text.count) else { throw .malformed }
        let plain = unsafe SecretValue(count: size) { output in
            unsafe output.copyBytes(from: bigEndian(UInt32(truncatingIfNeeded: text.count)) + text)
        }
        let head = [ViewKeyring.version] + bigEndian(key.generation)
        let sealed = try CircleError.translating { () throws(CryptoError) in
            try SIV.seal(plain, key: key.classC, additional: [additional(thing, key.generation)])
        }
        return head + sealed
    }

    /// Opens what `seal` made for the same thing of the same circle.
    package func open(_ sealed: [UInt8], of thing: NamedThing) throws(CircleError) -> [UInt8] {
        let generation = try ViewKeyring.generation(of: sealed)
        guard let names = circle.names, let key = key(of: names, generation: generation) else { throw .missingKey }
        let plain = try CircleError.translating { () throws(CryptoError) in
            try SIV.open(sealed[5...], key: key.classC, additional: [additional(thing, generation)])
        }
        return try unsafe plain.withUnsafeBytes { (bytes) throws(CircleError) in
            guard bytes.count >= 4 else { throw .malformed }
            let count = unsafe bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
            guard ViewKeyring.padded(4 + count) == bytes.count, unsafe bytes[(4 + count)...].allSatisfy({ $0 == 0 })
            else { throw .malformed }
            return unsafe Array(bytes[4..<4 + count])
        }
    }

    /// The generation of the key of names that what is sealed says it is under.
    static func generation(of sealed: [UInt8]) throws(CircleError) -> UInt32 {
        guard sealed.count > 5, sealed[0] == ViewKeyring.version, sealed.count <= 5 + SIV.vectorSize + Padding.largest
        else { throw .malformed }
        return sealed[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }

    private func additional(_ thing: NamedThing, _ generation: UInt32) -> [UInt8] {
        Array("llavero name 1".utf8) + circle.bytes + bigEndian(generation) + thing.bytes
    }

    /// 64, 128, 256, 512 bytes, and then as records are.
    private static func padded(_ count: Int) -> Int? {
        [64, 128, 256].first { count <= $0 } ?? Padding.size(for: count)
    }

    private static let version: UInt8 = 1
}

/// Four or eight bytes, the highest first.
func bigEndian(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
}
