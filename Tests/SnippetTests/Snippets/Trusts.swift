// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Trust: policies, anchors, what was decided, and what a person said.
import Foundation
import Security

enum Trusts {
    static func make(_ chain: [SecCertificate], host: String?) -> SecTrust? {
        let policy = host.map { SecPolicyCreateSSL(true, $0 as CFString) } ?? SecPolicyCreateBasicX509()
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(chain as CFArray, policy, &trust)
        guard status == errSecSuccess else { return nil }
        return trust
    }

    static func pin(_ trust: SecTrust, to anchors: [SecCertificate]) -> Bool {
        guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
        else { return false }
        return SecTrustEvaluateWithError(trust, nil)
    }

    static func failure(_ trust: SecTrust) -> (code: Int, text: String)? {
        var error: CFError?
        if SecTrustEvaluateWithError(trust, &error) { return nil }
        guard let error else { return (0, "") }
        return (CFErrorGetCode(error), CFErrorCopyDescription(error) as String)
    }

    static func verdict(_ trust: SecTrust) -> String {
        var result = SecTrustResultType.invalid
        guard SecTrustGetTrustResult(trust, &result) == errSecSuccess else { return "unknown" }
        switch result {
        case .invalid: return "not looked at"
        case .proceed, .unspecified: return "trusted"
        case .deny: return "denied"
        case .recoverableTrustFailure: return "could be allowed"
        case .fatalTrustFailure: return "never"
        case .otherError: return "error"
        default: return "another one"
        }
    }

    /// As `await` code waits for the callback.
    static func evaluate(_ trust: SecTrust, on queue: DispatchQueue) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let status = SecTrustEvaluateAsyncWithError(trust, queue) { _, isTrusted, error in
                    if let error, !isTrusted {
                        continuation.resume(throwing: error as Error)
                    } else {
                        continuation.resume(returning: isTrusted)
                    }
                }
                if status != errSecSuccess {
                    continuation.resume(throwing: NSError(domain: NSOSStatusErrorDomain, code: Int(status)))
                }
            }
        }
    }

    /// What a person who clicked "continue" allowed.
    static func allow(_ trust: SecTrust) -> Data? {
        guard let exceptions = SecTrustCopyExceptions(trust) else { return nil }
        return SecTrustSetExceptions(trust, exceptions) ? exceptions as Data : nil
    }

    static func details(_ trust: SecTrust) -> (isExtended: Bool, at: Date?) {
        guard let result = SecTrustCopyResult(trust) as? [String: Any] else { return (false, nil) }
        return (
            result[kSecTrustExtendedValidation as String] as? Bool ?? false,
            result[kSecTrustEvaluationDate as String] as? Date
        )
    }

    static func at(_ date: Date, _ trust: SecTrust) -> Date {
        SecTrustSetVerifyDate(trust, date as CFDate)
        return Date(timeIntervalSinceReferenceDate: SecTrustGetVerifyTime(trust))
    }

    static func names(_ trust: SecTrust) -> [String] {
        (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? [])
            .compactMap { SecCertificateCopySubjectSummary($0) as String? }
    }

    static func serverKey(_ trust: SecTrust) -> Data? {
        guard let key = SecTrustCopyKey(trust) else { return nil }
        return SecKeyCopyExternalRepresentation(key, nil) as Data?
    }

    static func setPolicies(_ trust: SecTrust, _ hosts: [String]) -> Int {
        let policies = hosts.map { SecPolicyCreateSSL(true, $0 as CFString?) }
        SecTrustSetPolicies(trust, policies as CFTypeRef)
        var found: CFArray?
        SecTrustCopyPolicies(trust, &found)
        return (found as? [SecPolicy])?.count ?? 0
    }

    static func revocation(_ trust: SecTrust) -> Bool {
        let flags = kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse
        guard let policy = SecPolicyCreateRevocation(CFOptionFlags(flags)) as SecPolicy? else { return false }
        SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), policy] as CFArray)
        return SecTrustEvaluateWithError(trust, nil)
    }

    static func policyName(_ policy: SecPolicy) -> String? {
        let properties = SecPolicyCopyProperties(policy) as? [CFString: Any]
        return properties?[kSecPolicyName] as? String
    }

    static func policies() -> [SecPolicy] {
        let identifiers = [
            kSecPolicyAppleX509Basic, kSecPolicyAppleSSL, kSecPolicyAppleSMIME, kSecPolicyAppleEAP,
            kSecPolicyAppleCodeSigning, kSecPolicyAppleTimeStamping,
        ]
        return identifiers.compactMap { SecPolicyCreateWithProperties($0, nil) }
    }

    static func trustAlways(_ certificate: SecCertificate) -> OSStatus {
        let settings: [String: Any] = [
            kSecTrustSettingsPolicy: SecPolicyCreateSSL(true, nil),
            kSecTrustSettingsResult: SecTrustSettingsResult.trustRoot.rawValue,
        ]
        return SecTrustSettingsSetTrustSettings(certificate, .user, [settings] as CFTypeRef)
    }

    static func settings(_ certificate: SecCertificate) -> [SecTrustSettingsResult] {
        var found: CFArray?
        guard SecTrustSettingsCopyTrustSettings(certificate, .user, &found) == errSecSuccess else { return [] }
        return (found as? [[String: Any]] ?? []).compactMap {
            ($0[kSecTrustSettingsResult as String] as? UInt32).flatMap(SecTrustSettingsResult.init(rawValue:))
        }
    }

    static func forget(_ certificate: SecCertificate) -> Bool {
        SecTrustSettingsRemoveTrustSettings(certificate, .user) == errSecSuccess
    }

    static func options(_ trust: SecTrust) -> OSStatus {
        SecTrustSetOptions(trust, [.allowExpired, .leafIsCA])
    }

    static func anchors() -> Int {
        var anchors: CFArray?
        return SecTrustCopyAnchorCertificates(&anchors) == errSecSuccess ? CFArrayGetCount(anchors) : -1
    }
}
