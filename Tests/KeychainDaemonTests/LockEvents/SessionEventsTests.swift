// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainDaemon
import TestPrompts
import Testing

/// What logind says, on a real bus of the test's own.
@Suite struct SessionEventsTests {
    /// A user who has sessions here; nobody of the machine's.
    private let user: UInt32 = 4321

    @Test("a user's sessions are told of, another's are not")
    func ofUser() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        try scene.addSession("c2", of: user + 1)
        let watched = WatchedSessions(scene, user: user)
        #expect(try watched.states(1) == [.watching(delaysSleep: true, seesEnds: true)])
        try scene.tell("c2", "Lock")
        try scene.tell("c1", "Lock")
        try scene.tell("c2", "Unlock")
        try scene.tell("c1", "Unlock")
        let expected = [SessionEvent(.lock, of: user), SessionEvent(.unlock, of: user)]
        #expect(try watched.events(2) == expected)
    }

    @Test("who watches for everybody is told whose session it was")
    func ofEverybody() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        try scene.addSession("c2", of: user + 1)
        let watched = WatchedSessions(scene, user: nil)
        try watched.states(1)
        try scene.tell("c2", "Lock")
        try scene.tell("c1", "Lock")
        #expect(try watched.events(2) == [SessionEvent(.lock, of: user + 1), SessionEvent(.lock, of: user)])
    }

    @Test("a desktop that locks its screen itself, and says so, is believed once")
    func hint() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        let watched = WatchedSessions(scene, user: user)
        try watched.states(1)
        for value in ["True", "True", "False", "True"] { try scene.tell("c1", "SetLockedHint", value) }
        try scene.tell("c1", "Unlock")
        let expected = [SessionEvent(.lock, of: user), SessionEvent(.lock, of: user), SessionEvent(.unlock, of: user)]
        #expect(try watched.events(3) == expected)
    }

    @Test("a session that nobody knows any more is locked all the same")
    func goneSession() throws {
        let scene = try LogindScene()
        let watched = WatchedSessions(scene, user: user)
        try watched.states(1)
        try scene.lockForgottenSession()
        #expect(try watched.events(1) == [SessionEvent(.lock, of: user)])
    }

    @Test(
        "the end of a user's last login session is told of, whatever other sessions there are and whoever else has some"
    )
    func lastSession() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        let watched = WatchedSessions(scene, user: user)
        try watched.states(1)
        try scene.addSession("c2", of: user)
        try scene.addSession("c3", of: user, class: "manager")
        try scene.addSession("c4", of: user, class: "background")
        try scene.addSession("c5", of: user + 1)
        for name in ["c1", "c4", "c5"] { try scene.endSession(name) }
        try scene.tell("c2", "Unlock")
        #expect(try watched.events(1) == [SessionEvent(.unlock, of: user)])
        try scene.endSession("c2")
        #expect(try watched.events(2).last == SessionEvent(.end, of: user))
        // The next login ends too.
        try scene.addSession("c6", of: user)
        try scene.endSession("c6")
        #expect(try watched.events(3).last == SessionEvent(.end, of: user))
    }

    @Test("a session that was logged out has ended, though something in it keeps logind from removing it")
    func closingSession() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        try scene.addSession("c2", of: user + 1)
        let watched = WatchedSessions(scene, user: nil)
        try watched.states(1)
        try scene.logOut("c2")
        #expect(try watched.events(1) == [SessionEvent(.end, of: user + 1)])
        try scene.logOut("c1")
        #expect(try watched.events(2).last == SessionEvent(.end, of: user))
    }

    @Test("nobody keeps the end of another's session from being seen by having their own locked all the time")
    func hidden() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        try scene.addSession("c2", of: user + 1)
        let watched = WatchedSessions(scene, user: nil)
        try watched.states(1)
        for _ in 0..<3 { try scene.lockAllTheTime("c2") }
        _ = try watched.events(100)
        try scene.logOut("c1")
        try watched.await(SessionEvent(.end, of: user))
        #expect(try watched.states(1).count == 1)
    }

    @Test("of a folder that cannot be watched that is said, and what ends there is seen a little later")
    func unwatchedFolder() throws {
        let scene = try LogindScene()
        try scene.removeSessionFolder()
        for name in ["c1", "c2"] { try scene.addSession(name, of: user) }
        let watched = WatchedSessions(scene, user: user, interval: 50)
        #expect(try watched.states(1) == [.watching(delaysSleep: true, seesEnds: false)])
        try scene.endWithoutFile("c1")
        try scene.endWithoutFile("c2")
        #expect(try watched.events(1) == [SessionEvent(.end, of: user)])
        // When it comes, it is watched.
        try scene.addSession("c3", of: user)
        try scene.logOut("c3")
        #expect(try watched.states(2).last == .watching(delaysSleep: true, seesEnds: true))
        #expect(try watched.events(2).last == SessionEvent(.end, of: user))
    }

    @Test("a folder that comes with logind is watched from then on")
    func comingFolder() throws {
        let scene = try LogindScene()
        scene.stopLogind()
        try scene.removeSessionFolder()
        let watched = WatchedSessions(scene, user: user)
        #expect(try watched.states(1) == [.noLogind])
        try scene.makeSessionFolder()
        try scene.startLogind()
        #expect(try watched.states(2).last == .watching(delaysSleep: true, seesEnds: true))
    }

    @Test(
        "one refusal to say who is there is nobody's end; where logind goes on refusing, everybody's",
        arguments: [1, 100])
    func refusedList(count: Int) throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        let watched = WatchedSessions(scene, user: user)
        try watched.states(1)
        try scene.refuseSessions(count)
        try scene.addSession("c2", of: user + 1)
        guard count == 1 else {
            #expect(try watched.events(1) == [SessionEvent(.end, of: user)])
            return
        }
        try scene.tell("c1", "Unlock")
        #expect(try watched.events(1) == [SessionEvent(.unlock, of: user)])
        try scene.endSession("c1")
        #expect(try watched.events(2).last == SessionEvent(.end, of: user))
    }

    @Test("a session of which logind could not say at first what it is for ends like any other")
    func unclearSession() throws {
        let scene = try LogindScene()
        let watched = WatchedSessions(scene, user: nil)
        try watched.states(1)
        try scene.addUnclearSession("c1", of: user)
        try scene.addSession("c2", of: user + 1)
        try scene.tell("c2", "Unlock")
        _ = try watched.events(1)
        try scene.clear("c1")
        try scene.addSession("c3", of: user + 1)
        try scene.tell("c3", "Unlock")
        _ = try watched.events(2)
        try scene.logOut("c1")
        #expect(try watched.events(3).last == SessionEvent(.end, of: user))
    }

    @Test("sleep waits until the event is handled, and the next sleep too")
    func sleep() throws {
        let scene = try LogindScene()
        let watched = WatchedSessions(scene, user: user) { event in
            guard event.kind == .sleep else { return }
            #expect(throws: Never.self) { try scene.awaitInhibitors(1) }
        }
        try watched.states(1)
        #expect(try scene.inhibitors() == ["sleep|Llavero|keys are wiped before the machine sleeps|delay"])
        for count in 1...2 {
            try scene.prepareForSleep(true)
            #expect(try watched.events(count).last == SessionEvent(.sleep, of: nil))
            try scene.awaitInhibitors(0)
            try scene.prepareForSleep(false)
            try scene.awaitInhibitors(1)
        }
        watched.stop()
        try scene.awaitInhibitors(0)
    }

    @Test("nobody else on the bus is heard in logind's place, neither by everybody nor by one")
    func spoofed() throws {
        let scene = try LogindScene()
        try scene.addSession("c1", of: user)
        let watched = WatchedSessions(scene, user: user)
        try watched.states(1)
        try scene.pretendEvents("c1")
        try scene.tell("c1", "Unlock")
        #expect(try watched.events(1) == [SessionEvent(.unlock, of: user)])
        #expect(try scene.inhibitors().count == 1)
    }

    @Test("a bus that comes later is found; one that comes back is told of, for nobody knows what happened")
    func comingBus() throws {
        let scene = try LogindScene(isRunning: false)
        let watched = WatchedSessions(scene, user: user)
        #expect(try watched.states(1) == [.noBus])
        try scene.startBus()
        #expect(try watched.states(2).last == .noLogind)
        try scene.startLogind()
        #expect(try watched.states(3).last == .watching(delaysSleep: true, seesEnds: true))
        try scene.stopBus()
        try watched.awaitState(.noBus, behind: 3)
        let before = try watched.events(1).count
        try scene.startBus()
        try scene.startLogind()
        #expect(try watched.events(before + 1).allSatisfy { $0 == SessionEvent(.absence, of: user) })
        try scene.awaitInhibitors(1)
        try scene.addSession("c1", of: user)
        try scene.tell("c1", "Unlock")
        #expect(try watched.events(before + 2).contains(SessionEvent(.unlock, of: user)))
    }

    @Test("a logind that is started again is watched again, and its absence is told of")
    func restartedLogind() throws {
        let scene = try LogindScene()
        let watched = WatchedSessions(scene, user: user)
        try watched.states(1)
        scene.stopLogind()
        #expect(try watched.states(2).last == .noLogind)
        try scene.startLogind()
        #expect(try watched.states(3).last == .watching(delaysSleep: true, seesEnds: true))
        #expect(try watched.events(1) == [SessionEvent(.absence, of: user)])
    }

    @Test("without a bus that could come, that is said once")
    func noBus() throws {
        let said = Turnstile()
        let events = SessionEvents(user: user, bus: "tcp:host=nowhere.invalid,port=1") { state in
            #expect(state == .noBus)
            said.pass()
        } _: { _ in
            Issue.record("nobody can have said anything")
        }
        try said.wait()
        events.stop()
    }
}
