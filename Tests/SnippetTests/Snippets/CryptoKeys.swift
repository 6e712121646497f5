// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import CryptoKit
import Foundation
import LocalAuthentication

struct Letter: Codable {
    let text: String
}

func digestText(_ data: Data) -> String {
    SHA256.hash(data: data).compactMap { String(format: "%02x", $0) }.joined()
}

func sealLetter(_ letter: Letter, password: String, salt: Data) throws -> Data? {
    let input = SymmetricKey(data: Data(password.utf8))
    let key = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: input, salt: salt, info: Data("letter".utf8), outputByteCount: SHA256.byteCount)
    let sealed = try AES.GCM.seal(JSONEncoder().encode(letter), using: key)
    return sealed.combined
}

func openLetter(_ data: Data, key: SymmetricKey) -> Letter? {
    do {
        let box = try AES.GCM.SealedBox(combined: data)
        return try JSONDecoder().decode(Letter.self, from: AES.GCM.open(box, using: key))
    } catch CryptoKitError.authenticationFailure {
        return nil
    } catch {
        return nil
    }
}

final class DeviceKey {
    private let key: SecureEnclave.P256.Signing.PrivateKey

    init?(stored: Data?, context: LAContext) {
        guard SecureEnclave.isAvailable else { return nil }
        do {
            if let stored {
                key = try SecureEnclave.P256.Signing.PrivateKey(
                    dataRepresentation: stored, authenticationContext: context)
            } else {
                let control = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.privateKeyUsage, .userPresence], nil)!
                key = try SecureEnclave.P256.Signing.PrivateKey(
                    compactRepresentable: false, accessControl: control, authenticationContext: context)
            }
        } catch {
            return nil
        }
    }

    func sign(_ message: Data) throws -> (Data, String) {
        let signature: P256.Signing.ECDSASignature = try key.signature(for: message)
        return (signature.derRepresentation, key.publicKey.pemRepresentation)
    }
}

func conversation(with other: Data) throws -> SymmetricKey {
    let own = try SecureEnclave.P256.KeyAgreement.PrivateKey()
    let theirs = try P256.KeyAgreement.PublicKey(x963Representation: other)
    let secret: SharedSecret = try own.sharedSecretFromKeyAgreement(with: theirs)
    return secret.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: Data(), outputByteCount: 32)
}

func webhook(_ body: Data, _ signature: String, secret: String) -> Bool {
    let code = HMAC<SHA256>.authenticationCode(for: body, using: SymmetricKey(data: secret.data(using: .utf8)!))
    return code.map { String(format: "%02hhx", $0) }.joined() == signature
}

func tag<H: HashFunction>(_ parts: [Data], with function: H.Type) -> H.Digest {
    var hash = H()
    for part in parts { hash.update(data: part) }
    return hash.finalize()
}

func passphraseBox(_ text: String) throws -> (ChaChaPoly.SealedBox, String) {
    let key = SymmetricKey(size: .bits256)
    let box = try ChaChaPoly.seal(Data(text.utf8), using: key, authenticating: Data("v1".utf8))
    return (box, Insecure.MD5.hash(data: box.combined).description)
}
