// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// Examines the certificates; whether they are trusted.
///
/// It blocks for some milliseconds. The network is not used.
///
/// - Parameters:
///   - trust: What is examined.
///   - error: Set to nil when they are trusted, else to an error in `NSOSStatusErrorDomain` that says what tells most
///     about the cause.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let failure = trust.evaluate().error
    if let error = unsafe error { unsafe error.pointee = failure }
    return failure == nil
}

/// What is called with the result of an evaluation: whether the certificates are trusted, and if not, why.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Examines the certificates on a queue and calls back there, once.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    let callback = Callback(call: result)
    queue.async {
        let failure = trust.evaluate().error
        callback.call(trust, failure == nil, failure)
    }
    return errSecSuccess
}

/// Examines the certificates and gives the result; the status says only that this was possible.
@available(*, deprecated, message: "SecTrustEvaluateWithError says why, too")
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    unsafe result.pointee = trust.evaluate().type
    return errSecSuccess
}

// Sendable: it is called once, on the queue that the caller chose for it.
private struct Callback: @unchecked Sendable {
    let call: SecTrustWithErrorCallback
}
