// SPDX-License-Identifier: Apache-2.0

// A client by cgo, in the shape of the Go packages for the Mac's keychain: an item is a map of attributes, which becomes a
// dictionary for the length of a call; what is found becomes values of Go's; a status is an error.
package main

/*
#include <Security/Security.h>

extern OSStatus keychainEvent(SecKeychainEvent event, SecKeychainCallbackInfo *info, void *context);
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Status is what a call answered.
type Status C.OSStatus

const (
	itemNotFound      Status = C.errSecItemNotFound
	duplicateItem     Status = C.errSecDuplicateItem
	param             Status = C.errSecParam
	noSuchAttr        Status = C.errSecNoSuchAttr
	duplicateCallback Status = C.errSecDuplicateCallback
)

func (status Status) Error() string {
	text := C.SecCopyErrorMessageString(C.OSStatus(status), nil)
	if text == nil {
		return fmt.Sprintf("status %d", int32(status))
	}
	defer C.CFRelease(C.CFTypeRef(unsafe.Pointer(text)))
	return fmt.Sprintf("%s (%d)", goString(text), int32(status))
}

func checked(status C.OSStatus) error {
	if status == C.errSecSuccess {
		return nil
	}
	return Status(status)
}

// Reference is an object that the keychain gave out; whoever has it releases it.
type Reference struct{ object C.CFTypeRef }

func (reference Reference) release() { C.CFRelease(reference.object) }

func cfString(text string) C.CFStringRef {
	content := []byte(text)
	var start *C.UInt8
	if len(content) > 0 {
		start = (*C.UInt8)(unsafe.Pointer(&content[0]))
	}
	return C.CFStringCreateWithBytes(nil, start, C.CFIndex(len(content)), C.kCFStringEncodingUTF8, false)
}

func goString(text C.CFStringRef) string {
	whole := C.CFRange{location: 0, length: C.CFStringGetLength(text)}
	var size C.CFIndex
	C.CFStringGetBytes(text, whole, C.kCFStringEncodingUTF8, 0, false, nil, 0, &size)
	if size == 0 {
		return ""
	}
	buffer := make([]byte, int(size))
	C.CFStringGetBytes(text, whole, C.kCFStringEncodingUTF8, 0, false, (*C.UInt8)(unsafe.Pointer(&buffer[0])), size, nil)
	return string(buffer)
}

// toCF gives an object that the caller releases.
func toCF(value interface{}) C.CFTypeRef {
	switch value := value.(type) {
	case string:
		return C.CFTypeRef(unsafe.Pointer(cfString(value)))
	case []byte:
		var start *C.UInt8
		if len(value) > 0 {
			start = (*C.UInt8)(unsafe.Pointer(&value[0]))
		}
		return C.CFTypeRef(unsafe.Pointer(C.CFDataCreate(nil, start, C.CFIndex(len(value)))))
	case bool:
		constant := C.kCFBooleanFalse
		if value {
			constant = C.kCFBooleanTrue
		}
		return C.CFRetain(C.CFTypeRef(unsafe.Pointer(constant)))
	case int32:
		return C.CFTypeRef(unsafe.Pointer(C.CFNumberCreate(nil, C.kCFNumberSInt32Type, unsafe.Pointer(&value))))
	case C.CFStringRef:
		return C.CFRetain(C.CFTypeRef(unsafe.Pointer(value)))
	case Reference:
		return C.CFRetain(value.object)
	case []Reference:
		list := C.CFArrayCreateMutable(nil, 0, &C.kCFTypeArrayCallBacks)
		for _, reference := range value {
			C.CFArrayAppendValue(list, unsafe.Pointer(reference.object))
		}
		return C.CFTypeRef(unsafe.Pointer(list))
	}
	panic(fmt.Sprintf("no object for %T", value))
}

// fromCF copies what it can; other objects are retained, and the caller releases them.
func fromCF(object C.CFTypeRef) interface{} {
	switch C.CFGetTypeID(object) {
	case C.CFStringGetTypeID():
		return goString(C.CFStringRef(unsafe.Pointer(object)))
	case C.CFDataGetTypeID():
		data := C.CFDataRef(unsafe.Pointer(object))
		return C.GoBytes(unsafe.Pointer(C.CFDataGetBytePtr(data)), C.int(C.CFDataGetLength(data)))
	case C.CFBooleanGetTypeID():
		return bool(C.CFBooleanGetValue(C.CFBooleanRef(unsafe.Pointer(object))))
	case C.CFNumberGetTypeID():
		var number int64
		C.CFNumberGetValue(C.CFNumberRef(unsafe.Pointer(object)), C.kCFNumberSInt64Type, unsafe.Pointer(&number))
		return number
	case C.CFDateGetTypeID():
		const since1970 = 978307200
		moment := float64(C.CFDateGetAbsoluteTime(C.CFDateRef(unsafe.Pointer(object))))
		return time.Unix(since1970+int64(moment), 0)
	case C.CFArrayGetTypeID():
		list := C.CFArrayRef(unsafe.Pointer(object))
		values := make([]interface{}, int(C.CFArrayGetCount(list)))
		for index := range values {
			values[index] = fromCF(C.CFTypeRef(C.CFArrayGetValueAtIndex(list, C.CFIndex(index))))
		}
		return values
	case C.CFDictionaryGetTypeID():
		dictionary := C.CFDictionaryRef(unsafe.Pointer(object))
		count := int(C.CFDictionaryGetCount(dictionary))
		values := make(map[string]interface{}, count)
		if count == 0 {
			return values
		}
		keys, objects := make([]unsafe.Pointer, count), make([]unsafe.Pointer, count)
		C.CFDictionaryGetKeysAndValues(dictionary, &keys[0], &objects[0])
		for index, key := range keys {
			values[goString(C.CFStringRef(key))] = fromCF(C.CFTypeRef(objects[index]))
		}
		return values
	}
	return Reference{C.CFRetain(object)}
}

// Item is what a call is told, by the constants for C.
type Item map[C.CFStringRef]interface{}

func (item Item) with(key C.CFStringRef, value interface{}) Item {
	more := Item{key: value}
	for key, value := range item {
		if _, there := more[key]; !there {
			more[key] = value
		}
	}
	return more
}

// lend makes a dictionary for the length of a call.
func (item Item) lend(call func(C.CFDictionaryRef) C.OSStatus) error {
	dictionary := C.CFDictionaryCreateMutable(
		nil, 0, &C.kCFTypeDictionaryKeyCallBacks, &C.kCFTypeDictionaryValueCallBacks)
	defer C.CFRelease(C.CFTypeRef(unsafe.Pointer(dictionary)))
	for key, value := range item {
		object := toCF(value)
		C.CFDictionarySetValue(dictionary, unsafe.Pointer(key), unsafe.Pointer(object))
		C.CFRelease(object)
	}
	return checked(call(C.CFDictionaryRef(unsafe.Pointer(dictionary))))
}

func (item Item) add() error {
	return item.lend(func(attributes C.CFDictionaryRef) C.OSStatus { return C.SecItemAdd(attributes, nil) })
}

func (item Item) find() (interface{}, error) {
	var found C.CFTypeRef
	err := item.lend(func(query C.CFDictionaryRef) C.OSStatus { return C.SecItemCopyMatching(query, &found) })
	if err != nil || found == nil {
		return nil, err
	}
	defer C.CFRelease(found)
	return fromCF(found), nil
}

func (item Item) update(changes Item) error {
	return item.lend(func(query C.CFDictionaryRef) (status C.OSStatus) {
		err := changes.lend(func(attributes C.CFDictionaryRef) C.OSStatus { return C.SecItemUpdate(query, attributes) })
		var answer Status
		if errors.As(err, &answer) {
			status = C.OSStatus(answer)
		}
		return status
	})
}

func (item Item) delete() error {
	return item.lend(func(query C.CFDictionaryRef) C.OSStatus { return C.SecItemDelete(query) })
}

var held, failed int

func expect(condition bool, what string) {
	if condition {
		held++
		return
	}
	failed++
	_, _, line, _ := runtime.Caller(1)
	fmt.Fprintf(os.Stderr, "keychain.go:%d: %s\n", line, what)
}

func password(service, account string) Item {
	return Item{
		C.kSecClass:       C.kSecClassGenericPassword,
		C.kSecAttrService: service,
		C.kSecAttrAccount: account,
	}
}

func passwords() {
	item := password("go.example", "ädä")
	secret := []byte("s\x00same")
	added := item.with(C.kSecValueData, secret).with(C.kSecAttrLabel, "of Go").with(
		C.kSecAttrAccessible, C.kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
	expect(added.add() == nil, "add")
	expect(errors.Is(added.add(), duplicateItem), "added twice")

	found, err := item.with(C.kSecReturnData, true).find()
	data, isData := found.([]byte)
	expect(err == nil && isData && bytes.Equal(data, secret), "its data")
	found, err = item.with(C.kSecReturnAttributes, true).with(C.kSecMatchLimit, C.kSecMatchLimitAll).find()
	list, isList := found.([]interface{})
	expect(err == nil && isList && len(list) == 1, "a list of one")
	if isList && len(list) == 1 {
		attributes := list[0].(map[string]interface{})
		expect(attributes[goString(C.kSecAttrAccount)] == "ädä", "the account")
		expect(attributes[goString(C.kSecAttrLabel)] == "of Go", "the label")
		made, isTime := attributes[goString(C.kSecAttrCreationDate)].(time.Time)
		expect(isTime && time.Since(made) < time.Hour && time.Since(made) > -time.Hour, "the moment it was made")
		_, hasData := attributes[goString(C.kSecValueData)]
		expect(!hasData, "data that nobody asked for")
	}

	changed := Item{C.kSecAttrComment: "changed", C.kSecValueData: []byte("new"), C.kSecAttrIsInvisible: true}
	expect(item.update(changed) == nil, "update")
	found, err = item.with(C.kSecReturnAttributes, true).with(C.kSecReturnData, true).find()
	attributes, isMap := found.(map[string]interface{})
	expect(err == nil && isMap && attributes[goString(C.kSecAttrComment)] == "changed", "the comment")
	expect(isMap && attributes[goString(C.kSecAttrIsInvisible)] == int64(1), "invisible")
	if isMap {
		data, _ = attributes[goString(C.kSecValueData)].([]byte)
		expect(string(data) == "new", "the new data")
	}
	expect(errors.Is(item.update(Item{C.kSecReturnData: true}), noSuchAttr), "a search key is no change")
	expect(item.delete() == nil, "delete")
	err = item.delete()
	expect(errors.Is(err, itemNotFound) && len(err.Error()) > 15, "deleted twice")
	_, err = item.with(C.kSecReturnData, true).find()
	expect(errors.Is(err, itemNotFound), "found after it was deleted")
	expect(errors.Is(checked(C.SecItemAdd(nil, nil)), param), "no dictionary")
}

// References go out, into an array, and back in.
func references() {
	var all []Reference
	for _, account := range []string{"one", "two", "three"} {
		item := password("go.references", account)
		expect(item.with(C.kSecValueData, []byte(account)).add() == nil, "add "+account)
		if account == "three" {
			continue
		}
		found, err := item.with(C.kSecReturnRef, true).find()
		reference, isReference := found.(Reference)
		expect(err == nil && isReference, "the reference of "+account)
		if isReference {
			all = append(all, reference)
		}
	}
	found, err := Item{
		C.kSecClass: C.kSecClassGenericPassword, C.kSecMatchItemList: all, C.kSecReturnAttributes: true,
		C.kSecMatchLimit: C.kSecMatchLimitAll,
	}.find()
	list, _ := found.([]interface{})
	expect(err == nil && len(list) == 2, "two of the list")
	for _, reference := range all {
		reference.release()
	}
	expect(Item{C.kSecClass: C.kSecClassGenericPassword, C.kSecAttrService: "go.references"}.delete() == nil, "delete them")
}

// A key signs; its public half verifies.
func keys() {
	parameters := Item{C.kSecAttrKeyType: C.kSecAttrKeyTypeECSECPrimeRandom, C.kSecAttrKeySizeInBits: int32(256)}
	var key C.SecKeyRef
	var failure C.CFErrorRef
	_ = parameters.lend(func(parameters C.CFDictionaryRef) C.OSStatus {
		key = C.SecKeyCreateRandomKey(parameters, &failure)
		return C.errSecSuccess
	})
	expect(key != nil && failure == nil, "a key")
	if key == nil {
		return
	}
	public := C.SecKeyCopyPublicKey(key)
	message := toCF([]byte("a message"))
	signature := C.SecKeyCreateSignature(
		key, C.kSecKeyAlgorithmECDSASignatureMessageX962SHA256, C.CFDataRef(unsafe.Pointer(message)), nil)
	expect(signature != nil, "a signature")
	holds := C.SecKeyVerifySignature(
		public, C.kSecKeyAlgorithmECDSASignatureMessageX962SHA256, C.CFDataRef(unsafe.Pointer(message)), signature, nil)
	expect(bool(holds), "it holds")
	wrong := C.SecKeyCreateSignature(
		public, C.kSecKeyAlgorithmECDSASignatureMessageX962SHA256, C.CFDataRef(unsafe.Pointer(message)), &failure)
	expect(wrong == nil && failure != nil && C.CFErrorGetCode(failure) != 0, "a public key does not sign")
	for _, object := range []unsafe.Pointer{
		unsafe.Pointer(key), unsafe.Pointer(public), unsafe.Pointer(message), unsafe.Pointer(signature),
		unsafe.Pointer(failure),
	} {
		if object != nil {
			C.CFRelease(C.CFTypeRef(object))
		}
	}
}

// Goroutines wander from thread to thread, and half of these have one of their own.
func goroutines() {
	const routines, rounds = 16, 25
	var group sync.WaitGroup
	mistakes := make(chan error, routines*rounds)
	for routine := 0; routine < routines; routine++ {
		group.Add(1)
		go func(routine int) {
			defer group.Done()
			if routine%2 == 0 {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			item := password("go.routines", fmt.Sprint("routine ", routine))
			for round := 0; round < rounds; round++ {
				secret := []byte(fmt.Sprint(routine, " and ", round))
				if err := item.with(C.kSecValueData, secret).add(); err != nil {
					mistakes <- err
				}
				runtime.Gosched()
				found, err := item.with(C.kSecReturnData, true).find()
				data, _ := found.([]byte)
				if err != nil || !bytes.Equal(data, secret) {
					mistakes <- fmt.Errorf("%q instead of %q: %v", data, secret, err)
				}
				if err := item.delete(); err != nil {
					mistakes <- err
				}
			}
		}(routine)
	}
	group.Wait()
	close(mistakes)
	for err := range mistakes {
		expect(false, err.Error())
	}
	expect(true, "all of them")
}

var events = make(chan C.SecKeychainEvent, 100)

//export keychainEvent
func keychainEvent(event C.SecKeychainEvent, info *C.SecKeychainCallbackInfo, context unsafe.Pointer) C.OSStatus {
	events <- event
	return C.errSecSuccess
}

// A thread of the library's calls into Go.
func callbacks() {
	function := C.SecKeychainCallback(C.keychainEvent)
	expect(C.SecKeychainAddCallback(function, C.kSecKeychainListChangedMask, nil) == C.errSecSuccess, "add a callback")
	err := checked(C.SecKeychainAddCallback(function, C.kSecKeychainListChangedMask, nil))
	expect(errors.Is(err, duplicateCallback), "added twice")
	var searched C.CFArrayRef
	expect(C.SecKeychainCopySearchList(&searched) == C.errSecSuccess, "the search list")
	expect(C.SecKeychainSetSearchList(searched) == C.errSecSuccess, "set it")
	expect(<-events == C.kSecKeychainListChangedEvent, "the event")
	expect(C.SecKeychainRemoveCallback(function) == C.errSecSuccess, "remove the callback")
	C.CFRelease(C.CFTypeRef(unsafe.Pointer(searched)))
}

func main() {
	passwords()
	references()
	keys()
	goroutines()
	callbacks()
	fmt.Printf("%d held, %d failed\n", held, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
