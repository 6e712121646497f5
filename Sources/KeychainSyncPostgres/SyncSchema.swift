// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainSync
internal import KeychainSystem

/// The SQL that whoever runs the server runs once in the circle's database: tables, roles, rights, and a keeper.
///
/// Members read and insert; nobody updates, and only the keeper deletes. Its version goes up with each addition, and the text can be
/// run again over an older one: it adds what is missing.
package enum SyncSchema {
    package static let version = 3

    /// How a role logs in.
    package enum Login: Sendable, Equatable {
        /// What SCRAM compares with; the password itself is not in it.
        case password(ScramVerifier)
        /// A client certificate whose common name is the role's.
        case certificate
    }

    /// The tables, the three groups of roles, and their rights; needs a role that may create roles and owns the database.
    package static var setUp: String {
        """
        -- Llavero's tables for circles, version \(version). To be run by the owner of the database; running it again changes nothing.
        begin;
        set local search_path to '';
        set local client_min_messages to warning;
        \(groups.map(groupStatement).joined(separator: "\n"))
        create schema if not exists llavero;
        revoke all on schema llavero from public;
        grant usage on schema llavero to \(groups.joined(separator: ", "));

        create table if not exists llavero.lv_right (
            who name not null, circle bytea not null check (octet_length(circle) = 16), primary key (who, circle));
        -- The log of a circle is the view that has the circle's own name.
        create table if not exists llavero.lv_head (
            circle bytea not null, view bytea not null check (octet_length(view) = 16), n bigint not null check (n > 0),
            who name not null default current_user, at timestamptz not null default now(),
            body bytea not null check (octet_length(body) <= \(CircleLimit.bodySize)), primary key (circle, view, n));
        create table if not exists llavero.lv_record (
            circle bytea not null, view bytea not null check (octet_length(view) = 16), n bigint not null check (n > 0),
            c bigint not null, id bytea not null check (octet_length(id) = 16),
            who name not null default current_user, at timestamptz not null default now(),
            body bytea not null check (octet_length(body) <= \(CircleLimit.bodySize)), primary key (circle, view, n, c, id));
        -- Version 1 had a share for each key, which nothing reads any more: members give each other their keys anew.
        do $$ begin
            if exists (select from pg_catalog.pg_attribute a
                where a.attrelid = pg_catalog.to_regclass('llavero.lv_share') and a.attname = 'gen') then
                drop table llavero.lv_share;
            end if;
        end $$;
        create table if not exists llavero.lv_share (
            circle bytea not null, device bytea not null check (octet_length(device) = 16), c bigint not null,
            who name not null default current_user, at timestamptz not null default now(),
            body bytea not null check (octet_length(body) <= \(CircleLimit.bodySize)),
            primary key (circle, device, c));
        -- What one role heaps up is not in the way of what others wrote.
        create index if not exists lv_share_newest on llavero.lv_share (circle, device, who, at desc, c);
        -- Of each role its own numbers: nobody can take those of another.
        create table if not exists llavero.lv_seen (
            circle bytea not null, device bytea not null check (octet_length(device) = 16), k bigint not null check (k > 0),
            who name not null default current_user, at timestamptz not null default now(),
            body bytea not null check (octet_length(body) <= \(CircleLimit.bodySize)), primary key (circle, device, who, k));
        create table if not exists llavero.lv_mail (
            circle bytea not null, box bytea not null check (octet_length(box) = 16), k bigint not null check (k > 0),
            who name not null default current_user, at timestamptz not null default now(),
            body bytea not null check (octet_length(body) <= \(CircleLimit.bodySize)), primary key (circle, box, k));
        -- What one role heaps up is not in the way of what others wrote.
        create index if not exists lv_mail_newest on llavero.lv_mail (circle, box, who, at desc, k desc);

        -- Rows are those of the circles that a role has a right in. Who wrote a row and when are the server's words: no role may give
        -- these columns.
        \(tables.map(rights).joined(separator: "\n"))
        grant select on llavero.lv_right to \(groups.joined(separator: ", "));
        alter table llavero.lv_right enable row level security;
        drop policy if exists own on llavero.lv_right;
        create policy own on llavero.lv_right for select to lv_member, lv_joiner using (who = current_user);
        drop policy if exists keeper on llavero.lv_right;
        create policy keeper on llavero.lv_right for select to lv_keeper using (true);

        \(keep)
        comment on schema llavero is 'llavero \(version)';
        commit;
        """
    }

    /// A role for one member of a circle.
    package static func member(_ role: String, circle: CircleID, login: Login) throws(RoleNameRefusal) -> String {
        try withRight(role, circle: circle, group: "lv_member", login)
    }

    /// A role for those who want to join: it reads and writes the box of those alone.
    package static func joiner(_ role: String, circle: CircleID, login: Login) throws(RoleNameRefusal) -> String {
        try withRight(role, circle: circle, group: "lv_joiner", login)
    }

    /// The role that removes, every night, what nobody needs any more.
    package static func keeper(_ role: String, login: Login) throws(RoleNameRefusal) -> String {
        """
        begin;
        \(try roleStatements(role, group: "lv_keeper", login, longest: "2h"))
        commit;
        -- Every night, as that role: psql -X -c 'select * from llavero.keep()'
        """
    }

    /// Ends a role and its rights, unless it is there for something else; what it wrote stays, and says who wrote it.
    package static func drop(_ role: String) throws(RoleNameRefusal) -> String {
        let (text, name) = (try literal(role), try identifier(role))
        return """
            begin;
            do \(quoted("begin if exists (select from pg_catalog.pg_roles where rolname = \(text)) and not \(isOfCircle(text)) then raise exception using message = 'the role ' || \(text) || ' is none of a circle: nothing was dropped'; end if; end"));
            delete from llavero.lv_right where who = \(text);
            do \(quoted("begin if \(isOfCircle(text)) then alter role \(name) nologin password null; else raise notice using message = 'there is no role ' || \(text); end if; end"));
            commit;
            -- Its connections end now: a role without rights sees nothing, and keeps a connection that it has.
            do \(quoted("begin if \(isOfCircle(text)) then perform pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where usename = \(text); drop role \(name); end if; end"));
            """
    }

    /// Whether a role was made for a circle.
    private static func isOfCircle(_ text: String) -> String {
        "exists (select from pg_catalog.pg_auth_members m join pg_catalog.pg_roles r on r.oid = m.member join pg_catalog.pg_roles g on g.oid = m.roleid where r.rolname = \(text) and not r.rolsuper and g.rolname in ('lv_member', 'lv_joiner', 'lv_keeper'))"
    }

    // MARK: Roles

    private static func withRight(
        _ role: String, circle: CircleID, group: String, _ login: Login
    ) throws(RoleNameRefusal) -> String {
        """
        begin;
        \(try roleStatements(role, group: group, login))
        insert into llavero.lv_right (who, circle) values (\(try literal(role)), '\\x\(Hexadecimal.digits(of: circle.bytes))')
            on conflict do nothing;
        commit;
        """
    }

    /// `longest`: how long a statement of the role may take.
    private static func roleStatements(
        _ role: String, group: String, _ login: Login, longest: String = "2min"
    ) throws(RoleNameRefusal) -> String {
        let name = try identifier(role)
        let password =
            switch login {
            case .password(let verifier): "'\(verifier.text)'"
            case .certificate: "null"
            }
        return """
            -- A role that is here for something else keeps its password and its rights.
            do \(quoted("begin if not exists (select from pg_catalog.pg_roles where rolname = \(try literal(role))) then create role \(name); elsif not \(isOfCircle(try literal(role))) then raise exception using message = 'the role ' || \(try literal(role)) || ' exists and is none of a circle: choose another name'; else raise notice using message = 'the role ' || \(try literal(role)) || ' was there: it logs in as this text says from now on'; end if; end"));
            alter role \(name) login password \(password);
            grant \(group) to \(name);
            alter role \(name) set search_path to '';
            alter role \(name) set statement_timeout to '\(longest)';
            alter role \(name) set lock_timeout to '5s';
            alter role \(name) set idle_in_transaction_session_timeout to '1min';
            """
    }

    private static let groups = ["lv_member", "lv_joiner", "lv_keeper"]

    private static func groupStatement(_ name: String) -> String {
        """
        do $$ begin
            if not exists (select from pg_catalog.pg_roles where rolname = '\(name)') then create role \(name) nologin; end if;
        end $$;
        """
    }

    // MARK: Tables

    private static let tables: [(name: String, columns: String)] = [
        ("lv_head", "circle, view, n, body"), ("lv_record", "circle, view, n, c, id, body"),
        ("lv_share", "circle, device, c, body"), ("lv_seen", "circle, device, k, body"),
        ("lv_mail", "circle, box, k, body"),
    ]

    private static func rights(_ table: (name: String, columns: String)) -> String {
        let users = table.name == "lv_mail" ? "lv_member, lv_joiner" : "lv_member"
        let own = "circle in (select r.circle from llavero.lv_right r where r.who = current_user)"
        // The keeper never deletes anything of a log.
        let deletable = table.name == "lv_head" ? "view <> circle" : "true"
        return """
            revoke all on llavero.\(table.name) from public, \(groups.joined(separator: ", "));
            grant select, insert (\(table.columns)) on llavero.\(table.name) to \(users);
            grant select, delete on llavero.\(table.name) to lv_keeper;
            alter table llavero.\(table.name) enable row level security;
            drop policy if exists reading on llavero.\(table.name);
            create policy reading on llavero.\(table.name) for select to lv_member using (\(own));
            drop policy if exists writing on llavero.\(table.name);
            create policy writing on llavero.\(table.name) for insert to lv_member with check (\(own) and who = current_user);
            drop policy if exists keeper_reading on llavero.\(table.name);
            create policy keeper_reading on llavero.\(table.name) for select to lv_keeper using (true);
            drop policy if exists keeper_deleting on llavero.\(table.name);
            create policy keeper_deleting on llavero.\(table.name) for delete to lv_keeper using (\(deletable));
            \(table.name == "lv_mail" ? joinersMail(own) : "")
            """
    }

    /// The box of those who join, and no other: snapshots of the log have all cards and rights, proposals are for owners.
    private static func joinersMail(_ own: String) -> String {
        let joining = "\(own) and box = substr(sha256('llavero joining'::bytea || circle), 1, 16)"
        return """
            drop policy if exists joiner_reading on llavero.lv_mail;
            create policy joiner_reading on llavero.lv_mail for select to lv_joiner using (\(joining));
            drop policy if exists joiner_writing on llavero.lv_mail;
            create policy joiner_writing on llavero.lv_mail for insert to lv_joiner with check (\(joining) and who = current_user);
            """
    }

    // MARK: The keeper

    /// What the keeper runs: with the rights of whoever calls it, so it gives nobody any.
    private static let keep = """
        -- Removes what nobody needs any more. A record is superseded by one of the same name under a later head that the same role
        -- wrote; 30 days later it goes. Rows of roles without a right in the circle supersede nothing: who finds a stolen role within
        -- 30 days and drops it has lost nothing. Of a log nothing goes, and of each box and device the newest stays; of snapshots of the
        -- log those of each role's newest entry, for ever, for whoever was away reads them.
        -- Each row is compared with the newest of its kind, by hashes: whatever the statistics of the tables say, twice the rows take
        -- twice the time.
        create or replace function llavero.keep() returns table (what text, removed bigint) language sql volatile
        set search_path to '' set enable_nestloop to off set enable_mergejoin to off as $$
            with newest_records as (
                select r.circle, r.view, r.id, max(r.n) as n from llavero.lv_record r
                join llavero.lv_head h on h.circle = r.circle and h.view = r.view and h.n = r.n and h.who = r.who
                join llavero.lv_right w on w.circle = r.circle and w.who = r.who
                where r.at < now() - interval '30 days' group by r.circle, r.view, r.id),
            newest_heads as (
                select h.circle, h.view, max(h.n) as n from llavero.lv_head h group by h.circle, h.view),
            newest_seen as (
                select s.circle, s.device, s.who, max(s.k) as k from llavero.lv_seen s group by s.circle, s.device, s.who),
            newest_snapshots as (
                select m.circle, m.box, m.who, max(m.k) as k from llavero.lv_mail m
                where m.box = substr(sha256('llavero snapshot'::bytea || m.circle), 1, 16) group by m.circle, m.box, m.who),
            newest_mail as (
                select distinct on (m.circle, m.box) m.circle, m.box, m.at, m.k from llavero.lv_mail m
                where m.box <> substr(sha256('llavero snapshot'::bytea || m.circle), 1, 16)
                order by m.circle, m.box, m.at desc, m.k desc),
            old_records as (
                delete from llavero.lv_record old using newest_records new
                where new.circle = old.circle and new.view = old.view and new.id = old.id and new.n > old.n
                returning 1),
            lost_records as (
                delete from llavero.lv_record old where old.at < now() - interval '30 days'
                and not exists (select from llavero.lv_head h where h.circle = old.circle and h.view = old.view and h.n = old.n)
                returning 1),
            old_heads as (
                delete from llavero.lv_head old using newest_heads new
                where new.circle = old.circle and new.view = old.view and new.n > old.n
                and old.view <> old.circle and old.at < now() - interval '1 year'
                and not exists (select from llavero.lv_record r
                    where r.circle = old.circle and r.view = old.view and r.n = old.n)
                returning 1),
            old_seen as (
                delete from llavero.lv_seen old using newest_seen new
                where new.circle = old.circle and new.device = old.device and new.who = old.who and new.k > old.k
                and old.at < now() - interval '30 days'
                returning 1),
            old_snapshots as (
                delete from llavero.lv_mail old using newest_snapshots new
                where new.circle = old.circle and new.box = old.box and new.who = old.who and new.k - 16 > old.k
                and old.at < now() - interval '30 days'
                returning 1),
            old_mail as (
                delete from llavero.lv_mail old using newest_mail new
                where new.circle = old.circle and new.box = old.box
                and (old.at < now() - interval '1 year'
                    or old.at < now() - interval '30 days' and (new.at, new.k) > (old.at, old.k))
                returning 1)
            select 'records', count(*) from (select from old_records union all select from lost_records) r
            union all select 'heads', count(*) from old_heads
            union all select 'seen', count(*) from old_seen
            union all select 'mail', count(*) from (select from old_snapshots union all select from old_mail) m
        $$;
        revoke all on function llavero.keep() from public;
        grant execute on function llavero.keep() to lv_keeper;
        """

    // MARK: Names

    /// A role's name between quotation marks.
    static func identifier(_ name: String) throws(RoleNameRefusal) -> String {
        "\"\(try checked(name).marking("\"", with: "\""))\""
    }

    /// A role's name as text.
    static func literal(_ name: String) throws(RoleNameRefusal) -> String { quoted(try checked(name)) }

    private static func quoted(_ text: String) -> String {
        let text = text.marking("'", with: "'")
        // With a backslash in it, so that it does not matter what standard_conforming_strings says.
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return "'\(text)'" }
        return "E'\(text.marking("\\", with: "\\"))'"
    }

    private static func checked(_ name: String) throws(RoleNameRefusal) -> String {
        guard !name.isEmpty, name.utf8.count <= 63 else {
            throw RoleNameRefusal(description: "A role's name has 1 to 63 bytes.")
        }
        guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw RoleNameRefusal(description: "A role's name has no control characters.")
        }
        guard !name.begins(with: "pg_"),
            !["public", "none", "current_user", "session_user", "current_role"].contains(name),
            !groups.contains(name)
        else { throw RoleNameRefusal(description: "\"\(name)\" is no name that a role of a circle can have.") }
        return name
    }
}

/// Why a role cannot have that name; a sentence for a person.
package struct RoleNameRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
}
