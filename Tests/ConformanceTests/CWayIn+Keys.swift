// SPDX-License-Identifier: Apache-2.0

import CClientTest
import Foundation
import Security
import SecurityC

extension CWayIn {
    func perform(_ call: KeyCall) throws -> Reply {
        switch call.function {
        case .makeKey, .makePair, .readKey, .deriveKey: try makeKey(call)
        case .exportKey, .describeKey, .publicKey, .certificateKey, .makeIdentity, .identityParts: try look(call)
        case .sign, .verify, .encrypt, .decrypt, .exchange: try useKey(call)
        }
    }

    private func makeKey(_ call: KeyCall) throws -> Reply {
        var error: CObject?
        switch call.function {
        case .makePair:
            return lend([call.parameters]) { objects in
                var publicKey: CObject?
                var privateKey: CObject?
                let status = client_make_pair(objects[0], &publicKey, &privateKey)
                guard let publicKey = take(publicKey), let privateKey = take(privateKey) else {
                    return Reply(status: status, explanation: Llavero.lastFailure ?? "")
                }
                return Reply(status: status, result: ["public": publicKey, "private": privateKey] as NSDictionary)
            }
        case .readKey:
            return try lend([call.object("data", as: NSData.self), call.parameters]) {
                reply(client_read_key($0[0], $0[1], &error), error)
            }
        case .deriveKey:
            return try lend([call.object("password", as: NSString.self), call.parameters]) {
                reply(client_derive_key($0[0], $0[1], &error), error)
            }
        default: return lend([call.parameters]) { reply(client_make_key($0[0], &error), error) }
        }
    }

    private func look(_ call: KeyCall) throws -> Reply {
        switch call.function {
        case .exportKey:
            var error: CObject?
            return try lend([call.object("key")]) { reply(client_export_key($0[0], &error), error) }
        case .describeKey: return try lend([call.object("key")]) { answer(client_describe_key($0[0])) }
        case .publicKey: return try lend([call.object("key")]) { answer(client_public_key($0[0])) }
        case .certificateKey:
            return try lend([call.object("certificate")]) { answer(client_certificate_key($0[0])) }
        case .makeIdentity:
            return try lend([call.object("certificate"), call.object("key")]) {
                answer(client_make_identity($0[0], $0[1]))
            }
        default:
            return try lend([call.object("identity")]) { objects in
                var certificate: CObject?
                var key: CObject?
                let status = client_identity_certificate(objects[0], &certificate)
                let other = client_identity_key(objects[0], &key)
                guard let certificate = take(certificate), let key = take(key) else {
                    return Reply(
                        status: status != errSecSuccess ? status : other, explanation: Llavero.lastFailure ?? "")
                }
                return Reply(status: other, result: ["certificate": certificate, "key": key] as NSDictionary)
            }
        }
    }

    private func answer(_ result: CObject?) -> Reply { Reply(status: errSecSuccess, result: take(result)) }

    private func useKey(_ call: KeyCall) throws -> Reply {
        var error: CObject?
        let key: AnyObject = try call.object("key")
        let algorithm = NSString(string: call.algorithm)
        guard call.function != .exchange else {
            return try lend([key, algorithm, call.object("peer"), call.parameters]) {
                reply(client_exchange($0[0], $0[1], $0[2], $0[3], &error), error)
            }
        }
        let data: AnyObject = try call.object("data")
        switch call.function {
        case .sign: return lend([key, algorithm, data]) { reply(client_sign($0[0], $0[1], $0[2], &error), error) }
        case .encrypt:
            return lend([key, algorithm, data]) { reply(client_encrypt($0[0], $0[1], $0[2], &error), error) }
        case .decrypt:
            return lend([key, algorithm, data]) { reply(client_decrypt($0[0], $0[1], $0[2], &error), error) }
        default:
            return try lend([key, algorithm, data, call.object("signature")]) {
                guard client_verify($0[0], $0[1], $0[2], $0[3], &error) else { return reply(nil, error) }
                return Reply(status: errSecSuccess)
            }
        }
    }

    func perform(_ call: AccessControlCall) throws -> Reply {
        var error: CObject?
        switch call.function {
        case .makeAccessControl:
            let flags = try ScenarioObjects.flags(call.flags).rawValue
            return try lend([call.object("protection")]) {
                reply(client_make_access_control($0[0], flags, &error), error)
            }
        case .decodeAccessControl:
            return try lend([call.object("data")]) { reply(client_decode_access_control($0[0], &error), error) }
        case .setProtection:
            return try lend([call.object("accessControl"), call.object("protection")]) {
                client_set_protection($0[0], $0[1], &error) ? Reply(status: errSecSuccess) : reply(nil, error)
            }
        case .addConstraint:
            return try lend([call.object("accessControl"), call.object("operation"), call.object("constraint")]) {
                client_add_constraint($0[0], $0[1], $0[2], &error) ? Reply(status: errSecSuccess) : reply(nil, error)
            }
        case .setBound:
            let isBound = try call.object("bound", as: NSNumber.self).boolValue
            return try lend([call.object("accessControl")]) {
                client_set_bound($0[0], isBound)
                return Reply(status: errSecSuccess)
            }
        default: return try look(call)
        }
    }

    /// What these functions answer is the caller's, or is the access control's own.
    private func look(_ call: AccessControlCall) throws -> Reply {
        let result: AnyObject? =
            switch call.function {
            case .constraint:
                try lend([call.object("accessControl"), call.object("operation")]) {
                    Incoming.object(client_constraint($0[0], $0[1]))
                }
            case .protection:
                try lend([call.object("accessControl")]) { Incoming.object(client_protection($0[0])) }
            case .requiresPassword:
                try lend([call.object("accessControl")]) { NSNumber(value: client_requires_password($0[0])) }
            case .isBound: try lend([call.object("accessControl")]) { NSNumber(value: client_is_bound($0[0])) }
            default: try lend([call.object("accessControl")]) { take(client_encode_access_control($0[0])) }
            }
        return Reply(status: errSecSuccess, result: result)
    }
}
