// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// What changed here and did not go yet.
struct UnsentItems {
    /// An item that has more than a record of the circle holds.
    struct TooLarge {
        let name: String
        let user: String

        init(_ attributes: AttributeList) {
            let names = [Attribute.label, .service, .server].map { AttributeText.text($0, in: attributes) }
            name = names.first { !$0.isEmpty } ?? "(without a name)"
            let service = AttributeText.text(.service, in: attributes)
            // Of what belongs to an item the name says which it is.
            user =
                service.utf8.starts(with: FurtherItem.service.utf8) ? "" : AttributeText.text(.account, in: attributes)
        }

        var sentence: String {
            let title = PlainText.shown(name) + (user.isEmpty ? "" : " (user \(PlainText.shown(user)))")
            return
                "\(title) is too large to be shared, and stays here as it is: with its name and other attributes it has more than \(SyncRecord.largestItem) bytes (1 MiB)"
        }
    }

    /// How many may go; of many, not all are counted.
    fileprivate(set) var count = 0
    fileprivate(set) var areMore = false
    fileprivate(set) var tooLarge: [TooLarge] = []

    /// How many may go, in words.
    var counted: String { areMore ? "\(count) or more items" : CircleReports.count(count, "item") }
}

extension CircleTool {
    func unsent() throws(CommandError) -> UnsentItems {
        var (unsent, last): (UnsentItems, UInt64) = (UnsentItems(), 0)
        while true {
            let request = SyncRequest.changes(behind: last, limit: CircleTool.mostUnsent)
            let reply = try keychain.answering { () throws(KeychainError) in try session.perform(.sync(request)) }
            guard case .sync(.changes(let changes, _)) = reply else {
                throw .failure("the keychain answered another question")
            }
            // A page ends where it becomes large; behind the last one comes an empty one.
            guard let end = changes.last else { return unsent }
            last = end.mark
            let tooLarge = changes.filter { SyncRecord.isTooLarge($0.item) }
            unsent.tooLarge += tooLarge.map { UnsentItems.TooLarge($0.item.attributes) }
            unsent.count += changes.count - tooLarge.count
            guard unsent.count < CircleTool.mostUnsent else {
                unsent.areMore = true
                return unsent
            }
        }
    }

    private static let mostUnsent = 100
}
