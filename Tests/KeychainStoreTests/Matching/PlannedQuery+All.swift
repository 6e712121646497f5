// SPDX-License-Identifier: Apache-2.0

import KeychainModel

extension PlannedQuery {
    static let all = genericPasswords + internetPasswords + certificatesAndKeys + parts

    private static let genericPasswords = [
        PlannedQuery(.genericPassword, [.account, .service], goes: .uniqueKey("acct svce agrp sync")),
        PlannedQuery(.genericPassword, [.account, .service], groups: 2, goes: .uniqueKey("acct svce")),
        PlannedQuery(.genericPassword, [.account, .service], groups: 0, goes: .uniqueKey("acct svce")),
        PlannedQuery(
            .genericPassword, [.account, .service], groups: 2, isAnyKind: true, goes: .uniqueKey("acct svce")),
        PlannedQuery(
            .genericPassword, [.account, .service], groups: 2, isSorted: true,
            goes: .uniqueKey("acct svce", isSorted: true)),
        PlannedQuery(
            .genericPassword, [.account, .service, .label, .generic], groups: 2, goes: .uniqueKey("acct svce")),
        PlannedQuery(.genericPassword, [.service], goes: .column("svce")),
        PlannedQuery(.genericPassword, [.service], groups: 2, goes: .column("svce")),
        PlannedQuery(.genericPassword, [.service], groups: 0, isAnyKind: true, goes: .column("svce")),
        PlannedQuery(.genericPassword, [.service], groups: 2, accessibility: .always, goes: .column("svce")),
        PlannedQuery(.genericPassword, [.service, .label], groups: 2, goes: .column("svce")),
        PlannedQuery(.genericPassword, [.account], goes: .uniqueKey("acct", isSorted: true)),
        PlannedQuery(.genericPassword, [.account], groups: 2, goes: .uniqueKey("acct", isSorted: true)),
        PlannedQuery(.genericPassword, [.label], groups: 2, goes: .scan),
        PlannedQuery(.genericPassword, [.generic], goes: .scan),
        PlannedQuery(.genericPassword, [], goes: .scan),
        PlannedQuery(.genericPassword, [], groups: 2, goes: .scan),
        PlannedQuery(.genericPassword, [], groups: 0, isAnyKind: true, goes: .scan),
        PlannedQuery(.genericPassword, [.viewHint, .multiUser, .tokenID], groups: 2, goes: .scan),
        PlannedQuery(.genericPassword, [], isByReference: true, isAnyKind: true, goes: .reference),
        PlannedQuery(.genericPassword, [.account, .service], groups: 2, isByReference: true, goes: .reference),
    ]

    private static let internetPasswords = [
        PlannedQuery(
            .internetPassword, [.account, .server, .securityDomain, .protocol, .authenticationType, .port, .path],
            groups: 2, goes: .uniqueKey("acct srvr sdmn ptcl atyp port path")),
        PlannedQuery(.internetPassword, [.server], groups: 2, goes: .column("srvr")),
        PlannedQuery(.internetPassword, [.server, .port, .protocol], groups: 2, goes: .column("srvr")),
        PlannedQuery(.internetPassword, [.account, .server], goes: .uniqueKey("acct srvr", isSorted: true)),
        PlannedQuery(.internetPassword, [.account, .server], groups: 2, goes: .uniqueKey("acct srvr", isSorted: true)),
        PlannedQuery(.internetPassword, [.account], groups: 2, goes: .uniqueKey("acct", isSorted: true)),
        PlannedQuery(.internetPassword, [.path], groups: 2, goes: .scan),
        PlannedQuery(.internetPassword, [], isByReference: true, goes: .reference),
    ]

    private static let certificatesAndKeys = [
        PlannedQuery(
            .certificate, [.issuer, .serialNumber, .certificateType], groups: 2, goes: .uniqueKey("issr slnr ctyp")),
        PlannedQuery(
            .certificate, [.issuer, .serialNumber], groups: 2, goes: .uniqueKey("issr slnr", isSorted: true)),
        PlannedQuery(.certificate, [.issuer], groups: 2, goes: .uniqueKey("issr", isSorted: true)),
        PlannedQuery(.certificate, [.publicKeyHash], groups: 2, goes: .column("pkhh")),
        PlannedQuery(.certificate, [.subject], groups: 2, goes: .column("subj")),
        PlannedQuery(.certificate, [.label], groups: 2, goes: .column("labl")),
        PlannedQuery(.certificate, [.subjectKeyID], groups: 2, goes: .scan),
        PlannedQuery(.certificate, [], isByReference: true, goes: .reference),
        PlannedQuery(.key, [.applicationLabel], groups: 2, goes: .uniqueKey("klbl", isSorted: true)),
        PlannedQuery(.key, [.applicationLabel, .keyClass], goes: .uniqueKey("klbl", isSorted: true)),
        PlannedQuery(.key, [.applicationTag], groups: 2, goes: .column("atag")),
        PlannedQuery(.key, [.label], groups: 2, goes: .column("labl")),
        PlannedQuery(.key, [.alias], groups: 2, goes: .scan),
        PlannedQuery(.key, [], isByReference: true, goes: .reference),
    ]

    /// Parts of lists: none begins with the rows before it, and none walks a service for one account.
    private static let parts = [
        PlannedQuery(.genericPassword, [], isPart: true, goes: .scanBehind),
        PlannedQuery(.genericPassword, [], groups: 2, isAnyKind: true, isPart: true, goes: .scanBehind),
        PlannedQuery(.internetPassword, [], groups: 0, isAnyKind: true, isPart: true, goes: .scanBehind),
        PlannedQuery(.genericPassword, [.label], groups: 2, isPart: true, goes: .scanBehind),
        PlannedQuery(.genericPassword, [.service], groups: 2, isPart: true, goes: .columnBehind("svce")),
        PlannedQuery(.certificate, [.label], groups: 2, isPart: true, goes: .columnBehind("labl")),
        PlannedQuery(
            .genericPassword, [.account, .service], groups: 2, isPart: true,
            goes: .uniqueKey("acct svce", isSorted: true)),
        PlannedQuery(.genericPassword, [.account], groups: 2, isPart: true, goes: .uniqueKey("acct", isSorted: true)),
    ]
}
