// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Testing

@Suite("What fuzzers found stays as it is")
struct ReplayTests {
    @Test("every promise is kept for every file of its corpus", arguments: FuzzTarget.all.map(\.name))
    func replay(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        var accepted = 0
        var skipped = 0
        let files = try Corpus.files(of: target)
        for file in files {
            let bytes = try Corpus.bytes(file)
            do {
                switch try target.feed(bytes) {
                case .accepted: accepted += 1
                case .skipped: skipped += 1
                case .refused: break
                }
            } catch { Issue.record("\(file.lastPathComponent): \(error)") }
        }
        // Were everything refused at once, this would show nothing; a build without the TPM has no reader of its file.
        #expect(accepted > 0 || skipped == files.count && name == "tpm-file")
    }

    @Test("every promise is kept for what others read", arguments: FuzzTarget.all.map(\.name))
    func strangers(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for other in FuzzTarget.all where other.name != name {
            // Those that people made: the others differ in what means nothing here.
            for file in try Corpus.files(of: other) where file.lastPathComponent.contains("-") {
                do { _ = try target.feed(Corpus.bytes(file)) } catch {
                    Issue.record("\(other.name)/\(file.lastPathComponent): \(error)")
                }
            }
        }
    }
}
