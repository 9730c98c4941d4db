import type { ItemContent } from '../model/records/item.ts';

export function readableText({ text, plain_text }: ItemContent): string | undefined {
  return plain_text ?? text;
}
