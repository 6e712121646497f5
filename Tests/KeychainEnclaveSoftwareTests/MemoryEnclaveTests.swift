// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainCrypto
import KeychainEnclaveSoftware
import Testing

@Suite struct MemoryEnclaveTests {
    @Test("each has a root of its own, and keeps it")
    func roots() throws {
        let (one, other) = (try MemoryEnclave(), try MemoryEnclave())
        #expect(try one.root() == one.root() && one.binding() == one.binding())
        #expect(try one.root() != other.root() && one.binding() != other.binding())
        let gate = try one.makeGate(1)
        #expect(throws: EnclaveError.noSuchGate) { try other.open(gate.id, 1) }
    }

    @Test("a forked child has none of it, and counts nothing")
    func forked() throws {
        let enclave = try MemoryEnclave()
        let gate = try enclave.makeGate(1)
        let status = inChild {
            do throws(EnclaveError) {
                _ = try enclave.root()
                return 1
            } catch { guard error == .missing else { return 2 } }
            do throws(EnclaveError) {
                _ = try enclave.open(gate.id, 1)
                return 3
            } catch { return error == .missing ? 0 : 4 }
        }
        #expect(status == 0)
        #expect(try enclave.open(gate.id, 1) == gate.secret)
    }

    /// The exit status of a child that runs `body`, or nil when it died of a signal.
    private func inChild(_ body: () -> Int32) -> Int32? {
        // Glibc's fork is marked unavailable in Swift; the C interface's callers have it all the same.
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { return nil }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            // The test runner's threads block signals; the alarm ends a child that hangs.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGALRM)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            alarm(900)
            _exit(body())
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }
}
