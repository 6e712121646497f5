// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainSystem

/// A reader that can say whether the finger on it is one of the enrolled ones.
///
/// It says yes or no and knows no secret: what a finger opens has to be opened with keys that are here already.
package protocol FingerprintReader: Sendable {
    /// What could be verified now.
    func state(_ cancellation: Cancellation) throws(FingerprintError) -> FingerprintState

    /// Returns when an enrolled finger was on the reader; waits on the caller's thread, `timeout` seconds at most.
    ///
    /// `reason` is what the person is told, where there is something to tell it with.
    func verify(_ reason: String, _ cancellation: Cancellation, timeout: UInt32) throws(FingerprintError)
}

/// Whether a finger could be verified.
package enum FingerprintState: Sendable, Equatable {
    case noReader
    case noFinger
    /// The bytes change with the enrolled set; they are to be hashed, and mean nothing else.
    case enrolled(set: [UInt8])
}

/// Why no finger was recognized.
package enum FingerprintError: BreakableWait {
    /// The question was taken back.
    case cancelled
    case timedOut
    /// Three fingers were read, and none was enrolled.
    case notRecognized
    /// There is nothing to ask, or we may not; the text says what to do about it.
    case notAvailable(StaticString)
    /// Another program uses the reader now.
    case busy
    /// The process that answers for the reader is not the system's service.
    case untrusted
    /// It went wrong: what, and the errno behind it, if any.
    case failed(StaticString, code: Int32)

    package init(_ wait: WaitFailure) {
        self =
            switch wait {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .failed(let code):
                .failed("the system provides no descriptor to wait for the fingerprint reader on", code: code)
            }
    }
}

/// No reader at all.
package struct NoFingerprintReader: FingerprintReader {
    package init() {}

    package func state(_ cancellation: Cancellation) throws(FingerprintError) -> FingerprintState { .noReader }

    package func verify(
        _ reason: String, _ cancellation: Cancellation, timeout: UInt32
    ) throws(FingerprintError) {
        throw .notAvailable("this program does not use a fingerprint reader")
    }
}

/// What a person could be told while a finger is awaited.
package enum FingerprintNotice: Sendable, Equatable {
    /// A finger is awaited, and for which reason.
    case waiting(reason: String)
    /// The finger was not read well, and is awaited again.
    case readBadly
    /// It is not enrolled, and so many more may be tried.
    case notRecognized(left: Int)
}

/// Tells the person at the terminal that a finger is awaited, which no dialog does.
package enum TerminalNotice {
    /// Says it where we are in the foreground, and nowhere else; never waits.
    package static func tell(_ notice: FingerprintNotice, on path: String = "/dev/tty") {
        guard let terminal = try? Terminal(path), terminal.isInForeground else { return }
        let line = Array((words(notice) + "\n").utf8)
        // A terminal that does not accept output now has no reader.
        _ = unsafe line.withUnsafeBytes { bytes in unsafe write(terminal.file, bytes.baseAddress, bytes.count) }
    }

    static func words(_ notice: FingerprintNotice) -> String {
        switch notice {
        case .waiting(let reason): reason.shown(bytes: 1000, lines: 5) + "\nPut your finger on the reader."
        case .readBadly: "The finger was not read well; try again."
        case .notRecognized(left: 0): "The finger is not recognized."
        case .notRecognized(let left): "The finger is not recognized; \(left) more \(left == 1 ? "try" : "tries")."
        }
    }
}
