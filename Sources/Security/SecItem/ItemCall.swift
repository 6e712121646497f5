// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// One call of a SecItem function, in three parts: the caller's objects are read, somebody may have to be asked, and the
/// caller's objects are made.
///
/// Only the middle takes long, and it needs nothing that belongs to the caller's thread.
protocol ItemCall: Sendable {
    associatedtype Answer: Sendable
    /// The keychain it is about.
    var host: any KeychainHost { get }
    /// How what items demand may be met.
    var authentication: AuthenticationTerms { get set }

    func answer() throws(KeychainError) -> Answer

    /// Sets a result to what was asked for, or leaves it alone where nothing was.
    func give(_ answer: Answer, to result: UnsafeMutablePointer<CFTypeRef?>?)
}

extension ItemCall {
    /// All three parts on the caller's thread.
    func run(_ result: UnsafeMutablePointer<CFTypeRef?>?) throws(KeychainError) {
        unsafe give(try answer(), to: result)
    }
}

extension ItemCall where Answer == Void {
    func give(_ answer: Void, to result: UnsafeMutablePointer<CFTypeRef?>?) {}
}
