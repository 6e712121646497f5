// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainStore
import TestSeed
import Testing

/// Pages and logs of which any byte may be anything: reading them neither traps nor goes on for ever.
@Suite struct StrangePagesTests {
    /// `KEYCHAIN_MUTATIONS=all`: a hundred times as many.
    @Test("whatever stands in the pages and in the log, reading them ends")
    func strange() throws {
        var random = Seed(for: "strange pages")
        let keychain = try DamagedKeychain(inLog: true, count: 14)
        let (file, log) = ([UInt8](keychain.database), [UInt8](keychain.log))
        let whole = Salvage.countRows(file: file, log: log)
        #expect(whole >= 14)
        for round in 0..<(Seed.takesAllMutations ? 20_000 : 200) {
            var (changedFile, changedLog) = (file, log)
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                // Heads of pages and of cells are where numbers stand that lead elsewhere.
                let page = Int.random(in: 0..<file.count / 4096, using: &random) * 4096
                let place = page + Int.random(in: 0..<(Bool.random(using: &random) ? 64 : 4096), using: &random)
                changedFile[place] = Bool.random(using: &random) ? 0xff : UInt8.random(in: 0...255, using: &random)
                changedLog[Int.random(in: 0..<log.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 3 == 0 { changedFile.removeLast(Int.random(in: 0..<file.count, using: &random)) }
            if round % 4 == 0 { changedLog.removeLast(Int.random(in: 0..<log.count, using: &random)) }
            // A format without sums, whose every page is walked.
            if round % 2 == 0 {
                for page in stride(from: 0, to: changedFile.count - 4096, by: 4096) {
                    changedFile.replaceSubrange(page + 4080..<page + 4088, with: repeatElement(0, count: 8))
                }
                if changedFile.count > 20 { changedFile[20] = 0 }
                changedLog = []
            }
            #expect(Salvage.countRows(file: changedFile, log: changedLog) <= 20 * whole)
        }
        for count in [0, 1, 19, 21, 31, 32, 33, 55, 100, 4095, 4096, 4152] {
            _ = Salvage.countRows(file: Array(file.prefix(count)), log: Array(log.prefix(count)))
            _ = Salvage.standing(ofLog: Array(log.prefix(count)))
        }
    }

    @Test("a log is damaged for certain where a commit came behind the damage, and not where the last one has a gap")
    func gaps() throws {
        let log = [UInt8](try DamagedKeychain(inLog: true, count: 14).log)
        let frames = Array(stride(from: 32, to: log.count - 4119, by: 4120))
        let commits = frames.filter { log[$0 + 4..<$0 + 8].contains { $0 != 0 } }
        try #require(commits.count > 2 && commits[commits.count - 1] - commits[commits.count - 2] > 4120)
        #expect(Salvage.standing(ofLog: log) == .whole)
        func without(_ frame: Int) -> [UInt8] {
            var changed = log
            changed.replaceSubrange(frame..<frame + 4120, with: repeatElement(0, count: 4120))
            return changed
        }
        let lastBegins = commits[commits.count - 2] + 4120
        #expect(Salvage.standing(ofLog: without(lastBegins)) == .unfinished)
        let earlier = commits[commits.count - 3] + 4120
        #expect(Salvage.standing(ofLog: without(earlier)) == .damaged)
        // The page of a commit's last frame, whose head is whole.
        var changed = log
        changed[commits[commits.count - 2] + 100] ^= 1
        #expect(Salvage.standing(ofLog: changed) == .damaged)
    }
}
