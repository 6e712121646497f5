// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainIdentity
internal import KeychainRequest
internal import KeychainTransport
internal import KeychainWire

extension Session {
    /// Tells the client of changes until it hangs up, or says anything more.
    func tellChanges(of keychain: UserKeychain, as number: UInt64) throws(TransportError) {
        let (hub, edition) = (keychain.hub, program.edition)
        let subscription: ChangeSubscription
        do throws(BrokenWait) { subscription = try hub.subscribe(program.caller()) } catch { return }
        defer { hub.end(subscription) }
        // From here on nothing is missed.
        try send(.nothing, to: number)
        while waitForChanges(subscription.bell.file) {
            // By other rules it may see other things: it has to come again.
            guard isStillAdmitted(), program.edition == edition else { return }
            while let changes = subscription.next() { try send(.changes(changes), to: number) }
        }
    }

    /// False when the client is gone, or says something.
    private func waitForChanges(_ bell: Int32) -> Bool {
        var files = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = unsafe poll(&files, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && files[0].revents == 0
        }
    }
}
