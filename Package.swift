// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Targets stand in rank order: a target depends only on targets above it (Scripts/target-order.sh checks).

import PackageDescription

let client: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let strict = client + [.strictMemorySafety()]
// A module built for library evolution does not tell whoever imports it what it imports itself. So a package that asks
// canImport(Security) and does not depend on this one, as swift-certificates, can import it: otherwise the compiler would look
// for the C modules far below, whose maps only dependents are given. Older SwiftPM refuses such flags in dependencies.
#if compiler(>=6.3)
    let evolving: [SwiftSetting] = [.unsafeFlags(["-enable-library-evolution"])]
    let silent: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-suppress-warnings"])]
#else
    let evolving: [SwiftSetting] = []
    let silent: [SwiftSetting] = []
#endif

// On Apple platforms the system's own Security is the one to use. The products exist there too, so that one dependency
// line serves all systems, but the product `Security` is empty and the wrappers stand on the system's module.
#if os(Linux)
    let products: [Product] = [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "KeychainWrappers", targets: ["KeychainWrappers"]),
        .executable(name: "llavero-try", targets: ["LlaveroTry"]),
        .executable(name: "llaverod", targets: ["llaverod"]),
        .executable(name: "llavero", targets: ["llavero"]),
        .executable(name: "llavero-prompt-agent", targets: ["llavero-prompt-agent"]),
    ]
    let targets: [Target] = [
        // Rank 0: the C libraries, the one compiled C target, the vocabulary.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CTSS2"),
        .target(name: "CSDBus"),
        .target(name: "CLinux"),
        .target(name: "KeychainModel", dependencies: ["CLinux"], swiftSettings: strict),

        // Rank 1: the numbers that calls end with, one codec, the typed requests, the enclave's promise, SQLite.
        .target(name: "KeychainStatus", dependencies: ["KeychainModel"], swiftSettings: strict),
        .target(name: "KeychainCoding", dependencies: ["KeychainModel"], swiftSettings: strict),
        .target(
            name: "KeychainRequest", dependencies: ["KeychainModel", "KeychainCoding"], swiftSettings: strict),
        // Apart from the requests, so that the daemon, which is sent those, does not load Foundation.
        .target(
            name: "KeychainParsing", dependencies: ["KeychainModel", "KeychainRequest"], swiftSettings: strict),
        .target(name: "KeychainEnclave", dependencies: ["KeychainModel"], swiftSettings: strict),
        .target(
            name: "KeychainSQLite", dependencies: ["CSQLite", "CLinux", "KeychainModel"], swiftSettings: strict),

        // Rank 2: who may, and how it is sealed.
        .target(
            name: "KeychainAuthorization", dependencies: ["KeychainModel", "KeychainRequest"], swiftSettings: strict),
        .target(
            name: "KeychainAuthentication", dependencies: ["CLinux", "CSDBus", "KeychainModel"],
            swiftSettings: strict),
        .target(
            name: "KeychainCrypto",
            dependencies: ["CLinux", "COpenSSL", "KeychainModel", "KeychainCoding", "KeychainEnclave"],
            swiftSettings: strict),
        .target(
            name: "KeychainEnclaveTPM",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainCoding", "KeychainEnclave", "KeychainCrypto",
                .target(name: "CTSS2", condition: .when(traits: ["TPM"])),
            ], swiftSettings: strict),
        .target(
            name: "KeychainEnclaveSoftware",
            dependencies: ["CLinux", "KeychainModel", "KeychainCoding", "KeychainEnclave", "KeychainCrypto"],
            swiftSettings: strict),

        .target(
            name: "KeychainKeys", dependencies: ["CLinux", "COpenSSL", "KeychainModel", "KeychainCrypto"],
            swiftSettings: strict),
        .target(
            name: "KeychainCertificates",
            dependencies: ["CLinux", "COpenSSL", "KeychainModel", "KeychainCoding", "KeychainCrypto", "KeychainKeys"],
            swiftSettings: strict),

        .target(
            name: "KeychainExchange",
            dependencies: [
                "KeychainModel", "KeychainStatus", "KeychainCrypto", "KeychainKeys", "KeychainCertificates",
            ], swiftSettings: strict),

        // Rank 2 and 3: the way to a daemon.
        .target(name: "CPeer"),
        .target(
            name: "KeychainIdentity", dependencies: ["CPeer", "KeychainModel", "KeychainCoding", "KeychainCrypto"],
            swiftSettings: strict),
        .target(
            name: "KeychainAudit",
            dependencies: ["CLinux", "KeychainModel", "KeychainCoding", "KeychainCrypto", "KeychainIdentity"],
            swiftSettings: strict),
        .target(
            name: "KeychainWire",
            dependencies: ["CLinux", "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainAudit"],
            swiftSettings: strict),
        .target(
            name: "KeychainTransport",
            dependencies: ["CLinux", "CPeer", "KeychainModel", "KeychainIdentity", "KeychainWire"],
            swiftSettings: strict),
        .target(
            name: "KeychainClient",
            dependencies: [
                "CLinux", "CPeer", "KeychainModel", "KeychainRequest", "KeychainIdentity", "KeychainAudit",
                "KeychainWire", "KeychainTransport",
            ], swiftSettings: strict),

        // Rank 2: what other stores have.
        .target(
            name: "KeychainImports", dependencies: ["CLinux", "KeychainModel", "KeychainCoding", "KeychainCrypto"],
            swiftSettings: strict),

        // Rank 3 to 5: sealed items at rest, the pipeline, and where the keychain is.
        .target(
            name: "KeychainStore",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainEnclave", "KeychainSQLite",
                "KeychainAuthorization", "KeychainCrypto", "KeychainKeys", "KeychainCertificates",
            ], swiftSettings: strict),
        .target(
            name: "KeychainEngine",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainEnclave", "KeychainSQLite",
                "KeychainAuthorization", "KeychainCrypto", "KeychainKeys", "KeychainCertificates",
                "KeychainAuthentication",
                "KeychainStore",
            ], swiftSettings: strict),
        .target(
            name: "KeychainConnection",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainEnclave", "KeychainSQLite",
                "KeychainCrypto", "KeychainEnclaveSoftware", "KeychainEnclaveTPM", "KeychainAuthentication",
                "KeychainStore", "KeychainEngine", "KeychainClient", "KeychainAudit",
            ], swiftSettings: strict),
        .target(
            name: "KeychainDaemon",
            dependencies: [
                "CLinux", "CPeer", "KeychainModel", "KeychainRequest", "KeychainIdentity", "KeychainAudit",
                "KeychainWire", "KeychainTransport", "KeychainAuthentication", "KeychainEngine", "KeychainConnection",
            ], swiftSettings: strict),

        // Rank 6 and 7: what the public imports.
        .target(name: "LlaveroFoundation", swiftSettings: strict + evolving + silent),
        .target(
            name: "Security",
            dependencies: [
                "LlaveroFoundation", "KeychainModel", "KeychainStatus", "KeychainCoding", "KeychainRequest",
                "KeychainParsing",
                "KeychainEnclave",
                "KeychainCrypto", "KeychainKeys", "KeychainCertificates", "KeychainExchange", "KeychainAuthentication",
                "KeychainEngine", "KeychainConnection",
            ],
            swiftSettings: strict + evolving),
        .target(
            name: "LocalAuthentication",
            dependencies: [
                "LlaveroFoundation", "KeychainModel", "KeychainRequest", "KeychainParsing", "KeychainConnection",
                "Security",
            ],
            swiftSettings: strict + evolving),
        .target(name: "KeychainWrappers", dependencies: ["Security"], swiftSettings: strict),

        // What programs say of themselves, and the pages of the manual that are made of it.
        .target(name: "KeychainManual", swiftSettings: strict),

        .executableTarget(
            name: "llaverod",
            dependencies: [
                "CPeer", "KeychainManual", "KeychainModel", "KeychainRequest", "KeychainIdentity", "KeychainAudit",
                "KeychainAuthentication",
                "KeychainEngine", "KeychainConnection", "KeychainDaemon",
            ], swiftSettings: strict),

        // Asks people for the system's daemon, as a process of theirs.
        .executableTarget(
            name: "llavero-prompt-agent",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainRequest", "KeychainAuthentication", "KeychainClient",
                "KeychainConnection",
            ], swiftSettings: strict),

        // What the command line tools share, and the tools; none of them loads Foundation, so that they begin at once.
        .target(
            name: "KeychainTools",
            dependencies: [
                "CLinux", "CPeer", "KeychainManual", "KeychainModel", "KeychainCoding", "KeychainRequest",
                "KeychainCrypto", "KeychainAudit",
                "KeychainAuthentication", "KeychainEngine", "KeychainConnection",
            ], swiftSettings: strict),
        .target(
            name: "SecurityTool",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainStatus", "KeychainRequest", "KeychainCrypto", "KeychainKeys",
                "KeychainCertificates", "KeychainExchange", "KeychainAuthentication", "KeychainEngine",
                "KeychainConnection", "KeychainManual", "KeychainTools",
            ], swiftSettings: strict),
        .target(
            name: "CredentialHelpers",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainCrypto", "KeychainKeys",
                "KeychainCertificates", "KeychainConnection", "KeychainTools",
            ], swiftSettings: strict),
        .executableTarget(
            name: "llavero",
            dependencies: [
                "CLinux", "KeychainManual", "KeychainTools", "SecurityTool", "CredentialHelpers", "KeychainModel",
                "KeychainCoding",
                "KeychainRequest", "KeychainCrypto", "KeychainCertificates",
                "KeychainIdentity", "KeychainAudit", "KeychainAuthentication", "KeychainEngine", "KeychainConnection",
                "KeychainImports",
            ], swiftSettings: strict),

        // Programs that show how it is used.
        .executableTarget(
            name: "FirstDemo", dependencies: ["Security", "KeychainWrappers"], path: "Examples/FirstDemo",
            swiftSettings: client),
        .executableTarget(
            name: "LlaveroTry", dependencies: ["Security"], path: "Examples/LlaveroTry", swiftSettings: client),

        // What tests run in processes of their own.
        .target(name: "TestSeed", path: "Tests/Support/TestSeed", swiftSettings: client),
        .target(
            name: "TestVaults", dependencies: ["TestSeed"], path: "Tests/Support/TestVaults", swiftSettings: client),
        .target(name: "CTestSupport", path: "Tests/Support/CTestSupport"),
        .target(
            name: "TestProcesses", dependencies: ["CTestSupport"], path: "Tests/Support/TestProcesses",
            swiftSettings: client),
        .target(
            name: "TestDaemon",
            dependencies: [
                "CPeer", "KeychainModel", "KeychainRequest", "KeychainIdentity", "KeychainAudit", "KeychainClient",
                "KeychainCrypto", "KeychainEnclave", "KeychainEngine", "KeychainConnection", "KeychainDaemon",
            ], path: "Tests/Support/TestDaemon", swiftSettings: client),
        .target(
            name: "TestSwtpm", dependencies: ["TestProcesses"], path: "Tests/Support/TestSwtpm", swiftSettings: client),
        .target(
            name: "CTLSTest", path: "Tests/Support/CTLSTest",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "COpenSSL", "KeychainModel", "KeychainCoding", "KeychainEnclave", "KeychainCrypto",
                "KeychainEnclaveTPM", "KeychainEnclaveSoftware", "KeychainKeys", "KeychainCertificates",
                "KeychainRequest", "KeychainIdentity", "KeychainAudit", "KeychainWire", "KeychainImports", "Security",
                "CredentialHelpers",
            ], path: "Fuzz/Targets", swiftSettings: client),
        .executableTarget(
            name: "llavero-fuzz", dependencies: ["FuzzTargets"], path: "Fuzz/Driver", swiftSettings: client),
        .target(
            name: "TestPrompts", dependencies: ["CTestSupport", "TestProcesses"], path: "Tests/Support/TestPrompts",
            exclude: ["Helper"], swiftSettings: client),
        .executableTarget(
            name: "llavero-prompt-helper",
            dependencies: ["KeychainModel", "KeychainAuthentication", "CLinux", "CTestSupport"],
            path: "Tests/Support/TestPrompts/Helper", swiftSettings: client),
        .executableTarget(
            name: "llavero-test-helper",
            dependencies: [
                "Security", "LocalAuthentication", "CTestSupport", "CPeer", "KeychainModel", "KeychainRequest",
                "KeychainIdentity",
                "KeychainWire", "KeychainTransport",
            ],
            path: "Tests/Support/TestHelper", swiftSettings: client),

        .testTarget(
            name: "KeychainModelTests", dependencies: ["KeychainModel", "CLinux", "TestSeed"], swiftSettings: client),
        .testTarget(
            name: "KeychainCodingTests", dependencies: ["KeychainModel", "KeychainCoding", "TestSeed"],
            swiftSettings: client),
        .testTarget(name: "KeychainSQLiteTests", dependencies: ["KeychainSQLite", "CLinux"], swiftSettings: client),
        .testTarget(
            name: "KeychainCryptoTests", dependencies: ["KeychainModel", "KeychainCrypto"], swiftSettings: client),
        .testTarget(
            name: "KeychainImportsTests",
            dependencies: [
                "KeychainModel", "KeychainCrypto", "KeychainImports", "TestProcesses", "TestSeed", "TestVaults",
            ], exclude: ["Fixtures"], swiftSettings: client),
        .testTarget(
            name: "KeychainEnclaveSoftwareTests",
            dependencies: [
                "CLinux", "KeychainModel", "KeychainEnclave", "KeychainCrypto", "KeychainEnclaveSoftware",
                "TestProcesses", "TestSeed",
            ], swiftSettings: client),
        .testTarget(
            name: "KeychainEnclaveTPMTests",
            dependencies: [
                "KeychainEnclaveTPM", "KeychainEnclave", "KeychainCoding", "KeychainCrypto", "KeychainModel",
                "TestSeed", "TestSwtpm",
            ], swiftSettings: client),
        .testTarget(
            name: "KeychainKeysTests", dependencies: ["KeychainModel", "KeychainKeys", "TestSeed"],
            swiftSettings: client),
        .testTarget(
            name: "KeychainCertificatesTests",
            dependencies: ["KeychainModel", "KeychainCrypto", "KeychainCertificates", "TestSeed", "TestProcesses"],
            swiftSettings: client),
        .testTarget(
            name: "KeychainAuthenticationTests",
            dependencies: [
                "KeychainModel", "KeychainAuthentication", "TestProcesses", "TestPrompts", "llavero-prompt-helper",
            ], swiftSettings: client),
        .testTarget(
            name: "AccessTests",
            dependencies: [
                "Security", "LocalAuthentication", "KeychainModel", "KeychainCrypto", "KeychainAuthentication",
                "KeychainEngine", "KeychainConnection", "CTestSupport", "TestProcesses", "TestPrompts", "TestSwtpm",
                "llavero-test-helper",
            ], swiftSettings: client),
        .executableTarget(
            name: "llavero-peer-helper", dependencies: ["CPeer"], path: "Tests/KeychainIdentityTests/Helper"),
        .target(name: "CPeerTest", path: "Tests/KeychainIdentityTests/Support"),
        .testTarget(
            name: "KeychainIdentityTests",
            dependencies: [
                "CPeer", "CPeerTest", "KeychainModel", "KeychainCrypto", "KeychainIdentity", "CTestSupport",
                "TestProcesses",
                "TestSeed", "llavero-peer-helper",
            ], exclude: ["Helper", "Support"], swiftSettings: client),
        .executableTarget(
            name: "llavero-audit-helper",
            dependencies: ["KeychainModel", "KeychainIdentity", "KeychainAudit"],
            path: "Tests/KeychainAuditTests/Helper", swiftSettings: client),
        .testTarget(
            name: "KeychainAuditTests",
            dependencies: [
                "KeychainModel", "KeychainIdentity", "KeychainAudit", "TestProcesses", "TestPrompts",
                "llavero-audit-helper",
            ], exclude: ["Helper"], swiftSettings: client),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "KeychainModel", "KeychainRequest", "KeychainSQLite", "KeychainConnection", "KeychainTools",
                "CTestSupport", "TestProcesses", "TestSeed", "TestVaults", "llavero-peer-helper", "llavero",
                "llaverod",
            ],
            swiftSettings: client),
        .testTarget(
            name: "CredentialHelperTests",
            dependencies: [
                "CredentialHelpers", "KeychainModel", "KeychainRequest", "KeychainConnection", "KeychainTools",
                "CTestSupport", "TestProcesses", "TestPrompts", "llavero",
            ], exclude: ["Server"], swiftSettings: client),
        .testTarget(
            name: "TranscriptTests",
            dependencies: ["CTestSupport", "TestProcesses", "TestPrompts", "llavero", "llaverod"],
            exclude: ["Transcripts"], swiftSettings: client),
        .testTarget(
            name: "KeychainWireTests",
            dependencies: [
                "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainAudit", "KeychainWire", "TestSeed",
            ], swiftSettings: client),
        .testTarget(
            name: "SecurityTests", dependencies: ["Security", "KeychainStatus", "TestProcesses"],
            swiftSettings: client),
        .testTarget(
            name: "EnclaveKeyTests", dependencies: ["Security", "CTestSupport", "TestProcesses", "TestSwtpm"],
            swiftSettings: client),
        .testTarget(
            name: "InteroperationTests", dependencies: ["Security", "CTLSTest", "TestProcesses", "TestSwtpm"],
            swiftSettings: client),
        .testTarget(name: "FuzzReplayTests", dependencies: ["FuzzTargets"], swiftSettings: client),
        .testTarget(
            name: "MalformedTests", dependencies: ["Security", "TestProcesses"], exclude: ["Fixtures"],
            swiftSettings: client),
        .testTarget(
            name: "ConformanceTests", dependencies: ["Security", "LocalAuthentication", "TestSwtpm", "TestDaemon"],
            swiftSettings: client),
        .testTarget(
            name: "KeychainDaemonTests",
            dependencies: [
                "CPeer", "KeychainModel", "KeychainRequest", "KeychainIdentity", "KeychainAudit", "KeychainClient",
                "KeychainConnection",
                "KeychainDaemon", "TestDaemon", "TestProcesses", "TestPrompts",
            ], swiftSettings: client),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "CPeer", "KeychainModel", "KeychainRequest", "KeychainIdentity", "KeychainAudit", "KeychainWire",
                "KeychainClient",
                "KeychainEngine", "KeychainConnection", "Security", "LocalAuthentication", "TestDaemon",
                "TestProcesses", "TestPrompts", "TestSeed", "TestSwtpm", "llavero-test-helper", "llavero",
                "llaverod", "llavero-prompt-agent",
            ], swiftSettings: client),
        .testTarget(
            name: "KeybagTests",
            dependencies: [
                "Security", "KeychainModel", "KeychainCoding", "KeychainSQLite", "KeychainCrypto",
                "KeychainEngine", "KeychainConnection", "TestSwtpm", "TestProcesses", "llavero-test-helper",
            ], swiftSettings: client),
        .testTarget(
            name: "KeybagCrashTests",
            dependencies: [
                "Security", "KeychainModel", "KeychainCoding", "KeychainEnclave", "KeychainSQLite", "KeychainCrypto",
                "KeychainEnclaveSoftware", "KeychainEnclaveTPM", "KeychainStore", "CTestSupport", "TestProcesses",
                "TestSeed", "TestSwtpm", "llavero-test-helper",
            ], swiftSettings: client),
        .testTarget(
            name: "KeychainStoreTests",
            dependencies: [
                "KeychainModel", "KeychainCoding", "KeychainRequest", "KeychainEnclave", "KeychainSQLite",
                "KeychainAuthorization", "KeychainCrypto", "KeychainEnclaveSoftware", "KeychainStore",
            ], swiftSettings: client),
        .testTarget(name: "TamperTests", dependencies: ["Security", "KeychainSQLite"], swiftSettings: client),
        .testTarget(name: "BadInputTests", dependencies: ["Security", "TestSeed"], swiftSettings: client),
        .testTarget(name: "KeychainRequestTests", dependencies: ["Security"], swiftSettings: client),
        .testTarget(name: "ModelTests", dependencies: ["Security", "TestSeed"], swiftSettings: client),
        .testTarget(
            name: "CrashTests", dependencies: ["TestProcesses", "TestSeed", "llavero-test-helper"],
            swiftSettings: client),
        .testTarget(
            name: "ConcurrencyTests",
            dependencies: ["Security", "TestProcesses", "llavero-test-helper", "llavero", "llaverod"],
            swiftSettings: client),
        .testTarget(
            name: "KeychainWrappersTests", dependencies: ["Security", "KeychainWrappers"], swiftSettings: client),
    ]
#else
    let products: [Product] = [
        .library(name: "Security", targets: ["LlaveroElsewhere"]),
        .library(name: "LocalAuthentication", targets: ["LlaveroElsewhere"]),
        .library(name: "KeychainWrappers", targets: ["KeychainWrappers"]),
    ]
    let targets: [Target] = [
        .target(name: "LlaveroElsewhere"),
        .target(name: "KeychainWrappers", swiftSettings: strict),
    ]
#endif

let package = Package(
    name: "llavero", products: products,
    traits: [
        .trait(name: "TPM", description: "Keychains kept by a TPM 2.0; needs the headers of tpm2-tss to build.")
    ],
    targets: targets)
