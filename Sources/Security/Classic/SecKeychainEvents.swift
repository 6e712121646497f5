// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

/// What happened to a keychain.
@frozen public enum SecKeychainEvent: UInt32, Sendable {
    /// It was locked.
    case lockEvent = 1
    /// It was unlocked.
    case unlockEvent = 2
    /// An item was added.
    case addEvent = 3
    /// An item was deleted.
    case deleteEvent = 4
    /// An item was changed.
    case updateEvent = 5
    /// Its passcode was changed.
    case passwordChangedEvent = 6
    /// Another keychain is the default now.
    case defaultChangedEvent = 9
    /// An item's secret was read; nobody tells of that here.
    case dataAccessEvent = 10
    /// The search list changed.
    case keychainListChangedEvent = 11
    /// Trust settings changed; nobody tells of that here.
    case trustSettingsChangedEvent = 12
}

/// Which events are told of.
public struct SecKeychainEventMask: OptionSet, Sendable {
    /// The bits: one for each number of ``SecKeychainEvent``.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A keychain was locked.
    public static let lockEventMask = SecKeychainEventMask(rawValue: 1 << 1)
    /// A keychain was unlocked.
    public static let unlockEventMask = SecKeychainEventMask(rawValue: 1 << 2)
    /// An item was added.
    public static let addEventMask = SecKeychainEventMask(rawValue: 1 << 3)
    /// An item was deleted.
    public static let deleteEventMask = SecKeychainEventMask(rawValue: 1 << 4)
    /// An item was changed.
    public static let updateEventMask = SecKeychainEventMask(rawValue: 1 << 5)
    /// A passcode was changed.
    public static let passwordChangedEventMask = SecKeychainEventMask(rawValue: 1 << 6)
    /// Another keychain is the default now.
    public static let defaultChangedEventMask = SecKeychainEventMask(rawValue: 1 << 9)
    /// A secret was read; nobody tells of that here.
    public static let dataAccessEventMask = SecKeychainEventMask(rawValue: 1 << 10)
    /// The search list changed.
    public static let keychainListChangedMask = SecKeychainEventMask(rawValue: 1 << 11)
    /// Trust settings changed; nobody tells of that here.
    public static let trustSettingsChangedEventMask = SecKeychainEventMask(rawValue: 1 << 12)
    /// All of them.
    public static let everyEventMask = SecKeychainEventMask(rawValue: 0xFFFF_FFFF)

    static let ofItems: SecKeychainEventMask = [.addEventMask, .deleteEventMask, .updateEventMask]
    static let ofThisProcess: SecKeychainEventMask = [
        .lockEventMask, .unlockEventMask, .defaultChangedEventMask, .keychainListChangedMask,
    ]
}

// Safe: holding the references is not unsafe; taking one out says so where it is done.
/// What a callback is told besides the event.
@safe
public struct SecKeychainCallbackInfo {
    /// Of this structure: 0.
    public var version: UInt32
    /// The item that the event is about; nil for an event without one.
    public var item: Unmanaged<SecKeychainItem>!
    /// The keychain that the event is about; nil where it is about several.
    public var keychain: Unmanaged<SecKeychain>!
    /// The process that did it; 0 where that is not known.
    public var pid: pid_t
}

/// A function that is told of an event; what it returns does not count.
///
/// It is called on a thread of ours: a program's run loop has no part in it here.
public typealias SecKeychainCallback = (
    SecKeychainEvent, UnsafeMutablePointer<SecKeychainCallbackInfo>, UnsafeMutableRawPointer?
) -> OSStatus

/// Has a function told of events.
///
/// Items: what any program does with those that this one may see, as long as a daemon has the keychain; without one a mask
/// that asks for items is ``errSecNotAvailable``. Locking, unlocking, the default keychain and the search list: what this
/// program does with these functions.
///
/// - Parameters:
///   - callbackFunction: The function, by which ``SecKeychainRemoveCallback(_:)`` finds it again.
///   - eventMask: Which events; ``errSecParam`` where nobody tells of any of them.
///   - userContext: Handed over to the function.
/// - Returns: ``errSecDuplicateCallback`` for a function that was added before.
@discardableResult
public func SecKeychainAddCallback(
    _ callbackFunction: @escaping SecKeychainCallback, _ eventMask: SecKeychainEventMask,
    _ userContext: UnsafeMutableRawPointer?
) -> OSStatus {
    let callback = unsafe KeychainCallback(callbackFunction, eventMask, userContext)
    guard !KeychainCallbacks.has(callback.identity) else { return errSecDuplicateCallback }
    return Call.status("SecKeychainAddCallback") { () throws(KeychainError) in
        guard !eventMask.isDisjoint(with: SecKeychainEventMask.ofItems.union(.ofThisProcess)) else {
            throw KeychainError(.parameter, "nobody tells of these events")
        }
        try KeychainCallbacks.add(callback)
    }
}

/// Has a function told of nothing any more; ``errSecInvalidCallback`` for one that was not added.
@discardableResult
public func SecKeychainRemoveCallback(_ callbackFunction: @escaping SecKeychainCallback) -> OSStatus {
    unsafe KeychainCallbacks.remove(FunctionIdentity(callbackFunction)) ? errSecSuccess : errSecInvalidCallback
}

/// By what a function without captures is told from others: where its code is.
struct FunctionIdentity: Equatable {
    private let words: [UInt]

    init(_ function: @escaping SecKeychainCallback) {
        // In a structure, because a function that is handed over as a value of any type is wrapped anew each time.
        @safe struct Holder { let function: SecKeychainCallback }
        words = unsafe withUnsafeBytes(of: Holder(function: function)) { bytes in
            unsafe Array(bytes.bindMemory(to: UInt.self))
        }
    }
}

// Sendable: it never changes; the program says with the pointer that it may be used on another thread.
/// A function that a program wants told of events.
@safe
final class KeychainCallback: @unchecked Sendable {
    let identity: FunctionIdentity
    let mask: SecKeychainEventMask
    private let function: SecKeychainCallback
    private let context: UnsafeMutableRawPointer?
    private let observation = ForkSafeMutex<ChangeObservation?>(nil)

    init(_ function: @escaping SecKeychainCallback, _ mask: SecKeychainEventMask, _ context: UnsafeMutableRawPointer?) {
        unsafe identity = FunctionIdentity(function)
        self.mask = mask
        unsafe self.function = function
        unsafe self.context = context
    }

    func observe(_ host: any KeychainHost) throws(KeychainError) {
        let begun = try host.observe { [weak self] changes in
            for event in changes.events { self?.tell(event, host) }
        }
        observation.withLock { $0 = begun }
    }

    func end() {
        let ended = observation.withLock { observation in
            defer { observation = nil }
            return observation
        }
        ended?.end()
    }

    private func tell(_ event: ItemEvent, _ host: any KeychainHost) {
        let item = SecKeychainItem(.item(event.itemClass, event.id), in: host)
        switch event.kind {
        case .added: tell(.addEvent, item: item)
        case .updated: tell(.updateEvent, item: item)
        case .deleted: tell(.deleteEvent, item: item)
        case .found, .used: break
        }
    }

    func tell(_ event: SecKeychainEvent, item: SecKeychainItem? = nil, keychain: SecKeychain? = nil) {
        guard mask.contains(SecKeychainEventMask(rawValue: 1 << event.rawValue)) else { return }
        var info = unsafe SecKeychainCallbackInfo(
            version: 0, item: item.map { unsafe .passUnretained($0) },
            keychain: keychain.map { unsafe .passUnretained($0) }, pid: 0)
        _ = unsafe function(event, &info, context)
        withExtendedLifetime((item, keychain)) {}
    }
}

/// The functions that this process wants told of events.
enum KeychainCallbacks {
    private static let all = ForkSafeMutex<[KeychainCallback]>([])

    static func has(_ identity: FunctionIdentity) -> Bool {
        all.withLock { callbacks in callbacks.contains { $0.identity == identity } }
    }

    static func add(_ callback: KeychainCallback) throws(KeychainError) {
        if !callback.mask.isDisjoint(with: .ofItems) { try callback.observe(CurrentKeychain.host()) }
        all.withLock { $0.append(callback) }
    }

    static func remove(_ identity: FunctionIdentity) -> Bool {
        let removed = all.withLock { callbacks -> KeychainCallback? in
            callbacks.firstIndex { $0.identity == identity }.map { callbacks.remove(at: $0) }
        }
        removed?.end()
        return removed != nil
    }

    /// Tells of what this process did, on a thread of its own: who did it may hold locks that a callback wants.
    static func tell(_ event: SecKeychainEvent, _ keychain: SecKeychain? = nil) {
        let wanted = all.withLock { $0 }
        guard !wanted.isEmpty else { return }
        OwnThread.run {
            for callback in wanted { callback.tell(event, keychain: keychain) }
        } orElse: { _ in
        }
    }
}
