// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct FirstDemoTests {
    @Test("the first demo works: load nothing, save, load, delete, load nothing, save")
    func firstDemo() throws {
        try onFreshKeychain { _ in
            let service = "org.example.first-demo"
            #expect(MyKeychain.load(service, as: String.self) == nil)
            #expect(MyKeychain.save(service, data: "identifier"))
            #expect(MyKeychain.load(service, as: String.self) == "identifier")
            #expect(MyKeychain.delete(service))
            #expect(MyKeychain.load(service, as: String.self) == nil)
            #expect(MyKeychain.save(service, data: "identifier"))
            #expect(MyKeychain.load(service, as: String.self) == "identifier")
        }
    }
}
