// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// The parts of a round behind the log, by what it is for.
extension RoundContext {
    func task() throws(CircleError) -> Effect {
        try pull(readableViews[...]) { [unowned self] () throws(CircleError) in
            try SeenExchange(self).read { [unowned self] () throws(CircleError) in
                guard case .synchronize = options.task else { return try end() }
                return try Push(self).start { [unowned self] () throws(CircleError) in
                    try SeenExchange(self).write { [unowned self] () throws(CircleError) in try end() }
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

    func end() throws(CircleError) -> Effect {
        report.waiting = waiting.values.reduce(0) { $0 + $1.count }
        try change { [report] (state) in state.alarms = report.alarms }
        return try keepState { [unowned self] () throws(CircleError) in finished(.complete) }
    }
}
