import type { ItemContent } from './change.ts';

/** The text of an item without markup. Undefined if it has none. */
export function readableText({ text, plain_text }: ItemContent): string | undefined {
  return plain_text ?? text;
}
