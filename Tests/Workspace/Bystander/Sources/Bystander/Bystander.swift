// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Security)
    import Security
#endif
#if canImport(LocalAuthentication)
    import LocalAuthentication
#endif

/// A library for many systems that uses Security where there is one, and names no dependency for it.
public enum Bystander {
    /// Whether there is a Security for whoever builds this.
    public static var seesSecurity: Bool {
        #if canImport(Security)
            true
        #else
            false
        #endif
    }

    /// What a certificate is called; nil when it is none, or there is no Security.
    public static func summary(of der: Data) -> String? {
        #if canImport(Security)
            SecCertificateCreateWithData(nil, der as CFData).flatMap { SecCertificateCopySubjectSummary($0) as String? }
        #else
            nil
        #endif
    }

    #if canImport(LocalAuthentication)
        /// Whether a person could be asked.
        public static var canAsk: Bool { LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) }
    #endif
}
