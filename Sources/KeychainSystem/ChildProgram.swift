// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Another program that runs to be talked to, over a socket that is its standard input and output.
///
/// It has nothing else of what is open here, and its complaints go nowhere unless they are kept. It is gone when this goes, and when
/// the thread ends that started it.
// Not shared: its thread alone speaks to it.
package final class ChildProgram {
    private var child = llv_child()
    /// How it ended, once it has.
    package private(set) var ending: Ending?

    package struct Ending: Sendable {
        /// Its exit code; nil where a signal ended it, or another part of this process has collected it.
        package let code: Int32?
        package let signal: Int32?
    }

    /// Why it does not run: an errno.
    package struct StartFailure: Error {
        package let code: Int32
    }

    /// Starts the program at `path`; `words` begin with its name.
    ///
    /// With `dropsPrivileges` it has no more rights than who started this process. With `keepsComplaints` what it says on its
    /// standard error is in memory.
    package init(
        _ path: String, _ words: [String], environment: [String], dropsPrivileges: Bool = false,
        keepsComplaints: Bool = false
    ) throws(StartFailure) {
        let failure = unsafe ChildProgram.withCStrings(words) { words in
            unsafe ChildProgram.withCStrings(environment) { variables in
                unsafe llv_child_start(&child, path, words, variables, dropsPrivileges, keepsComplaints)
            }
        }
        guard failure == 0 else { throw StartFailure(code: failure) }
    }

    deinit {
        end()
        if child.complaints >= 0 { close(child.complaints) }
    }

    /// The beginning of what it has complained of, as far as that was kept.
    package func complaints(bytes limit: Int = 4096) -> String {
        guard child.complaints >= 0 else { return "" }
        let text = unsafe [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            count = unsafe max(0, pread(child.complaints, room.baseAddress, limit, 0))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Hangs up, and gives it so many milliseconds to end by itself, and half a second more after SIGTERM, upon which one that uses
    /// the terminal leaves it as it was; then it is killed.
    @discardableResult
    package func end(within patience: Int32 = 0) -> Ending {
        if let ending { return ending }
        let found = unsafe llv_child_end(&child, patience, 500)
        let ending = Ending(
            code: found.is_known && found.exit_code >= 0 ? found.exit_code : nil,
            signal: found.signal > 0 ? found.signal : nil)
        self.ending = ending
        return ending
    }

    /// Says that there is no more to read for it.
    package func finishInput() { shutdown(child.line, Int32(SHUT_WR)) }

    /// Sends all of it; false where it did not take that until `moment`.
    ///
    /// One that has hung up says by its last words and its end why.
    package func send(
        _ bytes: UnsafeRawBufferPointer, _ deadline: borrowing Deadline, until moment: Instant
    ) throws(WaitFailure) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = unsafe Glibc.send(child.line, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                sent += count
            } else {
                guard count < 0, errno == EAGAIN || errno == EINTR else { return true }
                guard try deadline.wait(for: child.line, POLLOUT, until: moment) else { return false }
            }
        }
        return true
    }

    /// Waits until it says something, hangs up or ends; false where none of that came until `moment`.
    package func waitForWords(_ deadline: borrowing Deadline, until moment: Instant) throws(WaitFailure) -> Bool {
        let found = try deadline.wait(for: child.line, POLLIN, or: child.handle, until: moment)
        return found.isReady || found.isOtherReady
    }

    /// Takes what it has said: how many bytes, 0 at the end, and -1 where there is nothing yet.
    ///
    /// The end is its own: a program that it left behind may hold the line for ever.
    package func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        // Asked before, so that its last words are there when it has ended.
        let hasEnded = unsafe llv_child_has_ended(&child)
        let count = unsafe recv(child.line, room.baseAddress, room.count, 0)
        if count < 0, errno == EINTR || (errno == EAGAIN && !hasEnded) { return -1 }
        return max(0, count)
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe body(copies + [nil])
    }
}

@available(*, unavailable)
extension ChildProgram: Sendable {}
