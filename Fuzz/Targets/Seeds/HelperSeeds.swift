// SPDX-License-Identifier: Apache-2.0

/// What git and docker say to their helpers.
internal enum HelperSeeds {
    static let git: [[UInt8]] = [
        "protocol=https\nhost=example.com\nwwwauth[]=Basic realm=\"x\"\nwwwauth[]=Bearer\ncapability[]=state\n\n",
        "protocol=https\nhost=example.com:8443\npath=a/b.git\nusername=alice\npassword=secret\n"
            + "password_expiry_utc=1999999999\noauth_refresh_token=token\n",
        "secret\npassword_expiry_utc=1999999999\noauth_refresh_token=token", "secret",
        "protocol=https\nprotocol=http\n", "host\n", "host=a\rb\n", "password_expiry_utc=-1\n",
    ].map { Array($0.utf8) }

    static let docker: [[UInt8]] = [
        #"{"ServerURL":"https://index.docker.io/v1/","Username":"<token>","Secret":"a\u003c\ud83d\ude00\n\"\\\/"}"#,
        #" { "ServerURL" : "localhost:5000" , "Username":"bob","Secret":"","x":[1.5e-3,null,{"y":true}] } "#,
        #"{}"#, #"{"a":"\ud800"}"#, #"{"a":1,"a":2}"#, #"{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]"#,
        "plain text, with \u{2028} and <&>\u{1}",
    ].map { Array($0.utf8) }
}
