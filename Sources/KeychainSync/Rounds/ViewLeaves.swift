// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What this device has of a view, before anything is put behind it: its leaves are those of its state, and its newest head is
/// the server's.
extension RoundContext {
    /// Reads the leaves of a view, unless they are there from an earlier round, and compares their root with the state's.
    func loadTree(of view: SyncView, _ next: @escaping Next) throws(CircleError) -> Effect {
        let known = try state.views[view]
        if var tree = trees[view], try tree.root() == known?.root ?? [] { return try next() }
        trees[view] = nil
        return try loadLeaves(of: view, behind: nil, into: StateTree(), newest: 0, next)
    }

    private func loadLeaves(
        of view: SyncView, behind id: SyncRecordID?, into tree: StateTree, newest: UInt64,
        _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        keychain(.leaves(of: view, behind: id, limit: RoundContext.leavesAtOnce)) {
            [unowned self] reply throws(CircleError) in
            guard case .leaves(let leaves) = reply else { return unexpectedFromKeychain() }
            var tree = tree
            var newest = newest
            for leaf in leaves {
                try tree.set(leaf)
                newest = max(newest, leaf.head)
            }
            // Pages end where they become large; behind the last one comes an empty one.
            if let last = leaves.last?.id {
                return try loadLeaves(of: view, behind: last, into: tree, newest: newest, next)
            }
            let known = try state.views[view] ?? ViewState()
            // Leaves of later heads are there when a pull was cut off: the newest root then speaks for all.
            let wasCutOff = newest > known.number
            if !wasCutOff, known.number > 0, try tree.root() != known.root {
                raise(.damagedHere(view))
            } else {
                trees[view] = tree
            }
            return try next()
        }
    }

    /// Compares the server's head of this device's number with its own, unless that was done in this round: a server whose
    /// history is another one of the same length shows the same numbers.
    func meet(_ view: SyncView, _ next: @escaping Next) throws(CircleError) -> Effect {
        guard !met.contains(view), let known = try state.views[view], known.number > 0 else { return try next() }
        return server(.bodies(.heads(view), [known.number])) { [unowned self] reply throws(CircleError) in
            guard case .bodies(let bodies) = reply else { return unexpectedFromServer() }
            let signed = bodies.first.flatMap { $0.number == known.number ? try? SignedBody(decoding: $0.body) : nil }
            if let signed, try CircleCoding.digest(of: signed.content) == known.hash {
                met.insert(view)
            } else {
                raise(.replaced(.heads(view), known.number))
            }
            return try next()
        }
    }

    private static let leavesAtOnce = 5000
}
