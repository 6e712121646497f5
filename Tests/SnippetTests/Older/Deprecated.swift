// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// What compiles with warnings, on a Mac as here: deprecated functions and casts that are doubtful.
import Foundation
import Security

private func isTrusted(_ trust: SecTrust) -> Bool {
    var result = SecTrustResultType.invalid
    guard SecTrustEvaluate(trust, &result) == errSecSuccess else { return false }
    switch result {
    case .proceed, .unspecified: return true
    case .deny, .recoverableTrustFailure, .fatalTrustFailure, .otherError, .invalid: return false
    @unknown default: return false
    }
}

enum OldTrusts {
    static func evaluateOld(_ trust: SecTrust, _ done: @escaping @Sendable (Bool) -> Void) {
        let queue = DispatchQueue.global(qos: .userInitiated)
        queue.async {
            SecTrustEvaluateAsync(trust, queue) { _, result in done(result == .proceed || result == .unspecified) }
        }
    }

    static func namesOld(_ trust: SecTrust) -> [String] {
        (0..<SecTrustGetCertificateCount(trust))
            .compactMap { SecTrustGetCertificateAtIndex(trust, $0) }
            .compactMap { SecCertificateCopySubjectSummary($0) as String? }
    }
}

private func isAllowed(_ trust: SecTrust) -> Bool {
    var result: SecTrustResultType = .invalid
    guard SecTrustEvaluate(trust, &result) == errSecSuccess else { return false }
    switch result {
    case .proceed, .unspecified: return true
    case .confirm, .deny, .recoverableTrustFailure, .fatalTrustFailure, .otherError, .invalid: return false
    @unknown default: return false
    }
}

private func asIdentity(_ item: CFTypeRef) -> SecIdentity? {
    guard CFGetTypeID(item) == SecIdentityGetTypeID() else { return nil }
    return unsafeBitCast(item, to: SecIdentity.self)
}

private func asKey(_ item: CFTypeRef?) -> SecKey? {
    guard let item, CFGetTypeID(item) == SecKeyGetTypeID() else { return nil }
    return (item as! SecKey)
}

private func path(_ keychain: SecKeychain?) -> String? {
    var length = UInt32(PATH_MAX)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    return SecKeychainGetPath(keychain, &length, &buffer) == errSecSuccess ? String(cString: buffer) : nil
}

private func publicKey(_ certificate: SecCertificate) -> SecKey? {
    var key: SecKey?
    return SecCertificateCopyPublicKey(certificate, &key) == errSecSuccess ? key : nil
}

private func rawSignature(_ key: SecKey, _ digest: Data) -> Data? {
    var signature = [UInt8](repeating: 0, count: SecKeyGetBlockSize(key))
    var count = signature.count
    let status = SecKeyRawSign(key, .PKCS1SHA256, Array(digest), digest.count, &signature, &count)
    return status == errSecSuccess ? Data(signature.prefix(count)) : nil
}

private func rawMessage(_ key: SecKey, _ text: Data) -> Data? {
    var sealed = [UInt8](repeating: 0, count: SecKeyGetBlockSize(key))
    var count = sealed.count
    guard SecKeyEncrypt(key, SecPadding.OAEP, Array(text), text.count, &sealed, &count) == noErr else { return nil }
    return Data(sealed.prefix(count))
}

private func item(_ data: Data) -> Int { (data as! CFData as Data).count }
private func truth(_ value: CFTypeRef) -> Bool { value as! Bool }
private func text(_ value: Any) -> String { (value as! CFString) as String }
