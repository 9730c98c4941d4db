import type { ItemContent } from '../model/contents.ts';

export function readableText({ text, plain_text }: ItemContent): string | undefined {
  return plain_text ?? text;
}
