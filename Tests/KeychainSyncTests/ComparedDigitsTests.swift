// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

@Suite struct ComparedDigitsTests {
    private func chance(_ byte: UInt8) -> (Int) -> [UInt8] { { [UInt8](repeating: byte, count: $0) } }

    @Test("both sides show the same digits, and the device is admitted to the circle that it was told of")
    func joining() throws {
        var circle = try TestCircle()
        let device = try TestCircleDevice()
        let heads = [ViewTip(view: circle.view, place: LogPlace(number: 4, hash: TestCircle.hash(4)))]
        var applicant = try ComparedApplicant(to: circle.log.circle, device, randomness: chance(1))
        var sponsor = ComparedSponsor()
        let answer = try sponsor.take(
            offer: applicant.offer, log: circle.log, heads: heads, by: circle.founder, randomness: chance(2))
        let (reveal, shown) = try applicant.take(answer: answer)
        #expect(try sponsor.take(reveal: reveal) == shown)
        #expect(shown.utf8.count == 9)
        #expect(throws: JoiningError.notOpen) { try applicant.take(answer: answer) }
        let card = try sponsor.confirm(true)
        #expect(card == device.card && !sponsor.isOpen)
        try circle.append(.admit(card, .word(Roles(views: [circle.view: .reader]), sealedName: [])), by: circle.founder)
        let joined = try applicant.confirm(true)
        #expect(joined.heads == heads && joined.member == circle.founder.card)
        var log = joined.log
        _ = try log.take(circle.bodies)
        #expect(log.expected == nil && log == circle.log)
        #expect(try log.membership.member(device.card.id())?.card == device.card)
    }

    @Test("a server that plays the member to the device and the device to the member shows other digits to each")
    func swappedCards() throws {
        var circle = try TestCircle()
        let own = try TestCircle(chance: 2)
        let (device, impostor) = (try TestCircleDevice(), try TestCircleDevice())
        var applicant = try ComparedApplicant(to: circle.log.circle, device, randomness: chance(1))
        var sponsor = ComparedSponsor()
        // Towards the member, a card of the server's.
        var between = try ComparedApplicant(to: circle.log.circle, impostor, randomness: chance(3))
        let answer = try sponsor.take(
            offer: between.offer, log: circle.log, heads: [], by: circle.founder, randomness: chance(2))
        let (reveal, _) = try between.take(answer: answer)
        let byMember = try sponsor.take(reveal: reveal)
        // Towards the device, the member's own answer is one to another offer.
        #expect(throws: JoiningError.foreign) {
            var copy = applicant
            return try copy.take(answer: answer)
        }
        var playing = ComparedSponsor()
        let played = try playing.take(
            offer: applicant.offer, log: circle.log, heads: [], by: own.founder, randomness: chance(2))
        let (_, byDevice) = try applicant.take(answer: played)
        #expect(byMember != byDevice)
        #expect(throws: JoiningError.refused) { try sponsor.confirm(false) }
        #expect(throws: JoiningError.notOpen) { try sponsor.confirm(true) }
        #expect(throws: JoiningError.refused) { try applicant.confirm(false) }
        try circle.append(.policy(circle.view, sealedPolicy: []), by: circle.founder)
        #expect(circle.log.membership.members.count == 1)
    }

    @Test("one attempt is open at a time, and what belongs to another changes nothing")
    func attempts() throws {
        let circle = try TestCircle()
        var first = try ComparedApplicant(to: circle.log.circle, TestCircleDevice(), randomness: chance(1))
        let second = try ComparedApplicant(to: circle.log.circle, TestCircleDevice(), randomness: chance(1))
        var sponsor = ComparedSponsor()
        func answer(_ offer: [UInt8]) throws -> [UInt8] {
            try sponsor.take(
                offer: offer, log: circle.log, heads: [], by: circle.founder, randomness: chance(2))
        }
        #expect(throws: JoiningError.malformed) { try answer([1, 2]) }
        let old = try answer(first.offer)
        #expect(throws: JoiningError.alreadyOpen) { try answer(second.offer) }
        let (reveal, _) = try first.take(answer: old)
        sponsor.abandon()
        #expect(throws: JoiningError.notOpen) { try sponsor.take(reveal: reveal) }
        var again = try ComparedApplicant(to: circle.log.circle, TestCircleDevice(), randomness: chance(4))
        let new = try answer(again.offer)
        #expect(throws: JoiningError.foreign) { try sponsor.take(reveal: reveal) }
        let (right, digits) = try again.take(answer: new)
        #expect(try sponsor.take(reveal: right) == digits)

        let elsewhere = try TestCircle(chance: 2)
        var stranger = ComparedSponsor()
        #expect(throws: JoiningError.foreign) {
            try stranger.take(
                offer: first.offer, log: elsewhere.log, heads: [], by: elsewhere.founder, randomness: chance(2))
        }
    }

    @Test("a changed byte of any message is refused, or shows in the digits")
    func everyByte() throws {
        let circle = try TestCircle()
        let device = try TestCircleDevice()
        let applicant = try ComparedApplicant(to: circle.log.circle, device, randomness: chance(1))
        let heads = [ViewTip(view: circle.view, place: LogPlace(number: 4, hash: TestCircle.hash(4)))]
        /// The digits that both show when a byte of one message is changed on its way; nil when a message is refused.
        func run(changing message: Int?, at place: Int = 0) throws -> (sizes: [Int], digits: (String, String)?) {
            var (mine, sponsor) = (applicant, ComparedSponsor())
            var sizes: [Int] = []
            func onItsWay(_ bytes: [UInt8]) -> [UInt8] {
                var bytes = bytes
                if sizes.count == message { bytes[place] ^= 1 }
                sizes.append(bytes.count)
                return bytes
            }
            do throws(JoiningError) {
                let answer = try sponsor.take(
                    offer: onItsWay(mine.offer), log: circle.log, heads: heads, by: circle.founder,
                    randomness: chance(2))
                let (reveal, shown) = try mine.take(answer: onItsWay(answer))
                let seen = try sponsor.take(reveal: onItsWay(reveal))
                return (sizes, (shown, seen))
            } catch { return (sizes, nil) }
        }
        let whole = try run(changing: nil)
        #expect(whole.sizes.count == 3 && whole.digits?.0 == whole.digits?.1)
        for (message, size) in whole.sizes.enumerated() {
            // Signatures differ by a byte or two in their lengths.
            for place in 0..<size - 4 {
                guard let digits = try run(changing: message, at: place).digits else { continue }
                #expect(digits.0 != digits.1, "byte \(place) of message \(message)")
            }
        }
    }
}
