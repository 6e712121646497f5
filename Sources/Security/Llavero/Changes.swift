// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
public import LlaveroFoundation

extension Llavero {
    /// What became of one item that this program may see; nothing of what is in it.
    public struct Change: Sendable, Hashable {
        /// What was done with it.
        @frozen public enum Kind: Sendable, Hashable {
            /// It was stored, or moved into a group that this program may see.
            case added
            /// Its secret or its attributes are others now.
            case updated
            /// It is gone, or moved out of sight.
            case deleted
        }

        /// What was done.
        public let kind: Kind
        /// The value of `kSecClass`.
        public let itemClass: String
        /// The value of `kSecAttrAccessGroup`.
        public let accessGroup: String
        /// The value of `kSecValuePersistentRef`.
        public let persistentReference: Data
    }

    /// What an observer is told.
    @frozen public enum ChangeNotice: Sendable, Hashable {
        /// One item.
        case change(Change)
        /// Changes were missed: the daemon was away, or there were too many. Look at everything again.
        case missed
    }

    /// An observation of changes, which lasts until it is ended or released.
    public final class ChangeObserver: Sendable {
        private let observation: ChangeObservation

        fileprivate init(_ observation: ChangeObservation) { self.observation = observation }

        /// Ends it.
        public func end() { observation.end() }
    }

    /// Calls `handler`, on a thread of its own, for each change that any program makes to items that this one may see.
    ///
    /// Only a daemon tells of changes: without one this throws. What this program does itself is told too.
    public static func observeChanges(
        _ handler: @escaping @Sendable (ChangeNotice) -> Void
    ) throws -> ChangeObserver {
        try LlaveroError.translating { () throws(KeychainError) in
            ChangeObserver(
                try CurrentKeychain.host().observe { changes in
                    if changes.isIncomplete { handler(.missed) }
                    for event in changes.events { if let change = Change(event) { handler(.change(change)) } }
                })
        }
    }

    /// The changes that any program makes, from now on, to items that this one may see.
    ///
    /// Only a daemon tells of changes: without one this throws.
    public static func changes() throws -> AsyncStream<ChangeNotice> {
        let (stream, continuation) = AsyncStream<ChangeNotice>.makeStream()
        let observer = try observeChanges { continuation.yield($0) }
        continuation.onTermination = { _ in observer.end() }
        return stream
    }
}

extension Llavero.Change {
    fileprivate init?(_ event: ItemEvent) {
        switch event.kind {
        case .added: kind = .added
        case .updated: kind = .updated
        case .deleted: kind = .deleted
        case .found, .used: return nil
        }
        itemClass = event.itemClass.name
        accessGroup = event.group
        persistentReference = Data(PersistentReference.item(event.itemClass, event.id).bytes)
    }
}
