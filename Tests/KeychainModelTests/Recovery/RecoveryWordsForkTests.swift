// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainModel
import Testing

@Suite struct RecoveryWordsForkTests {
    /// Runs `body` in a child and answers its exit status, or nil when it died of a signal.
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
            signal(SIGALRM, SIG_DFL)
            alarm(20)
            _exit(body())
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }

    @Test("a child writes no words of its parent's key, and can write those of its own")
    func abandoned() throws {
        let bytes = Array(1...16) as [UInt8]
        let key = SecretBytes(count: 16) { $0.copyBytes(from: bytes) }
        let text = try recoveryText(of: bytes)
        let result = inChild {
            do throws(RecoveryFailure) {
                _ = try RecoveryWords.text(of: key, checksum: standInChecksum)
                return 1
            } catch {
                guard error == .abandoned else { return 2 }
            }
            guard let own = try? recoveryText(of: bytes), own == text else { return 3 }
            guard let read = try? recoveryKey(from: text), read == bytes else { return 4 }
            return 0
        }
        #expect(result == 0)
        #expect(try recoveryText(of: bytes) == text)
    }
}
