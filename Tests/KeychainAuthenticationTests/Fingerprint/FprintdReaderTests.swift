// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainSystem
import Synchronization
import TestPrompts
import Testing

/// The real fprintd, and libfprint's virtual reader, on a bus of the test's own.
@Suite struct FprintdReaderTests {
    /// What came of a question, to be compared.
    enum Verified: Equatable, Sendable {
        case recognized
        case cancelled
        case timedOut
        case notRecognized
        case notAvailable(String)
        case busy
        case untrusted
        case failed

        init(_ body: () throws(FingerprintError) -> Void) {
            do throws(FingerprintError) {
                try body()
                self = .recognized
            } catch {
                self =
                    switch error {
                    case .cancelled: .cancelled
                    case .timedOut: .timedOut
                    case .notRecognized: .notRecognized
                    case .notAvailable(let cause): .notAvailable(cause.description)
                    case .busy: .busy
                    case .untrusted: .untrusted
                    case .failed: .failed
                    }
            }
        }
    }

    /// A reader whose notices a test can wait for.
    struct Watched {
        let reader: FprintdReader
        let waiting = Turnstile()
        let bad = Turnstile()
        let wrong = Turnstile()

        init(_ scene: FingerprintScene, owner: UInt32 = getuid()) {
            let (waiting, bad, wrong) = (waiting, bad, wrong)
            reader = FprintdReader(address: scene.address, owner: owner, prints: scene.prints) { notice in
                switch notice {
                case .waiting: waiting.pass()
                case .readBadly: bad.pass()
                case .notRecognized: wrong.pass()
                }
            }
        }

        func verify(
            _ cancellation: Cancellation = Cancellation(), timeout: UInt32 = 3600
        ) -> Errand<Verified> {
            Errand { [reader] in
                Verified { () throws(FingerprintError) in
                    try reader.verify("to open a test", cancellation, timeout: timeout)
                }
            }
        }
    }

    private func state(_ reader: FprintdReader) throws(FingerprintError) -> FingerprintState {
        try reader.state(Cancellation())
    }

    @Test("an enrolled finger is recognized, also after others and after bad readings")
    func recognition() throws {
        let scene = try FingerprintScene()
        try scene.enroll("right-index-finger", print: "mine")
        let watched = Watched(scene)
        let first = watched.verify()
        try watched.waiting.wait()
        try scene.show("SCAN mine")
        #expect(try first.result() == .recognized)
        let second = watched.verify()
        try watched.waiting.wait()
        try scene.show("SCAN another")
        try watched.wrong.wait()
        try scene.show("RETRY 1")
        try watched.bad.wait()
        try scene.show("RETRY 3")
        try watched.bad.wait()
        try scene.show("SCAN mine")
        #expect(try second.result() == .recognized)
    }

    @Test("three fingers that are not enrolled are enough")
    func noMatch() throws {
        let scene = try FingerprintScene()
        try scene.enroll("left-thumb", print: "mine")
        let watched = Watched(scene)
        let verified = watched.verify()
        for _ in 0..<2 {
            try scene.show("SCAN another")
            try watched.wrong.wait()
        }
        try scene.show("SCAN another")
        #expect(try verified.result() == .notRecognized)
        #expect(watched.waiting.arrivals == 1)
    }

    @Test("the enrolled set changes with every enrolling, and with nothing else")
    func enrolledSet() throws {
        let scene = try FingerprintScene()
        let reader = Watched(scene).reader
        #expect(try state(reader) == .noFinger)
        try scene.enroll("right-index-finger", print: "mine")
        let one = try state(reader)
        #expect(one != .noFinger && one != .noReader)
        #expect(try state(reader) == one)
        try scene.enroll("left-thumb", print: "mine too")
        #expect(try state(reader) != one)
        try scene.deleteFingers()
        #expect(try state(reader) == .noFinger)
        try scene.enroll("right-index-finger", print: "somebody's")
        // The same name, and another file.
        #expect(try state(reader) != one)
    }

    @Test("whoever cannot read the prints knows no more of the set than the fingers' names")
    func namesOnly() throws {
        let scene = try FingerprintScene()
        let reader = FprintdReader(address: scene.address, owner: getuid(), prints: "/nowhere")
        try scene.enroll("right-index-finger", print: "mine")
        let one = try state(reader)
        #expect(try state(Watched(scene).reader) != one)
        try scene.deleteFingers()
        try scene.enroll("right-index-finger", print: "somebody's")
        #expect(try state(reader) == one)
        try scene.enroll("right-middle-finger", print: "mine too")
        let two = try state(reader)
        #expect(two != one)
        try scene.deleteFingers()
        try scene.enroll("right-index-finger", print: "mine")
        try scene.enroll("right-ring-finger", print: "mine too")
        #expect(try state(reader) != two)
    }

    @Test("a question that is taken back, or whose time is over, leaves the reader to the next one")
    func interruption() throws {
        let scene = try FingerprintScene()
        try scene.enroll("right-index-finger", print: "mine")
        let (watched, cancellation) = (Watched(scene), Cancellation())
        let verified = watched.verify(cancellation)
        try watched.waiting.wait()
        cancellation.trip()
        #expect(try verified.result() == .cancelled)
        #expect(try watched.verify(timeout: 1).result() == .timedOut)
        let last = watched.verify()
        try scene.show("SCAN mine")
        #expect(try last.result() == .recognized)
    }

    @Test("a reader that somebody else uses is busy")
    func busy() throws {
        let scene = try FingerprintScene()
        try scene.enroll("right-index-finger", print: "mine")
        let (watched, cancellation) = (Watched(scene), Cancellation())
        let verified = watched.verify(cancellation)
        try watched.waiting.wait()
        #expect(try Watched(scene).verify().result() == .busy)
        cancellation.trip()
        #expect(try verified.result() == .cancelled)
    }

    @Test("a reader that is pulled out, and an fprintd that ends, recognize nobody", arguments: [false, true])
    func gone(service: Bool) throws {
        let scene = try FingerprintScene()
        try scene.enroll("right-index-finger", print: "mine")
        let watched = Watched(scene)
        let verified = watched.verify()
        try watched.waiting.wait()
        if service { try scene.killService() } else { try scene.show("UNPLUG") }
        let result = try verified.result()
        #expect(result != .recognized && result != .timedOut)
        if service { return }
        #expect(try state(watched.reader) == .noReader)
        guard case .notAvailable = try watched.verify().result() else {
            Issue.record("a reader that is gone is asked")
            return
        }
    }

    @Test("whoever answers for fprintd and is not who may is asked nothing")
    func untrusted() throws {
        let scene = try FingerprintScene()
        try scene.enroll("right-index-finger", print: "mine")
        let other = Watched(scene, owner: getuid() + 1)
        #expect(try other.verify().result() == .untrusted)
        #expect(Verified { () throws(FingerprintError) in _ = try state(other.reader) } == .untrusted)
        #expect(other.waiting.arrivals == 0)
    }

    @Test("an fprintd that another user runs is not root's", .enabled(if: getuid() == 0))
    func anotherUser() throws {
        let scene = try FingerprintScene(user: 65_534)
        #expect(try Watched(scene, owner: 0).verify().result() == .untrusted)
        // And is there: the one who may is believed.
        #expect(try state(Watched(scene, owner: 65_534).reader) == .noFinger)
    }

    @Test("without a finger, a reader, fprintd or a bus there is nothing to ask, and the cause says so")
    func nothing() throws {
        let (scene, bare) = (try FingerprintScene(), try FingerprintScene(isInstalled: false))
        guard case .notAvailable(let cause) = try Watched(scene).verify().result() else {
            Issue.record("no finger is asked for")
            return
        }
        #expect(cause.contains("fprintd-enroll"))
        for reader in [
            Watched(try FingerprintScene(reader: false)).reader, Watched(bare).reader,
            FprintdReader(address: "unix:path=/nowhere/bus"), FprintdReader(address: "nonsense"),
        ] {
            #expect(try state(reader) == .noReader)
            let result = Verified { () throws(FingerprintError) in
                try reader.verify("", Cancellation(), timeout: 900)
            }
            guard case .notAvailable = result else {
                Issue.record("\(result)")
                continue
            }
        }
    }

    @Test("a match that somebody else pretends is none")
    func pretended() throws {
        let scene = try FingerprintScene()
        try scene.enroll("right-index-finger", print: "mine")
        let watched = Watched(scene)
        let verified = watched.verify()
        try watched.waiting.wait()
        // After a bad reading a finger is awaited, so that what is pretended is heard.
        try scene.show("RETRY 1")
        try watched.bad.wait()
        try scene.pretendMatch()
        // The real ones come after it on the same line.
        for _ in 0..<2 {
            try scene.show("SCAN another")
            try watched.wrong.wait()
        }
        try scene.show("SCAN another")
        let result = try verified.result()
        #expect(result == .notRecognized, "\(result)")
    }

    @Test("a process that polkit does not allow the reader is told so")
    func forbidden() throws {
        let scene = try FingerprintScene(isAllowed: false)
        guard case .notAvailable(let cause) = try Watched(scene).verify().result() else {
            Issue.record("the reader is used")
            return
        }
        #expect(cause.contains("polkit"))
    }

    @Test("a bus that says nothing is waited for no longer than the question")
    func silentBus() throws {
        let path = "/tmp/llavero-bus-\(UUID().uuidString)"
        let listener = try SilentSocket(path)
        let reader = FprintdReader(address: "unix:path=\(path)")
        let verified = Errand {
            Verified { () throws(FingerprintError) in try reader.verify("", Cancellation(), timeout: 1) }
        }
        #expect(try verified.result() == .timedOut)
        listener.close()
    }
}
