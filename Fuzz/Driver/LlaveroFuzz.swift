// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import FuzzTargets

#if FUZZING
    // What libFuzzer calls; its own `main` is linked in.

    /// The target that the environment names: libFuzzer's command line has no room for it.
    private let target = ProcessInfo.processInfo.environment["LLAVERO_FUZZ"].flatMap(FuzzTarget.named)

    /// Feeds one input; ends the process when a promise is broken, which libFuzzer takes for a finding.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        guard let target else { fatalError("LLAVERO_FUZZ names no target") }
        do throws(BrokenPromise) {
            let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
            if case .skipped = try target.feed(bytes) { return -1 }
            return 0
        } catch { fatalError("\(target.name): \(error)") }
    }
#else
    /// Feeds files to a target, as `llavero-fuzz TARGET FILE…`; without arguments it says which targets there are.
    @main struct LlaveroFuzz {
        static func main() throws {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "--seeds" {
                try Seeds.write()
                return
            }
            guard let name = arguments.first, let target = FuzzTarget.named(name) else {
                for target in FuzzTarget.all { print(target.name) }
                return
            }
            for path in arguments.dropFirst() {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                print("\(path): \(try target.feed(bytes))")
            }
        }
    }
#endif
