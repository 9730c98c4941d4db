import type { ItemContent } from './change.ts';

/** The text of an item as a reader sees it: without markup. Undefined when it has none. */
export function readableText({ text, plain_text }: ItemContent): string | undefined {
  return plain_text ?? text;
}
