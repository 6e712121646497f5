// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// What of a program has to stay as it was signed.
///
/// It is the file from its first byte to the end of the last segment: header, table of segments, name of the dynamic
/// loader, everything that is loaded, and whatever lies between these. Only the bytes of the header that tell of
/// sections count as zeros. What follows is symbols, debugging information, the table of sections and the note: `strip` and
/// packagers may change them.
///
/// The kernel maps whole pages, so that the last segment in the file brings some of what follows it into memory. Nothing
/// in the program refers to that, and the file is one that only root can change.
package enum ProgramDigest {
    internal static func sha256(of program: ProgramBytes, end: Int) throws(SignatureFault) -> [UInt8] {
        var digest: RunningDigest
        do throws(CryptoError) { digest = try RunningDigest() } catch { throw .library }
        var offset = 0
        while offset < end {
            let next = min(offset + chunk, end)
            var part: [UInt8]
            do throws(FileFault) { part = try program.bytes(offset..<next) } catch { throw .file(error) }
            if offset == 0 {
                for field in ELFHeader.sectionFields { for index in field { part[index] = 0 } }
            }
            do throws(CryptoError) {
                try unsafe part.lendingBytes { (bytes) throws(CryptoError) in try unsafe digest.update(bytes) }
            } catch { throw .library }
            offset = next
        }
        do throws(CryptoError) { return try digest.sha256() } catch { throw .library }
    }

    private static let chunk = 64 << 10
}
