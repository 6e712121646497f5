// SPDX-License-Identifier: Apache-2.0

/// A source of random bytes.
public typealias SecRandomRef = OpaquePointer

// `@safe nonisolated(unsafe)`: it is nil, which leads nowhere, and never changes.

/// The only source of random bytes: the kernel's.
@safe nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil
