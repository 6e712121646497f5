// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem

/// The statements of a circle, each with the check of what it answers.
///
/// Values are always bound, never pasted; statements have no names, which a pgbouncer could not keep: so the text of those that go
/// with each change is short. What grows with what others put there ends, on the server, behind `CircleLimit.answerSize`.
struct CircleStatements {
    let circle: CircleID
    let connection: PostgresConnection

    func newest(_ chains: [CircleChain], _ deadline: borrowing Deadline) throws(CircleServerError) -> [ChainEnd] {
        guard !chains.isEmpty else { return [] }
        let text =
            "select coalesce(n,0),coalesce(sha256(body),'')from unnest($2)with ordinality t(v,i)left join lateral"
            + "(select n,body from llavero.lv_head h where circle=$1 and h.view=v order by n desc limit 1)e on true "
            + "order by i"
        let values: [PostgresValue] = [.bytes(circle.bytes), .list(chains.map(view))]
        var ends: [ChainEnd] = []
        try connection.rows(of: .init(text: text, values: values), [.number, .bytes], most: chains.count, deadline) {
            row throws(PostgresMisfit) in
            ends.append(ChainEnd(number: try row.count(0), digest: try row.bytes(1, most: 32)))
        }
        guard ends.count == chains.count else { throw PostgresFailure.broken("fewer chains than were asked for") }
        return ends
    }

    func chain(
        _ chain: CircleChain, behind number: UInt64, _ limit: Int, _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [ChainBody] {
        let limit = clamped(limit)
        let text = """
            select n, who, body from (
                select n, who, body, sum(octet_length(body)) over (order by n) - octet_length(body) as before from (
                    select n, who::text, body from llavero.lv_head
                    where circle = $1 and view = $2 and n > $3 order by n limit $4) as next) as sized
            where before < $5 order by n
            """
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(view(chain)), .number(Int64(clamping: number)), .number(Int64(limit)),
            answerSize,
        ]
        return try chainBodies(text, values, most: limit, deadline) { $0 > number }
    }

    func bodies(
        _ chain: CircleChain, _ numbers: [UInt64], _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [ChainBody] {
        let wanted = Set(numbers.compactMap { Int64(exactly: $0) })
        let bodies = "n,who::text,body from llavero.lv_head where circle=$1 and view=$2 and n=any($3)"
        var text = "select \(bodies)order by n"
        var values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(view(chain)), .list(wanted.sorted().prefix(CircleLimit.rows).map { $0 }),
        ]
        // A few fit into any answer.
        if wanted.count > CircleLimit.answerSize / CircleLimit.bodySize {
            text = """
                select n, who, body from (
                    select sum(octet_length(body)) over (order by n) - octet_length(body) as before, \(bodies)) as sized
                where before < $4 order by n
                """
            values.append(answerSize)
        }
        return try chainBodies(text, values, most: wanted.count, deadline) { wanted.contains(Int64(clamping: $0)) }
    }

    private func chainBodies(
        _ text: String, _ values: [PostgresValue], most: Int, _ deadline: borrowing Deadline,
        _ isWanted: (UInt64) -> Bool
    ) throws(CircleServerError) -> [ChainBody] {
        var bodies: [ChainBody] = []
        var size = AnswerSize()
        try connection.rows(of: .init(text: text, values: values), [.number, .text, .bytes], most: most, deadline) {
            row throws(PostgresMisfit) in
            let number = try row.count(0)
            // In order, so none comes twice.
            guard isWanted(number), number > bodies.last?.number ?? 0 else { throw PostgresMisfit() }
            let body = ChainBody(
                number: number, body: try row.bytes(2, most: CircleLimit.bodySize),
                who: try row.text(1, most: longestRole))
            try size.add(body.body)
            bodies.append(body)
        }
        return bodies
    }

    func records(
        _ view: SyncView, _ places: [SyncRecordPlace], _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [RecordBody] {
        // One look into the index for each place. A join is planned by statistics, which a new table lacks: it then reads the
        // whole view for each part of it.
        let text = """
            select place, body from (
                select p.place, r.body,
                    sum(octet_length(r.body)) over (order by p.place) - octet_length(r.body) as before
                from unnest($3::bigint[], $4::bigint[], $5::bytea[]) with ordinality as p(n, c, id, place)
                cross join lateral (select l.body from llavero.lv_record l
                    where l.circle = $1 and l.view = $2 and l.n = p.n and l.c = p.c and l.id = p.id limit 1) as r) as sized
            where before < $6 order by place
            """
        var known: Set<SyncRecordPlace> = []
        let list = places.prefix(CircleLimit.rows).filter {
            Int64(exactly: $0.head) != nil && known.insert($0).inserted
        }
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(view.bytes), .list(list.map { Int64(clamping: $0.head) }),
            .list(list.map(\.chance)), .list(list.map(\.id.bytes)), answerSize,
        ]
        var records: [RecordBody] = []
        var size = AnswerSize()
        records.reserveCapacity(list.count)
        // Which of those that were asked for it is, from 1 on; in order, so that none comes twice.
        var last: UInt64 = 0
        try connection.rows(
            of: .init(text: text, values: values), [.number, .bytes], most: list.count, deadline
        ) { row throws(PostgresMisfit) in
            let place = try row.count(0)
            guard place > last, place <= UInt64(list.count) else { throw PostgresMisfit() }
            last = place
            let record = RecordBody(
                place: list[Int(place) - 1], body: try row.bytes(1, most: CircleLimit.bodySize))
            try size.add(record.body)
            records.append(record)
        }
        return records
    }

    func headRecords(
        _ view: SyncView, _ heads: [SyncHeadPlace], behind id: SyncRecordID?, _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [RecordBody] {
        // One range of the index for each head, and no sorting: they come as they lie there. The sizes are summed up in that order.
        let text = """
            select place, id, body from (
                select h.place, r.id, r.body,
                    sum(octet_length(r.body)) over (rows unbounded preceding) - octet_length(r.body) as before
                from unnest($3, $4, $5) with ordinality as h(n, c, last, place)
                cross join lateral (select l.id, l.body from llavero.lv_record l
                    where l.circle = $1 and l.view = $2 and l.n = h.n and l.c = h.c and l.id > h.last
                    order by l.id limit $6) as r) as sized
            where before < $7 limit $8
            """
        let list = heads.prefix(CircleLimit.rows).filter { Int64(exactly: $0.number) != nil }
        guard !list.isEmpty else { return [] }
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(view.bytes), .list(list.map { Int64(clamping: $0.number) }),
            .list(list.map(\.chance)), .list(list.indices.map { $0 == 0 ? id?.bytes ?? [] : [] }),
            .number(Int64(CircleHead.greatestCount)), .number(Int64(CircleLimit.headsSize)),
            .number(Int64(CircleLimit.rows)),
        ]
        var records: [RecordBody] = []
        var size = AnswerSize(CircleLimit.headsSize)
        // Which of the heads it lies under, from 1 on.
        var last: (head: UInt64, id: SyncRecordID)?
        try connection.rows(
            of: .init(text: text, values: values), [.number, .bytes, .bytes], most: CircleLimit.rows, deadline
        ) { row throws(PostgresMisfit) in
            let place = try row.count(0)
            guard place > 0, place <= UInt64(list.count),
                let name = SyncRecordID(try row.bytes(1, size: SyncRecordID.size))
            else { throw PostgresMisfit() }
            let head = list[Int(place) - 1]
            // In order, so none comes twice.
            if let last, (place, name) <= last { throw PostgresMisfit() }
            last = (place, name)
            let record = RecordBody(
                place: SyncRecordPlace(head: head.number, chance: head.chance, id: name),
                body: try row.bytes(2, most: CircleLimit.bodySize))
            try size.add(record.body)
            records.append(record)
        }
        return records
    }

    /// Role after role, by the index: of each the same number, so that one that plants shares neither pushes out nor delays the others'.
    func shares(_ device: DeviceID, _ deadline: borrowing Deadline) throws(CircleServerError) -> [ShareBody] {
        let text = """
            with recursive roles(who) as (
                (select s.who from llavero.lv_share s where s.circle = $1 and s.device = $2 order by s.who limit 1)
                union all
                select (select s.who from llavero.lv_share s where s.circle = $1 and s.device = $2 and s.who > r.who
                    order by s.who limit 1) from roles r where r.who is not null)
            select c, body from (
                select c, body, place,
                    sum(octet_length(body)) over (order by place, c) - octet_length(body) as before
                from roles r cross join lateral (
                    select s.c, s.body, row_number() over (order by s.at desc, s.c) as place from llavero.lv_share s
                    where s.circle = $1 and s.device = $2 and s.who = r.who order by s.at desc, s.c limit $3) as newest
                where r.who is not null) as sized
            where before < $4 order by place, c limit $5
            """
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(device.bytes), .number(sharesOfOneRole), answerSize,
            .number(Int64(CircleLimit.rows)),
        ]
        var shares: [ShareBody] = []
        var size = AnswerSize()
        try connection.rows(
            of: .init(text: text, values: values), [.number, .bytes], most: CircleLimit.rows, deadline
        ) { row throws(PostgresMisfit) in
            let share = ShareBody(
                device: device, chance: try row.number(0), body: try row.bytes(1, most: CircleLimit.bodySize))
            try size.add(share.body)
            shares.append(share)
        }
        return shares
    }

    /// Role after role as well, for each of the devices: what the table has of others is not looked at.
    func seen(
        of devices: [DeviceID], _ limit: Int, _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [SeenBody] {
        let text = """
            with recursive roles(device, who) as (
                select d.device, (select s.who from llavero.lv_seen s where s.circle = $1 and s.device = d.device
                    order by s.who limit 1) from unnest($2) as d(device)
                union all
                select r.device, (select s.who from llavero.lv_seen s where s.circle = $1 and s.device = r.device
                    and s.who > r.who order by s.who limit 1) from roles r where r.who is not null)
            select device, k, body from (
                select device, k, body, who, row_number() over turn as rank,
                    sum(octet_length(body)) over turn - octet_length(body) as before from (
                    select device, who, k, body, row_number() over (partition by who order by place, device) as place
                    from roles r cross join lateral (
                        select s.k, s.body, row_number() over (order by s.k desc) as place from llavero.lv_seen s
                        where s.circle = $1 and s.device = r.device and s.who = r.who order by s.k desc limit $3) as newest
                    where r.who is not null and octet_length(body) <= $4) as numbered
                window turn as (order by place, who rows unbounded preceding)) as sized
            where rank <= $5 and before < $6 order by device, k desc, who
            """
        let wanted = Set(devices)
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .list(wanted.sorted().map(\.bytes)), .number(Int64(clamped(limit))),
            .number(Int64(CircleLimit.messageSize)), .number(Int64(CircleLimit.rows)), answerSize,
        ]
        var all: [SeenBody] = []
        var size = AnswerSize()
        try connection.rows(
            of: .init(text: text, values: values), [.bytes, .number, .bytes], most: CircleLimit.rows, deadline
        ) { row throws(PostgresMisfit) in
            guard let device = DeviceID(try row.bytes(0, size: DeviceID.size)), wanted.contains(device) else {
                throw PostgresMisfit()
            }
            let seen = SeenBody(
                device: device, counter: try row.count(1), body: try row.bytes(2, most: CircleLimit.messageSize))
            try size.add(seen.body)
            all.append(seen)
        }
        return all
    }

    func mail(
        _ box: MailBox, behind number: UInt64, _ limit: Int, _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [MailBody] {
        let limit = clamped(limit)
        let text = """
            select k, body from (
                select k, body, sum(octet_length(body)) over (order by k) - octet_length(body) as before from (
                    select k, body from llavero.lv_mail
                    where circle = $1 and box = $2 and k > $3 order by k limit $4) as next) as sized
            where before < $5 order by k
            """
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(box.bytes), .number(Int64(clamping: number)), .number(Int64(limit)),
            answerSize,
        ]
        var mail: [MailBody] = []
        var size = AnswerSize()
        try connection.rows(of: .init(text: text, values: values), [.number, .bytes], most: limit, deadline) {
            row throws(PostgresMisfit) in
            let body = MailBody(
                box: box, number: try row.count(0), body: try row.bytes(1, most: CircleLimit.bodySize))
            guard body.number > max(number, mail.last?.number ?? 0) else { throw PostgresMisfit() }
            try size.add(body.body)
            mail.append(body)
        }
        return mail
    }

    /// Role after role, by the index, so that what one role heaps up costs nothing.
    func newestMail(
        _ box: MailBox, _ each: Int, _ deadline: borrowing Deadline
    ) throws(CircleServerError) -> [MailBody] {
        let text = """
            with recursive roles(who) as (
                (select m.who from llavero.lv_mail m where m.circle = $1 and m.box = $2 order by m.who limit 1)
                union all
                select (select m.who from llavero.lv_mail m where m.circle = $1 and m.box = $2 and m.who > r.who
                    order by m.who limit 1) from roles r where r.who is not null)
            select k, who, body from (
                select k, who::text, body, at, row_number() over turn as rank,
                    sum(octet_length(body)) over turn - octet_length(body) as before
                from roles r cross join lateral (
                    select m.k, m.body, m.at, row_number() over (order by m.at desc, m.k desc) as place
                    from llavero.lv_mail m where m.circle = $1 and m.box = $2 and m.who = r.who
                    order by m.at desc, m.k desc limit $3) as newest
                where r.who is not null and octet_length(body) <= $4
                window turn as (order by place, at desc, k rows unbounded preceding)) as sized
            where rank <= $5 and before < $6 order by at, k
            """
        let values: [PostgresValue] = [
            .bytes(circle.bytes), .bytes(box.bytes), .number(Int64(clamped(each))),
            .number(Int64(CircleLimit.messageSize)), .number(Int64(CircleLimit.mail)),
            .number(Int64(CircleLimit.mailSize)),
        ]
        var mail: [MailBody] = []
        var numbers: Set<UInt64> = []
        var size = AnswerSize()
        try connection.rows(
            of: .init(text: text, values: values), [.number, .text, .bytes], most: CircleLimit.mail, deadline
        ) { row throws(PostgresMisfit) in
            let body = MailBody(
                box: box, number: try row.count(0), body: try row.bytes(2, most: CircleLimit.messageSize),
                who: try row.text(1, most: longestRole))
            guard numbers.insert(body.number).inserted else { throw PostgresMisfit() }
            try size.add(body.body)
            mail.append(body)
        }
        return mail
    }

    // MARK: Insertion

    /// All of it in one pipelined transaction: heads first, so that a number that is taken ends it before the rest is looked at.
    ///
    /// One head with its records, as a change makes it, is one statement, which needs no more around it.
    func insert(_ insertion: CircleInsertion, _ deadline: borrowing Deadline) throws(CircleServerError) {
        try check(insertion)
        var statements: [PostgresStatement] = []
        let parts = parts(of: insertion.records)
        if insertion.chains.count == 1, case .heads(let view) = insertion.chains[0].chain, parts.count == 1,
            parts[0].view == view, parts[0].head == insertion.chains[0].body.number
        {
            statements.append(commit(insertion.chains[0].body, parts[0]))
        } else {
            statements += insertion.chains.map { headStatement(view($0.chain), $0.body) }
            statements += parts.map(recordStatement)
        }
        statements += shareStatements(insertion.shares)
        for seen in insertion.seen {
            statements.append(
                .init(
                    text: "insert into llavero.lv_seen (circle, device, k, body) values ($1, $2, $3, $4)",
                    values: [
                        .bytes(circle.bytes), .bytes(seen.device.bytes), .number(Int64(clamping: seen.counter)),
                        .bytes(seen.body),
                    ], inserts: 1))
        }
        for mail in insertion.mail {
            statements.append(
                .init(
                    text: "insert into llavero.lv_mail (circle, box, k, body) values ($1, $2, $3, $4)",
                    values: [
                        .bytes(circle.bytes), .bytes(mail.box.bytes), .number(Int64(clamping: mail.number)),
                        .bytes(mail.body),
                    ], inserts: 1))
        }
        guard !statements.isEmpty else { return }
        try connection.transaction(statements, deadline)
    }

    private func headStatement(_ view: [UInt8], _ head: ChainBody) -> PostgresStatement {
        .init(
            text: "insert into llavero.lv_head(circle,view,n,body)values($1,$2,$3,$4)",
            values: [
                .bytes(circle.bytes), .bytes(view), .number(Int64(clamping: head.number)), .bytes(head.body),
            ], inserts: 1)
    }

    private func recordStatement(_ part: Part) -> PostgresStatement {
        .init(
            text:
                "insert into llavero.lv_record(circle,view,n,c,id,body)select $1,$2,$3,$4,i,b from unnest($5,$6)r(i,b)",
            values: [
                .bytes(circle.bytes), .bytes(part.view.bytes), .number(Int64(clamping: part.head)),
                .number(part.chance), .list(part.ids), .list(part.bodies),
            ], inserts: part.ids.count)
    }

    /// The records come from the head: where its number is taken, none of them is written.
    ///
    /// One record, as most changes have, goes without the arrays, which take 66 bytes.
    private func commit(_ head: ChainBody, _ part: Part) -> PostgresStatement {
        let isOne = part.ids.count == 1
        let (id, body): (PostgresValue, PostgresValue) =
            isOne ? (.bytes(part.ids[0]), .bytes(part.bodies[0])) : (.list(part.ids), .list(part.bodies))
        let records = isOne ? "$6,$7 from h" : "i,b from h,unnest($6,$7)r(i,b)"
        return .init(
            text: """
                with h as(insert into llavero.lv_head(circle,view,n,body)values($1,$2,$3,$4)returning 1)\
                insert into llavero.lv_record(circle,view,n,c,id,body)select $1,$2,$3,$5,\(records)
                """,
            values: [
                .bytes(circle.bytes), .bytes(part.view.bytes), .number(Int64(clamping: head.number)),
                .bytes(head.body), .number(part.chance), id, body,
            ], inserts: part.ids.count)
    }

    /// Records of one head that go in one statement.
    private struct Part {
        let view: SyncView
        let head: UInt64
        let chance: Int64
        var ids: [[UInt8]] = []
        var bodies: [[UInt8]] = []
        var size = 0
    }

    /// One part for the records of each head, and more when they are large.
    private func parts(of records: [(view: SyncView, record: RecordBody)]) -> [Part] {
        var parts: [Part] = []
        for (view, record) in records {
            let place = record.place
            let goesOn =
                parts.last.map { last in
                    last.view == view && last.head == place.head && last.chance == place.chance
                        && last.size < statementSize
                } ?? false
            if !goesOn { parts.append(Part(view: view, head: place.head, chance: place.chance)) }
            parts[parts.count - 1].ids.append(place.id.bytes)
            parts[parts.count - 1].bodies.append(record.body)
            parts[parts.count - 1].size += record.body.count
        }
        return parts
    }

    /// One statement for many: a removal gives each device that stays a share.
    private func shareStatements(_ shares: [ShareBody]) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        var rest = shares[...]
        while !rest.isEmpty {
            var size = 0
            let part = rest.prefix { share in
                let fits = size < statementSize
                size += share.body.count
                return fits
            }
            rest = rest.dropFirst(part.count)
            statements.append(
                .init(
                    text: """
                        insert into llavero.lv_share (circle, device, c, body)
                        select $1, device, c, body from unnest($2::bytea[], $3::bigint[], $4::bytea[]) as s(device, c, body)
                        """,
                    values: [
                        .bytes(circle.bytes), .list(part.map(\.device.bytes)), .list(part.map(\.chance)),
                        .list(part.map(\.body)),
                    ], inserts: part.count))
        }
        return statements
    }

    /// What the tables would refuse is not sent.
    private func check(_ insertion: CircleInsertion) throws(CircleServerError) {
        let sizes =
            insertion.chains.map(\.body.body.count) + insertion.records.map(\.record.body.count)
            + insertion.shares.map(\.body.count) + insertion.seen.map(\.body.count) + insertion.mail.map(\.body.count)
        guard sizes.allSatisfy({ $0 <= CircleLimit.bodySize }) else { throw .broken("A body is too large to be sent.") }
        let numbers =
            insertion.chains.map(\.body.number) + insertion.records.map(\.record.place.head)
            + insertion.seen.map(\.counter) + insertion.mail.map(\.number)
        guard numbers.allSatisfy({ $0 > 0 && Int64(exactly: $0) != nil }) else {
            throw .broken("A number is none that the tables can have.")
        }
    }

    /// The log is the chain of the view that has the circle's own name.
    private func view(_ chain: CircleChain) -> [UInt8] {
        switch chain {
        case .log: circle.bytes
        case .heads(let view): view.bytes
        }
    }

    private func clamped(_ limit: Int) -> Int { min(max(limit, 1), CircleLimit.rows) }

    private var answerSize: PostgresValue { .number(Int64(CircleLimit.answerSize)) }
    private var statementSize: Int { 8 << 20 }
    private var sharesOfOneRole: Int64 { 4096 }
    /// 63 bytes of a name.
    private var longestRole: Int { 63 }
}

/// How large an answer has become.
private struct AnswerSize {
    private let most: Int
    private var bytes = 0

    init(_ most: Int = CircleLimit.answerSize) { self.most = most }

    /// The server ends an answer behind the body that passes the limit; one that does not is no server of ours.
    mutating func add(_ body: [UInt8]) throws(PostgresMisfit) {
        guard bytes < most else { throw PostgresMisfit() }
        bytes += body.count
    }
}
