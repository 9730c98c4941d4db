import type { Location } from './connection.ts';
import type { ReaderOrder, ReaderReply } from './messages.ts';
import { errorOf } from './refusals.ts';
import type { Chunk, ChunkSource, SeqRange } from './row-reader.ts';
import { ThreadLink } from './thread-link.ts';
import type { TimedReads } from './timed-reads.ts';

/**
 * Reads rows on a separate thread, which reads the next chunk of each table while the caller works on the last.
 *
 * Close it in every case, because its snapshot keeps the write-ahead log from being emptied.
 */
export class ReaderLink implements ChunkSource {
  private readonly coming: Promise<Chunk>[];

  private constructor(
    private readonly link: ThreadLink<ReaderOrder, ReaderReply>,
    table_count: number,
  ) {
    this.coming = Array.from({ length: table_count }, (_, table) => this.request(table));
  }

  /** @param table_count reads this many of `CHANGE_TABLES`, from the first */
  static async open(location: Location, range: SeqRange, table_count: number): Promise<ReaderLink> {
    const link = new ThreadLink<ReaderOrder, ReaderReply>('store/reader-worker', 'the reader');
    try {
      required(await link.request({ type: 'open', location, range }), 'done');
      return new ReaderLink(link, table_count);
    } catch (error) {
      link.terminate();
      throw error;
    }
  }

  async next(table: number): Promise<Chunk> {
    const chunk = await this.coming[table];
    if (!chunk.is_last) this.coming[table] = this.request(table);
    return chunk;
  }

  /** Waits until all requested chunks are read or failed, or the server is silent. */
  async close(timed_reads: TimedReads): Promise<void> {
    await timed_reads.request(() => this.link.request({ type: 'close' })).catch(() => {});
    this.link.terminate();
  }

  private request(table: number): Promise<Chunk> {
    const asked = this.link.request({ type: 'next', table }).then((reply) => required(reply, 'rows').chunk);
    // The caller of `next` gets the error. This prefetched chunk may have no caller.
    asked.catch(() => {});
    return asked;
  }
}

function required<Type extends ReaderReply['type']>(
  reply: ReaderReply,
  type: Type,
): Extract<ReaderReply, { type: Type }> {
  if (reply.type === type) return reply as Extract<ReaderReply, { type: Type }>;
  if (reply.type !== 'failed') throw new Error(`unexpected reply '${reply.type}'`);
  throw errorOf(reply);
}
