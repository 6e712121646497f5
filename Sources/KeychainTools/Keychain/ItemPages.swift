// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// The items that match a request, read in parts, so that a tool lists any number of them in little memory.
///
/// Items come in the order in which they were stored, damaged ones behind the others of their part. `MatchPageRequest` says
/// what becomes of items that change while the list is read.
package final class ItemPages {
    private let keychain: ToolKeychain
    private let owners: ItemOwners
    private var request: MatchRequest
    /// Behind the rows that were looked at.
    package private(set) var position: MatchPosition?
    private let view: ViewID?
    private var isAtEnd = false

    /// Reads all items of the predicate; the limit of the request is not used.
    ///
    /// Items that demand a person's authentication demand it once for the whole list, as in a single request, unless they are
    /// to be left out.
    package init(
        _ predicate: ItemPredicate, returning: ReturnTypes, in keychain: ToolKeychain, of owners: ItemOwners,
        rows: Int = ItemPages.usualRows, skipsGuarded: Bool = false, in view: ViewID? = nil,
        from start: MatchPosition? = nil
    ) {
        (self.view, position) = (view, start)
        request = MatchRequest(
            predicate: predicate, returning: returning.union(.damaged), limit: rows > 1 ? .atMost(rows) : .single)
        (self.keychain, self.owners) = (keychain, owners)
        if skipsGuarded { request.authentication.interaction = .skipping }
        guard returning.contains(.data), !skipsGuarded else { return }
        request.authentication.context = .random()
    }

    deinit {
        guard let context = request.authentication.context, let session = try? keychain.session(of: owners) else {
            return
        }
        ForkGate.operation { session.invalidate(context) }
    }

    /// The items of the next part, which may be empty; nil behind the last one.
    ///
    /// A failure leaves the list where it is: the call may be repeated once the keychain is unlocked.
    package func next() throws(CommandError) -> [Found]? {
        guard !isAtEnd else { return nil }
        guard let part = MatchPageRequest(request, from: position, in: view) else {
            throw .failure("only items of one class can be read in parts")
        }
        // Again for each part: a daemon that has restarted meanwhile knows of no context.
        if let context = request.authentication.context, let session = try? keychain.session(of: owners) {
            ForkGate.operation { session.begin(context) }
        }
        let page = try keychain.match(part, of: owners)
        position = page.next
        isAtEnd = page.next == nil
        return page.found
    }

    /// As many as one answer of a daemon holds without taking room that users share.
    package static let usualRows = 1000
}

@available(*, unavailable)
extension ItemPages: Sendable {}
