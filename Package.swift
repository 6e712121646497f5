// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// The targets from the lowest up: each stands only on targets above it (Scripts/target-order.sh checks, and
// Docs/Architecture.md has them as a picture with ranks). `.Model` is short for KeychainModel.

import PackageDescription

// On Apple platforms the system's own Security is the one to use. The products exist there too, so that one dependency
// line serves all systems, but the product `Security` is empty and the wrappers stand on the system's module.
#if os(Linux)
    let products: [Product] = [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "KeychainWrappers", targets: ["KeychainWrappers"]),
        .library(name: "CryptoKit", targets: ["CryptoKit"]),
        // Installed as libSecurity.so.1, under a name that no library of Swift's has in a build.
        .library(name: "SecurityC", type: .dynamic, targets: ["SecurityC"]),
        .executable(name: "llavero-try", targets: ["LlaveroTry"]),
        .executable(name: "llaverod", targets: ["llaverod"]),
        .executable(name: "llavero", targets: ["llavero"]),
        .executable(name: "llavero-prompt-agent", targets: ["llavero-prompt-agent"]),
    ]
    let targets: [Target] = [
        // The libraries of the system, the compiled C, what Swift makes of Linux, the vocabulary.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CTSS2"),
        .target(name: "CSDBus"),
        .target(name: "CPostgres"),
        .target(name: "CCurses"),
        .target(name: "CLinux"),
        .target(name: "CPeer"),
        .target(name: "CPages", dependencies: ["CSQLite"]),
        .target(name: "CVersion"),
        .target(name: "CSecurity", exclude: ["Headers", "Shim"]),
        room("KeychainSystem", on: "CLinux"),
        room("KeychainModel", on: "CLinux .System"),

        // The numbers that calls end with, one codec, the typed requests, SQLite.
        room("KeychainStatus", on: ".Model"),
        room("KeychainCoding", on: ".System .Model"),
        room("KeychainRequest", on: ".Model .Coding"),
        // Apart from the requests, so that the daemon, which is sent those, does not load Foundation.
        room("KeychainParsing", on: ".Model .Request"),
        room("KeychainSQLite", on: "CSQLite CPages CLinux .System .Model"),

        // Who may, who asks, and how it is sealed.
        room("KeychainAuthorization", on: ".Model .Request"),
        room("KeychainBus", on: "CSDBus CLinux .System .Model"),
        room("KeychainAuthentication", on: "CLinux .System .Bus .Model"),
        room("KeychainCrypto", on: "COpenSSL CLinux .System .Model .Coding"),
        room("KeychainBackup", on: "CLinux .Model .Coding .Crypto"),
        room("KeychainEnclaveSoftware", on: "CLinux .System .Model .Coding .Crypto"),
        room(
            "KeychainEnclaveTPM", on: "CLinux .System .Model .Coding .Crypto",
            also: [.target(name: "CTSS2", condition: .when(traits: ["TPM"]))]),
        room("KeychainKeys", on: "COpenSSL CLinux .System .Model .Coding .Crypto"),
        room("KeychainCertificates", on: "COpenSSL CLinux .System .Model .Coding .Crypto"),
        room("KeychainExchange", on: "COpenSSL .System .Model .Status .Coding .Crypto .Keys .Certificates"),
        room("KeychainOneTimeCodes", on: ".System .Model .Crypto"),
        room("KeychainImports", on: "CLinux .System .Model .Coding .Crypto .OneTimeCodes"),
        // A circle of devices as a machine that performs nothing itself.
        room("KeychainSync", on: ".System .Model .Coding .Request .Crypto"),
        room("KeychainSyncPostgres", on: "CPostgres CLinux .System .Model .Request .Crypto .Keys .Sync"),

        // The way to a daemon.
        room("ProgramSigning", on: ".System .Model .Coding .Crypto CPeer"),
        room("KeychainIdentity", on: ".System .Model .Coding .Crypto CPeer ProgramSigning"),
        room("KeychainAudit", on: "CLinux .System .Model .Coding .Crypto .Identity"),
        room("KeychainWire", on: "CLinux .System .Model .Coding .Request .Audit"),
        room("KeychainTransport", on: "CLinux .System .Model .Request CPeer .Identity .Audit .Wire"),

        // Sealed items at rest, the pipeline, where the keychain is, and who serves it to others.
        room(
            "KeychainStore",
            on: "CLinux .System .Model .Coding .Request .SQLite .Authorization .Crypto .Keys .Certificates"),
        room(
            "KeychainEngine",
            on: "CLinux .System .Model .Coding .Request .SQLite .Authorization .Authentication .Crypto .Keys",
            ".Certificates .Store"),
        room(
            "KeychainConnection",
            on: "CLinux .System .Model .Coding .Request .SQLite .Authentication .Crypto .EnclaveTPM .EnclaveSoftware",
            ".Audit .Transport .Store .Engine"),
        room(
            "KeychainDaemon",
            on: "CLinux .System .Bus .Model .Request .Authorization .Authentication CPeer ProgramSigning .Identity",
            ".Audit .Wire .Transport .Engine .Connection"),
        // This keychain in a circle: its keys there, and whoever performs what the machine of a circle wants.
        room("KeychainCircle", on: ".System .Model .Coding .Request .Crypto .Sync .SyncPostgres"),
        // The keychain for programs that speak the Secret Service on a message bus.
        room(
            "KeychainSecretService",
            on: "CLinux CPeer .System .Bus .Model .Coding .Request .Authentication .Crypto .Identity .Audit",
            ".Engine .Connection .Daemon"),

        // What the public imports.
        .target(name: "LlaveroFoundation", swiftSettings: Build.silent),
        room(
            "Security",
            on: ".System .Model .Status .Coding .Request .Parsing .Authentication .Crypto .Keys .Certificates",
            ".Exchange .Engine .Connection LlaveroFoundation", evolves: true),
        room(
            "LocalAuthentication",
            on: ".System .Model .Request .Parsing .Connection LlaveroFoundation Security", evolves: true),
        room("KeychainWrappers", on: "Security"),
        .target(
            name: "CryptoKit",
            dependencies: named([
                ".System .Model .Crypto .Keys .Exchange LlaveroFoundation Security LocalAuthentication"
            ]) + [.product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["SwiftCrypto"]))],
            swiftSettings: Build.withSwiftCrypto),
        // All of it takes and gives pointers of C's: with strict memory safety each line would be marked.
        .target(name: "SecurityC", dependencies: named(["CSecurity .Parsing Security"]), swiftSettings: Build.client),

        // The program that asks people for the daemon, the tools, and the daemon itself; without Foundation they begin at once.
        program("llavero-prompt-agent", on: "CLinux .System .Model .Request .Authentication .Transport .Connection"),
        room(
            "KeychainTools",
            on: "CLinux CVersion .System .Model .Coding .Request .SQLite .Authentication .Crypto .EnclaveTPM CPeer",
            ".Audit .Store .Engine .Connection"),
        // The full-screen browser as a machine without a terminal.
        room("KeychainBrowser", on: ".Model .Authentication .Tools"),
        program(
            "llaverod",
            on: ".System .Bus .Model .Request .Authentication CPeer .Identity .Audit .Engine .Connection .Daemon",
            ".Circle .SecretService .Tools"),
        room(
            "SecurityTool",
            on: "CLinux .System .Model .Status .Request .Authentication .Crypto .Keys .Certificates .Exchange .Engine",
            ".Connection .Tools"),
        room(
            "CredentialHelpers",
            on: "CLinux .System .Model .Coding .Request .Crypto .Keys .Exchange .Connection .Tools"),
        program(
            "llavero",
            on: "CLinux .System .Bus .Model .Coding .Request .Authentication .Crypto .Exchange ProgramSigning",
            ".Identity .Audit .Certificates .OneTimeCodes .Imports .Backup .Store .Engine .Connection .Sync .SyncPostgres .Circle .SecretService .Tools SecurityTool CredentialHelpers",
            "CCurses .Keys .Browser"
        ),

        // Programs that show how it is used.
        program("FirstDemo", on: "Security .Wrappers", at: "Examples/FirstDemo"),
        program("LlaveroTry", on: "Security", at: "Examples/LlaveroTry"),

        // What tests share, and what they run in processes of their own.
        support("TestSeed", at: "Tests/Support/TestSeed"),
        support("TestVaults", on: "TestSeed", at: "Tests/Support/TestVaults"),
        .target(name: "CTestSupport", path: "Tests/Support/CTestSupport"),
        support("TestProcesses", on: "CTestSupport", at: "Tests/Support/TestProcesses"),
        support(
            "TestDaemon",
            on: ".System .Model .Request .Crypto CPeer .Identity .Audit .Transport .Engine .Connection .Daemon",
            at: "Tests/Support/TestDaemon"),
        support("TestSwtpm", on: "TestProcesses", at: "Tests/Support/TestSwtpm"),
        support(
            "TestCertificates", on: ".Model .Certificates TestProcesses", at: "Tests/Support/TestCertificates"),
        support("TestPostgres", on: "TestProcesses", at: "Tests/Support/TestPostgres"),
        support("TestCircles", on: ".Model .Request .Crypto .Sync TestProcesses", at: "Tests/Support/TestCircles"),
        support(
            "TestPrograms", on: ".Model .Crypto ProgramSigning CTestSupport TestProcesses",
            at: "Tests/Support/TestPrograms"),
        .target(
            name: "CTLSTest", path: "Tests/Support/CTLSTest",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "CClientTest", path: "Tests/Support/CClientTest",
            cSettings: [.headerSearchPath("../../../Sources/CSecurity/Headers")]),
        .target(name: "CPeerTest", path: "Tests/KeychainIdentityTests/Support"),
        support("TestPrompts", on: "CTestSupport TestProcesses", at: "Tests/Support/TestPrompts", without: ["Helper"]),
        support(
            "FuzzTargets",
            on: "COpenSSL .Model .Coding .Request .Crypto .Backup .EnclaveTPM .EnclaveSoftware .Keys",
            ".Certificates .Exchange .Sync .Store ProgramSigning .Identity .Audit .Wire .SecretService .OneTimeCodes .Imports",
            "Security CredentialHelpers",
            at: "Fuzz/Targets"),
        program("llavero-fuzz", on: "FuzzTargets", at: "Fuzz/Driver"),
        program(
            "llavero-prompt-helper",
            on: "CLinux .System .Model .Authentication CTestSupport", at: "Tests/Support/TestPrompts/Helper"),
        program(
            "llavero-test-helper",
            on: ".System .Model .Request .SQLite CPeer .Identity .Wire .Transport .Connection Security",
            "LocalAuthentication CTestSupport",
            at: "Tests/Support/TestHelper"),
        program(
            "llavero-circle-measure",
            on: ".System .Model .Request .SQLite .Crypto .Store .Engine .Connection .Sync .SyncPostgres .Circle",
            "TestProcesses TestPostgres TestCircles", at: "Tests/Support/CircleMeasure"),
        program(
            "llavero-damage", on: ".Model .SQLite .Store .Connection Security", at: "Tests/Support/Damage"),
        program("llavero-peer-helper", on: "CPeer", at: "Tests/KeychainIdentityTests/Helper"),
        program("llavero-audit-helper", on: ".Model .Identity .Audit", at: "Tests/KeychainAuditTests/Helper"),

        // The tests: of one target each, then of the whole.
        tests("KeychainSystemTests", of: "CLinux .System TestSeed"),
        tests("KeychainModelTests", of: "CLinux .System .Model TestSeed"),
        tests("KeychainCodingTests", of: ".Model .Coding TestSeed"),
        tests("KeychainSQLiteTests", of: "CLinux .SQLite"),
        tests("KeychainCryptoTests", of: ".Model .Crypto"),
        tests("KeychainBackupTests", of: ".Model .Crypto .Backup TestSeed"),
        tests("KeychainOneTimeCodesTests", of: ".Model .Crypto .OneTimeCodes TestSeed"),
        tests(
            "KeychainImportsTests",
            of: ".Model .Crypto .OneTimeCodes .Imports TestSeed TestVaults TestProcesses", without: ["Fixtures"]),
        tests(
            "KeychainEnclaveSoftwareTests",
            of: "CLinux .Model .Crypto .EnclaveSoftware TestSeed TestProcesses"),
        tests("KeychainEnclaveTPMTests", of: ".Model .Coding .Request .Crypto .EnclaveTPM .Sync TestSeed TestSwtpm"),
        tests(
            "KeychainSyncTests",
            of: ".System .Model .Coding .Request .Crypto .Sync .SyncPostgres TestSeed TestProcesses TestPostgres",
            "TestCircles"),
        tests(
            "KeychainSyncPostgresTests",
            of:
                "CPostgres .System .Model .Request .Sync .SyncPostgres .Circle llavero TestSeed TestProcesses TestPostgres TestCircles",
            "llavero-test-helper"),
        tests(
            "KeychainCircleTests",
            of: ".Coding .Model .Request .Crypto .Engine .Connection .Sync .Circle TestCircles TestProcesses"),
        tests("KeychainKeysTests", of: ".Model .Keys TestSeed"),
        tests(
            "KeychainCertificatesTests", of: ".Model .Certificates .Exchange TestSeed TestCertificates"),
        tests("KeychainExchangeTests", of: ".Model .Certificates .Exchange TestCertificates"),
        tests(
            "KeychainAuthenticationTests",
            of: ".System .Model .Authentication TestProcesses TestPrompts llavero-prompt-helper"),
        tests(
            "AccessTests",
            of: ".System .Model .Authentication .Crypto .Engine .Connection Security LocalAuthentication CTestSupport",
            "TestProcesses TestSwtpm TestPrompts llavero-test-helper"),
        tests(
            "ProgramSigningTests",
            of: "ProgramSigning TestSeed TestProcesses TestPrograms llavero-peer-helper llavero-test-helper"),
        tests(
            "KeychainIdentityTests",
            of: ".System CPeer ProgramSigning .Identity CTestSupport TestProcesses TestPrograms llavero-peer-helper",
            "CPeerTest", without: ["Helper", "Support"]),
        tests(
            "KeychainAuditTests",
            of: ".Model .Identity .Audit TestProcesses TestPrompts llavero-audit-helper", without: ["Helper"]),
        tests("KeychainBrowserTests", of: ".Model .Tools .Browser", without: ["Terminal"]),
        tests(
            "CommandLineTests",
            of: ".Model .Request .SQLite .Connection llaverod .Tools llavero TestSeed TestVaults CTestSupport",
            "TestProcesses llavero-peer-helper"),
        tests(
            "CredentialHelperTests",
            of: ".Model .Request .Connection .Tools CredentialHelpers llavero CTestSupport TestProcesses TestPrompts",
            without: ["Server"]),
        tests(
            "TranscriptTests",
            of: "llaverod llavero CTestSupport TestProcesses TestPrompts", without: ["Transcripts"]),
        tests("KeychainWireTests", of: ".Model .Coding .Request .Audit .Wire TestSeed"),
        tests("SecurityTests", of: ".Status Security TestProcesses"),
        // Its programs are written as for a Mac: in Swift 6, with nothing turned on.
        tests("SnippetTests", of: "Security LocalAuthentication CryptoKit", without: ["Older"], settings: []),
        tests("EnclaveKeyTests", of: "Security CTestSupport TestProcesses TestSwtpm"),
        tests(
            "CryptoKitTests", of: "CryptoKit Security LocalAuthentication TestProcesses TestDaemon TestSwtpm"),
        tests("InteroperationTests", of: "Security TestProcesses TestSwtpm CTLSTest"),
        tests("FuzzReplayTests", of: "FuzzTargets"),
        tests("MalformedTests", of: "Security TestProcesses", without: ["Fixtures"]),
        tests(
            "ConformanceTests",
            of: ".Model .Request .Status .Connection Security LocalAuthentication SecurityC CClientTest TestDaemon",
            "TestSwtpm"),
        tests(
            "KeychainDaemonTests",
            of: ".System .Model .Request CPeer .Identity .Audit .Transport .Connection .Daemon TestProcesses",
            "TestDaemon TestPrompts"),
        tests(
            "KeychainSecretServiceTests",
            of: ".System .Bus .Model .Coding .Request .Authentication .Crypto .Engine .Connection .Daemon",
            ".SecretService TestSeed TestProcesses", without: ["Clients", "Desktop"]),
        tests(
            "DaemonTests",
            of: ".System .Model .Request CPeer .Identity .Audit .Wire .Transport .Engine .Connection Security",
            "LocalAuthentication llaverod llavero-prompt-agent llavero TestSeed TestProcesses TestDaemon",
            "TestSwtpm TestPrompts TestPostgres llavero-test-helper"),
        tests(
            "KeybagTests",
            of: ".Model .Coding .SQLite .Crypto .Engine .Connection Security TestProcesses TestSwtpm",
            "llavero-test-helper"),
        tests(
            "KeybagCrashTests",
            of: ".Model .Coding .SQLite .Crypto .EnclaveTPM .EnclaveSoftware .Store Security TestSeed CTestSupport",
            "TestProcesses TestSwtpm llavero-test-helper"),
        tests(
            "KeychainStoreTests",
            of: ".Model .Coding .Request .SQLite .Authorization .Crypto .EnclaveSoftware .Store"),
        tests("TamperTests", of: ".SQLite Security"),
        tests(
            "RepairTests",
            of: ".Model .Request .SQLite .Store .Connection Security llavero llavero-damage TestSeed TestProcesses"),
        tests("BadInputTests", of: "Security TestSeed"),
        tests("KeychainParsingTests", of: ".Parsing Security"),
        tests("ModelTests", of: "Security TestSeed"),
        tests("CrashTests", of: "TestSeed TestProcesses llavero-test-helper"),
        tests("ConcurrencyTests", of: "Security llaverod llavero TestProcesses llavero-test-helper"),
        tests("KeychainWrappersTests", of: "Security .Wrappers"),
    ]
#else
    let products: [Product] = [
        .library(name: "Security", targets: ["LlaveroElsewhere"]),
        .library(name: "LocalAuthentication", targets: ["LlaveroElsewhere"]),
        .library(name: "KeychainWrappers", targets: ["KeychainWrappers"]),
    ]
    let targets: [Target] = [
        .target(name: "LlaveroElsewhere"), .target(name: "KeychainWrappers", swiftSettings: Build.strict),
    ]
#endif

// One target's tests and what they stand on, and nothing else: Scripts/test-one sets this.
let part = Context.environment["LLAVERO_TESTS"].map { only($0, of: targets) } ?? targets

let package = Package(
    name: "llavero", products: products.filter { $0.isOf(part) },
    traits: [
        .trait(name: "TPM", description: "Keychains kept by a TPM 2.0; needs the headers of tpm2-tss to build."),
        .trait(
            name: "SwiftCrypto",
            description: "CryptoKit is swift-crypto's Crypto with SecureEnclave; without it, a module of our own."),
    ],
    // Fetched only where the trait SwiftCrypto is on; but SwiftPM would fetch what no target at all names.
    dependencies: part.contains { $0.name == "CryptoKit" }
        ? [.package(url: "https://github.com/apple/swift-crypto.git", "3.0.0"..<"5.0.0")] : [],
    targets: part)

// How the kinds of targets are built.

enum Build {
    static let client: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    static let strict = client + [.strictMemorySafety()]
    // A module built for library evolution does not tell its importers what it imports itself. So a package that asks
    // canImport(Security) and does not depend on this one, as swift-certificates, can import it: otherwise the compiler
    // looks for the C modules far below, whose maps only dependents are given. Older SwiftPM refuses such flags in
    // dependencies.
    #if compiler(>=6.3)
        static let evolving = strict + [.unsafeFlags(["-enable-library-evolution"])]
        static let silent = evolving + [.unsafeFlags(["-Xfrontend", "-suppress-warnings"])]
        // swift-crypto is not built for library evolution, and its import gets that warning.
        static let withSwiftCrypto =
            evolving + [.unsafeFlags(["-Xfrontend", "-suppress-warnings"], .when(traits: ["SwiftCrypto"]))]
    #else
        static let evolving = strict
        static let silent = strict
        static let withSwiftCrypto = strict
    #endif
}

/// The targets of lists such as "CLinux .Model .Coding".
func named(_ lists: [String]) -> [Target.Dependency] {
    lists.joined(separator: " ").split(separator: " ").map {
        .init(stringLiteral: $0.hasPrefix(".") ? "Keychain\($0.dropFirst())" : String($0))
    }
}

/// A part of the library or of its tools.
func room(
    _ name: String, on lists: String..., also others: [Target.Dependency] = [], evolves: Bool = false
) -> Target {
    .target(name: name, dependencies: named(lists) + others, swiftSettings: evolves ? Build.evolving : Build.strict)
}

/// A program; one of the product's, unless it lies elsewhere than in Sources.
func program(_ name: String, on lists: String..., at path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: named(lists), path: path, swiftSettings: path == nil ? Build.strict : Build.client)
}

/// What several test targets share.
func support(_ name: String, on lists: String..., at path: String, without excluded: [String] = []) -> Target {
    .target(name: name, dependencies: named(lists), path: path, exclude: excluded, swiftSettings: Build.client)
}

func tests(
    _ name: String, of lists: String..., without excluded: [String] = [], settings: [SwiftSetting] = Build.client
) -> Target {
    .testTarget(name: name, dependencies: named(lists), exclude: excluded, swiftSettings: settings)
}

/// The target of that name and all that it depends on, in their order.
func only(_ name: String, of targets: [Target]) -> [Target] {
    var wanted: Set = [name]
    // A target stands on targets above it, so one pass from below finds all of them.
    for target in targets.reversed() where wanted.contains(target.name) {
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): wanted.insert(name)
            default: break
            }
        }
    }
    return targets.filter { wanted.contains($0.name) }
}

extension Product {
    /// Whether all its targets are among these.
    func isOf(_ part: [Target]) -> Bool {
        let names = Set(part.map(\.name))
        switch self {
        case let library as Library: return names.isSuperset(of: library.targets)
        case let program as Executable: return names.isSuperset(of: program.targets)
        default: return true
        }
    }
}
