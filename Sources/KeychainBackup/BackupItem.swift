// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// An item as a backup has it.
package struct BackupItem: Sendable {
    package let itemClass: ItemClass
    package let id: PersistentID
    /// As callers see them, with its dates, group, protection and digest.
    package let attributes: AttributeList
    package let secret: SecretValue?

    package init(itemClass: ItemClass, id: PersistentID, attributes: AttributeList, secret: SecretValue?) {
        (self.itemClass, self.id, self.attributes, self.secret) = (itemClass, id, attributes, secret)
    }

    /// The bytes of a record; they hold the secret.
    func encoded() throws(BackupError) -> SecretValue {
        let attributes: [UInt8]
        do throws(CodingError) { attributes = try AttributeCoding.encode(self.attributes) } catch { throw .damaged }
        let head = [itemClass.rawValue] + id.bytes + bytes(of: UInt32(truncatingIfNeeded: attributes.count))
        let count = head.count + attributes.count + 1 + (secret?.count ?? 0)
        guard count <= BackupLimits.largestRecord else { throw .itemTooLarge }
        return unsafe SecretValue(count: count) { output in
            unsafe output.copyBytes(from: head)
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyBytes(from: attributes)
            let place = head.count + attributes.count
            unsafe output[place] = secret == nil ? 0 : 1
            if let secret {
                unsafe secret.withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[(place + 1)...]).copyMemory(from: bytes)
                }
            }
        }
    }

    /// Reads what `encoded` wrote.
    init(decoding record: SecretValue) throws(BackupError) {
        self = try unsafe record.withUnsafeBytes { (bytes) throws(BackupError) in try unsafe BackupItem(bytes) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(BackupError) {
        guard bytes.count >= BackupItem.headSize + 1, let itemClass = unsafe ItemClass(rawValue: bytes[0]),
            let id = unsafe PersistentID(Array(bytes[1..<17]))
        else { throw .damaged }
        let count = unsafe bytes[17..<21].reduce(0) { $0 << 8 | Int($1) }
        let place = BackupItem.headSize + count
        guard place < bytes.count else { throw .damaged }
        do throws(CodingError) {
            attributes = try unsafe AttributeCoding.decode(
                UnsafeRawBufferPointer(rebasing: bytes[BackupItem.headSize..<place]))
        } catch { throw .damaged }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(place + 1)...])
        switch unsafe bytes[place] {
        case 0:
            guard rest.count == 0 else { throw .damaged }
            secret = nil
        case 1: secret = unsafe SecretValue(copying: rest)
        default: throw .damaged
        }
        (self.itemClass, self.id) = (itemClass, id)
    }

    private static let headSize = 21
}

/// How many items a backup has, and how many it has not.
package struct BackupCounts: Sendable, Equatable {
    package var items: UInt64 = 0
    /// Of these, items that only the device opens that made the backup.
    package var bound: UInt64 = 0
    /// Left out: they must not leave the keychain, or nobody was there to open them.
    package var left: UInt64 = 0
    /// How many changes the keychain had counted.
    package var commits: UInt64 = 0

    package init(commits: UInt64 = 0) { self.commits = commits }

    var encoded: [UInt8] { bytes(of: items) + bytes(of: bound) + bytes(of: left) + bytes(of: commits) }

    init?(_ record: [UInt8]) {
        guard record.count == 32 else { return nil }
        func number(_ place: Int) -> UInt64 { record[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        (items, bound, left, commits) = (number(0), number(8), number(16), number(24))
    }
}

/// An item that there was when a backup was made, whichever file on the way back has it.
package struct BackupEntry: Sendable, Equatable {
    package enum State: UInt8, Sendable {
        case kept = 0
        /// Only the device opens it that made the backup.
        case bound = 1
        /// It must not leave the keychain.
        case left = 2
    }

    package let itemClass: ItemClass
    package let state: State
    package let id: PersistentID
    /// Another one after each change.
    package let stamp: UInt64

    package init(_ itemClass: ItemClass, _ state: State, _ id: PersistentID, stamp: UInt64) {
        (self.itemClass, self.state, self.id, self.stamp) = (itemClass, state, id, stamp)
    }

    var encoded: [UInt8] { [itemClass.rawValue, state.rawValue] + id.bytes + bytes(of: stamp) }

    init?(_ record: UnsafeRawBufferPointer) {
        guard let itemClass = unsafe ItemClass(rawValue: record[0]), let state = unsafe State(rawValue: record[1]),
            let id = unsafe PersistentID(Array(record[2..<18]))
        else { return nil }
        let stamp = unsafe record[18..<26].reduce(0) { $0 << 8 | UInt64($1) }
        self.init(itemClass, state, id, stamp: stamp)
    }

    static let size = 26
    /// More are not in one record.
    static let mostInRecord = 2000
}

/// What stands in a backup behind its header.
package enum BackupRecord: Sendable {
    case item(BackupItem)
    /// One that only another device opens.
    case bound(PersistentID)
    /// Some of all items that there were.
    case list([BackupEntry])
    /// The last one.
    case counts(BackupCounts)
}

/// The first byte of a record.
enum RecordKind: UInt8 {
    case item = 1
    case bound = 2
    case counts = 3
    case list = 4

    /// Kind and length.
    static let headSize = 5
}
