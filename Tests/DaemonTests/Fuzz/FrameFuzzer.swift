// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainWire
import TestSeed

/// Sends mutants to a daemon over one connection after another, and looks through all that it answers.
struct FrameFuzzer {
    /// What became of mutants.
    struct Tally: Sendable {
        var sent = 0
        var hungUp = 0
        /// Answered as no message of ours.
        var malformed = 0
        /// Answered as one that no parser lets through, or by a refusal of the engine's, each by its words.
        var refusals: [String: Int] = [:]
        /// Answered by a result.
        var done = 0
        /// What must not be.
        var troubles: [String] = []

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(
                sent: left.sent + right.sent, hungUp: left.hungUp + right.hungUp,
                malformed: left.malformed + right.malformed,
                refusals: left.refusals.merging(right.refusals, uniquingKeysWith: +), done: left.done + right.done,
                troubles: left.troubles + right.troubles)
        }
    }

    private let path: String
    private let mark: Data
    private var mutator: CallMutator
    private var connection: RawConnection?
    private(set) var tally = Tally()

    init(_ path: String, mark: String, _ calls: [[UInt8]], _ seed: Seed) {
        self.path = path
        self.mark = Data(mark.utf8)
        mutator = CallMutator(calls, seed)
    }

    mutating func send(_ count: Int) throws {
        for _ in 0..<count where tally.troubles.isEmpty {
            let mutant = mutator.next()
            let connection = try connection ?? RawConnection(path)
            self.connection = connection
            let wasTaken = mutant.packets.allSatisfy { connection.send($0) }
            tally.sent += 1
            if mutant.isFramed, wasTaken {
                note(connection.message())
            } else {
                // Perhaps it waits for more, and perhaps it answers several times.
                connection.end()
                self.connection = nil
                while case .bytes(let bytes) = connection.message() { look(at: bytes) }
            }
        }
    }

    private mutating func note(_ message: RawConnection.Message) {
        switch message {
        case .hungUp:
            tally.hungUp += 1
            connection = nil
        case .silence: tally.troubles.append("no answer")
        case .bytes(let bytes): look(at: bytes)
        }
    }

    private mutating func look(at bytes: [UInt8]) {
        if Data(bytes).range(of: mark) != nil {
            tally.troubles.append("an answer has what is marked: \(bytes.prefix(400))")
        }
        guard let message = bytes.withUnsafeBytes({ try? WireMessage(decoding: $0) }) else {
            return tally.troubles.append("an answer is none: \(bytes.prefix(400))")
        }
        guard case .reply(let reply) = message.content else { return tally.troubles.append("an answer is a call") }
        guard case .failure(let error) = reply else {
            tally.done += 1
            return
        }
        if error.text == FrameFuzzer.malformed {
            tally.malformed += 1
        } else {
            tally.refusals[error.text, default: 0] += 1
        }
    }

    private static let malformed = KeychainError(WireError.malformed).text
}
