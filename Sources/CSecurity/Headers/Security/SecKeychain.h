/* SPDX-License-Identifier: Apache-2.0 */
/* Keychains by name and by path. NULL stands for the default keychain. */
#ifndef SECURITY_SECKEYCHAIN_H
#define SECURITY_SECKEYCHAIN_H

#include <Security/SecBase.h>
#include <Security/SecKeychainItem.h>

#include <sys/types.h>

SECURITY_BEGIN

typedef uint32_t SecKeychainStatus;
typedef FourCharCode SecProtocolType;
typedef FourCharCode SecAuthenticationType;
typedef int SecPreferencesDomain;

typedef struct {
    /* SEC_KEYCHAIN_SETTINGS_VERS1. */
    UInt32 version;
    /* Whether it locks when the machine sleeps, and with the session of its user. */
    Boolean lockOnSleep;
    /* Whether it locks when it was not used for lockInterval seconds. */
    Boolean useLockInterval;
    UInt32 lockInterval;
} SecKeychainSettings;

typedef uint32_t SecKeychainEvent;
typedef uint32_t SecKeychainEventMask;

/* What a callback is told besides the event; the references are lent for the call, and may be NULL. */
typedef struct {
    UInt32 version;
    SecKeychainItemRef item;
    SecKeychainRef keychain;
    /* 0 where it is not known. */
    pid_t pid;
} SecKeychainCallbackInfo;

/* Is called on a thread of the library's; what it returns does not count. */
typedef OSStatus (*SecKeychainCallback)(SecKeychainEvent keychainEvent, SecKeychainCallbackInfo *info, void *context);

CFTypeID SecKeychainGetTypeID(void);

OSStatus SecKeychainCreate(
    const char *pathName, UInt32 passwordLength, const void *password, Boolean promptUser,
    SecAccessRef initialAccess, SecKeychainRef *keychain);
OSStatus SecKeychainOpen(const char *pathName, SecKeychainRef *keychain);
/* A keychain, or an array of them. */
OSStatus SecKeychainDelete(SecKeychainRef keychainOrArray);
/* The length goes in as the room for the path. */
OSStatus SecKeychainGetPath(SecKeychainRef keychain, UInt32 *ioPathLength, char *pathName);
OSStatus SecKeychainCopyDefault(SecKeychainRef *keychain);
OSStatus SecKeychainSetDefault(SecKeychainRef keychain);
OSStatus SecKeychainCopySearchList(CFArrayRef *searchList);
OSStatus SecKeychainSetSearchList(CFArrayRef searchList);

/* It does not ask: the password must be given. */
OSStatus SecKeychainUnlock(SecKeychainRef keychain, UInt32 passwordLength, const void *password, Boolean usePassword);
OSStatus SecKeychainLock(SecKeychainRef keychain);
OSStatus SecKeychainLockAll(void);
OSStatus SecKeychainGetStatus(SecKeychainRef keychain, SecKeychainStatus *keychainStatus);
OSStatus SecKeychainSetSettings(SecKeychainRef keychain, const SecKeychainSettings *newSettings);
OSStatus SecKeychainCopySettings(SecKeychainRef keychain, SecKeychainSettings *outSettings);

/* Passwords by service and account, or by server; texts are UTF-8 with their lengths. What is found belongs to the
   caller, who gives it back with SecKeychainItemFreeContent; each result may be NULL. */
OSStatus SecKeychainAddGenericPassword(
    SecKeychainRef keychain, UInt32 serviceNameLength, const char *serviceName, UInt32 accountNameLength,
    const char *accountName, UInt32 passwordLength, const void *passwordData, SecKeychainItemRef *itemRef);
OSStatus SecKeychainFindGenericPassword(
    CFTypeRef keychainOrArray, UInt32 serviceNameLength, const char *serviceName, UInt32 accountNameLength,
    const char *accountName, UInt32 *passwordLength, void **passwordData, SecKeychainItemRef *itemRef);
OSStatus SecKeychainAddInternetPassword(
    SecKeychainRef keychain, UInt32 serverNameLength, const char *serverName, UInt32 securityDomainLength,
    const char *securityDomain, UInt32 accountNameLength, const char *accountName, UInt32 pathLength,
    const char *path, UInt16 port, SecProtocolType protocol, SecAuthenticationType authenticationType,
    UInt32 passwordLength, const void *passwordData, SecKeychainItemRef *itemRef);
OSStatus SecKeychainFindInternetPassword(
    CFTypeRef keychainOrArray, UInt32 serverNameLength, const char *serverName, UInt32 securityDomainLength,
    const char *securityDomain, UInt32 accountNameLength, const char *accountName, UInt32 pathLength,
    const char *path, UInt16 port, SecProtocolType protocol, SecAuthenticationType authenticationType,
    UInt32 *passwordLength, void **passwordData, SecKeychainItemRef *itemRef);
/* Whether anybody may be asked by what this process calls. */
OSStatus SecKeychainSetUserInteractionAllowed(Boolean state);
OSStatus SecKeychainGetUserInteractionAllowed(Boolean *state);
OSStatus SecKeychainGetVersion(UInt32 *returnVers);
/* Whose settings are meant: those of the user; others are refused. */
OSStatus SecKeychainSetPreferenceDomain(SecPreferencesDomain domain);
OSStatus SecKeychainGetPreferenceDomain(SecPreferencesDomain *domain);
OSStatus SecKeychainCopyDomainDefault(SecPreferencesDomain domain, SecKeychainRef *keychain);
OSStatus SecKeychainSetDomainDefault(SecPreferencesDomain domain, SecKeychainRef keychain);
OSStatus SecKeychainCopyDomainSearchList(SecPreferencesDomain domain, CFArrayRef *searchList);
OSStatus SecKeychainSetDomainSearchList(SecPreferencesDomain domain, CFArrayRef searchList);
/* No keychain has an access list: errSecNoAccessForItem, and errSecUnimplemented. */
OSStatus SecKeychainCopyAccess(SecKeychainRef keychain, SecAccessRef *access);
OSStatus SecKeychainSetAccess(SecKeychainRef keychain, SecAccessRef access);
/* Which attributes items of a class have; given back with SecKeychainFreeAttributeInfo. */
OSStatus SecKeychainAttributeInfoForItemID(SecKeychainRef keychain, UInt32 itemID, SecKeychainAttributeInfo **info);
OSStatus SecKeychainFreeAttributeInfo(SecKeychainAttributeInfo *info);

/* Has a function told of events: of items where a daemon has the keychain, and of what this program does with keychains. */
OSStatus SecKeychainAddCallback(SecKeychainCallback callbackFunction, SecKeychainEventMask eventMask, void *userContext);
OSStatus SecKeychainRemoveCallback(SecKeychainCallback callbackFunction);

SECURITY_END

#endif
