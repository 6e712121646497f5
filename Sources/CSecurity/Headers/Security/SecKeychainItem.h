/* SPDX-License-Identifier: Apache-2.0 */
/* References to items, and the calls on lists of attributes. */
#ifndef SECURITY_SECKEYCHAINITEM_H
#define SECURITY_SECKEYCHAINITEM_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef FourCharCode SecItemClass;
typedef FourCharCode SecItemAttr;
typedef FourCharCode SecKeychainAttrType;

/* One attribute of an item: which, and where its value is. */
typedef struct {
    SecKeychainAttrType tag;
    UInt32 length;
    void *data;
} SecKeychainAttribute, *SecKeychainAttributePtr;

typedef struct {
    UInt32 count;
    SecKeychainAttribute *attr;
} SecKeychainAttributeList;

/* Which attributes there are, or are wanted, and the forms of their values; `format` may be NULL. */
typedef struct {
    UInt32 count;
    UInt32 *tag;
    UInt32 *format;
} SecKeychainAttributeInfo;

CFTypeID SecKeychainItemGetTypeID(void);

OSStatus SecKeychainItemDelete(SecKeychainItemRef itemRef);
OSStatus SecKeychainItemCopyKeychain(SecKeychainItemRef itemRef, SecKeychainRef *keychainRef);
/* A password, or a certificate in DER, of its attributes and its data. */
OSStatus SecKeychainItemCreateFromContent(
    SecItemClass itemClass, SecKeychainAttributeList *attrList, UInt32 length, const void *data,
    SecKeychainRef keychainRef, SecAccessRef initialAccess, SecKeychainItemRef *itemRef);
OSStatus SecKeychainItemCreateCopy(
    SecKeychainItemRef itemRef, SecKeychainRef destKeychainRef, SecAccessRef initialAccess,
    SecKeychainItemRef *itemCopy);
/* A reference that can be stored, and back. */
OSStatus SecKeychainItemCreatePersistentReference(SecKeychainItemRef itemRef, CFDataRef *persistentItemRef);
OSStatus SecKeychainItemCopyFromPersistentReference(CFDataRef persistentItemRef, SecKeychainItemRef *itemRef);
/* No item has an access list: errSecNoAccessForItem, and errSecUnimplemented. */
OSStatus SecKeychainItemCopyAccess(SecKeychainItemRef itemRef, SecAccessRef *access);
OSStatus SecKeychainItemSetAccess(SecKeychainItemRef itemRef, SecAccessRef access);
/* Attributes whose tags the caller's list has, and the secret; each may be NULL. FreeContent wipes and frees what was
   set. */
OSStatus SecKeychainItemCopyContent(
    SecKeychainItemRef itemRef, SecItemClass *itemClass, SecKeychainAttributeList *attrList, UInt32 *length,
    void **outData);
OSStatus SecKeychainItemFreeContent(SecKeychainAttributeList *attrList, void *data);
/* The same in a list that is made; FreeAttributesAndData wipes and frees it. */
OSStatus SecKeychainItemCopyAttributesAndData(
    SecKeychainItemRef itemRef, SecKeychainAttributeInfo *info, SecItemClass *itemClass,
    SecKeychainAttributeList **attrList, UInt32 *length, void **outData);
OSStatus SecKeychainItemFreeAttributesAndData(SecKeychainAttributeList *attrList, void *data);
/* Changes attributes, the secret or both; what is NULL stays. */
OSStatus SecKeychainItemModifyContent(
    SecKeychainItemRef itemRef, const SecKeychainAttributeList *attrList, UInt32 length, const void *data);
OSStatus SecKeychainItemModifyAttributesAndData(
    SecKeychainItemRef itemRef, const SecKeychainAttributeList *attrList, UInt32 length, const void *data);

SECURITY_END

#endif
