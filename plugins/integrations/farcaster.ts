import {
  AnswerTooLong,
  type ConnectorHost,
  type ConnectorRecord,
  defineIntegration,
  EMITTED_RECORDS_MAX,
  Type,
} from 'feedloom/plugin';
import { type Parameters, pause, SnapchainNode } from './farcaster-node.ts';
import { BadData, isChannelModeration, recordsOfEvent, recordsOfMessage } from './farcaster-records.ts';

/** An event id is the height of its block, and in the lowest 14 bits the number of the event in the block. */
const IDS_PER_BLOCK = 2 ** 14;
/** Maximum of a node. It is halved as long as answers are too long. */
const PAGE_SIZE_MAX = 1000;
/** An event this many blocks later than a shard can have by now is none. A shard makes less than ten blocks a second. */
const BLOCKS_AHEAD_MAX = 100_000;
const BLOCKS_PER_SECOND_MAX = 10;
/** Users who are filled in before events are read again, so that these are not deleted meanwhile. */
const USERS_PER_ROUND = 20;
/** What a node still has of a user. */
const MESSAGES = [
  { path: '/v1/userDataByFid', parameters: {} },
  { path: '/v1/linksByFid', parameters: {} },
  { path: '/v1/castsByFid', parameters: {} },
  { path: '/v1/reactionsByFid', parameters: { reaction_type: 'Like' } },
  { path: '/v1/reactionsByFid', parameters: { reaction_type: 'Recast' } },
] as const;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** How far the back-fill has come. */
interface Fill {
  /** The place of the current shard in the list of shards. */
  shard_at: number;
  /** The token of the current page of users; empty for the first one. */
  token: string;
  /** Users of the page that are filled in. */
  done: number;
  /** Seconds at which it was noticed that events were missed; absent for the first back-fill. */
  gap_at?: number;
}

interface Position {
  /** The last event that was read, by shard. */
  shards: Record<string, number>;
  /** Absent if nothing is to be filled in. */
  fill?: Fill;
}

interface Page {
  entries: unknown[];
  /** The token of the next page; empty after the last one. */
  next: string;
}

interface Options {
  shards: readonly number[];
  backfill: readonly string[];
  start_at: 'now' | 'oldest';
  poll_seconds: number;
}

/** One run: follows the events of all shards, and fills in what is older in between. */
class Reader {
  private position: Position = { shards: {} };
  private shards: number[] = [];
  /** The heights of the shards when the run began, and the seconds at which that was. */
  private heights = new Map<number, number>();
  private begun_at = 0;
  private records: ConnectorRecord[] = [];
  private emitted: string | undefined;
  private skipped_count = 0;
  private channel_moderations_count = 0;
  private page_size = PAGE_SIZE_MAX;
  /** Shards whose last known event the node was asked for. */
  private readonly resumed = new Set<number>();
  private users: { key: string; fids: number[]; next: string } | undefined;

  constructor(
    private readonly host: ConnectorHost,
    private readonly node: SnapchainNode,
    private readonly options: Options,
  ) {}

  async run(): Promise<void> {
    await this.begin();
    for (;;) {
      let has_more = false;
      for (const shard of this.shards) {
        if (await this.follow(shard)) has_more = true;
      }
      if (this.position.fill !== undefined) await this.fill(this.position.fill);
      await this.emit();
      if (!has_more && this.position.fill === undefined)
        await pause(this.options.poll_seconds, this.host.signal);
    }
  }

  /** Finds the shards. Stores where the first run begins before it fills anything in, so that no event is missed. */
  private async begin(): Promise<void> {
    const { cursor } = this.host;
    this.emitted = cursor;
    if (cursor !== undefined) this.position = JSON.parse(cursor) as Position;
    else if (this.options.backfill.length > 0) this.position.fill = { shard_at: 0, token: '', done: 0 };
    const { shardInfos } = await this.node.get('/v1/info', {});
    const { heights } = this;
    this.begun_at = this.host.clock.now();
    for (const info of Array.isArray(shardInfos) ? shardInfos : []) {
      if (isObject(info) && Number(info.shardId) > 0)
        heights.set(Number(info.shardId), Number(info.maxHeight));
    }
    this.shards =
      this.options.shards.length > 0
        ? [...this.options.shards]
        : [...heights.keys()].sort((one, other) => one - other);
    const unknown = this.shards.find((shard) => !heights.has(shard));
    if (unknown !== undefined || this.shards.length === 0)
      throw new Error(
        `the node has no shard ${unknown ?? 1}; it has ${[...heights.keys()].join(', ') || 'none'}`,
      );
    for (const shard of this.shards) {
      const newest = (heights.get(shard) ?? 0) * IDS_PER_BLOCK;
      this.position.shards[shard] ??= this.options.start_at === 'now' ? newest : 0;
      // Another node, or another history: nothing behind this position would ever come.
      const last = this.position.shards[shard];
      if (last <= this.lastIdOf(shard)) continue;
      this.missed(shard, last, newest, 'the node has no events as late as those that were read');
      this.position.shards[shard] = newest;
    }
    await this.emit();
  }

  /** Reads one page of events. @returns whether there may be more */
  private async follow(shard: number): Promise<boolean> {
    const last = this.position.shards[shard];
    // The first request of a run asks for the last known event again, which is missing if the node has deleted it.
    const is_first = !this.resumed.has(shard);
    const parameters = { from_event_id: is_first ? last : last + 1, shard_index: shard };
    const { entries: answer } = await this.page('/v1/events', 'events', parameters);
    const events = answer
      .flatMap((event) => this.numbered(event, shard))
      .sort((one, other) => one.id - other.id);
    if (is_first && events.length > 0) {
      this.resumed.add(shard);
      if (isGap(last, events[0].id))
        this.missed(shard, last, events[0].id, 'the node has deleted events that were not read');
    }
    for (const { id, event } of events) {
      if (id <= last) continue;
      if (isChannelModeration(event)) this.noteModeration();
      await this.add(
        this.recordsOf(`event ${id} of shard ${shard}`, () => recordsOfEvent(event, this.host.clock.now())),
      );
      this.position.shards[shard] = id;
    }
    if (answer.length < this.page_size) return false;
    // Asking again would never end.
    if (!is_first && this.position.shards[shard] === last)
      throw new Error(`/v1/events answered only with events before ${last + 1}, which was asked for`);
    return true;
  }

  /** Reads a page of a list. The pages of this run are shorter from then on if its answer is too long. */
  private async page(path: string, name: string, parameters: Parameters, token = ''): Promise<Page> {
    for (;;) {
      const page_size = this.page_size;
      try {
        const page = { ...parameters, pageSize: page_size };
        const answer = await this.node.get(path, token === '' ? page : { ...page, pageToken: token });
        const entries = answer[name];
        if (!Array.isArray(entries)) throw new Error(`${path} answered without '${name}'`);
        if (entries.length > page_size)
          throw new Error(`${path} answered with ${entries.length} ${name}; ${page_size} were asked for`);
        return { entries, next: tokenAfter(path, answer.nextPageToken, token) };
      } catch (error) {
        if (!(error instanceof AnswerTooLong) || page_size === 1) throw error;
        this.page_size = Math.ceil(page_size / 2);
      }
    }
  }

  private numbered(event: unknown, shard: number): { id: number; event: Json }[] {
    const id = isObject(event) && isWhole(event.id) ? event.id : Number.NaN;
    if (isObject(event) && id <= this.lastIdOf(shard)) return [{ id, event }];
    this.skip('an event', Number.isNaN(id) ? 'it has no valid id' : 'its id is later than the shard can be');
    return [];
  }

  /** The highest id that an event may have by now. A higher one would keep the position away from all later events. */
  private lastIdOf(shard: number): number {
    const blocks = BLOCKS_AHEAD_MAX + BLOCKS_PER_SECOND_MAX * (this.host.clock.now() - this.begun_at);
    return ((this.heights.get(shard) ?? 0) + blocks) * IDS_PER_BLOCK;
  }

  private missed(shard: number, last: number, next: number, cause: string): void {
    const will_fill = this.options.backfill.length > 0;
    const remedy = will_fill ? 'users are filled in again' : 'set the option backfill to fill such gaps';
    this.host.log.warn({ shard, last, next }, `${cause}; ${remedy}`);
    if (will_fill) this.position.fill = { shard_at: 0, token: '', done: 0, gap_at: this.host.clock.now() };
  }

  private async fill(fill: Fill): Promise<void> {
    const { fids, next } = await this.usersOf(fill);
    for (const fid of fids.slice(fill.done, fill.done + USERS_PER_ROUND)) {
      await this.fillUser(fid, fill.gap_at);
      fill.done++;
    }
    if (fill.done < fids.length) return;
    const is_last_shard = this.isForAll() ? fill.shard_at + 1 >= this.shards.length : true;
    if (next !== '') this.position.fill = { ...fill, token: next, done: 0 };
    else if (!is_last_shard)
      this.position.fill = { ...fill, shard_at: fill.shard_at + 1, token: '', done: 0 };
    else {
      this.position.fill = undefined;
      this.host.log.info('all users are filled in');
    }
  }

  private isForAll(): boolean {
    return this.options.backfill.includes('all');
  }

  /** The page of users that a position names. */
  private async usersOf({ shard_at, token }: Fill): Promise<{ fids: number[]; next: string }> {
    if (!this.isForAll()) return { fids: this.options.backfill.map(Number), next: '' };
    const key = `${shard_at} ${token}`;
    if (this.users?.key === key) return this.users;
    const { entries, next } = await this.page('/v1/fids', 'fids', { shard_id: this.shards[shard_at] }, token);
    this.users = { key, fids: entries.filter(isWhole), next };
    return this.users;
  }

  private async fillUser(fid: number, gap_at: number | undefined): Promise<void> {
    const followed: unknown[] = [];
    for (const { path, parameters } of MESSAGES) {
      let token = '';
      do {
        const { entries, next } = await this.page(path, 'messages', { fid, ...parameters }, token);
        for (const message of entries) {
          const records = this.recordsOf(`a message of user ${fid}`, () =>
            recordsOfMessage(message, this.host.clock.now()),
          );
          for (const { kind, record } of records) if (kind === 'follow') followed.push(record.target_user_id);
          await this.add(records);
        }
        token = next;
      } while (token !== '');
    }
    // Follows that ended during a gap are in no event.
    if (gap_at === undefined) return;
    const list = { user_id: String(fid), target_user_ids: followed, timestamp: gap_at };
    await this.add([{ kind: 'follow_list', record: list }]);
  }

  private recordsOf(name: string, read: () => ConnectorRecord[]): ConnectorRecord[] {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof BadData)) throw error;
      this.skip(name, error.message);
      return [];
    }
  }

  /** @param skipped names what is skipped */
  private skip(skipped: string, cause: string): void {
    this.skipped_count++;
    this.host.log.warn({ skipped_count: this.skipped_count, skipped, cause }, 'an entry was skipped');
  }

  private noteModeration(): void {
    this.channel_moderations_count++;
    const { channel_moderations_count } = this;
    this.host.log.warn(
      { channel_moderations_count },
      'casts hidden and users banned in a channel stay in its feeds',
    );
  }

  private async add(records: readonly ConnectorRecord[]): Promise<void> {
    if (this.records.length + records.length > EMITTED_RECORDS_MAX) await this.emit();
    this.records.push(...records);
  }

  private async emit(): Promise<void> {
    const cursor = JSON.stringify(this.position);
    if (this.records.length === 0 && cursor === this.emitted) return;
    const { records } = this;
    this.records = [];
    await this.host.emit(records, cursor);
    this.emitted = cursor;
  }
}

/** Whether events between two ids are missing. The id of a block may have no event. */
function isGap(last: number, next: number): boolean {
  if (last === 0 || next === last) return false;
  const is_block = last % IDS_PER_BLOCK === 0;
  return !is_block || next >= last + 2 * IDS_PER_BLOCK;
}

/** The token of the next page; empty after the last one. @throws Error for a token that would read on for ever */
function tokenAfter(path: string, next: unknown, token: string): string {
  if (typeof next !== 'string' || next === '') return '';
  if (next === token) throw new Error(`${path} answered with the page token of the request`);
  return next;
}

/**
 * Reads Farcaster from the HTTP API of a Snapchain node: casts, likes, recasts, follows, blocks and profiles.
 *
 * Identifiers are cast hashes and fids. Wire format: https://github.com/farcasterxyz/snapchain
 */
export default defineIntegration({
  summary: 'Casts, likes, recasts, follows, blocks and profiles of Farcaster, from a Snapchain node.',
  options: Type.Object(
    {
      url: Type.String({
        default: 'http://127.0.0.1:3381',
        pattern: '^https?://[^?#]+$',
        maxLength: 2048,
        description: 'an address that starts with http:// or https://, without a query',
      }),
      shards: Type.Array(Type.Integer({ minimum: 1, maximum: 1000, description: 'the number of a shard' }), {
        maxItems: 64,
        uniqueItems: true,
        default: [],
        description: 'only these shards; empty: all of the node',
      }),
      start_at: Type.Union([Type.Literal('now'), Type.Literal('oldest')], {
        default: 'now',
        description: 'where the first start begins: now, or at the oldest event that the node has',
      }),
      backfill: Type.Array(
        Type.String({
          maxLength: 20,
          pattern: '^(?:all|[1-9][0-9]{0,14})$',
          description: 'all, or the fid of a user',
        }),
        {
          maxItems: 1000,
          default: [],
          description: 'all, or the fids of users whose older messages are read, too; empty: none',
        },
      ),
      poll_seconds: Type.Number({
        minimum: 0,
        maximum: 60,
        default: 1,
        description: 'the pause between requests when there is no more to read',
      }),
      key: Type.String({
        default: '',
        pattern: '^[!-~]*$',
        maxLength: 4096,
        description: 'the API key of the provider, best as key_env; empty: none',
      }),
      key_header: Type.String({
        default: 'x-api-key',
        pattern: '^[A-Za-z0-9-]+$',
        maxLength: 128,
        description: 'the name of the header that carries the key',
      }),
    },
    { additionalProperties: false },
  ),
  connect: ({ url, key, key_header, ...options }) => {
    const headers = key === '' ? {} : { [key_header]: key };
    return (host) => new Reader(host, new SnapchainNode(url, headers, host), options).run();
  },
});
