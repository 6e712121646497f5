/* SPDX-License-Identifier: Apache-2.0 */
/* A helper in the shape of git's for the Mac's keychain: it reads lines of what is known, and gets, stores or erases. Here it
   talks to itself, through memory. */
#include <Security/Security.h>

#include "expect.h"

struct credential {
    char protocol[32], host[128], path[128], username[128], password[128];
};

static void read_credential(FILE *in, struct credential *credential) {
    memset(credential, 0, sizeof *credential);
    char line[256];
    while (fgets(line, sizeof line, in) && line[0] != '\n') {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, '=');
        if (!value) continue;
        *value++ = 0;
        struct {
            const char *name;
            char *place;
        } fields[] = {{"protocol", credential->protocol}, {"host", credential->host}, {"path", credential->path},
                      {"username", credential->username}, {"password", credential->password}};
        for (size_t index = 0; index < 5; index++)
            if (strcmp(line, fields[index].name) == 0) snprintf(fields[index].place, 128 - 96 * !index, "%s", value);
    }
}

static CFStringRef text(const char *bytes) {
    return CFStringCreateWithCString(NULL, bytes, kCFStringEncodingUTF8);
}

static void set(CFMutableDictionaryRef query, CFStringRef key, CFTypeRef given) {
    CFDictionarySetValue(query, key, given);
    CFRelease(given);
}

static CFMutableDictionaryRef query(const struct credential *credential) {
    CFMutableDictionaryRef query =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(query, kSecClass, kSecClassInternetPassword);
    CFDictionarySetValue(query, kSecAttrAuthenticationType, kSecAttrAuthenticationTypeDefault);
    CFDictionarySetValue(
        query, kSecAttrProtocol,
        strcmp(credential->protocol, "http") == 0 ? kSecAttrProtocolHTTP : kSecAttrProtocolHTTPS);
    if (credential->host[0]) set(query, kSecAttrServer, text(credential->host));
    if (credential->path[0]) set(query, kSecAttrPath, text(credential->path));
    if (credential->username[0]) set(query, kSecAttrAccount, text(credential->username));
    return query;
}

static void get(const struct credential *credential, FILE *out) {
    CFMutableDictionaryRef wanted = query(credential);
    CFDictionarySetValue(wanted, kSecMatchLimit, kSecMatchLimitOne);
    CFDictionarySetValue(wanted, kSecReturnAttributes, kCFBooleanTrue);
    CFDictionarySetValue(wanted, kSecReturnData, kCFBooleanTrue);
    CFTypeRef found = NULL;
    if (SecItemCopyMatching(wanted, &found) == errSecSuccess) {
        CFStringRef account = CFDictionaryGetValue(found, kSecAttrAccount);
        CFDataRef data = CFDictionaryGetValue(found, kSecValueData);
        char name[128] = "";
        CFStringGetCString(account, name, sizeof name, kCFStringEncodingUTF8);
        fprintf(out, "username=%s\npassword=%.*s\n", name, (int)CFDataGetLength(data), CFDataGetBytePtr(data));
        CFRelease(found);
    }
    CFRelease(wanted);
}

static OSStatus store(const struct credential *credential) {
    CFMutableDictionaryRef item = query(credential), change = query(credential);
    CFDataRef password = CFDataCreate(NULL, (const UInt8 *)credential->password, (CFIndex)strlen(credential->password));
    CFDictionarySetValue(item, kSecValueData, password);
    OSStatus status = SecItemAdd(item, NULL);
    if (status == errSecDuplicateItem) {
        CFDictionaryRemoveValue(item, kSecValueData);
        CFDictionaryRemoveAllValues(change);
        CFDictionarySetValue(change, kSecValueData, password);
        status = SecItemUpdate(item, change);
    }
    CFRelease(password);
    CFRelease(item);
    CFRelease(change);
    return status;
}

/* All references first, then those whose password is the one that is refused. */
static OSStatus erase(const struct credential *credential) {
    CFMutableDictionaryRef wanted = query(credential);
    CFDictionarySetValue(wanted, kSecMatchLimit, kSecMatchLimitAll);
    CFDictionarySetValue(wanted, kSecReturnRef, kCFBooleanTrue);
    CFTypeRef references = NULL;
    OSStatus status = SecItemCopyMatching(wanted, &references);
    CFRelease(wanted);
    if (status != errSecSuccess) return status;
    for (CFIndex index = 0; index < CFArrayGetCount(references); index++) {
        const void *reference = CFArrayGetValueAtIndex(references, index);
        CFArrayRef list = CFArrayCreate(NULL, &reference, 1, &kCFTypeArrayCallBacks);
        CFMutableDictionaryRef one = query(credential);
        CFDictionarySetValue(one, kSecMatchItemList, list);
        CFDictionarySetValue(one, kSecReturnData, kCFBooleanTrue);
        CFTypeRef data = NULL;
        status = SecItemCopyMatching(one, &data);
        if (status == errSecSuccess && CFDataGetLength(data) == (CFIndex)strlen(credential->password) &&
            memcmp(CFDataGetBytePtr(data), credential->password, (size_t)CFDataGetLength(data)) == 0) {
            CFDictionaryRemoveValue(one, kSecReturnData);
            status = SecItemDelete(one);
        }
        if (data) CFRelease(data);
        CFRelease(one);
        CFRelease(list);
    }
    CFRelease(references);
    return status;
}

static struct credential given(const char *lines) {
    struct credential credential;
    FILE *in = fmemopen((void *)lines, strlen(lines), "r");
    read_credential(in, &credential);
    fclose(in);
    return credential;
}

static bool answers(const struct credential *credential, const char *expected) {
    char said[512] = "";
    FILE *out = fmemopen(said, sizeof said, "w");
    get(credential, out);
    fclose(out);
    return strcmp(said, expected) == 0;
}

int main(void) {
    struct credential asked = given("protocol=https\nhost=git.example\n");
    struct credential known = given("protocol=https\nhost=git.example\nusername=ada\npassword=first\n");
    struct credential newer = given("protocol=https\nhost=git.example\nusername=ada\npassword=second\n");
    expect(answers(&asked, ""));
    expect(store(&known) == errSecSuccess && answers(&asked, "username=ada\npassword=first\n"));
    expect(store(&newer) == errSecSuccess && answers(&asked, "username=ada\npassword=second\n"));
    /* Another password was refused: what is there stays. */
    expect(erase(&known) == errSecSuccess && answers(&asked, "username=ada\npassword=second\n"));
    expect(erase(&newer) == errSecSuccess && answers(&asked, ""));
    expect(erase(&newer) == errSecItemNotFound);
    return finish();
}
