// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Telling the caller's witness what was done with which items.
extension KeychainEngine {
    /// A write of the program's, which gives a few older items of a past generation a lift on its way.
    func change<Result>(
        _ caller: Caller, usesReserve: Bool = false, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        try witnessed(by: caller) { (deeds) throws(KeychainError) in
            try write(usesReserve: usesReserve) { (lane) throws(StoreError) in
                let result = try lane.watched(&deeds, body)
                // The reserve is for what frees room.
                if !usesReserve { lane.resealAfterWrite() }
                return result
            }
        }
    }

    /// A read of the program's.
    func reading<Result>(
        _ caller: Caller, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        try witnessed(by: caller) { (deeds) throws(KeychainError) in
            try read { (lane) throws(StoreError) in try lane.watched(&deeds, body) }
        }
    }

    /// Tells the caller's witness what was done, when it is done and no lane is held any more.
    private func witnessed<Result>(
        by caller: Caller, _ body: (inout [ItemDeed]?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var deeds: [ItemDeed]? = caller.witness == nil ? nil : []
        let result = try body(&deeds)
        if let witness = caller.witness, let deeds, !deeds.isEmpty { witness.saw(deeds) }
        return result
    }
}

extension StoreLane {
    /// Does work, and notes with which items when somebody wants to know.
    fileprivate func watched<Result>(
        _ deeds: inout [ItemDeed]?, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard deeds != nil else { return try body(self) }
        self.deeds = []
        defer { self.deeds = nil }
        let result = try body(self)
        deeds = self.deeds
        return result
    }
}
