// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The Secret Service over D-Bus through libsecret, in this process.
struct SecretService {
    static let way = "libsecret call"

    private typealias NewTable =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeMutableRawPointer
        ) -> OpaquePointer?
    private typealias Insert =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?
        ) -> Int32
    private typealias Unref = @convention(c) (OpaquePointer) -> Void
    private typealias Store =
        @convention(c) (
            OpaquePointer?, OpaquePointer, UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>,
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32
    private typealias Lookup =
        @convention(c) (
            OpaquePointer?, OpaquePointer, OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?
        ) -> UnsafeMutablePointer<CChar>?
    private typealias Free = @convention(c) (UnsafeMutablePointer<CChar>?) -> Void

    private let table: NewTable
    private let insert: Insert
    private let unref: Unref
    private let store: Store
    private let lookup: Lookup
    private let free: Free
    private let hash: UnsafeMutableRawPointer
    private let equal: UnsafeMutableRawPointer
    private let password = "a secret of thirty-two characters"

    init() throws(WrongResult) {
        guard let library = DynamicLibrary(["libsecret-1.so.0"]) else { throw WrongResult("libsecret is missing") }
        table = try library.function("g_hash_table_new", unsafelyAs: NewTable.self)
        insert = try library.function("g_hash_table_insert", unsafelyAs: Insert.self)
        unref = try library.function("g_hash_table_unref", unsafelyAs: Unref.self)
        store = try library.function("secret_password_storev_sync", unsafelyAs: Store.self)
        lookup = try library.function("secret_password_lookupv_sync", unsafelyAs: Lookup.self)
        free = try library.function("secret_password_free", unsafelyAs: Free.self)
        hash = try library.address("g_str_hash")
        equal = try library.address("g_str_equal")
    }

    /// The daemon takes its name on the bus a moment after it was started.
    func waitUntilReady() throws(WrongResult) {
        for _ in 0..<100 {
            if (try? add("first")) != nil { return }
            usleep(50_000)
        }
        throw WrongResult("gnome-keyring does not answer")
    }

    func add(_ account: String) throws(WrongResult) {
        let stored = withAttributes(account) { attributes in
            var failure: OpaquePointer?
            return store(nil, attributes, nil, "A password", password, nil, &failure) != 0
        }
        try WrongResult.unless(stored == true, "gnome-keyring does not store")
    }

    func find(_ account: String) throws(WrongResult) {
        let isRight = withAttributes(account) { attributes in
            var failure: OpaquePointer?
            let found = lookup(nil, attributes, nil, &failure)
            defer { free(found) }
            return found.map { String(cString: $0) } == password
        }
        try WrongResult.unless(isRight == true, "gnome-keyring does not find")
    }

    private func withAttributes<Result>(_ account: String, _ body: (OpaquePointer) -> Result) -> Result? {
        guard let attributes = table(hash, equal) else { return nil }
        let texts = ["service", "service", "account", account].map { (text: String) in strdup(text) }
        _ = insert(attributes, texts[0], texts[1])
        _ = insert(attributes, texts[2], texts[3])
        defer {
            unref(attributes)
            for text in texts { Glibc.free(text) }
        }
        return body(attributes)
    }
}
