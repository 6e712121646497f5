// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: what changes in it stands behind a lock.
/// Certificates, what they have to be good for, and whether they are.
public final class SecTrust: NSObject, @unchecked Sendable {
    private struct State {
        var question: TrustQuestion
        /// nil until it is evaluated, and again when something was changed.
        var answer: TrustAnswer?
        /// How often it was changed.
        var changes = 0
    }

    private let state: ForkSafeMutex<State>

    init(_ question: TrustQuestion) {
        state = ForkSafeMutex(State(question: question))
        super.init()
    }

    /// What it was given.
    var question: TrustQuestion { state.withLock { $0.question } }

    /// What the last evaluation came to; nil when there was none since the last change.
    var lastAnswer: TrustAnswer? { state.withLock { $0.answer } }

    /// What an evaluation comes to: the last one, or one that is made now.
    var answer: TrustAnswer { lastAnswer ?? evaluate() }

    /// Changes what it was given; an answer from before counts no more.
    func change(_ body: @Sendable (inout TrustQuestion) -> Void) {
        state.withLock { state in
            body(&state.question)
            state.answer = nil
            state.changes += 1
        }
    }

    /// Examines the certificates now.
    func evaluate() -> TrustAnswer {
        let (question, changes) = state.withLock { ($0.question, $0.changes) }
        // Without the lock: it takes milliseconds, and others may ask meanwhile.
        let answer = question.evaluate()
        state.withLock { state in
            if state.changes == changes { state.answer = answer }
        }
        return answer
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a trust object.
///
/// - Parameters:
///   - certificates: A certificate, or an array with the one in question first; the others may stand between it and an
///     anchor, in any order.
///   - policies: A policy or an array of policies, each of which it has to satisfy; nil for basic X.509.
///   - trust: Set to the new object.
/// - Returns: ``errSecSuccess``, or ``errSecParam`` when there is no certificate or something else is among them.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    Call.status("SecTrustCreateWithCertificates") { () throws(KeychainError) in
        let given = try TrustInput.certificates(certificates)
        guard let first = given.first else {
            throw KeychainError(.parameter, "no certificate was given", subject: "certificates")
        }
        let question = TrustQuestion(
            certificate: first, intermediates: Array(given.dropFirst()), policies: try TrustInput.policies(policies))
        unsafe trust.pointee = SecTrust(question)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type number of trust objects.
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.typeID }

extension SecTrust: CFTypeIdentified {
    static var typeID: CFTypeID { 105 }
}
