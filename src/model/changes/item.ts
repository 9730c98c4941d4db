import { type ChangeOf, defineChange } from '../define-change.ts';
import { json, owner, subject } from '../member.ts';
import type { ItemContent } from '../records/item.ts';

/** A complete new version of an item. `author` is NONE if unknown (bare items of an import). */
export const ITEM = defineChange({
  kind: 'item',
  table: 'items',
  members: { item: subject('item'), author: owner, content: json<ItemContent>() },
});

export type ItemChange = ChangeOf<typeof ITEM>;
