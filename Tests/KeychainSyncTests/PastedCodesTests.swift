// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

@Suite struct PastedCodesTests {
    @Test("a request pasted one way and an answer the other make a member")
    func joining() throws {
        var circle = try TestCircle()
        let device = try TestCircleDevice()
        let applicant = try PastedApplicant(to: circle.log.circle, device)
        let other = try PastedApplicant(to: circle.log.circle, TestCircleDevice())
        let shown = try #require(applicant.code.text)
        let pasted = try #require(JoinCode(.request, pasted: shown.uppercased() + "\n"))
        // The box holds what the server likes.
        #expect(throws: JoiningError.refused) {
            try PastedRequest(other.request, code: pasted, to: circle.log.circle)
        }
        let request = try PastedRequest(applicant.request, code: pasted, to: circle.log.circle)
        #expect(request.card == device.card)
        #expect(throws: JoiningError.notOpen) { try request.answer(circle.log, heads: [], by: circle.founder) }
        try circle.append(.admit(request.card, .word(Roles(), sealedName: [])), by: circle.founder)
        let (answer, code) = try request.answer(circle.log, heads: [], by: circle.founder)
        let returned = try #require(code.text)
        let back = try #require(JoinCode(.answer, pasted: returned))
        let joined = try applicant.take(answer: answer, code: back)
        #expect(joined.tip == circle.log.tip && joined.member == circle.founder.card)
        var log = joined.log
        _ = try log.take(circle.bodies)
        #expect(log.expected == nil)
        #expect(try log.membership.member(device.card.id()) != nil)

        // The server's own circle, whose answer nobody took over.
        var own = try TestCircle(chance: 2)
        try own.append(.admit(device.card, .word(Roles(), sealedName: [])), by: own.founder)
        let owns = try PastedApplicant(to: own.log.circle, device)
        let asked = try PastedRequest(owns.request, code: owns.code, to: own.log.circle)
        let (forged, _) = try asked.answer(own.log, heads: [], by: own.founder)
        #expect(throws: JoiningError.refused) { try applicant.take(answer: forged, code: back) }
        // A code that was pasted for another device's request.
        #expect(throws: JoiningError.foreign) { try other.take(answer: answer, code: back) }
        #expect(throws: JoiningError.foreign) {
            try PastedRequest(owns.request, code: owns.code, to: circle.log.circle)
        }
    }

    @Test("an error in a code is noticed, and a request is no answer")
    func codes() throws {
        let applicant = try PastedApplicant(to: TestCircle().log.circle, TestCircleDevice())
        let text = try #require(applicant.code.text)
        #expect(text.utf8.count == 29)
        #expect(JoinCode(.answer, pasted: text) == nil)
        #expect(JoinCode(.request, pasted: text.replacing("-", with: " ")) == applicant.code)
        var seed = Seed(for: "PastedCodesTests.codes")
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        for place in text.utf8.indices where text[place] != "-" {
            var bytes = Array(text.utf8)
            let offset = text.utf8.distance(from: text.utf8.startIndex, to: place)
            let old = bytes[offset]
            repeat { bytes[offset] = seed.pick(letters) } while bytes[offset] == old
            #expect(JoinCode(.request, pasted: String(decoding: bytes, as: UTF8.self)) == nil)
        }
        for wrong in ["", "-", text + "0", String(text.dropLast()), text.replacing("-", with: "u")] {
            #expect(JoinCode(.request, pasted: wrong) == nil)
        }
    }
}
