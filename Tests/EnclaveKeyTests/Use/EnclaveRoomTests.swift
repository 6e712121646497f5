// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSwtpm
import Testing

/// A TPM has room for three objects and three sessions: nothing is left in it.
@Suite struct EnclaveRoomTests {
    @Test("what is done with a key leaves nothing in the TPM, whether it succeeds or not", .enabled(if: Ground.hasTPM))
    func leftovers() throws {
        let scene = try Scene(.tpm)
        let chip = try #require(scene.chip)
        let indices = try scene.use { () throws -> [UInt32] in
            _ = try Keys.inEnclave([kSecAttrLabel: "first"])
            return try chip.indices()
        }
        try scene.use {
            for round in 0..<3 {
                let stored = try Keys.inEnclave([kSecAttrLabel: "\(round)"])
                for key in [stored, try Keys.inEnclave([kSecAttrIsPermanent: false])] {
                    #expect(try Keys.signs(key))
                    let half = try Keys.publicHalf(Keys.software())
                    #expect(
                        SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, half, [:] as CFDictionary, nil)
                            != nil)
                    let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
                    let junk = try Keys.bytes(half) + Data(count: 20)
                    #expect(SecKeyCreateDecryptedData(key, algorithm, junk as CFData, nil) == nil)
                }
                #expect(Items.delete([kSecClass: kSecClassKey, kSecAttrLabel: "\(round)"]) == errSecSuccess)
                #expect(Refusal.ofSigning(with: stored)?.status == errSecItemNotFound)
            }
        }
        #expect(try chip.leftovers() == [])
        // A key costs no room that lasts either.
        #expect(try chip.indices() == indices)
    }
}
