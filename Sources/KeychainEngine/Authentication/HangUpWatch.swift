// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

/// Takes a daemon's question back when the program that it is asked for is gone: nobody waits for the answer, and on a terminal the
/// question would take what the person types next.
final class HangUpWatch: Sendable {
    private let end = Cancellation()

    /// Trips when the other end of a connection is closed; where no thread can be had for that, the question ends by itself.
    init(of connection: Int32, tripping cancellation: Cancellation) {
        _ = NamedThread.start("hang-up") { [end] in
            do throws(WaitFailure) {
                let deadline = try Deadline(seconds: nil, end)
                _ = try deadline.wait(for: connection, HangUpWatch.closedByPeer)
                cancellation.trip()
            } catch {}
        }
    }

    func stop() { end.trip() }

    /// `POLLRDHUP`, which is not imported.
    private static let closedByPeer: Int32 = 0x2000
}
