import { LIMITS } from '../limits.ts';
import type { Metadata } from '../plugin/index.ts';
import { type AnswerMetadata, answerMetadata } from './metadata-fields.ts';

/** Bytes that an item of a page takes at most without metadata, and with only what its identifier says. */
const ITEM_BYTES = 300;
const BARE_ITEM_BYTES = 1_000;
/** Items whose metadata is read at a time: a page of large records is given up before all of them are read. */
const READ_ITEMS = 50;

/** What is known of an item, the sources that go before the others first. */
export type MetadataSources = readonly [provided: Metadata | undefined, catalogued: Metadata | undefined];

export interface PageMetadata {
  /** Of each item of the page, in its order. */
  metadata: AnswerMetadata[];
  /** The last so many items have only what their identifiers say, as more would not fit the page. */
  left_out: number;
}

/** Describes the items of a page within the bytes that a page may have. */
export class PageDescriber {
  /** Of the metadata as answers have it, by where it comes from: it is the same on every page. */
  private readonly bytes = new WeakMap<object, number>();

  constructor(private readonly page_bytes_max: number = LIMITS.keyless_page_bytes_max) {}

  /** @param read the sources of some of the items, from one place in the page to another */
  async describe(
    item_ids: readonly string[],
    read: (from: number, to: number) => Promise<MetadataSources[]>,
  ): Promise<PageMetadata> {
    const metadata: AnswerMetadata[] = [];
    let left = this.page_bytes_max - item_ids.length * BARE_ITEM_BYTES;
    let at = 0;
    while (at < item_ids.length) {
      const to = Math.min(at + READ_ITEMS, item_ids.length);
      for (const sources of await read(at, to)) {
        const described = answerMetadata(item_ids[at], sources);
        left -= this.bytesOf(described, sources) + ITEM_BYTES - BARE_ITEM_BYTES;
        if (left < 0) return { metadata: withBare(metadata, item_ids), left_out: item_ids.length - at };
        metadata.push(described);
        at++;
      }
    }
    return { metadata, left_out: 0 };
  }

  private bytesOf(described: AnswerMetadata, [provided, catalogued]: MetadataSources): number {
    const only = provided === undefined ? catalogued : undefined;
    const known = only === undefined ? undefined : this.bytes.get(only);
    if (known !== undefined) return known;
    const bytes = Buffer.byteLength(JSON.stringify(described));
    if (only !== undefined) this.bytes.set(only, bytes);
    return bytes;
  }
}

/** The metadata of the first items, and of all others what their identifiers say. */
function withBare(metadata: readonly AnswerMetadata[], item_ids: readonly string[]): AnswerMetadata[] {
  const others = item_ids.slice(metadata.length);
  return [...metadata, ...others.map((item_id) => answerMetadata(item_id, []))];
}
