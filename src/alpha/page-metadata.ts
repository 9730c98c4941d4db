import { LRUCache } from 'lru-cache';
import { LIMITS } from '../limits.ts';
import { NFT_FIELDS, TOKEN_FIELDS } from '../model/records/token-metadata.ts';
import type { Field, Fields } from '../model/values/record-type.ts';
import { Refusal, whole } from '../model/values/refusal.ts';
import { itemParts } from '../model/values/tokens.ts';
import type { Metadata } from '../plugin/index.ts';
import { valueAt } from '../state/fields.ts';

const ITEM_BYTES = 300;
const BARE_ITEM_BYTES = 1_000;
/** Items per read. A page of large records stops reading before all of them are read. */
const READ_ITEMS = 50;
const REMEMBERED_BYTES_MAX = 32 * 1024 * 1024;

/** Metadata of an item, in order of precedence. */
export type MetadataSources = readonly [provided: Metadata | undefined, catalogued: Metadata | undefined];

export interface PageMetadata {
  /** JSON text per item of the page, in order. */
  texts: string[];
  /** The number of last items with only the metadata of their identifiers, because more would not fit the page. */
  left_out: number;
}

interface Text {
  text: string;
  bytes: number;
}

/** Writes the metadata of a page within the size limit of a page. */
export class PageDescriber {
  /**
   * Texts by source, if there is only one. Checking and writing a large record takes a millisecond.
   *
   * Outside of tests, items do not share sources.
   */
  private readonly remembered = new LRUCache<Metadata, Text>({
    maxSize: REMEMBERED_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(private readonly page_bytes_max: number = LIMITS.keyless_page_bytes_max) {}

  /** @param read reads the sources of the items from one index of the page to another */
  async describe(
    item_ids: readonly string[],
    read: (from: number, to: number) => Promise<MetadataSources[]>,
  ): Promise<PageMetadata> {
    const texts: string[] = [];
    let left = this.page_bytes_max - item_ids.length * BARE_ITEM_BYTES;
    while (texts.length < item_ids.length) {
      const from = texts.length;
      const to = Math.min(from + READ_ITEMS, item_ids.length);
      for (const sources of await read(from, to)) {
        const { text, bytes } = this.textOf(item_ids[texts.length], sources);
        left -= bytes + ITEM_BYTES - BARE_ITEM_BYTES;
        if (left < 0) return withBare(texts, item_ids);
        texts.push(text);
      }
    }
    return { texts, left_out: 0 };
  }

  private textOf(item_id: string, sources: MetadataSources): Text {
    const not_empty = sources.filter((source) => source !== undefined && Object.keys(source).length > 0);
    const [only] = not_empty.length === 1 ? not_empty : [];
    const known = only === undefined ? undefined : this.remembered.get(only);
    if (known !== undefined) return known;
    const text = JSON.stringify(answerMetadata(item_id, sources));
    const written = { text, bytes: Buffer.byteLength(text) };
    if (only !== undefined) this.remembered.set(only, written);
    return written;
  }
}

/** The given texts of the first items, and for all others the metadata of their identifiers. */
function withBare(texts: readonly string[], item_ids: readonly string[]): PageMetadata {
  const others = item_ids.slice(texts.length);
  const bare = others.map((item_id) => JSON.stringify(answerMetadata(item_id, [])));
  return { texts: [...texts, ...bare], left_out: others.length };
}

/**
 * Metadata of an answer: all keys of its kind, with null for unknown values. The identifier takes precedence, then
 * earlier sources. Sources are not trusted: invalid values are left out.
 */
function answerMetadata(item_id: string, sources: readonly (Metadata | undefined)[]): object {
  const { chain, contract: contract_address, token_id } = itemParts(item_id);
  const fields: Fields = token_id === undefined ? TOKEN_FIELDS : NFT_FIELDS;
  const all = [{ chain, contract_address, token_id }, ...sources];
  const entries = Object.entries(fields).map(([name, field]) => [name, firstSound(all, name, field)]);
  return Object.fromEntries(entries);
}

function firstSound(sources: readonly unknown[], name: string, { check }: Field<unknown>): unknown {
  for (const source of sources) {
    const given = valueAt(source, [name]) ?? undefined;
    const checked = given === undefined ? undefined : whole(check(given));
    if (checked !== undefined && !(checked instanceof Refusal)) return checked;
  }
  return null;
}
