// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel
internal import KeychainRequest

/// What one program is still to be told.
final class ChangeSubscription: Sendable {
    let number: UInt64
    /// Rings when there is something.
    let bell: Bell
    private let caller: Caller

    private struct Waiting: Sendable {
        var deeds: [ItemDeed] = []
        var isIncomplete = false
    }

    private let waiting = ForkSafeMutex(Waiting())

    init(_ number: UInt64, _ caller: Caller, _ bell: Bell) {
        self.number = number
        self.caller = caller
        self.bell = bell
    }

    /// Keeps what the program may see; of one that does not listen no more than so much.
    func take(_ deeds: [ItemDeed]) {
        let visible = deeds.filter { deed in
            caller.seesEveryGroup || caller.groups.contains { $0.name.hasSameBytes(as: deed.group) }
        }
        guard !visible.isEmpty else { return }
        waiting.withLock { waiting in
            guard waiting.deeds.count + visible.count <= ChangeSubscription.most else {
                waiting = Waiting(deeds: [], isIncomplete: true)
                return
            }
            waiting.deeds += visible
        }
        bell.ring()
    }

    /// What is to be told now; nil when there is nothing.
    func next() -> KeychainChanges? {
        bell.still()
        return waiting.withLock { waiting in
            guard !waiting.deeds.isEmpty || waiting.isIncomplete else { return nil }
            defer { waiting = Waiting() }
            return KeychainChanges(waiting.deeds, isIncomplete: waiting.isIncomplete)
        }
    }

    private static let most = 10_000
}
