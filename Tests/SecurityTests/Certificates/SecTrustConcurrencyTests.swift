// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Security
import Testing

@Suite("A trust object serves many threads")
struct SecTrustConcurrencyTests {
    private let chain: MadeChain

    init() throws {
        chain = try MadeChain()
    }

    @Test("which ask and change at the same time, and a stale answer is never kept")
    func changes() async throws {
        let trust = try chain.trust(SecPolicyCreateBasicX509())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let host = number.isMultiple(of: 2) ? "www.example.com" : "www.example.net"
                    SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as NSString))
                    _ = trust.code
                    _ = SecTrustGetCertificateCount(trust)
                }
            }
        }
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "www.example.net"))
        #expect(trust.result == .invalid)
        #expect(trust.code == errSecHostNameMismatch)
    }

    @Test("and calls back on a queue, once")
    func queue() async throws {
        let trust = try chain.trust(SecPolicyCreateSSL(true, "www.example.net"))
        let queue = DispatchQueue(label: "trust")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let (isTrusted, code, isOnQueue) = await withCheckedContinuation { continuation in
            let status = SecTrustEvaluateAsyncWithError(trust, queue) { _, isTrusted, error in
                let isOnQueue = DispatchQueue.getSpecific(key: key) == true
                continuation.resume(returning: (isTrusted, error?.code, isOnQueue))
            }
            #expect(status == errSecSuccess)
        }
        #expect(!isTrusted && isOnQueue)
        #expect(code == Int(errSecHostNameMismatch))
    }
}
