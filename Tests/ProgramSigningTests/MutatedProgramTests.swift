// SPDX-License-Identifier: Apache-2.0

internal import ProgramSigning
internal import TestPrograms
internal import TestSeed
internal import Testing

@Suite struct MutatedProgramTests {
    /// `KEYCHAIN_MUTATIONS=all` makes ten times as many.
    private static let copies = Seed.takesAllMutations ? 10_000 : 1000

    @Test("of many changed copies none is taken with a loaded byte that differs, and none says something else")
    func mutated() throws {
        let signer = try TestSigner()
        let signed = try signer.sign(ProgramFixture.client, groups: ["TEAM.g"])
        let statement = try signer.statement(of: signed)
        let end = ProgramFixture.loadedEnd(of: signed)
        let tail = signed.count - end
        var seed = Seed(for: "mutated programs")
        var taken = 0
        for round in 0..<Self.copies {
            var copy = signed
            // Headers and what follows the program are small beside it, and have more to get wrong.
            let region =
                switch round % 4 {
                case 0: 0..<1024
                case 1: end..<end + tail
                default: 0..<signed.count
                }
            for _ in 0...Int(seed.next() % 3) {
                let place = region.lowerBound + Int(seed.next() % UInt64(region.count))
                copy[place] = seed.oneIn(3) ? 0xFF : UInt8(truncatingIfNeeded: seed.next())
            }
            let isChanged = (0..<end).contains { place in
                copy[place] != signed[place] && !(40..<48).contains(place) && !(60..<64).contains(place)
            }
            guard let found = try? signer.statement(of: copy) else { continue }
            taken += 1
            #expect(!isChanged, "round \(round)")
            #expect(found == statement, "round \(round)")
        }
        // Symbols may change, so some are.
        #expect(taken > 0)
    }
}
