// SPDX-License-Identifier: Apache-2.0

import CPeer
import Glibc
import KeychainDaemon
import KeychainIdentity
import KeychainRequest
import Testing

/// What belongs to which program.
@Suite struct ClientContextsTests {
    @Test("a later process that gets the number of an earlier one has nothing of it, and leaves it what it has")
    func reusedNumber() {
        let contexts = ClientContexts()
        let earlier = ProcessName(pid: 4711, start: 1000)
        let later = ProcessName(pid: 4711, start: 2000)
        let (one, other) = (AuthenticationContextID.random(), AuthenticationContextID.random())
        let request = AuthenticationRequestID.random()
        contexts.enter(earlier)
        #expect(contexts.begin(one, of: earlier))
        // Its connection lives on in a child, and its number is given to another.
        contexts.enter(later)
        #expect(contexts.begin(other, of: later))
        #expect(contexts.expect(request, of: later))
        contexts.end(one, of: later)
        let ofLater = contexts.leave(later)
        #expect(ofLater.contexts == [other])
        #expect(ofLater.requests == [request])
        #expect(contexts.leave(earlier).contexts == [one])
        #expect(contexts.leave(earlier).contexts == [])
    }

    @Test("what is kept ends with the last connection of a program")
    func lastConnection() {
        let contexts = ClientContexts()
        let program = ProcessName(pid: 4711, start: 1000)
        let context = AuthenticationContextID.random()
        for _ in 0..<3 { contexts.enter(program) }
        #expect(contexts.begin(context, of: program))
        #expect(contexts.leave(program).contexts == [])
        #expect(contexts.leave(program).contexts == [])
        #expect(contexts.leave(program).contexts == [context])
    }

    @Test("a process has one name over all its connections")
    func names() throws {
        var names: Set<ProcessName> = []
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            try #require(llv_peer_pair(&ends) == 0)
            let (near, far) = (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
            names.insert(try #require(ProcessName(connectedTo: near, pid: getpid())))
            withExtendedLifetime(far) {}
        }
        #expect(names.count == 1)
        #expect(names.first?.start != 0)
    }
}
