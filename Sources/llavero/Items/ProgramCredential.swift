// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainCoding
internal import KeychainModel
internal import KeychainTools

/// A secret as the JSON that a program expects of the command which its configuration names.
enum ProgramCredential {
    /// `credential_process` of AWS's tools and libraries: the user is the access key's ID.
    case aws
    /// The exec credential plugin of kubectl and other clients of Kubernetes: the secret is the bearer token.
    case kubectl

    /// nil where no such form is wanted.
    init?(_ options: Options) throws(CommandError) {
        if options.has("--aws") { self = .aws } else if options.has("--kubectl") { self = .kubectl } else { return nil }
        // An earlier version is a secret alone.
        try options.requireOne(of: [options.has("--aws") ? "--aws" : "--kubectl", "--version"])
    }

    func print(_ secret: SecretValue, user: String) throws(CommandError) {
        guard let quoted = JSONStrings.quoted(secret), let user = JSONStrings.quoted(SecretValue(text: user)) else {
            throw .failure("the secret is not text, and JSON has only text")
        }
        let parts: [SecretValue]
        switch self {
        case .aws:
            guard user.count > 2 else {
                throw .failure(
                    "the item has no user, which would be the access key's ID; `llavero edit NAME --new-user ID` sets it"
                )
            }
            parts = [
                SecretValue(text: #"{"Version":1,"AccessKeyId":"#), user, SecretValue(text: #","SecretAccessKey":"#),
                quoted, SecretValue(text: "}"),
            ]
        case .kubectl:
            parts = [
                SecretValue(
                    text:
                        #"{"apiVersion":"\#(try ProgramCredential.version())","kind":"ExecCredential","status":{"token":"#
                ),
                quoted, SecretValue(text: "}}"),
            ]
        }
        try SecretOutput.write(SecretValue.joined(parts), to: 1, ending: "\n")
    }

    /// The version that the client asks for in its variable, which the answer has to repeat; the newest without one.
    private static func version() throws(CommandError) -> String {
        let versions = ["v1", "v1beta1", "v1alpha1"].map { "client.authentication.k8s.io/" + $0 }
        guard let said = ProgramSearch.variable("KUBERNETES_EXEC_INFO") else { return versions[0] }
        let asked: String?
        do throws(CodingError) { asked = try JSONStrings(SecretValue(text: said))["apiVersion"]?.text } catch {
            throw .failure("KUBERNETES_EXEC_INFO is not a JSON object")
        }
        guard let version = versions.first(where: { $0 == asked }) else {
            throw .failure(
                "KUBERNETES_EXEC_INFO asks for an unknown apiVersion; \(versions.joined(separator: ", ")) are known")
        }
        return version
    }
}
