// SPDX-License-Identifier: Apache-2.0

/// A parser that bytes nobody vouches for reach, and what it promises about them.
///
/// That nothing traps is promised by all of them; what else is said where each is.
package struct FuzzTarget: Sendable {
    /// The name on the command line, and of the folder of its corpus.
    package let name: String
    /// Gives the bytes to the parser; throws when it does not keep a promise.
    package let feed: @Sendable ([UInt8]) throws(BrokenPromise) -> FuzzOutcome

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    package static let all =
        certificates + keys + codings + stores + helpers + circles + [
            FuzzTarget(name: "import", feed: ImportFuzzing.feed), FuzzTarget(name: "query", feed: QueryFuzzing.feed),
            FuzzTarget(name: "wire-message", feed: WireFuzzing.feed),
            FuzzTarget(name: "elf-note", feed: SignedProgramFuzzing.feed),
            FuzzTarget(name: "wire-packet", feed: WireFuzzing.feedPacket),
            FuzzTarget(name: "other-stores", feed: OtherStoresFuzzing.feed),
            FuzzTarget(name: "other-stores-content", feed: OtherStoresFuzzing.feedContent),
            FuzzTarget(name: "wallet", feed: WalletFuzzing.feed),
            FuzzTarget(name: "one-time-code", feed: OneTimeCodeFuzzing.feed),
        ]

    private static let certificates = [
        FuzzTarget(name: "certificate", feed: CertificateFuzzing.feed),
        FuzzTarget(name: "name", feed: NameFuzzing.feed),
        FuzzTarget(name: "object-identifier", feed: ObjectIdentifierFuzzing.feed),
        FuzzTarget(name: "pem", feed: PEMFuzzing.feed),
        FuzzTarget(name: "pkcs12", feed: PKCS12Fuzzing.feed),
        FuzzTarget(name: "pkcs12-content", feed: PKCS12Fuzzing.feedContent),
        FuzzTarget(name: "private-key", feed: PrivateKeyFuzzing.feed),
        FuzzTarget(name: "encrypted-key", feed: PrivateKeyFuzzing.feedEncrypted),
        FuzzTarget(name: "status-response", feed: RevocationFuzzing.feedResponse),
        FuzzTarget(name: "cms", feed: MessageFuzzing.feed),
        FuzzTarget(name: "trust-settings", feed: MessageFuzzing.feedSettings),
        FuzzTarget(name: "revocation-list", feed: RevocationFuzzing.feedList),
    ]

    private static let keys = [
        FuzzTarget(name: "key", feed: KeyFuzzing.feed),
        FuzzTarget(name: "signature", feed: SignatureFuzzing.feed),
        FuzzTarget(name: "ciphertext", feed: CiphertextFuzzing.feed),
    ]

    private static let codings = [
        FuzzTarget(name: "property-list", feed: CodingFuzzing.feedPropertyList),
        FuzzTarget(name: "property-list-file", feed: CodingFuzzing.feedPropertyListFile),
        FuzzTarget(name: "attributes", feed: CodingFuzzing.feedAttributes),
        FuzzTarget(name: "secret", feed: CodingFuzzing.feedSecret),
        FuzzTarget(name: "time", feed: CodingFuzzing.feedTime),
        FuzzTarget(name: "access-control", feed: AccessControlFuzzing.feed),
    ]

    private static let helpers = [
        FuzzTarget(name: "git-message", feed: HelperFuzzing.feedGit),
        FuzzTarget(name: "docker-message", feed: HelperFuzzing.feedDocker),
        FuzzTarget(name: "openssh-key", feed: HelperFuzzing.feedKey),
    ]

    private static let circles = [
        FuzzTarget(name: "circle-card", feed: CircleFuzzing.feedCard),
        FuzzTarget(name: "circle-body", feed: CircleFuzzing.feedBody),
        FuzzTarget(name: "circle-entry", feed: CircleFuzzing.feedEntry),
        FuzzTarget(name: "circle-membership", feed: CircleFuzzing.feedMembership),
        FuzzTarget(name: "circle-log", feed: LogFuzzing.feedLog),
        FuzzTarget(name: "circle-state", feed: StateFuzzing.feed),
        FuzzTarget(name: "circle-joining", feed: LogFuzzing.feedJoining),
        FuzzTarget(name: "circle-chip", feed: ChipFuzzing.feed),
        FuzzTarget(name: "circle-head", feed: CircleFuzzing.feedHead),
        FuzzTarget(name: "sync-record", feed: SyncRecordFuzzing.feed),
        FuzzTarget(name: "sync-name", feed: SyncRecordFuzzing.feedName),
        FuzzTarget(name: "sync-share", feed: ViewShareFuzzing.feed),
    ]

    private static let stores = [
        FuzzTarget(name: "sealed-item", feed: SealedItemFuzzing.feed),
        FuzzTarget(name: "factor-envelope", feed: FactorEnvelopeFuzzing.feed),
        FuzzTarget(name: "keybag", feed: KeybagFuzzing.feed),
        FuzzTarget(name: "device-key", feed: DeviceKeyFuzzing.feed),
        FuzzTarget(name: "tpm-file", feed: TPMFileFuzzing.feed),
        FuzzTarget(name: "database-pages", feed: DatabasePagesFuzzing.feed),
        FuzzTarget(name: "backup", feed: BackupFuzzing.feed),
        FuzzTarget(name: "recovery-words", feed: RecoveryWordsFuzzing.feed),
        FuzzTarget(name: "audit-record", feed: AuditRecordFuzzing.feed),
        FuzzTarget(name: "persistent-reference", feed: PersistentReferenceFuzzing.feed),
        FuzzTarget(name: "secret-service-entry", feed: SecretServiceFuzzing.feedEntry),
        FuzzTarget(name: "secret-service-list", feed: SecretServiceFuzzing.feedList),
    ]
}
