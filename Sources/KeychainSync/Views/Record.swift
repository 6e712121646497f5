// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest

/// One item as the server has it: sealed, and bound to its circle, view, name and head.
///
/// version (1) ‖ class letter ‖ generation (4) ‖ nonce (16) ‖ synthetic vector (16) ‖ ciphertext.
package enum SyncRecord {
    /// Which of a view's keys seals it.
    package enum KeyClass: UInt8, Sendable, CaseIterable {
        /// Of what is readable while unlocked: "A".
        case a = 0x41
        /// Of what is readable after the first unlock, or always: "C".
        case c = 0x43
    }

    /// What is in a record.
    package enum Content: Sendable {
        case item(SyncItem)
        /// There is no item any more, and its tombstone has served its time.
        case void
        /// Nothing is said of the item: a record was lost here, and who healed had none to put in its place.
        case blank
    }

    /// Where a record belongs: at any other place it does not open.
    package struct Address: Sendable, Hashable {
        package let view: SyncView
        package let id: SyncRecordID
        /// The number of the head that lists it.
        package let head: UInt64

        package init(view: SyncView, id: SyncRecordID, head: UInt64) {
            (self.view, self.id, self.head) = (view, id, head)
        }
    }

    // MARK: Names

    /// The name of an item's record in a view: the same on every device, and unlike any other item's.
    package static func id(of item: SyncItem, in view: SyncView, _ keys: ViewKeyring) throws(CircleError)
        -> SyncRecordID
    {
        guard let key = keys.newest(of: view) else { throw .missingKey }
        return try key.naming().name(of: identity(of: item))
    }

    /// What makes an item one item: as the unique key of its table, without what every shared item has.
    // Written here and not as a property list: each record that comes needs it.
    fileprivate static func identity(of item: SyncItem) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        let content = DERWriter.begin(DERTag.sequence, in: &bytes)
        DERWriter.append("llavero item", to: &bytes)
        DERWriter.appendInteger(Int64(item.itemClass.rawValue), to: &bytes)
        for part in ItemIdentity.parts(of: item.itemClass) {
            let value = item.attributes[part.attribute] ?? part.absent
            switch (part.attribute.kind, value) {
            // A port or protocol is itself: 80 and "080" are two.
            case (.number, .number(let number)): DERWriter.appendInteger(number, to: &bytes)
            case (.number, .string(let text)): DERWriter.append(text, to: &bytes)
            // Anything else is its bytes: the text "abc" and the data 61 62 63 are one account.
            default:
                unsafe value.withComparisonBytes { part in
                    DERWriter.appendHeader(DERTag.octetString, contentSize: part.count, to: &bytes)
                    unsafe bytes += part
                }
            }
        }
        for attribute in [Attribute.accessGroup, .viewHint] {
            DERWriter.append(item.attributes.text(attribute), to: &bytes)
        }
        DERWriter.end(contentStart: content, in: &bytes)
        return bytes
    }

    // MARK: Sealing

    /// Seals an item under the newest key of its view, for the head that will list it.
    ///
    /// `nonce` is 16 random bytes. Throws `malformed` for what is not shared, or too large; `locked` where it is of class
    /// A and that is locked.
    package static func seal(
        _ item: SyncItem, in view: SyncView, head: UInt64, nonce: [UInt8], _ keys: ViewKeyring
    ) throws(CircleError) -> (id: SyncRecordID, body: [UInt8]) {
        guard let keyClass = keyClass(of: item) else { throw .malformed }
        guard let key = keys.newest(of: view) else { throw .missingKey }
        let id = try key.naming().name(of: identity(of: item))
        let plain = try RecordText.encode(item, newest: key.generation)
        let place = Address(view: view, id: id, head: head)
        return (id, try seal(plain, keyClass, key, place, nonce))
    }

    /// Seals that there is no item of this name any more.
    package static func sealVoid(
        at place: Address, nonce: [UInt8], _ keys: ViewKeyring
    ) throws(CircleError) -> [UInt8] {
        guard let key = keys.newest(of: place.view) else { throw .missingKey }
        return try seal(RecordText.void(), .c, key, place, nonce)
    }

    /// Seals that nothing is said of an item, so that there is a record again and no device does anything for it.
    package static func sealBlank(
        at place: Address, nonce: [UInt8], _ keys: ViewKeyring
    ) throws(CircleError) -> [UInt8] {
        guard let key = keys.newest(of: place.view) else { throw .missingKey }
        return try seal(RecordText.blank(), .c, key, place, nonce)
    }

    private static func seal(
        _ plain: SecretValue, _ keyClass: KeyClass, _ key: ViewKey, _ place: Address, _ nonce: [UInt8]
    ) throws(CircleError) -> [UInt8] {
        guard nonce.count == nonceSize else { throw .malformed }
        let additional = additional(key, keyClass, place)
        let sealed = try with(key, keyClass) { (secret) throws(CircleError) in
            try CircleError.translating { () throws(CryptoError) in
                try SIV.seal(plain, key: secret, additional: [additional, nonce])
            }
        }
        return [version, keyClass.rawValue] + bigEndian(key.generation) + nonce + sealed
    }

    // MARK: Opening

    /// The class and generation that a record says it has, before anything of it is believed.
    package static func header(of body: [UInt8]) throws(CircleError) -> (keyClass: KeyClass, generation: UInt32) {
        guard body.count > headSize + SIV.vectorSize, body[0] == version, let keyClass = KeyClass(rawValue: body[1])
        else { throw .malformed }
        return (keyClass, body[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// Opens a record at its place.
    ///
    /// Throws `locked` for class A while that is locked, `missingKey` for a generation that is not there,
    /// `crypto(.authenticationFailed)` for what was not sealed so, and `malformed` for what a member sealed and is no
    /// shared item of that name.
    package static func open(
        _ body: [UInt8], at place: Address, _ keys: ViewKeyring
    ) throws(CircleError) -> Content {
        try RecordOpening(keys).open(body, at: place)
    }

    fileprivate static func additional(_ key: ViewKey, _ keyClass: KeyClass, _ place: Address) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(80)
        bytes += "llavero record 1".utf8
        bytes += key.circle.bytes
        bytes += place.view.bytes
        bytes += place.id.bytes
        bytes += bigEndian(place.head)
        bytes += bigEndian(key.generation)
        bytes.append(keyClass.rawValue)
        return bytes
    }

    fileprivate static func with<Result: ~Copyable>(
        _ key: ViewKey, _ keyClass: KeyClass, _ body: (borrowing SecretBytes) throws(CircleError) -> Result
    ) throws(CircleError) -> Result {
        switch keyClass {
        case .a: try key.withClassA(body)
        case .c: try body(key.classC)
        }
    }

    /// The class whose key seals an item; nil of an item that is not shared.
    package static func keyClass(of item: SyncItem) -> KeyClass? {
        let attributes = item.attributes
        guard item.itemClass.isPassword, attributes[.synchronizable] == .number(1),
            AccessGroup(attributes.text(.accessGroup)) != nil, attributes.text(.tokenID).isEmpty,
            !attributes.contains(.accessControl),
            !item.isTombstone || item.secret == nil
        else { return nil }
        switch attributes[.accessible] {
        case .string("ak"): return .a
        case .string("ck"), .string("dk"): return .c
        default: return nil
        }
    }

    /// Whether an item that would be shared has more than a record holds: it stays where it is.
    package static func isTooLarge(_ item: SyncItem) -> Bool {
        guard keyClass(of: item) != nil, let head = try? RecordText.head(of: item, newest: .max) else { return false }
        return Padding.size(for: head.count + (item.secret?.count ?? 0)) == nil
    }

    /// Of an item, with its attributes.
    package static let largestItem = Padding.largest
    package static let nonceSize = 16
    /// Of a whole record.
    package static let largest = headSize + SIV.vectorSize + Padding.largest
    private static let version: UInt8 = 1
    fileprivate static let headSize = 22
}

/// Opens records one after the other: what setting up a key costs, it costs once.
///
/// Not for two threads at once.
final class RecordOpening {
    private let keys: ViewKeyring
    /// The key of each class that the last record had.
    private var prepared: [Prepared?] = SyncRecord.KeyClass.allCases.map { _ in nil }

    private struct Prepared {
        let key: ViewKey
        let texts: SIVOpening
        let names: RecordNaming
    }

    init(_ keys: ViewKeyring) { self.keys = keys }

    /// As `SyncRecord.open`.
    func open(_ body: [UInt8], at place: SyncRecord.Address) throws(CircleError) -> SyncRecord.Content {
        let (keyClass, generation) = try SyncRecord.header(of: body)
        guard body.count <= SyncRecord.largest else { throw .malformed }
        let prepared = try prepare(keyClass, place.view, generation)
        let additional = [
            SyncRecord.additional(prepared.key, keyClass, place), Array(body[6..<SyncRecord.headSize]),
        ]
        let plain = try CircleError.translating { () throws(CryptoError) in
            try prepared.texts.open(body[SyncRecord.headSize...], additional: additional)
        }
        if try RecordText.isBlank(plain) { return .blank }
        guard let item = try RecordText.decode(plain, generation: generation) else { return .void }
        // Under another item's name, or another class, it would be a way to put things where they do not belong.
        guard SyncRecord.keyClass(of: item) == keyClass,
            try prepared.names.name(of: SyncRecord.identity(of: item)) == place.id
        else { throw .malformed }
        return .item(item)
    }

    private func prepare(
        _ keyClass: SyncRecord.KeyClass, _ view: SyncView, _ generation: UInt32
    ) throws(CircleError) -> Prepared {
        let place = keyClass == .a ? 0 : 1
        if let there = prepared[place], there.key.generation == generation, there.key.view == view { return there }
        guard let key = keys.key(of: view, generation: generation) else { throw .missingKey }
        let texts = try SyncRecord.with(key, keyClass) { (secret) throws(CircleError) in
            try CircleError.translating { () throws(CryptoError) in try SIVOpening(key: secret) }
        }
        let made = Prepared(key: key, texts: texts, names: try key.naming())
        prepared[place] = made
        return made
    }
}

/// What is sealed in a record, in its one encoding.
///
/// kind (1) ‖ class (1) ‖ secret generation (4) ‖ size (4), attributes ‖ size (4), what later versions know ‖ whether
/// there is a secret (1) ‖ size (4), secret ‖ zeros.
package enum RecordText {
    /// The text of an item, whose secret is first sealed under the generation `newest` unless the item says another.
    package static func encode(_ item: SyncItem, newest: UInt32) throws(CircleError) -> SecretValue {
        let head = try head(of: item, newest: newest)
        guard let size = Padding.size(for: head.count + (item.secret?.count ?? 0)) else { throw .malformed }
        return unsafe SecretValue(count: size) { output in
            unsafe output.copyBytes(from: head)
            if let secret = item.secret {
                unsafe secret.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyMemory(from: $0)
                }
            }
        }
    }

    /// What stands before the secret.
    fileprivate static func head(of item: SyncItem, newest: UInt32) throws(CircleError) -> [UInt8] {
        var shared = AttributeList()
        for entry in item.attributes.entries where !isOwn(entry.attribute) {
            guard fits(entry, item.itemClass) else { throw .malformed }
            shared.append(unchecked: entry.attribute, entry.value)
        }
        let attributes: [UInt8]
        do throws(CodingError) { attributes = try AttributeCoding.encode(shared) } catch { throw .malformed }
        let generation = item.secretGeneration == 0 ? newest : item.secretGeneration
        guard generation <= newest else { throw .malformed }
        var head = [itemKind, item.itemClass.rawValue] + bigEndian(generation)
        for part in [attributes, item.later] {
            head += bigEndian(UInt32(truncatingIfNeeded: part.count)) + part
        }
        head.append(item.secret == nil ? 0 : 1)
        if let secret = item.secret { head += bigEndian(UInt32(truncatingIfNeeded: secret.count)) }
        return head
    }

    static func void() -> SecretValue {
        unsafe SecretValue(count: 512) { output in unsafe output[0] = voidKind }
    }

    static func blank() -> SecretValue {
        unsafe SecretValue(count: 512) { output in unsafe output[0] = blankKind }
    }

    static func isBlank(_ text: SecretValue) throws(CircleError) -> Bool {
        try unsafe text.withUnsafeBytes { (bytes) throws(CircleError) in
            var cursor = unsafe RecordCursor(bytes)
            guard try cursor.byte() == blankKind else { return false }
            try cursor.end()
            return true
        }
    }

    /// The item that a record of a generation has in it; nil is a void record.
    package static func decode(_ text: SecretValue, generation: UInt32) throws(CircleError) -> SyncItem? {
        try unsafe text.withUnsafeBytes { (bytes) throws(CircleError) in
            var cursor = unsafe RecordCursor(bytes)
            switch try cursor.byte() {
            case itemKind: break
            case voidKind:
                try cursor.end()
                return nil
            default: throw .malformed
            }
            guard let itemClass = ItemClass(rawValue: try cursor.byte()) else { throw .malformed }
            let secretGeneration = try cursor.number()
            guard (1...Int(generation)).contains(secretGeneration) else { throw .malformed }
            let attributes: AttributeList
            let encoded = unsafe try cursor.counted()
            do throws(CodingError) { attributes = try unsafe AttributeCoding.decode(encoded) } catch {
                throw .malformed
            }
            for entry in attributes.entries where isOwn(entry.attribute) || !fits(entry, itemClass) {
                throw .malformed
            }
            let later = unsafe Array(try cursor.counted())
            var secret: SecretValue?
            switch try cursor.byte() {
            case 0: break
            case 1: secret = unsafe SecretValue(copying: try cursor.counted())
            default: throw .malformed
            }
            try cursor.end()
            return SyncItem(
                itemClass: itemClass, attributes: attributes, secret: secret,
                secretGeneration: UInt32(secretGeneration), later: later)
        }
    }

    /// What each device keeps for itself, or works out.
    private static func isOwn(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .digest, .multiUser, .syncIdentifier: true
        default: false
        }
    }

    private static func fits(_ entry: AttributeList.Entry, _ itemClass: ItemClass) -> Bool {
        entry.attribute.isKnown(to: itemClass) && entry.attribute.kind.takes(entry.value)
    }

    private static let itemKind: UInt8 = 1
    private static let voidKind: UInt8 = 2
    private static let blankKind: UInt8 = 3
}

/// Reads a text from its beginning to its end.
// Safe: it lives as long as the bytes are lent, and each index is checked.
@safe
private struct RecordCursor {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    mutating func byte() throws(CircleError) -> UInt8 {
        guard unsafe place < bytes.count else { throw .malformed }
        defer { place += 1 }
        return unsafe bytes[place]
    }

    mutating func number() throws(CircleError) -> Int {
        guard unsafe bytes.count - place >= 4 else { throw .malformed }
        defer { place += 4 }
        return unsafe bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Bytes behind their number.
    mutating func counted() throws(CircleError) -> UnsafeRawBufferPointer {
        let count = try number()
        guard unsafe bytes.count - place >= count else { throw .malformed }
        defer { place += count }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }

    /// Zeros follow, as many as padding puts there.
    func end() throws(CircleError) {
        guard unsafe Padding.size(for: place) == bytes.count else { throw .malformed }
        // Eight at a time: most of a record is padding.
        var (index, all) = (place, UInt64(0))
        while unsafe index + 8 <= bytes.count {
            all |= unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while unsafe index < bytes.count {
            all |= unsafe UInt64(bytes[index])
            index += 1
        }
        guard all == 0 else { throw .malformed }
    }
}

extension AttributeList {
    /// The text of an attribute; empty where there is none.
    func text(_ attribute: Attribute) -> String {
        guard case .string(let text)? = self[attribute] else { return "" }
        return text
    }
}
