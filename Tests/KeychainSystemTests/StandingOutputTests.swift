// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSystem
import Testing

@Suite struct StandingOutputTests {
    @Test(
        "what no file may take the place of is known by its path",
        arguments: [
            "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/7", "/dev/tty", "/dev/full", "/dev/null", "/",
        ])
    func known(path: String) throws {
        let there = try #require(StandingOutput(at: path))
        #expect(there.isFolder == (path == "/"))
    }

    @Test("a file can be made, or take another's place", arguments: ["/etc/passwd", "/nowhere", "/dev/nowhere", ""])
    func free(path: String) {
        #expect(StandingOutput(at: path) == nil)
    }

    @Test("standard output is the descriptor itself, so that what is written goes behind what was")
    func sameDescriptor() throws {
        let opened = try #require(StandingOutput(at: "/dev/stdout")).open()
        var (ours, theirs) = (stat(), stat())
        #expect(fstat(1, &ours) == 0 && fstat(opened.number, &theirs) == 0)
        #expect(ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino)
        #expect(fcntl(1, F_GETFL) == fcntl(opened.number, F_GETFL))
        #expect(fcntl(opened.number, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("a descriptor that the program opened itself is none that it was given")
    func own() throws {
        let own = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(own) }
        let there = try #require(StandingOutput(at: "/dev/fd/\(own)"))
        #expect(throws: ReplacementFailure.failed(EBADF)) { try there.open() }
    }

    @Test("a folder is not opened")
    func folder() throws {
        let there = try #require(StandingOutput(at: "/"))
        #expect(throws: ReplacementFailure.failed(EISDIR)) { try there.open() }
    }
}
