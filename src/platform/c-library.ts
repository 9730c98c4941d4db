import { dlopen, type FFIFunction, type Library } from 'bun:ffi';

/** The names of glibc and of musl. */
const NAMES = ['libc.so.6', 'libc.so'];

/** Functions of the system's C library, by name. `undefined` on systems other than Linux, and if one is missing. */
export function fromCLibrary<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions>['symbols'] | undefined {
  if (process.platform !== 'linux') return undefined;
  for (const name of NAMES) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // Not this library.
    }
  }
  return undefined;
}
