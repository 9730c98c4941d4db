import { textOf } from './text-of.ts';

/** What is wrong with the slots that a strategy gives, whatever page they are for; undefined when nothing is. */
export function slotsProblem(slots: unknown): string | undefined {
  if (!Array.isArray(slots)) return `it gives ${textOf(slots)}, which is no list of slots`;
  // Holes of a list are passed over by most of its methods.
  for (let at = 0; at < slots.length; at++) {
    if (typeof slots[at] !== 'object' || slots[at] === null)
      return `slot ${at + 1} holds ${textOf(slots[at])}; a slot is { item, promoted }`;
  }
  return undefined;
}
