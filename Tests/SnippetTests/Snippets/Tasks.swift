// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Tasks, actors and values that cross them.
import Foundation
import LocalAuthentication
import Security

actor TokenStore {
    private let service: String
    private var cache: [String: Data] = [:]

    init(service: String) { self.service = service }

    func token(for account: String) throws -> Data? {
        if let cached = cache[account] { return cached }
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
            kSecReturnData: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = item as? Data else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
        cache[account] = data
        return data
    }

    func setToken(_ token: Data?, for account: String) throws {
        let base: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        ]
        cache[account] = token
        SecItemDelete(base as CFDictionary)
        guard let token else { return }
        let status = SecItemAdd(base.merging([kSecValueData: token]) { $1 } as CFDictionary, nil)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }
}

/// A key that goes from task to task: it does not change.
struct Signer: Sendable {
    let key: SecKey
    let certificate: SecCertificate?
    let control: SecAccessControl?

    func sign(_ data: Data) async throws -> Data {
        try await Task.detached { [key] in
            var error: Unmanaged<CFError>?
            guard let made = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, data as CFData, &error) else {
                throw error!.takeRetainedValue() as Error
            }
            return made as Data
        }.value
    }
}

func inParallel(_ count: Int, service: String) async -> Int {
    await withTaskGroup(of: OSStatus.self) { group in
        for index in 0..<count {
            group.addTask {
                SecItemAdd(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "\(index)",
                        kSecValueData: Data([UInt8(index)]),
                    ] as CFDictionary, nil)
            }
        }
        return await group.reduce(0) { $0 + ($1 == errSecSuccess ? 1 : 0) }
    }
}

@MainActor
func unlock(_ reason: String) async -> Result<Bool, LAError> {
    let context = LAContext()
    do {
        return .success(try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason))
    } catch let error as LAError {
        return .failure(error)
    } catch { return .failure(LAError(.authenticationFailed)) }
}

@MainActor final class LockModel {
    private(set) var isOpen = false
    private let context = LAContext()

    func open() async {
        var error: NSError?
        guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else { return }
        isOpen = (try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")) ?? false
    }

    func close() {
        context.invalidate()
        isOpen = false
    }
}

extension LAContext {
    func secret(_ account: String) -> (OSStatus, Data?) {
        interactionNotAllowed = false
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecReturnData as String: true, kSecUseAuthenticationContext as String: self,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        return (status, item as? Data)
    }

    static func protect(_ data: Data, account: String) -> OSStatus {
        let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)!
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecAttrAccessControl as String: control as Any, kSecValueData as String: data,
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }
}

enum Rights {
    static func safe(_ secret: Data) async throws -> Data {
        let right = LARight(requirement: .biometry(fallback: .devicePasscode))
        let saved = try await LARightStore.shared.saveRight(right, identifier: "snippet", secret: secret)
        try await saved.authorize(localizedReason: "Open the safe")
        defer { Task { await saved.deauthorize() } }
        return try await saved.secret.rawData
    }

    static func sign(_ data: Data) async throws -> Bool {
        let saved = try await LARightStore.shared.right(forIdentifier: "snippet")
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        guard saved.key.canSign(using: algorithm) else { return false }
        try await saved.authorize(localizedReason: "Sign")
        let signature = try await saved.key.sign(data, algorithm: algorithm)
        try await saved.key.publicKey.verify(data, signature: signature, algorithm: algorithm)
        return saved.state == .authorized
    }

    static func forget() async throws { try await LARightStore.shared.removeRight(forIdentifier: "snippet") }

    static func login(_ right: LARight) async -> String {
        do {
            try await right.checkCanAuthorize()
            try await right.authorize(localizedReason: "Log in")
        } catch LAError.userCancel {
            return "cancelled"
        } catch { return error.localizedDescription }
        switch right.state {
        case .authorized: return "welcome"
        case .authorizing, .notAuthorized, .unknown: return "no"
        @unknown default: return "?"
        }
    }
}

enum Machine {
    static func mechanisms() -> [String] {
        let state = LAEnvironment.currentUser.state
        return state.allMechanisms.filter(\.isUsable).map(\.localizedName)
    }

    static func hasPasscode() -> Bool { LAEnvironment.currentUser.state.userPassword?.isSet ?? false }

    static func fingers() -> (LABiometryType, Data?)? {
        guard let biometry: LAEnvironment.MechanismBiometry = LAEnvironment.currentUser.state.biometry else {
            return nil
        }
        return (biometry.biometryType, biometry.isEnrolled ? biometry.stateHash : nil)
    }

    static func hasChanged(since digest: Data?, _ context: LAContext) -> Bool {
        let state = context.domainState
        return state.biometry.stateHash != digest || !state.companion.availableCompanionTypes.isEmpty
    }
}
