// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// `SecItemCopyMatching`.
struct MatchCall: ItemCall {
    let host: any KeychainHost
    private var request: MatchRequest
    private let shape: ResultShape
    /// The objects that are asked instead of a keychain; nil when a keychain is.
    private let listed: ListedObjects?

    init(_ query: CFDictionary, in host: any KeychainHost) throws(KeychainError) {
        let parsed = try MatchRequest.parse(query)
        request = parsed.request
        listed = parsed.isOfListedObjects ? ListedObjects(in: query) : nil
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
        let keychain = try host.connection()
        return .found(try keychain.service.match(request, from: keychain.caller))
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
