// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPostgres
internal import Glibc
internal import KeychainModel
internal import KeychainSync
internal import KeychainSystem

/// A connection to a server, for one thread at a time.
///
/// After an error `isUsable` says whether it can go on: an error of a statement leaves it as it was, everything else ends it.
// Safe: the connection is made in init and ended in deinit, and a result lives no longer than the call that reads it.
// Sendable: handed from one thread to another, never used by two.
@safe
final class PostgresConnection: @unchecked Sendable {
    private let functions: UnsafePointer<llv_pq>
    private let connection: OpaquePointer
    private let epoch: UInt32
    private(set) var isUsable = false
    /// When it was last used.
    private(set) var used = Instant.now
    private var hasHint = false

    /// Connects to the first of the hosts that lets us write.
    static func open(
        _ address: ServerAddress, password: SecretValue?, _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> PostgresConnection {
        var failure = CircleServerError.unreachable("The address names no host.")
        for host in address.hosts {
            do throws(CircleServerError) {
                return try PostgresConnection(address, host, password, deadline)
            } catch {
                switch error {
                // One that refuses says more than one that is down, and no other host should hide it.
                case .refused, .wrongPassword, .unprepared: throw error
                case .taken, .unreachable, .broken: failure = error
                }
            }
        }
        throw failure
    }

    private init(
        _ address: ServerAddress, _ host: ServerAddress.Host, _ password: SecretValue?, _ deadline: borrowing Deadline
    ) throws(CircleServerError) {
        llv_fork_watch()
        guard let functions = unsafe llv_pq_functions() else { throw PostgresFailure.noLibrary }
        try PostgresConnection.checkFiles(address)
        let options = try unsafe ConnectionOptions(address, host, password: password, functions.pointee)
        guard let connection = unsafe options.start(functions.pointee) else { throw PostgresFailure.outOfMemory }
        do throws(CircleServerError) {
            unsafe llv_pq_ignore_notices(connection)
            _ = unsafe functions.pointee.PQsetErrorVerbosity(connection, Int32(LLV_PQ_ERRORS_SQLSTATE))
            let isSocket = if case .socket = address.proof { true } else { false }
            try unsafe PostgresConnection.connect(connection, functions, atSocket: isSocket, deadline)
            if case .certificates = address.proof, unsafe functions.pointee.PQsslInUse(connection) != 1 {
                throw .refused("The server's connection is not encrypted.")
            }
            guard unsafe functions.pointee.PQsetnonblocking(connection, 1) == 0 else {
                throw PostgresFailure.outOfMemory
            }
        } catch {
            unsafe functions.pointee.PQfinish(connection)
            throw error
        }
        unsafe self.functions = functions
        unsafe self.connection = connection
        epoch = llv_fork_epoch()
        isUsable = true
    }

    deinit {
        // In a forked child the connection is the parent's: saying goodbye would end that one. Its memory is left.
        guard epoch == llv_fork_epoch() else {
            _ = unsafe close(functions.pointee.PQsocket(connection))
            return
        }
        unsafe functions.pointee.PQfinish(connection)
    }

    /// Whether it is this process's, and the server has neither ended it nor said anything since it was last used.
    var isAlive: Bool {
        guard isUsable, epoch == llv_fork_epoch() else { return false }
        takeWhatCame()
        return isUsable
    }

    /// Sends one statement, and hands its rows over one by one; their columns have these types.
    func rows(
        of statement: PostgresStatement, _ types: [PostgresType], most: Int, _ deadline: borrowing Deadline,
        _ read: (borrowing PostgresRow) throws(PostgresMisfit) -> Void
    ) throws(CircleServerError) {
        var failure: CircleServerError?
        var count = 0
        try using { () throws(CircleServerError) in
            try send(statement)
            guard unsafe functions.pointee.PQsetSingleRowMode(connection) == 1 else {
                throw PostgresFailure.broken("no rows")
            }
            try flush(deadline)
            while let result = unsafe try nextResult(deadline) {
                defer { unsafe functions.pointee.PQclear(result) }
                switch Int(unsafe functions.pointee.PQresultStatus(result)) {
                case LLV_PQ_SINGLE_TUPLE:
                    count += 1
                    guard count <= most else { throw PostgresFailure.broken("more rows than were asked for") }
                    try unsafe checkColumns(result, types)
                    do throws(PostgresMisfit) {
                        try unsafe read(PostgresRow(functions: functions, result: result))
                    } catch { throw PostgresFailure.broken("a value of another kind or size") }
                case LLV_PQ_TUPLES_OK: try unsafe checkColumns(result, types)
                case LLV_PQ_FATAL_ERROR: failure = unsafe failure ?? meaning(of: result)
                default: throw PostgresFailure.broken("neither rows nor an error")
                }
            }
            guard unsafe functions.pointee.PQtransactionStatus(connection) == LLV_PQ_TRANSACTION_IDLE else {
                throw failure ?? PostgresFailure.broken("a transaction that nobody began")
            }
        }
        if let failure { throw failure }
    }

    /// Sends statements in one go, as one transaction: all of them happen, or none.
    ///
    /// One alone is a transaction by itself.
    func transaction(_ statements: [PostgresStatement], _ deadline: borrowing Deadline) throws(CircleServerError) {
        var failure: CircleServerError?
        let begin = PostgresStatement(text: "begin isolation level read committed read write")
        let all = statements.count == 1 ? statements : [begin] + statements + [PostgresStatement(text: "commit")]
        try using { () throws(CircleServerError) in
            failure = try pipeline(all, deadline)
            // The server has stopped at the first error, in a transaction that has to be ended.
            if failure != nil, unsafe functions.pointee.PQtransactionStatus(connection) != LLV_PQ_TRANSACTION_IDLE {
                if let second = try pipeline([PostgresStatement(text: "rollback")], deadline) { throw second }
            }
            guard unsafe functions.pointee.PQtransactionStatus(connection) == LLV_PQ_TRANSACTION_IDLE else {
                throw PostgresFailure.broken("a transaction that does not end")
            }
        }
        if let failure { throw failure }
    }

    /// Sends one statement that answers nothing.
    func run(_ text: String, _ values: [PostgresValue], _ deadline: borrowing Deadline) throws(CircleServerError) {
        var failure: CircleServerError?
        try using { () throws(CircleServerError) in
            failure = try pipeline([PostgresStatement(text: text, values: values)], deadline)
        }
        if let failure { throw failure }
    }

    // MARK: Waking

    /// The socket, for whoever waits for hints.
    var socket: Int32 { unsafe functions.pointee.PQsocket(connection) }

    /// Whether another connection has sent a notification since this was last asked.
    func takeHint() -> Bool {
        defer { hasHint = false }
        return hasHint
    }

    /// Reads what came without being asked for: notifications, and that the server ends the connection.
    func takeWhatCame() {
        // A farewell and the end behind it are read one after the other.
        for _ in 0..<PostgresConnection.mostUnasked {
            var file = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&file, 1, 0) > 0 else { break }
            guard unsafe functions.pointee.PQconsumeInput(connection) == 1 else {
                isUsable = false
                return
            }
        }
        if unsafe functions.pointee.PQstatus(connection) != LLV_PQ_OK { isUsable = false }
        while let notification = unsafe functions.pointee.PQnotifies(connection) {
            if unsafe notification.pointee.be_pid != functions.pointee.PQbackendPID(connection) { hasHint = true }
            unsafe functions.pointee.PQfreemem(notification)
        }
    }

    // MARK: Sending and receiving

    /// Runs `body`; what it throws has ended the connection.
    private func using(_ body: () throws(CircleServerError) -> Void) throws(CircleServerError) {
        guard isUsable else { throw PostgresFailure.lost }
        isUsable = false
        try body()
        isUsable = true
        used = .now
    }

    /// Sends statements and reads what each answered; returns the first error of one.
    private func pipeline(
        _ statements: [PostgresStatement], _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> CircleServerError? {
        guard unsafe functions.pointee.PQenterPipelineMode(connection) == 1 else { throw PostgresFailure.lost }
        for statement in statements {
            try send(statement)
            // One after the other, so that no more than one lies in memory a second time.
            try flush(deadline)
        }
        guard unsafe functions.pointee.PQpipelineSync(connection) == 1 else { throw PostgresFailure.lost }
        try flush(deadline)
        var failure: CircleServerError?
        for statement in statements {
            guard let result = unsafe try nextResult(deadline) else { throw PostgresFailure.broken("no result") }
            defer { unsafe functions.pointee.PQclear(result) }
            switch Int(unsafe functions.pointee.PQresultStatus(result)) {
            case LLV_PQ_COMMAND_OK, LLV_PQ_TUPLES_OK: try unsafe checkDone(result, statement, failure)
            case LLV_PQ_FATAL_ERROR: failure = unsafe failure ?? meaning(of: result)
            case LLV_PQ_PIPELINE_ABORTED where failure != nil: break
            default: throw PostgresFailure.broken("neither a result nor an error")
            }
            if let extra = unsafe try nextResult(deadline) {
                unsafe functions.pointee.PQclear(extra)
                throw PostgresFailure.broken("a second result")
            }
        }
        guard let end = unsafe try nextResult(deadline) else { throw PostgresFailure.broken("no end") }
        defer { unsafe functions.pointee.PQclear(end) }
        guard unsafe functions.pointee.PQresultStatus(end) == LLV_PQ_PIPELINE_SYNC,
            unsafe functions.pointee.PQexitPipelineMode(connection) == 1
        else { throw PostgresFailure.broken("no end") }
        return failure
    }

    /// An INSERT that inserted all of its rows; a COMMIT that did commit: of a failed transaction it answers "ROLLBACK".
    private func checkDone(
        _ result: OpaquePointer, _ statement: PostgresStatement, _ failure: CircleServerError?
    ) throws(CircleServerError) {
        guard failure == nil else { throw PostgresFailure.broken("a result behind an error") }
        let tag = unsafe functions.pointee.PQcmdStatus(result).map { unsafe String(cString: $0) }
        if let count = statement.inserts, tag != "INSERT 0 \(count)" {
            throw PostgresFailure.broken("another number of rows than were inserted")
        }
        if statement.text == "commit", tag != "COMMIT" { throw PostgresFailure.broken("no commit") }
    }

    private func send(_ statement: PostgresStatement) throws(CircleServerError) {
        let values = statement.values
        let types = values.map(\.type)
        let lengths = values.map { Int32(clamping: $0.bytes.count) }
        let formats = values.map { _ in Int32(1) }
        // One memory for all of them: an array's own lives only as long as the call that it is lent for. A byte more, so that an
        // empty value has an address too, for without one it would be null.
        var all: [UInt8] = []
        all.reserveCapacity(values.reduce(1) { $0 + $1.bytes.count })
        var places: [Int] = []
        for value in values {
            places.append(all.count)
            all += value.bytes
        }
        all.append(0)
        let sent = unsafe all.withUnsafeBytes { all in
            let start = unsafe all.bindMemory(to: CChar.self).baseAddress
            return unsafe functions.pointee.PQsendQueryParams(
                connection, statement.text, Int32(values.count), types,
                places.map { place in unsafe start.map { unsafe $0 + place } },
                lengths, formats, 1)
        }
        guard sent == 1 else { throw PostgresFailure.lost }
    }

    /// Sends what lies in libpq's memory, and reads meanwhile: a server that waits for us to read would not read itself.
    private func flush(_ deadline: borrowing Deadline) throws(CircleServerError) {
        while true {
            switch unsafe functions.pointee.PQflush(connection) {
            case 0: return
            case 1:
                try PostgresConnection.wait(deadline, socket, POLLIN | POLLOUT)
                guard unsafe functions.pointee.PQconsumeInput(connection) == 1 else { throw PostgresFailure.lost }
            default: throw PostgresFailure.lost
            }
        }
    }

    /// The next result; nil at the end of those of a statement.
    private func nextResult(_ deadline: borrowing Deadline) throws(CircleServerError) -> OpaquePointer? {
        var start: UInt64?
        while unsafe functions.pointee.PQisBusy(connection) != 0 {
            // Everything that is read from here on belongs to one message; libpq would keep all of it, however long its sender
            // says it is.
            let read = llv_pq_read(socket)
            guard read <= (start ?? read) + PostgresConnection.longestMessage else {
                throw PostgresFailure.broken("too long a message")
            }
            start = start ?? read
            try PostgresConnection.wait(deadline, socket, POLLIN)
            guard unsafe functions.pointee.PQconsumeInput(connection) == 1 else { throw PostgresFailure.lost }
        }
        return unsafe functions.pointee.PQgetResult(connection)
    }

    private func checkColumns(_ result: OpaquePointer, _ types: [PostgresType]) throws(CircleServerError) {
        let columns = unsafe Int(functions.pointee.PQnfields(result))
        guard columns == types.count else { throw PostgresFailure.broken("another number of columns") }
        for (column, type) in types.enumerated() {
            guard unsafe functions.pointee.PQftype(result, Int32(column)) == type.rawValue,
                unsafe functions.pointee.PQfformat(result, Int32(column)) == 1
            else { throw PostgresFailure.broken("a column of another type") }
        }
    }

    /// What an error means; one without a code is the library's own, when the connection is gone.
    private func meaning(of result: OpaquePointer) -> CircleServerError {
        guard let code = unsafe functions.pointee.PQresultErrorField(result, Int32(LLV_PQ_FIELD_SQLSTATE)) else {
            return PostgresFailure.lost
        }
        let text = unsafe String(cString: code)
        let isCode =
            text.utf8.count == 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return isCode ? PostgresFailure.meaning(of: text) : PostgresFailure.broken("an error without a code")
    }

    // MARK: Connecting

    private static func connect(
        _ connection: OpaquePointer, _ functions: UnsafePointer<llv_pq>, atSocket: Bool, _ deadline: borrowing Deadline
    ) throws(CircleServerError) {
        var next = Int32(LLV_PQ_POLL_WRITING)
        var (stage, hadAnswer) = (Int32(LLV_PQ_BAD), false)
        while unsafe functions.pointee.PQstatus(connection) != LLV_PQ_BAD {
            let socket = unsafe functions.pointee.PQsocket(connection)
            try wait(deadline, socket, next == LLV_PQ_POLL_READING ? POLLIN : POLLOUT)
            stage = unsafe functions.pointee.PQstatus(connection)
            hadAnswer = hasAnswer(socket)
            next = unsafe functions.pointee.PQconnectPoll(connection)
            if next == LLV_PQ_POLL_OK { return }
            if next == LLV_PQ_POLL_FAILED { break }
        }
        let message = unsafe functions.pointee.PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
        let isLoggedIn = unsafe functions.pointee.PQparameterStatus(connection, "server_version") != nil
        throw PostgresFailure.ofConnecting(
            message, stage: stage, hadAnswer: hadAnswer, isLoggedIn: isLoggedIn, atSocket: atSocket)
    }

    /// Whether there is something to read: the other side said why, and did not just go away.
    private static func hasAnswer(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// libpq does not miss a list of revoked certificates that it cannot read.
    private static func checkFiles(_ address: ServerAddress) throws(CircleServerError) {
        guard case .certificates(let authority, let revoked, let own) = address.proof else { return }
        let files = (authority == "system" ? [] : [authority]) + [revoked, own?.file, own?.key].compactMap { $0 }
        for file in files where unsafe access(file, R_OK) != 0 {
            throw .refused("\(file), which the address names, cannot be read.")
        }
    }

    private static func wait(_ deadline: borrowing Deadline, _ socket: Int32, _ events: Int32) throws(CircleServerError)
    {
        do throws(WaitFailure) {
            _ = try deadline.wait(for: socket, events)
        } catch {
            switch error {
            case .cancelled: throw PostgresFailure.cancelled
            case .timedOut: throw PostgresFailure.slow
            case .failed(let number): throw .unreachable("The system does not wait for the server: errno \(number).")
            }
        }
    }

    private static let mostUnasked = 8
    /// A row with the largest body, and some more.
    private static let longestMessage = UInt64(CircleLimit.bodySize) + 1 << 20
}
