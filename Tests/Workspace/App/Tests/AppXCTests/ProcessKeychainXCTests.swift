// SPDX-License-Identifier: Apache-2.0

import AppCore
import LocalAuthentication
import Security
import XCTest

/// The keychain of this whole test run: it has a passcode, and somebody who knows it.
enum TestKeychain {
    static let installed = Result {
        try IsolatedKeychain.installForProcess(passcode: "1234", person: ScriptedPerson(usually: .types("1234")))
    }
}

final class ProcessKeychainXCTests: XCTestCase {
    /// Made when XCTest lists the tests, long before `setUp`.
    let context = LAContext()

    override func setUpWithError() throws { _ = try TestKeychain.installed.get() }

    func testPropertyAndQueue() {
        XCTAssertEqual(Passwords.store("secret", for: "xctest", in: context), errSecSuccess)
        let read = expectation(description: "read on a queue")
        DispatchQueue.global().async { [context] in
            XCTAssertEqual(Passwords.read("xctest", in: context), "secret")
            read.fulfill()
        }
        wait(for: [read], timeout: 60)
    }

    func testPolicyWithCallback() {
        let asked = expectation(description: "asked")
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { isShown, error in
            XCTAssertTrue(isShown, "\(String(describing: error))")
            asked.fulfill()
        }
        wait(for: [asked], timeout: 60)
    }
}
