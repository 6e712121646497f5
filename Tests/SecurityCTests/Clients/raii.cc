// SPDX-License-Identifier: Apache-2.0
// C++17 with owners: each result is released where its owner ends.
#include <Security/Security.h>

#include <memory>
#include <string>
#include <type_traits>

#include "expect.h"

namespace {

struct Release {
    void operator()(const void *object) const { CFRelease(object); }
};

template <typename Ref>
using Owned = std::unique_ptr<std::remove_pointer_t<Ref>, Release>;

Owned<CFStringRef> text(const std::string &words) {
    return Owned<CFStringRef>(CFStringCreateWithBytes(
        nullptr, reinterpret_cast<const UInt8 *>(words.data()), static_cast<CFIndex>(words.size()),
        kCFStringEncodingUTF8, false));
}

class Query {
public:
    Query() : entries(CFDictionaryCreateMutable(
        nullptr, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks)) {
        set(kSecClass, kSecClassInternetPassword);
    }
    Query &set(CFStringRef key, CFTypeRef value) {
        CFDictionarySetValue(entries.get(), key, value);
        return *this;
    }
    CFDictionaryRef get() const { return entries.get(); }

private:
    Owned<CFMutableDictionaryRef> entries;
};

OSStatus find(const Query &query, std::string &password) {
    CFTypeRef found = nullptr;
    const OSStatus status = SecItemCopyMatching(query.get(), &found);
    if (status != errSecSuccess) return status;
    const Owned<CFDataRef> data(static_cast<CFDataRef>(found));
    password.assign(
        reinterpret_cast<const char *>(CFDataGetBytePtr(data.get())),
        static_cast<std::size_t>(CFDataGetLength(data.get())));
    return status;
}

}  // namespace

int main() {
    const auto server = text("h\xC3\xBClle.example"), account = text("ada"), password = text("s\xC3\xA9same");
    Query item;
    item.set(kSecAttrServer, server.get()).set(kSecAttrAccount, account.get());
    item.set(kSecAttrProtocol, kSecAttrProtocolHTTPS);
    Query added = std::move(item);
    added.set(kSecValueData, password.get());
    expect(SecItemAdd(added.get(), nullptr) == errSecSuccess);
    Query wanted;
    wanted.set(kSecAttrServer, server.get()).set(kSecReturnData, kCFBooleanTrue).set(kSecMatchLimit, kSecMatchLimitOne);
    std::string found;
    expect(find(wanted, found) == errSecSuccess && found == "s\xC3\xA9same");
    Query none;
    none.set(kSecAttrServer, account.get()).set(kSecReturnData, kCFBooleanTrue);
    expect(find(none, found) == errSecItemNotFound);
    switch (find(none, found)) {
    case errSecItemNotFound: expect(true); break;
    case errSecSuccess: case errSecAuthFailed: default: expect(false);
    }
    Query gone;
    gone.set(kSecAttrServer, server.get());
    expect(SecItemDelete(gone.get()) == errSecSuccess && SecItemDelete(gone.get()) == errSecItemNotFound);
    return finish();
}
