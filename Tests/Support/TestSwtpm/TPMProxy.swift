// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
internal import TestProcesses

/// Somebody on the wire between an enclave and its TPM, who reads everything and may cut it.
package final class TPMProxy: Sendable {
    /// When the wire is cut.
    package enum Cut: Sendable {
        case never
        /// So many commands arrive; the next one does not.
        case beforeCommand(Int)
        /// So many commands arrive; the last one's answer does not come back.
        case beforeAnswer(Int)
    }

    package var connection: String { "swtpm:path=" + path }

    private let path: String
    private let target: String
    private let cut: Cut
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var commands = 0
        var traffic: [UInt8] = []
        var isCut = false
    }

    package init(to tpm: SwtpmProcess, cut: Cut = .never) throws {
        path = tpm.folder + "/proxy-" + UUID().uuidString.prefix(8)
        target = tpm.socket
        self.cut = cut
        listener = try TPMSocket.listen(path)
        Thread.detachNewThread { [self] in serve() }
    }

    /// Takes no more connections; its thread ends.
    package func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// All that went over the wire so far.
    package var traffic: [UInt8] { state.withLock { $0.traffic } }

    /// How many commands arrived.
    package var commands: Int { state.withLock { $0.commands } }

    /// Whether the wire was cut.
    package var isCut: Bool { state.withLock { $0.isCut } }

    private func serve() {
        while let client = TPMSocket.accept(listener) {
            defer { client.close() }
            guard let server = try? TPMSocket(path: target, timeout: EventLimit.seconds) else { continue }
            defer { server.close() }
            while let command = try? client.receive(), forwards(command) {
                guard let answer = try? server.exchange(command), returns(answer) else { break }
                guard (try? client.send(answer)) != nil else { break }
            }
        }
        Glibc.close(listener)
    }

    private func forwards(_ command: [UInt8]) -> Bool {
        state.withLock { state in
            if case .beforeCommand(let count) = cut, state.commands >= count { state.isCut = true }
            if state.isCut { return false }
            state.commands += 1
            state.traffic += command
            return true
        }
    }

    private func returns(_ answer: [UInt8]) -> Bool {
        state.withLock { state in
            if case .beforeAnswer(let count) = cut, state.commands >= count { state.isCut = true }
            state.traffic += answer
            return !state.isCut
        }
    }
}
