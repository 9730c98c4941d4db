import { dlopen, type FFIFunction, type Library } from 'bun:ffi';

/** As it is called with glibc, and with musl. */
const NAMES = ['libc.so.6', 'libc.so'];

/** Functions of the system's C library, by name; `undefined` elsewhere than on Linux, and where one is not there. */
export function fromCLibrary<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions>['symbols'] | undefined {
  if (process.platform !== 'linux') return undefined;
  for (const name of NAMES) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // Not that one.
    }
  }
  return undefined;
}
