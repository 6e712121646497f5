// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import TestSeed

extension Seed {
    mutating func syncRequest() -> SyncRequest {
        switch below(12) {
        case 0: .state(knowing: maybe { $0.bytes(SyncState.nameSize) })
        case 1: .begin(state: bytes(below(40)), base: bytes(below(40)))
        case 2: .end
        case 3: .leaves(of: view(), behind: maybe { $0.recordID() }, limit: below(1000))
        case 4: .waiting(in: view(), behind: maybe { $0.recordID() }, limit: below(1000))
        case 5: .heads(of: view(), before: maybe { $0.count() }, limit: below(1000))
        case 6: .changes(behind: count(), limit: below(1000))
        case 7: .markAll
        case 8: .live(of: view(), among: some(upTo: 4) { $0.recordID() })
        case 9: .tombstones(of: view(), before: flip() ? .infinity : Double(below(1000)), limit: below(1000))
        case 10: .voids(of: view(), among: some(upTo: 4) { $0.recordID() })
        default: .apply(batch())
        }
    }

    mutating func syncReply() -> SyncReply {
        switch below(12) {
        case 0: .done
        case 1: .state(maybe { $0.syncState() })
        case 2: .leaves(some(upTo: 4) { $0.leaf() })
        case 3: .waiting(some(upTo: 4) { SyncWaiting(leaf: $0.leaf(), body: $0.bytes($0.below(40))) })
        case 4: .heads(some(upTo: 4) { $0.head() })
        case 7: .live(below(1000), of: below(1000))
        case 8: .tombstones(some(upTo: 4) { SyncTombstone(id: $0.recordID(), date: Double($0.below(1000))) })
        case 5: .changes(some(upTo: 3) { SyncChange(mark: $0.count(), item: $0.syncItem()) }, someAreLocked: flip())
        case 6: .applied(some(upTo: 9) { $0.pick(SyncOutcome.allCases) }, version: count())
        case 9: .voids(some(upTo: 4) { $0.recordID() })
        case 10: .marked(behind: count(), upTo: count())
        default: .outdated
        }
    }

    private mutating func syncState() -> SyncState {
        SyncState(
            version: count(), bytes: bytes(below(40)), base: maybe { $0.bytes($0.below(40)) },
            baseName: bytes(SyncState.nameSize))
    }

    private mutating func batch() -> SyncBatch {
        var batch = SyncBatch(version: count())
        batch.state = maybe { $0.bytes($0.below(40)) }
        batch.base = maybe { $0.bytes($0.below(40)) }
        batch.incoming = some(upTo: 4) { SyncIncoming(view: $0.view(), leaf: $0.leaf(), content: $0.content()) }
        batch.sent = some(upTo: 4) { seed in
            SyncSent(mark: seed.count(), leaf: seed.maybe { (view: $0.view(), leaf: $0.leaf()) })
        }
        batch.heads = some(upTo: 3) { (view: $0.view(), head: $0.head()) }
        batch.keptHeads = 1 + below(5000)
        batch.forgotten = some(upTo: 2) { $0.view() }
        batch.members.admitted = below(3)
        batch.members.removed = below(3)
        return batch
    }

    private mutating func content() -> SyncIncoming.Content {
        switch below(4) {
        case 0: .item(syncItem())
        case 1: .sealed(bytes(below(60)))
        case 2: .void
        default: .unreadable
        }
    }

    private mutating func syncItem() -> SyncItem {
        let item = foundItem()
        return SyncItem(
            itemClass: item.itemClass, attributes: item.attributes ?? AttributeList(),
            secret: maybe { $0.secret() }, secretGeneration: UInt32(truncatingIfNeeded: next()),
            later: bytes(below(20)))
    }

    private mutating func leaf() -> SyncLeaf { SyncLeaf(id: recordID(), head: count(), digest: bytes(32)) }

    private mutating func head() -> SyncHead { SyncHead(number: count(), body: bytes(below(60))) }

    private mutating func view() -> SyncView { SyncView(bytes(SyncView.size)) ?? view() }

    private mutating func recordID() -> SyncRecordID { SyncRecordID(bytes(SyncRecordID.size)) ?? recordID() }

    private mutating func count() -> UInt64 { next() >> UInt64(1 + below(63)) }
}
