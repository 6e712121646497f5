// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// What is left: tasks, shared web credentials, statuses of TLS, certificates and trust.
import Foundation
import Security

private func groups() -> Any? {
    let task = SecTaskCreateFromSelf(nil)!
    return SecTaskCopyValueForEntitlement(task, "keychain-access-groups" as CFString, nil)
}

private func share() {
    SecAddSharedWebCredential("example.org" as CFString, "ada" as CFString, "secret" as CFString) { error in
        print(error as Any)
    }
    SecRequestSharedWebCredential(nil, nil) { credentials, error in print(credentials as Any, error as Any) }
    print(SecCreateSharedWebCredentialPassword() as Any)
}

private var passwordKey: CFString { kSecSharedPassword }
private func isClosed(_ status: OSStatus) -> Bool { status == errSSLClosedGraceful || status == errSSLClosedAbort }

private func policy() {
    let policy = SecPolicyCreateWithProperties(
        kSecPolicyAppleSSL, [kSecPolicyName: "example.org", kSecPolicyClient: true] as CFDictionary)
    print(SecPolicyCopyProperties(policy!) as Any)
}

private func key(of trust: SecTrust) -> SecKey? {
    if #available(macOS 11, iOS 14, *) { return SecTrustCopyKey(trust) } else { return SecTrustCopyPublicKey(trust) }
}

private func evaluateLater(_ trust: SecTrust) {
    let queue = DispatchQueue.global()
    queue.async {
        _ = SecTrustEvaluateAsyncWithError(trust, queue) { _, isTrusted, error in print(isTrusted, error as Any) }
    }
}

private func identity(of certificate: SecCertificate) -> SecIdentity? {
    var identity: SecIdentity?
    return SecIdentityCreateWithCertificate(nil, certificate, &identity) == errSecSuccess ? identity : nil
}

private func parts(_ file: Data) throws -> (SecKey?, SecTrust) {
    var raw: CFArray?
    let options: NSDictionary = [kSecImportExportPassphrase as NSString: "secret"]
    let status = SecPKCS12Import(file as NSData, options, &raw)
    if status != errSecSuccess { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    let items = raw! as! [[String: AnyObject]]
    let identity = items[0][kSecImportItemIdentity as String] as! SecIdentity
    var key: SecKey?
    SecIdentityCopyPrivateKey(identity, &key)
    return (key, items[0][kSecImportItemTrust as String] as! SecTrust)
}

private func pinned(_ trust: SecTrust, _ pins: Set<Data>) -> Bool {
    var error: CFError?
    guard SecTrustEvaluateWithError(trust, &error) else { return false }
    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
    return chain.contains { pins.contains(SecCertificateCopyData($0) as Data) }
}

private func names(_ certificate: SecCertificate) -> (String?, String?) {
    var name: CFString?
    SecCertificateCopyCommonName(certificate, &name)
    return (SecCertificateCopySubjectSummary(certificate) as String?, name as String?)
}
