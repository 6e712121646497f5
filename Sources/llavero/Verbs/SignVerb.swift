// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainTools
internal import ProgramSigning

/// `llavero sign`: puts a signature into a program, with the access groups that the signer grants it.
enum SignVerb: Verb {
    static let name = "sign"
    static let summary = "signs a program, so that daemons recognize it wherever it is installed"
    static let help = """
        usage: llavero sign --key FILE.pem --identifier NAME [OPTION…] PROGRAM

        Signs a program: daemons that trust the key grant it the access groups in the signature, also after an upgrade.

          --key FILE.pem            the private Ed25519 key; only you may be able to read the file
          --identifier NAME         the application identifier, such as TEAM.com.example.app
          --group NAME              a keychain access group; may be given several times, the first is the default
          --application-group NAME  an application group; may be given several times
          --serial N                the signature's serial; increase it to revoke older versions (0)
          --output FILE             writes the signed program there, and leaves PROGRAM unchanged

        Sign last, after `strip`. The program keeps owner and mode; set file capabilities after signing. An existing signature is
        replaced.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(
            words, single: ["--key", "--identifier", "--serial", "--output"],
            repeated: ["--group", "--application-group"])
        let path = try options.operand("PROGRAM")
        let request = SigningRequest(
            applicationIdentifier: try options.required("--identifier"),
            keychainAccessGroups: options.values("--group"), applicationGroups: options.values("--application-group"),
            serial: try serial(options.value("--serial")))
        let names = [request.applicationIdentifier] + request.keychainAccessGroups + request.applicationGroups
        guard names.allSatisfy(ProgramStatement.isName) else {
            throw .usage("a name is empty, longer than 1024 bytes, or has control characters")
        }
        let key = try SigningKey.read(try options.required("--key"))
        // The target of a link, so that the link itself stays.
        let source = try OpenFile.resolved(path)
        let place = options.value("--output") ?? source
        guard !Interpreters.contains(source), !Interpreters.contains(place) else {
            throw .failure(
                "\(path) is an interpreter, which can run any script, so no daemon accepts its signature")
        }
        try sign(OpenFile(source), request, key, to: place)
    }

    private static func sign(
        _ file: OpenFile, _ request: SigningRequest, _ key: borrowing SecretBytes, to place: String
    ) throws(CommandError) {
        let publicKey = try CommandError.saying("the key cannot be used") { () throws(CryptoError) in
            try Ed25519.publicKey(of: key)
        }
        let new = try NewFile(for: place)
        let program = try ProgramReading.bytes(of: file.descriptor, file.path)
        let signing = try CommandError.saying("\(file.path) cannot be signed") { () throws(SignatureFault) in
            try SignedFile(program, request, with: key, publicKey: publicKey)
        }
        try new.write(signing.header)
        var rest = signing.kept
        while !rest.isEmpty {
            let part = rest.prefix(1 << 20)
            try new.write(ProgramReading.part(part, of: program, file.path))
            rest = part.upperBound..<rest.upperBound
        }
        try new.write(signing.tail)
        try new.resemble(file)
        try check(new, publicKey, file.path)
        try new.take()
    }

    /// Verifies the written file: the program may have changed while it was copied.
    private static func check(_ new: NewFile, _ publicKey: [UInt8], _ path: String) throws(CommandError) {
        let bytes = try ProgramReading.bytes(of: new.descriptor, path)
        try CommandError.saying("\(path) was changed while it was signed") { () throws(SignatureFault) in
            let program = try SignedProgram(in: bytes)
            try program.requireSignature(by: publicKey)
            try program.requireContent()
        }
    }

    private static func serial(_ text: String?) throws(CommandError) -> Int64 {
        guard let text else { return 0 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let serial = Int64(text) else {
            throw .usage("--serial requires a number from 0 up")
        }
        return serial
    }
}
