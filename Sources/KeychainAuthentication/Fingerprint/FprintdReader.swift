// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
package import KeychainSystem

/// The reader that fprintd has, asked over the system bus.
package struct FprintdReader: FingerprintReader {
    private let address: String
    private let owner: UInt32
    private let user: String
    private let prints: String
    private let notice: @Sendable (FingerprintNotice) -> Void

    /// The bus is not taken from the environment: on another bus any process could claim to be fprintd.
    ///
    /// - Parameters:
    ///   - address: where the bus is.
    ///   - owner: who has to run fprintd.
    ///   - user: whose fingers, by name; the empty name is the user of this process.
    ///   - prints: where fprintd keeps them.
    ///   - notice: is told what the person should know, while a finger is awaited.
    package init(
        address: String = Bus.system, owner: UInt32 = 0, user: String = "",
        prints: String = "/var/lib/fprint", notice: @escaping @Sendable (FingerprintNotice) -> Void = { _ in }
    ) {
        self.address = address
        self.owner = owner
        self.user = user
        self.prints = prints
        self.notice = notice
    }

    /// Says what is enrolled as far as this process can know it.
    ///
    /// fprintd tells programs no more than the names of the fingers. So a finger that was deleted and enrolled again,
    /// be it another person's under the same name, looks unchanged, unless this process can read the files of prints,
    /// as root can: then they count too.
    package func state(_ cancellation: Cancellation) throws(FingerprintError) -> FingerprintState {
        let deadline = try FprintdReader.deadline(10, cancellation)
        guard let bus = Bus(address),
            let session = try FprintdSession.open(bus, run: owner, for: user, deadline)
        else { return .noReader }
        do throws(BusFailure) {
            let fingers = try session.fingers(deadline)
            if fingers.isEmpty { return .noFinger }
            let set = EnrolledSet(
                reader: try session.readerName(deadline), fingers: fingers,
                files: EnrolledSet.files(of: user, in: prints))
            return .enrolled(set: set.bytes)
        } catch {
            switch error {
            case .refused(.noDevice), .refused(.noService), .refused(.noOwner): return .noReader
            default: throw FingerprintError(error)
            }
        }
    }

    package func verify(
        _ reason: String, _ cancellation: Cancellation, timeout: UInt32
    ) throws(FingerprintError) {
        let deadline = try FprintdReader.deadline(timeout, cancellation)
        guard let bus = Bus(address),
            let session = try FprintdSession.open(bus, run: owner, for: user, deadline)
        else { throw .noReader }
        try FingerprintError.translating { () throws(BusFailure) in try session.claim(deadline) }
        defer {
            // However it ended: the next one who claims the reader should find it free.
            if let farewell = try? FprintdReader.deadline(2, Cancellation()) { session.release(farewell) }
        }
        try recognize(session, reason, deadline)
    }

    private func recognize(
        _ session: FprintdSession, _ reason: String, _ deadline: borrowing Deadline
    ) throws(FingerprintError) {
        var left = FprintdReader.tries
        notice(.waiting(reason: reason))
        while true {
            let outcome = try FingerprintError.translating { () throws(BusFailure) in
                let outcome = try session.verify(deadline) { notice(.readBadly) }
                if outcome == .noMatch || outcome == .unread { try session.stop(deadline) }
                return outcome
            }
            switch outcome {
            case .match: return
            case .unread: continue
            case .gone: throw .notAvailable("the fingerprint reader was disconnected")
            case .broken: throw .failed("the fingerprint reader does not work", code: 0)
            case .noMatch:
                left -= 1
                if left == 0 { throw .notRecognized }
                notice(.notRecognized(left: left))
            }
        }
    }

    private static func deadline(
        _ seconds: UInt32, _ cancellation: Cancellation
    ) throws(FingerprintError) -> Deadline {
        try FingerprintError.translating { () throws(WaitFailure) in
            let deadline = try Deadline(until: Instant.now.adding(seconds: seconds), cancellation: cancellation)
            try deadline.check()
            return deadline
        }
    }

    /// How many fingers may be the wrong ones; what happens after that is the caller's matter.
    private static let tries = 3
}

extension FingerprintError {
    /// Runs a call over the bus.
    fileprivate static func translating<Result>(
        _ body: () throws(BusFailure) -> Result
    ) throws(FingerprintError) -> Result {
        do throws(BusFailure) { return try body() } catch { throw FingerprintError(error) }
    }

    init(_ failure: BusFailure) {
        self =
            switch failure {
            case .wait(let wait): FingerprintError(wait)
            case .broken(let code): .failed("the message bus sent an invalid answer", code: code)
            case .refused(.noDevice): .noReader
            case .refused(.noOwner), .refused(.noService): .noReader
            case .refused(.noFinger): .noFinger
            case .refused(.inUse): .busy
            case .refused(.untrusted): .untrusted
            case .refused(.notAllowed): .notAvailable(FingerprintError.notAllowed)
            case .refused(.other(let code)): .failed("fprintd refused the request", code: code)
            }
    }

    static let noReader = FingerprintError.notAvailable(
        "no fingerprint reader was found; connect one, and install fprintd")
    static let noFinger = FingerprintError.notAvailable(
        "no finger is enrolled; enroll one with fprintd-enroll or in the desktop's settings")
    private static let notAllowed: StaticString = """
        fprintd does not let this process use the reader: polkit allows it in a local session, or as its rules \
        say
        """
}
