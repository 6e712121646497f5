// SPDX-License-Identifier: Apache-2.0

public import Security

// A completion that does not escape cannot be kept for later: the type says that it has run when the call returns.
extension Keychain {
    /// Stores data under a key, as ``insert(_:forKey:)`` does, and hands over how it went.
    public func insert(
        _ data: Data, forKey key: String, completion: (Result<Void, KeychainWrapperError>) -> Void
    ) {
        completion(result { () throws(KeychainWrapperError) in try insert(data, forKey: key) })
    }

    /// Replaces the data of a key, as ``update(_:forKey:)`` does, and hands over how it went.
    public func update(
        _ data: Data, forKey key: String, completion: (Result<Void, KeychainWrapperError>) -> Void
    ) {
        completion(result { () throws(KeychainWrapperError) in try update(data, forKey: key) })
    }

    /// Removes the entry of a key, as ``remove(_:)`` does, and hands over how it went.
    public func remove(_ key: String, completion: (Result<Void, KeychainWrapperError>) -> Void) {
        completion(result { () throws(KeychainWrapperError) in try remove(key) })
    }

    /// Hands over the data of a key, as ``find(_:)`` gives it: nil when there is no entry.
    public func find(_ key: String, completion: (Result<Data?, KeychainWrapperError>) -> Void) {
        completion(result { () throws(KeychainWrapperError) in try find(key) })
    }

    private func result<Value>(
        of work: () throws(KeychainWrapperError) -> Value
    ) -> Result<Value, KeychainWrapperError> {
        do throws(KeychainWrapperError) {
            return .success(try work())
        } catch {
            return .failure(error)
        }
    }
}
