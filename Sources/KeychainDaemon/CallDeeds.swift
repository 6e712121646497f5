// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What one call did with which items.
final class CallDeeds: ItemWitness {
    private let deeds = ForkSafeMutex<[ItemDeed]>([])

    func saw(_ deeds: [ItemDeed]) { self.deeds.withLock { $0 += deeds } }

    var all: [ItemDeed] { deeds.withLock { $0 } }
}
