// SPDX-License-Identifier: Apache-2.0

/// The few functions of SQLCipher's own SQLite that are needed, fetched by name.
struct SQLCipherDatabase {
    private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    private typealias Execute =
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?
        ) -> Int32
    private typealias Prepare =
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
        ) -> Int32
    private typealias BindText =
        @convention(c) (
            OpaquePointer, Int32, UnsafePointer<CChar>, Int32, OpaquePointer?
        ) -> Int32
    private typealias Simple = @convention(c) (OpaquePointer) -> Int32

    private let handle: OpaquePointer
    private let execute: Execute
    private let prepareStatement: Prepare
    private let bindText: BindText
    private let step: Simple
    private let reset: Simple
    private let finalize: Simple
    private let closeHandle: Simple

    init(_ library: DynamicLibrary, path: String) throws(WrongResult) {
        execute = try library.function("sqlite3_exec", unsafelyAs: Execute.self)
        prepareStatement = try library.function("sqlite3_prepare_v2", unsafelyAs: Prepare.self)
        bindText = try library.function("sqlite3_bind_text", unsafelyAs: BindText.self)
        step = try library.function("sqlite3_step", unsafelyAs: Simple.self)
        reset = try library.function("sqlite3_reset", unsafelyAs: Simple.self)
        finalize = try library.function("sqlite3_finalize", unsafelyAs: Simple.self)
        // The form that waits for the statements.
        closeHandle = try library.function("sqlite3_close_v2", unsafelyAs: Simple.self)
        let open = try library.function("sqlite3_open", unsafelyAs: Open.self)
        var handle: OpaquePointer?
        guard open(path, &handle) == 0, let handle else { throw WrongResult("no database at \(path)") }
        self.handle = handle
    }

    func close() { _ = closeHandle(handle) }

    func run(_ sql: String) throws(WrongResult) {
        let result = execute(handle, sql, nil, nil, nil)
        try WrongResult.unless(result == 0, "\(sql): \(result)")
    }

    /// Whether this is SQLCipher and not the ordinary SQLite, which ignores the key.
    func isEncrypting() throws(WrongResult) -> Bool {
        let statement = try prepare("pragma cipher_version")
        return step(statement.handle) == 100
    }

    func prepare(_ sql: String) throws(WrongResult) -> Statement {
        var statement: OpaquePointer?
        guard prepareStatement(handle, sql, -1, &statement, nil) == 0, let statement else {
            throw WrongResult("not prepared: \(sql)")
        }
        return Statement(handle: statement, database: self)
    }

    /// A statement with one text to bind.
    final class Statement {
        fileprivate let handle: OpaquePointer
        private let database: SQLCipherDatabase

        fileprivate init(handle: OpaquePointer, database: SQLCipherDatabase) {
            self.handle = handle
            self.database = database
        }

        deinit { _ = database.finalize(handle) }

        func run(_ text: String, expecting code: Int32) throws(WrongResult) {
            // Bound and stepped while the text is lent, so nothing need be copied.
            let result = text.withCString { characters in
                _ = database.bindText(handle, 1, characters, -1, nil)
                defer { _ = database.reset(handle) }
                return database.step(handle)
            }
            try WrongResult.unless(result == code, "SQLCipher answers \(result)")
        }
    }
}
