// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security

/// A keychain of fifty items: passwords of both kinds, a key and a certificate.
struct SampleKeychain {
    /// `closed`, or `live`: as a crash leaves it, with its last items in the log alone.
    let name: String
    /// What its files hold, by their paths.
    let files: [String: [UInt8]]

    static let names = ["closed", "live"]
    static let count = 50
    private static let countInLog = 4

    /// What is added as the item of a number.
    static func added(_ number: Int) -> [String: Any] {
        switch number {
        case 3, 47: ["class": "cert", "labl": "certificate \(number)", "v_Ref": certificate(number) as Any]
        case 5, 48:
            ["class": "keys", "labl": "key \(number)", "atag": Data("tag \(number)".utf8), "v_Ref": key(number) as Any]
        case _ where number % 3 == 1:
            [
                "class": "inet", "srvr": "www\(number % 5).example.org", "acct": "account \(number)", "ptcl": "htps",
                "port": 443, "path": "/", "labl": "site \(number)", "v_Data": secret(number),
            ]
        default:
            [
                "class": "genp", "svce": "service \(number % 7)", "acct": "account \(number)",
                "icmt": "comment \(number)", "v_Data": secret(number),
            ]
        }
    }

    private static func secret(_ number: Int) -> Data {
        // One fills pages of its own.
        Data((0..<(number == 20 ? 5000 : 24 + number)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
    }

    /// Makes both keychains below a folder.
    static func make(in ground: URL) throws {
        for name in names {
            let root = ground.appendingPathComponent("making-\(name)")
            try FileManager.default.createDirectory(
                at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let keychain = try IsolatedKeychain(.folder(root))
            for number in 0..<count {
                if number == count - countInLog { keychain.reopen() }
                let status = keychain.use { SecItemAdd(added(number) as CFDictionary, nil) }
                guard status == errSecSuccess else { throw Trouble("item \(number): \(status)") }
            }
            if name == "closed" { keychain.reopen() }
            // With the log as it is now: the keychain is still open.
            try FileManager.default.copyItem(at: root, to: ground.appendingPathComponent(name))
        }
    }

    init(_ name: String, in ground: URL) throws {
        self.name = name
        let root = ground.appendingPathComponent(name).path
        var files: [String: [UInt8]] = [:]
        for path in FileManager.default.subpaths(atPath: root) ?? [] {
            var status = stat()
            guard lstat("\(root)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            files[path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")))
        }
        self.files = files
    }

    /// Where the bytes of each item lie in a file: the cells of its row, with what they have on pages of their own.
    ///
    /// `rows` are the items' sealed columns, by the items' names. In a log a row lies more than once.
    static func places(of rows: [String: [UInt8]], in content: [UInt8], isLog: Bool) -> [String: [Range<Int>]] {
        let starts = Array(stride(from: isLog ? 56 : 0, to: content.count, by: isLog ? 4120 : 4096))
        return rows.mapValues { row in
            var places: [Range<Int>] = []
            for page in starts {
                let end = min(page + 4080, content.count)
                // The whole row, or the beginning of one that goes on elsewhere.
                if let found = position(of: row.prefix(400), in: content, page..<end) {
                    places.append(cell(around: found, page: page, in: content))
                } else if row.count > 4096 {
                    // A page of its own has the next one's number, then a part of the row.
                    let part = content[page + 4..<min(page + 36, end)]
                    if position(of: part, in: row, 0..<row.count) != nil { places.append(page..<end) }
                }
            }
            return places
        }
    }

    /// From the beginning of the cell that a byte of a page is in to the beginning of the next one.
    private static func cell(around place: Int, page: Int, in content: [UInt8]) -> Range<Int> {
        func number(_ at: Int) -> Int { Int(content[at]) << 8 | Int(content[at + 1]) }
        let header = page + (page == 0 ? 100 : 0)
        let cells = (0..<number(header + 3)).map { page + number(header + 8 + 2 * $0) }
        return (cells.filter { $0 <= place }.max() ?? place)..<(cells.filter { $0 > place }.min() ?? page + 4080)
    }

    private static func position(
        of bytes: ArraySlice<UInt8>, in content: [UInt8], _ range: Range<Int>
    ) -> Int? {
        let part = Data(content[range])
        return part.range(of: Data(bytes)).map { range.lowerBound + $0.lowerBound - part.startIndex }
    }

    /// The column `data` of each item of a keychain, by its persistent reference without the class.
    static func rows(of database: String) throws -> [[UInt8]: [UInt8]] {
        let connection = try SQLiteConnection(path: database, mode: .readWrite)
        defer { connection.close() }
        var rows: [[UInt8]: [UInt8]] = [:]
        for table in ["genp", "inet", "cert", "keys"] {
            let statement = try connection.prepare("select persistref, data from \(table)")
            while try statement.step() { rows[statement.blob(0)] = statement.blob(1) }
        }
        return rows
    }

    // MARK: A key and a certificate

    private static func key(_ number: Int) -> SecKey? {
        let attributes: [String: Any] = ["type": "73", "kcls": "1", "bsiz": 256]
        return Data(base64Encoded: number == 5 ? keys[0] : keys[1]).flatMap {
            SecKeyCreateWithData($0 as CFData, attributes as CFDictionary, nil)
        }
    }

    private static func certificate(_ number: Int) -> SecCertificate? {
        Data(base64Encoded: certificates[number == 3 ? 0 : 1]).flatMap {
            SecCertificateCreateWithData(nil, $0 as CFData)
        }
    }

    private static let keys = [
        "BJqZtAcBxTLULBWR2+9+I6tFo3NCrZtFoDcMSMDxHdiIFUun3STgGu7Ai57gu36//KuRV88DN/IHnvWeSjYHEgXeUte5QTw3MVaE"
            + "GH+5JLIloQO0SzHVdA+w4e3dJNvDIQ==",
        "BA2vAYSKPrjlic5uZNvECnRD4GEvgnEz8rWFLFNXRH7rcyGJSpeQQVKKFpC5I/0t8L7rjeHRwlrWssmfw0oUl8weksHzJDv+4GoZ"
            + "4FaGBZc8g4M8LHoSs6YKEFaVe2JuOw==",
    ]
    private static let certificates = [
        "MIIBezCCASGgAwIBAgIUaonvTRTi7afGwY5LupIG94cMo/owCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHZGFtYWdlMTAgFw0yNjEx"
            + "MjMyMTM2NTVaGA8yMTI2MTAzMDIxMzY1NVowEjEQMA4GA1UEAwwHZGFtYWdlMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJqZ"
            + "tAcBxTLULBWR2+9+I6tFo3NCrZtFoDcMSMDxHdiIFUun3STgGu7Ai57gu36//KuRV88DN/IHnvWeSjYHEgWjUzBRMB0GA1UdDgQW"
            + "BBQ4ZgZHSndmfXIEUfCaTHHOZF3OiTAfBgNVHSMEGDAWgBQ4ZgZHSndmfXIEUfCaTHHOZF3OiTAPBgNVHRMBAf8EBTADAQH/MAoG"
            + "CCqGSM49BAMCA0gAMEUCIQDmcS7YsHyWdcOXOAQGoEhZg1vTFssvTlPOqmUfjJfaCwIgGgearHZfyP9jShXvh2GiH5IleqV31+E1"
            + "OOE/Am4NmlU=",
        "MIIBezCCASGgAwIBAgIUNWtFXg9JBRV0vHVJH++qGPt1frUwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHZGFtYWdlMjAgFw0yNjEx"
            + "MjMyMTM2NTVaGA8yMTI2MTAzMDIxMzY1NVowEjEQMA4GA1UEAwwHZGFtYWdlMjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABA2v"
            + "AYSKPrjlic5uZNvECnRD4GEvgnEz8rWFLFNXRH7rcyGJSpeQQVKKFpC5I/0t8L7rjeHRwlrWssmfw0oUl8yjUzBRMB0GA1UdDgQW"
            + "BBQ1Aqy2GDyOu4x8Z0PjtnjylI4YzzAfBgNVHSMEGDAWgBQ1Aqy2GDyOu4x8Z0PjtnjylI4YzzAPBgNVHRMBAf8EBTADAQH/MAoG"
            + "CCqGSM49BAMCA0gAMEUCIGYcg+yjx8z6MvOyaKh2CDXNy+E46FhHDvPKUkwivYGBAiEA+7ZzQ/14KMdlPQ9Sw7qmmHdJT+rvq/+O"
            + "P0UfLrkbBHw=",
    ]
}
