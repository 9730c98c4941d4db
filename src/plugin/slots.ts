import { textOf } from './text-of.ts';

/** Describes a fault in a strategy's slots that is a fault on any page. Undefined if there is none. */
export function slotsProblem(slots: unknown): string | undefined {
  if (!Array.isArray(slots)) return `it gives ${textOf(slots)}, which is not a list of slots`;
  // Most array methods skip holes.
  for (let at = 0; at < slots.length; at++) {
    if (typeof slots[at] !== 'object' || slots[at] === null)
      return `slot ${at + 1} holds ${textOf(slots[at])}; a slot is { item, promoted }`;
  }
  return undefined;
}
