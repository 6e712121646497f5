// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// The parts of a round behind the log, by what it is for.
extension RoundContext {
    func task() throws(CircleError) -> Effect {
        switch goal {
        case .synchronize, .look: return try synchronize()
        case .follow(let view): return try follow(view)
        // It has been done, or found impossible, before the log was read.
        case .followLog: return finished(.impossible(.doneAlready))
        case .passOver:
            guard hasPassedOver else { return finished(.impossible(.noRight)) }
            // An entry that changes nothing says where the owners have gone on from.
            return try CircleChange(self, [.quorum(membership.quorum)]).start()
        case .heal, .healWithoutUnreadable:
            return try pull(readableViews[...]) { [unowned self] () throws(CircleError) in try Heal(self).start() }
        case .change(let actions):
            return try change { [unowned self] () throws(CircleError) in try CircleChange(self, actions) }
        case .sign(let proposal):
            return try change { [unowned self] () throws(CircleError) in
                try CircleChange(self, [], signing: proposal)
            }
        case .listToRotate(let device):
            return try pull(readableViews[...]) { [unowned self] () throws(CircleError) in
                try RotationList(self, device).start()
            }
        }
    }

    /// An entry behind a log of which others have seen more would make two histories: they are asked however long ago that was done, and
    /// what they say is kept, for behind the change the round begins anew.
    private func change(_ make: @escaping () throws(CircleError) -> CircleChange) throws(CircleError) -> Effect {
        try pull(readableViews[...]) { [unowned self] () throws(CircleError) in
            try SeenExchange(self).hear { [unowned self] () throws(CircleError) in
                try keepState { () throws(CircleError) in try make().start() }
            }
        }
    }

    private func synchronize() throws(CircleError) -> Effect {
        try pull(readableViews[...]) { [unowned self] () throws(CircleError) in
            try SeenExchange(self).read { [unowned self] () throws(CircleError) in
                guard case .synchronize = goal else {
                    try MissingShares(self).keepForLater()
                    return try end()
                }
                if let missing = try CircleChange.missingKeys(self) { return try missing.start() }
                return try Push(self).start { [unowned self] () throws(CircleError) in
                    try MissingShares(self).start { [unowned self] () throws(CircleError) in
                        try SeenExchange(self).write { [unowned self] () throws(CircleError) in
                            try postSnapshot { [unowned self] () throws(CircleError) in try end() }
                        }
                    }
                }
            }
        }
    }

    func pull(_ views: ArraySlice<SyncView>, _ next: @escaping Next) throws(CircleError) -> Effect {
        guard let view = views.first else { return try next() }
        return try ViewPull(self, view).start { [unowned self] () throws(CircleError) in
            try WaitingRecords(self, view).start { [unowned self] () throws(CircleError) in
                try pull(views.dropFirst(), next)
            }
        }
    }

    /// Forgets what this device knows of a view's history, so that the server's is read as by a new device, and this
    /// device's own items are merged into it: of each item the later version stays.
    private func follow(_ view: SyncView) throws(CircleError) -> Effect {
        // What waits sealed goes with the history, which may be all that has it.
        try WaitingRecords(self, view).start { [unowned self] () throws(CircleError) in
            guard waiting[view]?.isEmpty ?? true || keys.isOpen else { return finished(.impossible(.locked)) }
            // So many deletions want a person's word first, and what came beside them waits with them.
            guard !report.alarms.contains(where: { $0.isOfManyDeletions(in: view) }) else {
                return finished(.impossible(.alarmed))
            }
            return try forget(view)
        }
    }

    private func forget(_ view: SyncView) throws(CircleError) -> Effect {
        goal = .synchronize
        trees[view] = nil
        var batch = batch
        batch.forgotten = [view]
        let forget: (inout CircleState) throws(CircleError) -> Void = { state throws(CircleError) in
            state.views[view] = ViewState()
            state.promises.removeAll { $0.chain == .heads(view) }
        }
        return try apply(batch, forget) { [unowned self] () throws(CircleError) in try begin() }
    }

    /// Goes on as a round that had no other goal: what was done on the server is read from there.
    func synchronizeNow() throws(CircleError) -> Effect {
        goal = .synchronize
        return try begin()
    }

    /// Whether there is a generation of a view's key that this device does not have.
    private func lacksKey(of view: SyncView) throws(CircleError) -> Bool {
        let generations = try (membership.views[view]?.commitments ?? [:]).keys
        return generations.contains { keys.key(of: view, generation: $0) == nil }
    }

    func end() throws(CircleError) -> Effect {
        report.waiting = waiting.values.reduce(0) { $0 + $1.count }
        report.waitingForKeys = 0
        for (view, records) in waiting where keys.isOpen {
            if try lacksKey(of: view) { report.waitingForKeys += records.count }
        }
        try change { [report] (state) in state.alarms = report.alarms }
        return try keepState { [unowned self] () throws(CircleError) in finished(.complete) }
    }
}
