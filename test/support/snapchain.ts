/** A local server that speaks the HTTP API of a Snapchain node, with a fixed history and planned faults. */

type Fields = Record<string, unknown>;

export interface Message {
  data: Fields & { type: string; fid: number; timestamp: number };
  hash: string;
}

interface Event extends Fields {
  id: number;
}

const EPOCH_SECONDS = 1_609_459_200;
const PAGE_SIZE_MAX = 1000;
const SHARDS = 2;

/** The shard of a user. */
const shardOf = (fid: number): number => (fid % SHARDS) + 1;

/** Merges messages like a node, and keeps their events and the messages that still stand. Each takes a second. */
export class Hub {
  readonly shards = new Map<number, Event[]>(Array.from({ length: SHARDS }, (_, at) => [at + 1, []]));
  readonly messages = new Map<string, Message>();
  private readonly heights = new Map<number, number>();
  private count = 0;

  /** @param start seconds of the first message */
  constructor(private readonly start: number) {}

  /** Seconds of the last message. */
  get time(): number {
    return this.start + this.count;
  }

  /** The id of the last event of a shard. */
  lastOf(shard: number): number {
    return this.shards.get(shard)?.at(-1)?.id ?? 0;
  }

  heightOf(shard: number): number {
    return this.heights.get(shard) ?? 0;
  }

  cast(fid: number, body: Fields): string {
    const castAddBody = {
      embedsDeprecated: [],
      mentions: [],
      parentCastId: null,
      parentUrl: null,
      text: '',
      embeds: [],
      mentionsPositions: [],
      type: 'CAST',
      ...body,
    };
    return this.merge(fid, 'CAST_ADD', { castAddBody }, () => false).hash;
  }

  /** A removal is merged for any hash, but only takes away casts of its author. */
  uncast(fid: number, hash: string): void {
    const targetHash = Buffer.from(hash.slice(2), 'hex').toString('base64');
    const isGone = (other: Message) => other.hash === hash;
    this.merge(fid, 'CAST_REMOVE', { castRemoveBody: { targetHash } }, isGone);
  }

  /** @param target a cast, or the address of a page */
  react(fid: number, action: 'ADD' | 'REMOVE', type: 'LIKE' | 'RECAST', target: Fields | string): Message {
    const named = typeof target === 'string' ? { targetUrl: target } : { targetCastId: target };
    const reactionBody = { type: `REACTION_TYPE_${type}`, ...named };
    const isSame = ({ data }: Message) => Bun.deepEquals(data.reactionBody, reactionBody);
    return this.merge(fid, `REACTION_${action}`, { reactionBody }, isSame);
  }

  link(fid: number, action: 'ADD' | 'REMOVE', targetFid: number, type = 'follow'): Message {
    const linkBody = { type, displayTimestamp: null, targetFid };
    const isSame = ({ data }: Message) => Bun.deepEquals(data.linkBody, linkBody);
    return this.merge(fid, `LINK_${action}`, { linkBody }, isSame);
  }

  compact(fid: number, targetFids: number[], type = 'follow'): void {
    const isGone = ({ data }: Message): boolean => {
      const body = data.linkBody as Fields | undefined;
      return body?.type === type && !targetFids.includes(Number(body.targetFid));
    };
    this.merge(fid, 'LINK_COMPACT_STATE', { linkCompactStateBody: { type, targetFids } }, isGone);
  }

  userData(fid: number, type: string, value: string): Message {
    const isSame = ({ data }: Message) => (data.userDataBody as Fields | undefined)?.type === type;
    return this.merge(fid, 'USER_DATA_ADD', { userDataBody: { type, value } }, isSame);
  }

  /** A decision about a channel. @param body names its kind: `channelModerateBody` or `channelMemberBody` */
  channel(fid: number, kind: 'MODERATE' | 'MEMBER', body: Fields): void {
    const named = kind === 'MODERATE' ? 'channelModerateBody' : 'channelMemberBody';
    this.merge(
      fid,
      `CHANNEL_${kind}`,
      { [named]: { channelId: `0x${'22'.repeat(32)}`, ...body } },
      () => false,
    );
  }

  prune(message: Message): void {
    this.withdraw('PRUNE', message);
  }

  revoke(message: Message): void {
    this.withdraw('REVOKE', message);
  }

  /** Adds an event with the given content to a shard. */
  event(shard: number, type: string, content: Fields): void {
    const height = this.heightOf(shard) + 1;
    this.heights.set(shard, height);
    const frame = { blockNumber: height, shardIndex: shard };
    const blockConfirmedBody = { ...frame, timestamp: this.count, blockHash: '0x00', totalEvents: 2 };
    const id = height * 2 ** 14;
    this.shards
      .get(shard)
      ?.push(
        { type: 'HUB_EVENT_TYPE_BLOCK_CONFIRMED', id, blockConfirmedBody, ...frame },
        { type: `HUB_EVENT_TYPE_${type}`, id: id + 1, ...content, ...frame },
      );
  }

  private withdraw(kind: 'PRUNE' | 'REVOKE', message: Message): void {
    this.messages.delete(message.hash);
    const body = `${kind.toLowerCase()}MessageBody`;
    this.event(shardOf(message.data.fid), `${kind}_MESSAGE`, { [body]: { message } });
  }

  private merge(fid: number, type: string, body: Fields, replaces: (other: Message) => boolean): Message {
    this.count++;
    const timestamp = this.time - EPOCH_SECONDS;
    const message = {
      data: { type: `MESSAGE_TYPE_${type}`, fid, timestamp, network: 'FARCASTER_NETWORK_MAINNET', ...body },
      hash: `0x${this.count.toString(16).padStart(40, '0')}`,
      hashScheme: 'HASH_SCHEME_BLAKE3',
      signature: 'c2lnbmVk',
      signatureScheme: 'SIGNATURE_SCHEME_ED25519',
      signer: '0x01',
    };
    const deletedMessages = [...this.messages.values()].filter(
      (other) => other.data.fid === fid && replaces(other),
    );
    for (const { hash } of deletedMessages) this.messages.delete(hash);
    this.messages.set(message.hash, message);
    const mergeMessageBody = { message, deletedMessages };
    this.event(shardOf(fid), 'MERGE_MESSAGE', { mergeMessageBody });
    return message;
  }
}

export interface Plan {
  /** The first event that is left, by shard. */
  oldest?: Readonly<Record<number, number>>;
  /** The node knows no more than so many blocks of a shard. */
  heights?: Readonly<Record<number, number>>;
  page_size?: number;
  /** Answers begin so many blocks before what was asked for. */
  repeats?: number;
  /** Answers instead of the node. Gets the number of the request, from 0. */
  answer?(url: URL, number: number): Response | undefined | Promise<Response | undefined>;
}

/** The type of the messages that a path lists. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  '/v1/castsByFid': ['CAST_ADD'],
  '/v1/linksByFid': ['LINK_ADD'],
  '/v1/reactionsByFid': ['REACTION_ADD'],
  '/v1/userDataByFid': ['USER_DATA_ADD'],
};

export class Snapchain {
  private readonly server: Bun.Server<undefined>;
  private count = 0;
  readonly requests: { url: URL; headers: Headers }[] = [];

  constructor(
    private readonly hub: Hub,
    public plan: Plan = {},
  ) {
    this.server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const url = new URL(request.url);
        this.requests.push({ url, headers: request.headers });
        return (await this.plan.answer?.(url, this.count++)) ?? this.answer(url);
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  async close(): Promise<void> {
    await this.server.stop(true);
  }

  private answer({ pathname, searchParams }: URL): Response {
    const types = LISTED[pathname];
    if (types !== undefined) return this.list(types, searchParams);
    switch (pathname) {
      case '/v1/info':
        return Response.json({
          numShards: SHARDS,
          shardInfos: [0, ...this.hub.shards.keys()].map((shardId) => ({
            shardId,
            maxHeight: this.plan.heights?.[shardId] ?? this.hub.heightOf(shardId),
            numMessages: 1,
          })),
          version: '0.11.0',
          peer_id: '',
          nextEngineVersionTimestamp: 0,
        });
      case '/v1/events':
        return this.events(searchParams);
      case '/v1/fids': {
        const fids = new Set([...this.hub.messages.values()].map(({ data }) => data.fid));
        const shard = Number(searchParams.get('shard_id'));
        const of_shard = [...fids].filter((fid) => shardOf(fid) === shard).sort((one, other) => one - other);
        return this.page('fids', of_shard, searchParams);
      }
      default:
        return Response.json({ error: 'not found', error_detail: null }, { status: 404 });
    }
  }

  private events(parameters: URLSearchParams): Response {
    const shard = Number(parameters.get('shard_index'));
    const asked = Number(parameters.get('from_event_id')) - (this.plan.repeats ?? 0) * 2 ** 14;
    const from = Math.max(asked, this.plan.oldest?.[shard] ?? 0);
    const until = ((this.plan.heights?.[shard] ?? Number.POSITIVE_INFINITY) + 1) * 2 ** 14;
    const events = this.hub.shards.get(shard)?.filter(({ id }) => id >= from && id < until) ?? [];
    return Response.json({ events: events.slice(0, this.pageSize(parameters)) });
  }

  private list(types: readonly string[], parameters: URLSearchParams): Response {
    const reaction = parameters.get('reaction_type');
    const messages = [...this.hub.messages.values()].filter(({ data }) => {
      const { type } = (data.reactionBody ?? {}) as Fields;
      const fits = reaction === null || type === `REACTION_TYPE_${reaction.toUpperCase()}`;
      const is_listed = types.some((each) => data.type === `MESSAGE_TYPE_${each}`);
      return is_listed && fits && data.fid === Number(parameters.get('fid'));
    });
    return this.page('messages', messages, parameters);
  }

  private page(name: string, entries: readonly unknown[], parameters: URLSearchParams): Response {
    const token = parameters.get('pageToken');
    const start = token === null ? 0 : Number(Buffer.from(token, 'base64').toString());
    const end = start + this.pageSize(parameters);
    const next = end < entries.length ? Buffer.from(String(end)).toString('base64') : undefined;
    return Response.json({ [name]: entries.slice(start, end), nextPageToken: next });
  }

  private pageSize(parameters: URLSearchParams): number {
    return Math.min(Number(parameters.get('pageSize')), this.plan.page_size ?? PAGE_SIZE_MAX);
  }
}
