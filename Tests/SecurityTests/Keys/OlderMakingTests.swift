// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys by the older functions, and what a program is told of itself.
@Suite struct OlderMakingTests {
    private func key(_ bits: Int = 256) throws -> SecKey {
        try #require(SecKeyGenerateSymmetric([kSecAttrKeySizeInBits: bits] as [CFString: Any] as CFDictionary, nil))
    }

    @Test("a symmetric key that was wrapped under another one comes out the same, and under a third one not at all")
    func wrapping() throws {
        let (inner, outer, other) = (try key(), try key(), try key())
        let sealed = try #require(SecKeyWrapSymmetric(inner, outer, [:] as CFDictionary, nil))
        var given: Unmanaged<CFData>? = Unmanaged.passUnretained(sealed)
        let opened = try #require(SecKeyUnwrapSymmetric(&given, outer, [:] as CFDictionary, nil))
        #expect(
            SecKeyCopyExternalRepresentation(opened, nil) as Data?
                == SecKeyCopyExternalRepresentation(inner, nil) as Data?)
        #expect(SecKeyUnwrapSymmetric(&given, other, [:] as CFDictionary, nil) == nil)
        var nothing: Unmanaged<CFData>?
        #expect(SecKeyUnwrapSymmetric(&nothing, outer, [:] as CFDictionary, nil) == nil)
        #expect(SecKeyWrapSymmetric(inner, outer, ["iv": 1] as CFDictionary, nil) == nil)
        var error: Unmanaged<CFError>?
        let rsa = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048] as [CFString: Any]
        #expect(SecKeyGenerateSymmetric(rsa as CFDictionary, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecParam))
    }

    @Test("a pair is made on another thread, and delivered on the queue")
    func pairLater() async {
        let parameters =
            [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as [CFString: Any]
        let isPair = await withCheckedContinuation { continuation in
            SecKeyGeneratePairAsync(parameters as CFDictionary, .global()) { publicKey, privateKey, error in
                let half = privateKey.flatMap { SecKeyCopyPublicKey($0) }
                continuation.resume(returning: error == nil && half != nil && half == publicKey)
            }
        }
        #expect(isPair)
        let code = await withCheckedContinuation { continuation in
            SecKeyGeneratePairAsync([:] as CFDictionary, .global()) { _, _, error in
                continuation.resume(returning: error?.code)
            }
        }
        #expect(code == Int(errSecParam))
    }

    @Test("a proposed password has four groups, all three kinds of characters, and is another one each time")
    func passwords() throws {
        var seen: Set<String> = []
        for _ in 0..<50 {
            let password = try #require(SecCreateSharedWebCredentialPassword() as String?)
            #expect(password.wholeMatch(of: /(?:[a-zA-Z2-9]{3}-){3}[a-zA-Z2-9]{3}/) != nil)
            #expect(password.contains(/[a-z]/) && password.contains(/[A-Z]/) && password.contains(/[2-9]/))
            seen.insert(password)
        }
        #expect(seen.count == 50)
    }

    @Test("shared web credentials are refused with a status")
    func sharedCredentials() async {
        let code = await withCheckedContinuation { continuation in
            SecAddSharedWebCredential("example.org" as CFString, "ada" as CFString, nil) { error in
                continuation.resume(returning: error?.code)
            }
        }
        #expect(code == Int(errSecUnimplemented))
    }

    @Test("key sizes have Apple's names and numbers, some of them two names")
    func sizes() {
        let sizes: [(SecKeySizes, UInt32)] = [
            (.secDefaultKeySize, 0), (.sec3DES192, 192), (.secAES128, 128), (.secAES192, 192), (.secAES256, 256),
            (.secp192r1, 192), (.secp256r1, 256), (.secp384r1, 384), (.secp521r1, 521), (.secRSAMin, 1024),
            (.secRSAMax, 4096),
        ]
        for (size, number) in sizes { #expect(size.rawValue == number) }
    }

    @Test("a program reads what it declares itself")
    func task() throws {
        let keychain = try IsolatedKeychain(
            entitlements: Entitlements(keychainAccessGroups: ["team.app"], applicationIdentifier: "team.app.id"))
        try keychain.use {
            let task = try #require(SecTaskCreateFromSelf(nil))
            let groups = SecTaskCopyValueForEntitlement(task, "keychain-access-groups" as CFString, nil)
            #expect(groups as? [String] == ["team.app"])
            #expect(SecTaskCopyValueForEntitlement(task, "no-such-entitlement" as CFString, nil) == nil)
            #expect(SecTaskCopySigningIdentifier(task, nil) as String? == "team.app.id")
        }
    }
}
