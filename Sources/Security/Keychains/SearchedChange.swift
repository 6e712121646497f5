// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// A change of all that matches in one keychain or in each of several: done when one of them had something.
struct SearchedChange<Change: ItemCall>: ItemCall where Change.Answer == Void {
    private var calls: [Change]
    let host: any KeychainHost

    init(
        _ query: CFDictionary, _ call: (any KeychainHost) throws(KeychainError) -> Change
    ) throws(KeychainError) {
        let hosts = try QueriedKeychains(searchedBy: query).all
        calls = []
        for host in hosts { calls.append(try call(host)) }
        host = hosts[0]
    }

    var authentication: AuthenticationTerms {
        get { calls[0].authentication }
        set { for index in calls.indices { calls[index].authentication = newValue } }
    }

    func answer() throws(KeychainError) {
        var (isDone, refusal) = (false, KeychainError?.none)
        for call in calls {
            do throws(KeychainError) {
                try call.answer()
                isDone = true
            } catch {
                // What could not be changed is told of, whatever could be.
                if refusal == nil || refusal?.reason == .itemNotFound { refusal = error }
            }
        }
        if let refusal, !isDone || refusal.reason != .itemNotFound { throw refusal }
    }
}
