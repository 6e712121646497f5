// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainTools

/// Programs' bytes, with the tool's own words when they cannot be had.
enum ProgramReading {
    static func bytes(of file: OwnedDescriptor, _ path: String) throws(CommandError) -> ProgramBytes {
        do throws(FileFault) { return try ProgramBytes(of: file) } catch {
            throw .failure("\(path) cannot be read: \(error)")
        }
    }

    static func part(
        _ range: Range<Int>, of program: ProgramBytes, _ path: String
    ) throws(CommandError) -> [UInt8] {
        do throws(FileFault) { return try program.bytes(range) } catch {
            throw .failure("\(path) cannot be read: \(error)")
        }
    }
}
