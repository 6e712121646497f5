// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// `SecItemCopyMatching` in one keychain after the other, until as many items were found as were wanted.
///
/// A keychain that cannot be looked into now, as one that is locked, is passed over as long as another has something: what
/// was found is there. Where nothing is found, it is the reason: "locked" never looks like "not there".
struct SearchedMatch: ItemCall {
    let host: any KeychainHost
    private var calls: [MatchCall]

    init(_ query: CFDictionary, in hosts: [any KeychainHost]) throws(KeychainError) {
        calls = []
        for host in hosts { calls.append(try MatchCall(query, in: host)) }
        // What is asked of objects is asked once, of no keychain.
        if calls[0].isOfListedObjects { calls = [calls[0]] }
        host = hosts[0]
    }

    var authentication: AuthenticationTerms {
        get { calls[0].authentication }
        set { for index in calls.indices { calls[index].authentication = newValue } }
    }

    /// What each has, in their order.
    func answer() throws(KeychainError) -> [MatchAnswer] {
        var answers: [MatchAnswer] = []
        var (wanted, refusal) = (calls[0].limit.count, KeychainError?.none)
        for call in calls where wanted > 0 || answers.isEmpty {
            do throws(KeychainError) {
                let found = try call.answer().prefix(wanted)
                answers.append(found)
                wanted -= found.count
            } catch {
                answers.append(.found([]))
                if refusal == nil || refusal?.reason == .itemNotFound { refusal = error }
            }
        }
        if let refusal, answers.allSatisfy(\.isEmpty) { throw refusal }
        return answers
    }

    func give(_ answer: [MatchAnswer], to result: UnsafeMutablePointer<CFTypeRef?>?) {
        guard let result = unsafe result else { return }
        let parts = zip(calls, answer).filter { !$1.isEmpty }
        guard calls[0].limit != .single else {
            if let (call, found) = parts.first { unsafe call.give(found, to: result) }
            return
        }
        let all = NSMutableArray()
        for (call, found) in parts {
            var part: CFTypeRef?
            unsafe call.give(found, to: &part)
            if let array = part as? NSArray { all.addObjects(from: array as? [Any] ?? []) }
        }
        unsafe result.pointee = all
    }
}
