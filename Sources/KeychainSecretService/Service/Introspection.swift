// SPDX-License-Identifier: Apache-2.0

/// What the objects of the service say of themselves.
enum Introspection {
    /// The description of an object with an interface of the specification, and of what lies below it.
    static func page(of interface: String?, children: [String]) -> String {
        let members = interface.flatMap { interfaces[$0] } ?? []
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            "\"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">", "<node>",
        ]
        if let interface, !members.isEmpty {
            lines.append(interfaceText(interface, members))
            if interface == SecretInterface.service {
                lines.append(interfaceText(InternalRequest.interface, internalMembers))
            }
            lines.append(interfaceText("org.freedesktop.DBus.Properties", properties))
        }
        lines.append(
            interfaceText("org.freedesktop.DBus.Introspectable", [.method("Introspect", [("xml", "s", false)])]))
        lines.append(
            interfaceText(
                "org.freedesktop.DBus.Peer", [.method("Ping", []), .method("GetMachineId", [("id", "s", false)])]))
        lines += children.map { "<node name=\"\($0)\"/>" }
        lines.append("</node>")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The description of the portal's object.
    static var portal: String {
        let members: [Member] = [
            .method(
                "RetrieveSecret",
                [
                    ("handle", "o", true), ("app_id", "s", true), ("fd", "h", true), ("options", "a{sv}", true),
                    ("response", "u", false), ("results", "a{sv}", false),
                ]), .property("version", "u", isWritable: false),
        ]
        return "<node>\n" + interfaceText(SecretPortal.interface, members) + "\n</node>\n"
    }

    private enum Member {
        /// Names, types, and whether each is given to the method.
        case method(String, [(String, String, Bool)])
        case signal(String, [(String, String)])
        case property(String, String, isWritable: Bool)
    }

    private static func interfaceText(_ name: String, _ members: [Member]) -> String {
        var lines = ["<interface name=\"\(name)\">"]
        for member in members {
            switch member {
            case .method(let name, let arguments):
                lines.append("<method name=\"\(name)\">")
                for (name, type, isGiven) in arguments {
                    lines.append("<arg name=\"\(name)\" type=\"\(type)\" direction=\"\(isGiven ? "in" : "out")\"/>")
                }
                lines.append("</method>")
            case .signal(let name, let arguments):
                lines.append("<signal name=\"\(name)\">")
                for (name, type) in arguments { lines.append("<arg name=\"\(name)\" type=\"\(type)\"/>") }
                lines.append("</signal>")
            case .property(let name, let type, let isWritable):
                lines.append(
                    "<property name=\"\(name)\" type=\"\(type)\" access=\"\(isWritable ? "readwrite" : "read")\"/>")
            }
        }
        lines.append("</interface>")
        return lines.joined(separator: "\n")
    }

    private static let properties: [Member] = [
        .method("Get", [("interface", "s", true), ("name", "s", true), ("value", "v", false)]),
        .method("GetAll", [("interface", "s", true), ("properties", "a{sv}", false)]),
        .method("Set", [("interface", "s", true), ("name", "s", true), ("value", "v", true)]),
        .signal("PropertiesChanged", [("interface", "s"), ("changed", "a{sv}"), ("invalidated", "as")]),
    ]

    private static let internalMembers: [Member] = [
        .method(
            "CreateWithMasterPassword",
            [("attributes", "a{sv}", true), ("master", "(oayays)", true), ("collection", "o", false)]),
        .method(
            "ChangeWithMasterPassword",
            [("collection", "o", true), ("original", "(oayays)", true), ("master", "(oayays)", true)]),
        .method("UnlockWithMasterPassword", [("collection", "o", true), ("master", "(oayays)", true)]),
        .method("ChangeWithPrompt", [("collection", "o", true), ("prompt", "o", false)]),
    ]

    private static let interfaces: [String: [Member]] = [
        SecretInterface.service: [
            .method(
                "OpenSession",
                [("algorithm", "s", true), ("input", "v", true), ("output", "v", false), ("result", "o", false)]),
            .method(
                "CreateCollection",
                [
                    ("properties", "a{sv}", true), ("alias", "s", true), ("collection", "o", false),
                    ("prompt", "o", false),
                ]),
            .method(
                "SearchItems", [("attributes", "a{ss}", true), ("unlocked", "ao", false), ("locked", "ao", false)]),
            .method("Unlock", [("objects", "ao", true), ("unlocked", "ao", false), ("prompt", "o", false)]),
            .method("Lock", [("objects", "ao", true), ("locked", "ao", false), ("prompt", "o", false)]),
            .method(
                "GetSecrets", [("items", "ao", true), ("session", "o", true), ("secrets", "a{o(oayays)}", false)]),
            .method("ReadAlias", [("name", "s", true), ("collection", "o", false)]),
            .method("SetAlias", [("name", "s", true), ("collection", "o", true)]),
            .signal("CollectionCreated", [("collection", "o")]),
            .signal("CollectionDeleted", [("collection", "o")]),
            .signal("CollectionChanged", [("collection", "o")]),
            .property("Collections", "ao", isWritable: false),
        ],
        SecretInterface.collection: [
            .method("Delete", [("prompt", "o", false)]),
            .method("SearchItems", [("attributes", "a{ss}", true), ("results", "ao", false)]),
            .method(
                "CreateItem",
                [
                    ("properties", "a{sv}", true), ("secret", "(oayays)", true), ("replace", "b", true),
                    ("item", "o", false), ("prompt", "o", false),
                ]),
            .signal("ItemCreated", [("item", "o")]),
            .signal("ItemDeleted", [("item", "o")]),
            .signal("ItemChanged", [("item", "o")]),
            .property("Items", "ao", isWritable: false),
            .property("Label", "s", isWritable: true),
            .property("Locked", "b", isWritable: false),
            .property("Created", "t", isWritable: false),
            .property("Modified", "t", isWritable: false),
        ],
        SecretInterface.item: [
            .method("Delete", [("prompt", "o", false)]),
            .method("GetSecret", [("session", "o", true), ("secret", "(oayays)", false)]),
            .method("SetSecret", [("secret", "(oayays)", true)]),
            .property("Locked", "b", isWritable: false),
            .property("Attributes", "a{ss}", isWritable: true),
            .property("Label", "s", isWritable: true),
            .property("Created", "t", isWritable: false),
            .property("Modified", "t", isWritable: false),
        ],
        SecretInterface.session: [.method("Close", [])],
        SecretInterface.prompt: [
            .method("Prompt", [("window-id", "s", true)]), .method("Dismiss", []),
            .signal("Completed", [("dismissed", "b"), ("result", "v")]),
        ],
    ]
}
