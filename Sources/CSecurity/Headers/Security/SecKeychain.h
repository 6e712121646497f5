/* SPDX-License-Identifier: Apache-2.0 */
/* Keychains by name and by path. NULL stands for the default keychain. */
#ifndef SECURITY_SECKEYCHAIN_H
#define SECURITY_SECKEYCHAIN_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef uint32_t SecKeychainStatus;

typedef struct {
    /* SEC_KEYCHAIN_SETTINGS_VERS1. */
    UInt32 version;
    /* Whether it locks when the machine sleeps, and with the session of its user. */
    Boolean lockOnSleep;
    /* Whether it locks when it was not used for lockInterval seconds. */
    Boolean useLockInterval;
    UInt32 lockInterval;
} SecKeychainSettings;

CFTypeID SecKeychainGetTypeID(void);

OSStatus SecKeychainCreate(
    const char *pathName, UInt32 passwordLength, const void *password, Boolean promptUser, SecAccessRef initialAccess,
    SecKeychainRef *keychain);
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

SECURITY_END

#endif
