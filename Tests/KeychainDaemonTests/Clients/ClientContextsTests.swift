// SPDX-License-Identifier: Apache-2.0

import CPeer
import Glibc
import KeychainConnection
import KeychainDaemon
import KeychainIdentity
import KeychainRequest
import KeychainSystem
import Testing

/// What belongs to which program.
@Suite struct ClientContextsTests {
    private let login = Place.folder(root: "/var/lib/llavero/1000", name: "login")

    @Test("what was told to one keychain is not forgotten by another, and all that a user's programs told is counted")
    func keychains() {
        let contexts = ClientContexts(ofUser: 4)
        let other = Place.folder(root: "/var/lib/llavero/1000", name: "other")
        let (program, second) = (ProcessName(pid: 1, start: 1), ProcessName(pid: 2, start: 1))
        let stranger = ProcessName(pid: 3, start: 1)
        let context = AuthenticationContextID.random()
        contexts.enter(program, of: 1000)
        contexts.enter(second, of: 1000)
        contexts.enter(stranger, of: 1001)
        #expect(contexts.begin(context, in: login, of: program))
        #expect(contexts.begin(context, in: other, of: program))
        // Known already, it is no more than before.
        for _ in 0..<10 { #expect(contexts.begin(context, in: other, of: program)) }
        contexts.end(context, in: login, of: program)
        #expect(contexts.expect(.random(), in: login, of: second))
        #expect(contexts.begin(.random(), in: login, of: second))
        #expect(contexts.begin(.random(), in: login, of: program))
        for process in [program, second] {
            #expect(!contexts.begin(.random(), in: login, of: process))
            #expect(!contexts.expect(.random(), in: other, of: process))
        }
        #expect(contexts.begin(.random(), in: login, of: stranger))
        #expect(contexts.leave(program).contexts.contains(.init(context, in: other)))
        // What a program leaves is free for the user's others, once.
        #expect(contexts.begin(.random(), in: login, of: second))
        #expect(contexts.begin(.random(), in: login, of: second))
        #expect(!contexts.begin(.random(), in: login, of: second))
    }

    @Test("a later process that gets the number of an earlier one has nothing of it, and leaves it what it has")
    func reusedNumber() {
        let contexts = ClientContexts()
        let earlier = ProcessName(pid: 4711, start: 1000)
        let later = ProcessName(pid: 4711, start: 2000)
        let (one, other) = (AuthenticationContextID.random(), AuthenticationContextID.random())
        let request = AuthenticationRequestID.random()
        contexts.enter(earlier, of: 1000)
        #expect(contexts.begin(one, in: login, of: earlier))
        // Its connection lives on in a child, and its number is given to another.
        contexts.enter(later, of: 1000)
        #expect(contexts.begin(other, in: login, of: later))
        #expect(contexts.expect(request, in: login, of: later))
        contexts.end(one, in: login, of: later)
        let ofLater = contexts.leave(later)
        #expect(ofLater.contexts == [.init(other, in: login)])
        #expect(ofLater.requests == [.init(request, in: login)])
        #expect(contexts.leave(earlier).contexts == [.init(one, in: login)])
        #expect(contexts.leave(earlier).contexts == [])
    }

    @Test("what is kept ends with the last connection of a program")
    func lastConnection() {
        let contexts = ClientContexts()
        let program = ProcessName(pid: 4711, start: 1000)
        let context = AuthenticationContextID.random()
        for _ in 0..<3 { contexts.enter(program, of: 1000) }
        #expect(contexts.begin(context, in: login, of: program))
        #expect(contexts.leave(program).contexts == [])
        #expect(contexts.leave(program).contexts == [])
        #expect(contexts.leave(program).contexts == [.init(context, in: login)])
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
