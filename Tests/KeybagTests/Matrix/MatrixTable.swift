// SPDX-License-Identifier: Apache-2.0

import Security

/// What the semantics file says of a class in a state, and of an operation on an item of such a class.
enum MatrixTable {
    /// How the key of a class stands.
    enum Availability: Sendable {
        case ok
        case shut
        /// The class needs a passcode, and there is none: no item of it can be.
        case none
    }

    static func availability(of protection: Protection, _ state: DeviceState) -> Availability {
        let row = availabilities[protection] ?? (.none, .none, .none, .none)
        return switch state {
        case .unlocked: row.unlocked
        case .locked: row.locked
        case .beforeFirstUnlock: row.before
        case .noPasscode: row.noPasscode
        }
    }

    /// Semantics §5.1, with the two lines of one class each for the two classes it names.
    private static let availabilities:
        [Protection: (
            unlocked: Availability, locked: Availability, before: Availability, noPasscode: Availability
        )] = [
            .ak: (.ok, .shut, .shut, .ok),
            .aku: (.ok, .shut, .shut, .ok),
            .akpu: (.ok, .shut, .shut, .none),
            .ck: (.ok, .ok, .shut, .ok),
            .cku: (.ok, .ok, .shut, .ok),
            .dk: (.ok, .ok, .ok, .ok),
            .dku: (.ok, .ok, .ok, .ok),
        ]

    static func status(of operation: Operation, _ availability: Availability) -> OSStatus {
        let row = statuses[operation] ?? (errSecInternalError, errSecInternalError, errSecInternalError)
        return switch availability {
        case .ok: row.ok
        case .shut: row.shut
        case .none: row.none
        }
    }

    /// Semantics §5.2; deletions follow decision D23, and the last column decision D21.
    private static let statuses: [Operation: (ok: OSStatus, shut: OSStatus, none: OSStatus)] = [
        .add: (0, errSecInteractionNotAllowed, errSecAuthFailed),
        .addExisting: (errSecDuplicateItem, errSecInteractionNotAllowed, errSecAuthFailed),
        .findData: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .findAttributes: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .findPersistentReference: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .findNothing: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .findByPersistentReference: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .findNotExisting: (errSecItemNotFound, errSecItemNotFound, errSecItemNotFound),
        .update: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .updateNotExisting: (errSecItemNotFound, errSecItemNotFound, errSecItemNotFound),
        .deletePlain: (0, 0, errSecItemNotFound),
        .deleteLeavingTombstone: (0, errSecInteractionNotAllowed, errSecItemNotFound),
        .deleteNotExisting: (errSecItemNotFound, errSecItemNotFound, errSecItemNotFound),
    ]
}
