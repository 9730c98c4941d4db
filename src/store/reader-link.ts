import type { Location } from './connection.ts';
import type { Hearing } from './hearing.ts';
import type { ReaderOrder, ReaderReply } from './messages.ts';
import { errorOf } from './refusals.ts';
import type { Chunk, ChunkSource, SeqRange } from './row-reader.ts';
import { ThreadLink } from './thread-link.ts';

/**
 * Has rows read by a thread of its own: of each table, the next chunk is read while the last one is worked off.
 * To be closed in any case, as its view of the data keeps the write-ahead log from being emptied.
 */
export class ReaderLink implements ChunkSource {
  private readonly coming: Promise<Chunk>[];

  private constructor(
    private readonly link: ThreadLink<ReaderOrder, ReaderReply>,
    table_count: number,
  ) {
    this.coming = Array.from({ length: table_count }, (_, table) => this.ask(table));
  }

  /**
   * @param table_count the first of `CHANGE_TABLES`, so many
   * @throws Error when the thread cannot open the data
   */
  static async open(location: Location, range: SeqRange, table_count: number): Promise<ReaderLink> {
    const link = new ThreadLink<ReaderOrder, ReaderReply>('store/reader-worker', 'the reader');
    try {
      required(await link.ask({ type: 'open', location, range }), 'done');
      return new ReaderLink(link, table_count);
    } catch (error) {
      link.terminate();
      throw error;
    }
  }

  async next(table: number): Promise<Chunk> {
    const chunk = await this.coming[table];
    if (!chunk.is_last) this.coming[table] = this.ask(table);
    return chunk;
  }

  /** Whatever comes of it: all that was asked for has been read, or what it failed with is known, or nobody answers. */
  async close(hearing: Hearing): Promise<void> {
    await hearing.ask(() => this.link.ask({ type: 'close' })).catch(() => {});
    this.link.terminate();
  }

  private ask(table: number): Promise<Chunk> {
    const asked = this.link.ask({ type: 'next', table }).then((reply) => required(reply, 'rows').chunk);
    // Whoever waits for it is told; nobody may, as it is asked for ahead.
    asked.catch(() => {});
    return asked;
  }
}

/** @throws StartupError, Error with the thread's reason when it failed */
function required<Type extends ReaderReply['type']>(
  reply: ReaderReply,
  type: Type,
): Extract<ReaderReply, { type: Type }> {
  if (reply.type === type) return reply as Extract<ReaderReply, { type: Type }>;
  if (reply.type !== 'failed') throw new Error(`unexpected reply '${reply.type}'`);
  throw errorOf(reply);
}
