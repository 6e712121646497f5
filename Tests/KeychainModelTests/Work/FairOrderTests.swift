// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import TestSeed
import Testing

/// Whose costly work is next, played without threads.
@Suite struct FairOrderTests {
    /// What is done from now on, one piece after another, until nothing waits.
    private func played(_ order: Order<String>, of users: [String: UInt32]) -> [String] {
        var done: [String] = []
        while let piece = order.next() {
            done.append(piece)
            if let user = users[piece] { order.finish(user) }
        }
        return done
    }

    @Test("users take turns, however much one of them has waiting, and each one's own work keeps its order")
    func turns() {
        let order = Order<String>(places: 1, ofUser: 1, waitingOfUser: 200)
        var users: [String: UInt32] = [:]
        for number in 0..<100 {
            #expect(order.add("a\(number)", of: 1))
            users["a\(number)"] = 1
        }
        for piece in ["b0", "b1"] {
            #expect(order.add(piece, of: 2))
            users[piece] = 2
        }
        #expect(order.add("c0", of: 3))
        users["c0"] = 3
        let done = played(order, of: users)
        #expect(done.prefix(7) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
        #expect(done.count == 103)
        #expect(done.filter { $0.hasPrefix("a") } == (0..<100).map { "a\($0)" })
    }

    @Test("who comes while a hundred pieces of another user wait is next")
    func newcomer() {
        let order = Order<String>(places: 1, ofUser: 1, waitingOfUser: 200)
        for number in 0..<100 { #expect(order.add("a\(number)", of: 1)) }
        #expect(order.next() == "a0")
        #expect(order.add("b", of: 2))
        #expect(order.next() == nil)
        order.finish(1)
        // User 1 waits too, and has just had a turn.
        #expect(order.next() == "b")
        order.finish(2)
        #expect(order.next() == "a1")
    }

    @Test("with two places one user has one of them, and the other is free for the next")
    func places() {
        let order = Order<String>(places: 2, ofUser: 1, waitingOfUser: 10)
        for piece in ["a0", "a1", "a2"] { #expect(order.add(piece, of: 1)) }
        #expect(order.next() == "a0")
        #expect(order.next() == nil)
        #expect(order.add("b0", of: 2))
        #expect(order.next() == "b0")
        #expect(order.add("c0", of: 3))
        #expect(order.next() == nil)
        order.finish(2)
        #expect(order.next() == "c0")
        order.finish(1)
        #expect(order.next() == "a1")
    }

    @Test("beyond its limit a user's work is refused, and no other user's; what gives way is never refused")
    func limit() {
        let order = Order<String>(places: 1, ofUser: 1, waitingOfUser: 2)
        #expect(order.add("a0", of: 1))
        #expect(order.next() == "a0")
        #expect(order.add("a1", of: 1))
        #expect(order.add("a2", of: 1))
        #expect(!order.add("a3", of: 1))
        #expect(order.add("b0", of: 2))
        order.finish(1)
        order.addAgain("a0", of: 1)
        #expect(order.waiting == 4)
        #expect(played(order, of: ["a0": 1, "a1": 1, "a2": 1, "b0": 2]) == ["b0", "a1", "a2", "a0"])
    }

    @Test("what is taken out is not done, and makes room")
    func dropped() {
        let order = Order<String>(places: 1, ofUser: 1, waitingOfUser: 3)
        for piece in ["a0", "a1", "a2"] { #expect(order.add(piece, of: 1)) }
        #expect(order.add("b0", of: 2))
        #expect(order.drop(of: 1) { $0 != "a1" } == ["a0", "a2"])
        #expect(order.add("a3", of: 1))
        #expect(order.drop(of: 2) { _ in true } == ["b0"])
        #expect(order.drop(of: 3) { _ in true } == [])
        #expect(played(order, of: ["a1": 1, "a3": 1]) == ["a1", "a3"])
    }

    @Test(
        "whatever comes in whatever order, all is done once, and nobody waits for two pieces of another user's"
    )
    func random() {
        var seed = Seed(for: "FairOrderTests.random")
        for _ in 0..<200 {
            let places = Int.random(in: 1...3, using: &seed)
            let order = Order<Int>(places: places, ofUser: 1, waitingOfUser: .max)
            var owners: [UInt32] = []
            var running: [Int] = []
            var done: Set<Int> = []
            /// How often others began since a user began to wait.
            var overtaken: [UInt32: [UInt32: Int]] = [:]
            var waiting: [UInt32: Int] = [:]
            func begin(_ piece: Int) {
                let user = owners[piece]
                #expect(!running.contains { owners[$0] == user })
                running.append(piece)
                waiting[user, default: 0] -= 1
                overtaken[user] = nil
                for other in waiting.keys where other != user && waiting[other, default: 0] > 0 {
                    guard !running.contains(where: { owners[$0] == other }) else { continue }
                    overtaken[other, default: [:]][user, default: 0] += 1
                    #expect(overtaken[other]?[user] ?? 0 <= 1)
                }
            }
            for _ in 0..<100 {
                if Bool.random(using: &seed) {
                    let user = UInt32.random(in: 1...4, using: &seed)
                    owners.append(user)
                    waiting[user, default: 0] += 1
                    #expect(order.add(owners.count - 1, of: user))
                } else if let index = running.indices.randomElement(using: &seed) {
                    let piece = running.remove(at: index)
                    done.insert(piece)
                    overtaken[owners[piece]] = nil
                    order.finish(owners[piece])
                }
                while let piece = order.next() { begin(piece) }
            }
            while let piece = running.popLast() {
                done.insert(piece)
                order.finish(owners[piece])
                while let next = order.next() { begin(next) }
            }
            #expect(done.count == owners.count)
        }
    }
}

/// An order that one test plays.
private final class Order<Work: Sendable> {
    private var order: FairOrder<Work>

    init(places: Int, ofUser: Int, waitingOfUser: Int) {
        order = FairOrder(places: places, ofUser: ofUser, waitingOfUser: waitingOfUser)
    }

    var waiting: Int { order.waiting }
    func add(_ piece: Work, of user: UInt32) -> Bool { order.add(piece, of: user) }
    func addAgain(_ piece: Work, of user: UInt32) { order.addAgain(piece, of: user) }
    func next() -> Work? { order.next() }
    func finish(_ user: UInt32) { order.finish(user) }
    func drop(of user: UInt32, where isDropped: (Work) -> Bool) -> [Work] { order.drop(of: user, where: isDropped) }
}
