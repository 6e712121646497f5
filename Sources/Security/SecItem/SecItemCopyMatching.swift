// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Finds the items that match a query and returns what the query asks for of them.
///
/// - Parameters:
///   - query: The class, attributes, search keys, and what is to be returned.
///   - result: Set to one object, or to an array when more than one was allowed.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Call.status("SecItemCopyMatching") { () throws(KeychainError) in
        let parsed = try MatchRequest.parse(query)
        if parsed.keychains.areSeveral {
            try unsafe SearchedMatch(parsed, in: parsed.keychains.severalHosts()).run(result)
        } else {
            try unsafe MatchCall(parsed, in: parsed.keychains.searchedHost()).run(result)
        }
    }
}

/// `SecItemCopyMatching`.
struct MatchCall: ItemCall {
    let host: any KeychainHost
    private var request: MatchRequest
    private let shape: ResultShape
    /// The objects that are asked instead of a keychain; nil when a keychain is.
    private let listed: ListedObjects?

    init(_ parsed: ParsedMatch, in host: any KeychainHost) {
        request = parsed.request
        listed = parsed.listedObjects.map(ListedObjects.init)
        self.host = host
        shape = ResultShape(
            request.returning, isArray: request.limit != .single, host: host, request.authentication)
    }

    var limit: MatchLimit { request.limit }

    var authentication: AuthenticationTerms {
        get { request.authentication }
        set { request.authentication = newValue }
    }

    /// Whether no keychain is asked.
    var isOfListedObjects: Bool { listed != nil }

    func answer() throws(KeychainError) -> MatchAnswer {
        if let listed { return .objects(try listed.matching(request)) }
        return .found(try host.session().match(request))
    }

    func give(_ answer: MatchAnswer, to result: UnsafeMutablePointer<CFTypeRef?>?) {
        guard let result = unsafe result, shape.saysAnything else { return }
        switch answer {
        case .found(let found): unsafe result.pointee = shape.object(for: found)
        case .objects(let objects): unsafe result.pointee = shape.object(for: objects)
        }
    }
}

/// What a search found: items of a keychain, or objects of the caller's own.
enum MatchAnswer: Sendable {
    case found([Found])
    case objects([ListedObject])

    var isEmpty: Bool {
        switch self {
        case .found(let found): found.isEmpty
        case .objects(let objects): objects.isEmpty
        }
    }

    var count: Int {
        switch self {
        case .found(let found): found.count
        case .objects(let objects): objects.count
        }
    }

    func prefix(_ count: Int) -> MatchAnswer {
        switch self {
        case .found(let found): .found(Array(found.prefix(count)))
        case .objects(let objects): .objects(Array(objects.prefix(count)))
        }
    }
}

/// `SecItemCopyMatching` in one keychain after the other, until as many items were found as were wanted.
///
/// A keychain that cannot be looked into now, as one that is locked, is passed over as long as another has something: what
/// was found is there. Where nothing is found, it is the reason: "locked" never looks like "not there".
struct SearchedMatch: ItemCall {
    let host: any KeychainHost
    private var calls: [MatchCall]

    /// In more than one.
    init(_ parsed: ParsedMatch, in hosts: [any KeychainHost]) {
        calls = hosts.map { MatchCall(parsed, in: $0) }
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
