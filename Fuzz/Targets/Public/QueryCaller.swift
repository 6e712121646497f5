// SPDX-License-Identifier: Apache-2.0

internal import Security

/// Makes calls until the input is at its end.
internal struct QueryCaller {
    private var source: QuerySource

    init(_ input: FuzzInput) { source = QuerySource(input) }

    /// Whether any call succeeded.
    mutating func run() throws(BrokenPromise) -> Bool {
        var didSucceed = false
        for _ in 0..<Self.mostCalls where !source.isAtEnd {
            if try call() { didSucceed = true }
        }
        return didSucceed
    }

    private mutating func call() throws(BrokenPromise) -> Bool {
        let untouched = NSObject()
        var result: CFTypeRef? = untouched
        let status: OSStatus
        switch source.choice(6) {
        case 0, 1: status = SecItemAdd(source.dictionary(), &result)
        case 2: status = SecItemCopyMatching(source.dictionary(), &result)
        case 3: status = SecItemUpdate(source.dictionary(), source.dictionary())
        case 4: status = SecItemDelete(source.dictionary())
        default: return try makeKey()
        }
        try promise(Self.statuses.contains(status), "only documented statuses are returned")
        if status == errSecSuccess {
            if let result, result !== untouched { source.remember(result) }
            return true
        }
        try promise(result === untouched, "a call that fails sets no result")
        try Self.checkExplanation()
        return false
    }

    private mutating func makeKey() throws(BrokenPromise) -> Bool {
        var error: Unmanaged<CFError>?
        let data = source.data()
        if let key = SecKeyCreateWithData(data, source.dictionary(), &error) {
            try promise(error == nil, "a key comes without an error")
            source.remember(key)
            return true
        }
        guard let failure = error?.takeRetainedValue() else { throw BrokenPromise("no key comes without an error") }
        try promise(Self.statuses.contains(OSStatus(failure.code)), "only documented statuses are in an error")
        try promise(!failure.localizedDescription.contains(QuerySource.marker), "no error repeats a value")
        try Self.checkExplanation()
        return false
    }

    private static func checkExplanation() throws(BrokenPromise) {
        guard let said = Llavero.lastFailure else { throw BrokenPromise("a failure is explained") }
        try promise(!said.contains(QuerySource.marker), "no explanation repeats a value")
    }

    private static let mostCalls = 8

    private static let statuses: Set<OSStatus> = [
        errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecDuplicateItem, errSecItemNotFound,
        errSecInteractionNotAllowed, errSecAuthFailed, errSecMissingEntitlement, errSecNotAvailable,
        errSecUnimplemented,
    ]
}
