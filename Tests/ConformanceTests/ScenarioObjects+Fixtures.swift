// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension ScenarioObjects {
    /// A fresh object of a fixture, or what the fixture's file says about it.
    func object(_ fixture: VectorFixture, member: String?) throws -> AnyObject {
        let fixtures = try ScenarioFixtures.shared.get()
        switch fixture {
        case .certificate(let name):
            let entry = try fixtures.certificate(name)
            guard let member else { return try certificate(entry, name) }
            return try self.member(member, of: entry.members, name)
        case .privateKey(let name), .publicKey(let name):
            let entry = try fixtures.key(name)
            if let member { return try self.member(member, of: entry.members, name) }
            if case .publicKey = fixture { return try key(entry, .publicPart, name) }
            return try key(entry, .privatePart, name)
        case .identity(let name):
            guard member == nil else { throw VectorError("\(name): ask its certificate or its key") }
            let entry = try fixtures.certificate(name)
            let own = try key(try fixtures.key(entry.key), .privatePart, entry.key)
            guard let identity = SecIdentityCreate(nil, try certificate(entry, name), own) else {
                throw VectorError("\(name) is no identity")
            }
            return identity
        }
    }

    func policy(_ policy: VectorPolicy) throws -> AnyObject {
        switch policy {
        case .basic: return SecPolicyCreateBasicX509()
        case .revocation:
            guard let made = SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) else {
                throw VectorError("there is no policy for revocation")
            }
            return made
        case .server(let host): return SecPolicyCreateSSL(true, host.map { NSString(string: $0) })
        case .client: return SecPolicyCreateSSL(false, nil)
        case .mail(let address):
            let properties = NSMutableDictionary()
            if let address { properties[kSecPolicyName] = NSString(string: address) }
            guard let made = SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, properties) else {
                throw VectorError("there is no policy for mail")
            }
            return made
        }
    }

    private enum Part: String {
        case publicPart = "0"
        case privatePart = "1"
    }

    private func key(_ entry: ScenarioFixtures.Key, _ part: Part, _ name: String) throws -> SecKey {
        let bytes = part == .publicPart ? entry.publicBytes : entry.privateBytes
        let attributes: NSDictionary = [
            kSecAttrKeyType: NSNumber(value: entry.type), kSecAttrKeyClass: NSString(string: part.rawValue),
        ]
        guard let key = SecKeyCreateWithData(NSData(data: bytes), attributes, nil) else {
            throw VectorError("\(name) is no key")
        }
        return key
    }

    private func certificate(_ entry: ScenarioFixtures.Certificate, _ name: String) throws -> SecCertificate {
        guard let certificate = SecCertificateCreateWithData(nil, NSData(data: entry.der)) else {
            throw VectorError("\(name) is no certificate")
        }
        return certificate
    }

    private func member(_ member: String, of members: [String: VectorValue], _ name: String) throws -> AnyObject {
        guard let value = members[member] else { throw VectorError("\(name) has no \(member)") }
        return try object(value)
    }
}
