// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension SwiftAPIWayIn {
    func perform(_ call: KeyCall) throws -> Reply {
        try keychain.use {
            switch call.function {
            case .makeKey, .makePair, .readKey, .deriveKey: try makeKey(call)
            case .exportKey, .describeKey, .publicKey, .certificateKey, .makeIdentity, .identityParts: try look(call)
            case .sign, .verify, .encrypt, .decrypt, .exchange: try useKey(call)
            }
        }
    }

    private func makeKey(_ call: KeyCall) throws -> Reply {
        var error: Unmanaged<CFError>?
        switch call.function {
        case .makePair:
            var publicKey: SecKey?
            var privateKey: SecKey?
            let status = SecKeyGeneratePair(call.parameters, &publicKey, &privateKey)
            guard status == errSecSuccess, let publicKey, let privateKey else {
                return Reply(status: status, explanation: Llavero.lastFailure ?? "")
            }
            return Reply(status: status, result: ["public": publicKey, "private": privateKey] as NSDictionary)
        case .readKey:
            return reply(SecKeyCreateWithData(try call.object("data", as: NSData.self), call.parameters, &error), error)
        case .deriveKey:
            let password = try call.object("password", as: NSString.self)
            return reply(SecKeyDeriveFromPassword(password, call.parameters, &error), error)
        default: return reply(SecKeyCreateRandomKey(call.parameters, &error), error)
        }
    }

    /// Only the first of these functions says why it has nothing to give.
    private func look(_ call: KeyCall) throws -> Reply {
        switch call.function {
        case .exportKey:
            var error: Unmanaged<CFError>?
            return reply(SecKeyCopyExternalRepresentation(try call.object("key"), &error), error)
        case .describeKey: return Reply(status: errSecSuccess, result: SecKeyCopyAttributes(try call.object("key")))
        case .publicKey: return Reply(status: errSecSuccess, result: SecKeyCopyPublicKey(try call.object("key")))
        case .certificateKey:
            return Reply(status: errSecSuccess, result: SecCertificateCopyKey(try call.object("certificate")))
        case .makeIdentity:
            let identity = SecIdentityCreate(nil, try call.object("certificate"), try call.object("key"))
            return Reply(status: errSecSuccess, result: identity)
        default:
            let identity = try call.object("identity", as: SecIdentity.self)
            var certificate: SecCertificate?
            var key: SecKey?
            let status = SecIdentityCopyCertificate(identity, &certificate)
            let other = SecIdentityCopyPrivateKey(identity, &key)
            guard status == errSecSuccess, other == errSecSuccess, let certificate, let key else {
                return Reply(status: status != errSecSuccess ? status : other, explanation: Llavero.lastFailure ?? "")
            }
            return Reply(status: errSecSuccess, result: ["certificate": certificate, "key": key] as NSDictionary)
        }
    }

    private func useKey(_ call: KeyCall) throws -> Reply {
        var error: Unmanaged<CFError>?
        let key = try call.object("key", as: SecKey.self)
        let algorithm = SecKeyAlgorithm(rawValue: NSString(string: call.algorithm))
        guard call.function != .exchange else {
            let peer = try call.object("peer", as: SecKey.self)
            return reply(SecKeyCopyKeyExchangeResult(key, algorithm, peer, call.parameters, &error), error)
        }
        let data = try call.object("data", as: NSData.self)
        switch call.function {
        case .sign: return reply(SecKeyCreateSignature(key, algorithm, data, &error), error)
        case .encrypt: return reply(SecKeyCreateEncryptedData(key, algorithm, data, &error), error)
        case .decrypt: return reply(SecKeyCreateDecryptedData(key, algorithm, data, &error), error)
        default:
            let signature = try call.object("signature", as: NSData.self)
            guard SecKeyVerifySignature(key, algorithm, data, signature, &error) else { return reply(nil, error) }
            return Reply(status: errSecSuccess)
        }
    }

    /// A function that returns nothing has to say why.
    func reply(_ result: AnyObject?, _ error: Unmanaged<CFError>?) -> Reply {
        guard let error = error?.takeRetainedValue() else {
            return Reply(status: result == nil ? errSecInternal : errSecSuccess, result: result, explanation: "")
        }
        let status = OSStatus(CFErrorGetCode(error))
        return Reply(status: status, result: result, explanation: error.localizedDescription)
    }
}
