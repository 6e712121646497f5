// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

// Sendable: it is used by one thread after the other, each time whole.
/// A block of C's, and the queue that it is called on, once.
private final class CDelivery: @unchecked Sendable {
    let block: UnsafeMutableRawPointer
    private let queue: UnsafeMutableRawPointer
    private var call: () -> Void = {}

    /// Both are retained until the block was called; nil without memory.
    init?(_ block: UnsafeMutableRawPointer, on queue: UnsafeMutableRawPointer?) {
        guard let copied = csec_retain_block(block), let queue = csec_retain_queue(queue) else { return nil }
        self.block = copied
        self.queue = queue
    }

    func run(_ call: @escaping () -> Void) {
        self.call = call
        csec_async(queue, Unmanaged.passRetained(self).toOpaque()) { context in
            guard let context else { return }
            let delivery = Unmanaged<CDelivery>.fromOpaque(context).takeRetainedValue()
            delivery.call()
            delivery.call = {}
        }
    }
}

/// The function of that name for C.
@_cdecl("SecKeyGeneratePairAsync")
public func cKeyGeneratePairAsync(
    _ parameters: CObject?, _ queue: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?
) {
    // It answers nothing, and so can say what is wrong to the block alone.
    guard let block, let queue, let delivery = CDelivery(block, on: queue) else { return }
    guard let parameters = Incoming.plainDictionary(parameters) else {
        var error: CObject?
        _ = CAnswer.refused(&error)
        let refusal = CError(error)
        return delivery.run { refusal.lend { csec_call_with_pair(delivery.block, nil, nil, $0) } }
    }
    SecKeyGeneratePairAsync(parameters, .global()) { publicKey, privateKey, failure in
        delivery.run {
            let (publicHalf, privateHalf) = (Outgoing.object(publicKey), Outgoing.object(privateKey))
            let error = Outgoing.object(failure)
            csec_call_with_pair(delivery.block, publicHalf, privateHalf, error)
            for object in [publicHalf, privateHalf, error] { object.map { csec_release($0) } }
        }
    }
}

/// An error that is given, until it was lent.
private struct CError {
    private let error: CObject?

    init(_ error: CObject?) { self.error = error }

    func lend(_ body: (CObject?) -> Void) {
        body(error)
        error.map { csec_release($0) }
    }
}

/// The function of that name for C.
@_cdecl("SecTrustEvaluateAsync")
public func cTrustEvaluateAsync(
    _ trust: CObject?, _ queue: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?
) -> Int32 {
    guard let trust, let held = Incoming.reference(trust, SecTrust.self), let block else { return errSecParam }
    guard let delivery = CDelivery(block, on: queue) else { return errSecAllocate }
    csec_retain(trust)
    delivery.run {
        SecTrustEvaluateWithError(held, nil)
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(held, &result)
        csec_call_with_result(delivery.block, trust, result.rawValue)
        csec_release(trust)
    }
    return errSecSuccess
}
