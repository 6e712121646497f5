// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

/// Calls of every kind that a program makes, with some that ask for another program's item by all that is known of it.
struct Traffic {
    /// What a program may know of an item that it may not have.
    struct Target {
        let reference: Data
        let account: String
        let group: String
    }

    let target: Target

    func make() {
        makePasswords()
        keysAndCertificates()
        contexts()
        forTheTarget()
        clear()
    }

    /// Deletes what there is of this program.
    func clear() {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey, kSecClassCertificate] {
            _ = SecItemDelete([kSecClass: itemClass] as [CFString: Any] as CFDictionary)
        }
    }

    /// Of passwords, some of which stay.
    func makePasswords() {
        let generic: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: "account",
        ]
        add(generic, [kSecValueData: Data("secret".utf8), kSecAttrLabel: "label", kSecReturnAttributes: true])
        add(
            generic,
            [
                kSecAttrAccount: "other", kSecValueData: Data("other".utf8), kSecAttrGeneric: Data([1, 2, 3]),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecReturnPersistentRef: true,
            ])
        find(generic, [kSecReturnData: true])
        find(generic, [kSecReturnAttributes: true, kSecReturnData: true, kSecReturnPersistentRef: true])
        find([kSecClass: kSecClassGenericPassword], [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
        find(
            [kSecClass: kSecClassGenericPassword],
            [
                kSecMatchLimit: 5, kSecReturnData: true, kSecMatchSubjectContains: "a", kSecMatchCaseInsensitive: true,
                kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ])
        update(generic, [kSecAttrLabel: "new", kSecValueData: Data("newer".utf8)])
        update(generic, [kSecAttrAccount: "renamed", kSecAttrComment: "comment"])
        let internet: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "account",
            kSecAttrPort: 443, kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPath: "/",
        ]
        add(internet, [kSecValueData: Data("secret".utf8)])
        find(internet, [kSecReturnData: true, kSecReturnAttributes: true])
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        add(
            generic, [kSecAttrAccount: "guarded", kSecValueData: Data("x".utf8), kSecAttrAccessControl: control as Any])
        _ = SecItemDelete(internet as CFDictionary)
    }

    private func keysAndCertificates() {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("tag".utf8), kSecAttrLabel: "key",
            ] as [CFString: Any],
        ]
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else { return }
        let message = Data("message".utf8)
        _ = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, nil)
        _ = SecKeyCopyExternalRepresentation(key, nil)
        if let publicKey = SecKeyCopyPublicKey(key) {
            let parameters = [SecKeyKeyExchangeParameter.requestedSize: 32] as [SecKeyKeyExchangeParameter: Any]
            _ = SecKeyCopyKeyExchangeResult(
                key, .ecdhKeyExchangeStandardX963SHA256, publicKey, parameters as CFDictionary, nil)
            let sealed = SecKeyCreateEncryptedData(
                publicKey, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM, message as CFData, nil)
            if let sealed {
                _ = SecKeyCreateDecryptedData(
                    key, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM, sealed, nil)
            }
        }
        let keys: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8)]
        find(keys, [kSecReturnRef: true])
        find(keys, [kSecReturnAttributes: true, kSecReturnData: true, kSecReturnPersistentRef: true])
        update(keys, [kSecAttrLabel: "renamed"])
        if let bytes = Data(base64Encoded: Traffic.certificate),
            let certificate = SecCertificateCreateWithData(nil, bytes as CFData)
        {
            add([kSecClass: kSecClassCertificate, kSecValueRef: certificate], [kSecReturnPersistentRef: true])
            find([kSecClass: kSecClassCertificate], [kSecReturnRef: true, kSecMatchTrustedOnly: false])
            find([kSecClass: kSecClassIdentity], [kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
        }
        _ = SecItemDelete(keys as CFDictionary)
    }

    private func contexts() {
        let context = LAContext()
        _ = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
        _ = context.setCredential(Data("password".utf8), type: .applicationPassword)
        _ = context.isCredentialSet(.applicationPassword)
        find(
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "guarded"],
            [kSecReturnData: true, kSecUseAuthenticationContext: context])
        _ = context.setCredential(nil, type: .applicationPassword)
        context.invalidate()
    }

    /// What a curious program would ask.
    private func forTheTarget() {
        let byReference: [CFString: Any] = [kSecValuePersistentRef: target.reference]
        let byName: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: target.account]
        let byGroup: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: target.group]
        for query in [byReference, byName, byGroup] {
            find(query, [kSecReturnData: true, kSecReturnAttributes: true])
            update(query, [kSecAttrLabel: "mine"])
            update(query, [kSecAttrAccessGroup: "llavero.open"])
            _ = SecItemDelete(query as CFDictionary)
        }
        add(byGroup, [kSecAttrAccount: "planted", kSecValueData: Data("x".utf8)])
        find(
            [kSecMatchItemList: [target.reference]],
            [kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
    }

    private func add(_ item: [CFString: Any], _ more: [CFString: Any]) {
        var result: CFTypeRef?
        _ = SecItemAdd(item.merging(more) { $1 } as CFDictionary, &result)
    }

    private func find(_ query: [CFString: Any], _ more: [CFString: Any]) {
        var result: CFTypeRef?
        _ = SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &result)
    }

    private func update(_ query: [CFString: Any], _ changes: [CFString: Any]) {
        _ = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    /// Of nobody: a self-signed P-256 certificate of the vectors.
    private static let certificate =
        "MIIBkDCCATagAwIBAgIFAQIDBAUwCgYIKoZIzj0EAwIwLzELMAkGA1UEBhMCRVMxEDAOBgNVBAoTB0xMQVZFUk8xDjAMBgNVBAMTBUFMSUNFMB4XDTIwMDEwMTAwMDAwMFoXDTQ5MTIzMTIzNTk1OVowLzELMAkGA1UEBhMCRVMxEDAOBgNVBAoTB0xMQVZFUk8xDjAMBgNVBAMTBUFMSUNFMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEc5lVkeEBqX1HaN+n3h3EIqAwXKIrUCdi245PKmQPAJ901IjcX7Dnq0t2PKNZhOqwKZFNSHEJvkCuhcDNawTcMKM/MD0wDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0OBBYEFEZay4bJgYAR6YIifeQz/erxpN9XMAoGCCqGSM49BAMCA0gAMEUCIQCJiK2fi0DanMBVwiwKiP0JB6HPoJFZOZ5JN1GzSV25kwIgYDd+4B50jqCOp1UIo6GReTM6Q1GIOAGXpGKx/haDZWI="
}
