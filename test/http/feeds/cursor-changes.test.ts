import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/clock.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { ENGINES, type Place, withPlace } from '../../store/engines.ts';
import { checkAsync } from '../../support/long.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { openTestServer, START } from '../../support/service.ts';
import { Community, FEED_TYPES, type Fields } from '../support.ts';

/** What may happen between two pages of a series. Numbers select an item, an author or a configuration. */
type Step =
  | { kind: 'page'; top_k: number; impression_count: number }
  | { kind: 'restart' }
  /** All background work is done. */
  | { kind: 'rest' }
  | {
      kind: 'item' | 'like' | 'own_like' | 'hide' | 'delete' | 'moderate' | 'follow' | 'block' | 'feed';
      at: number;
    };

const ITEMS = 40;
const AUTHORS = 6;
const VIEWER = 'viewer';
const LAG_MS = 100;

const CONFIGS: readonly Fields[] = [
  {},
  { filters: { channels: ['even'] } },
  { filters: { channels: ['odd'] }, return_global_fallback: true },
  { feed_diversity_config: { max_posts_per_author: 1 } },
  { time_decay: 'high', show_interacted_items: true },
  { remove_user_posts_from_feed: true },
  { scoring: { name: 'weighted_v0.0.1', options: { weights: { popular: 1, interest_all: 1 } } } },
];

const number = fc.nat({ max: 1_000 });
const page = fc.record({
  kind: fc.constant('page' as const),
  top_k: fc.integer({ min: 1, max: 14 }),
  impression_count: fc.constantFrom(0, 0, 0, 3),
});
const change = fc.record({
  kind: fc.constantFrom(
    ...(['item', 'like', 'own_like', 'hide', 'delete', 'moderate', 'follow', 'block', 'feed'] as const),
  ),
  at: number,
});
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: page },
    { weight: 8, arbitrary: change },
    { weight: 1, arbitrary: fc.constantFrom<Step[]>({ kind: 'restart' }, { kind: 'rest' }) },
  ),
  { minLength: 4, maxLength: 25, size: 'max' },
);

/** What a service depends on besides its requests: nothing of the machine, so that a series can be repeated. */
class Surroundings {
  readonly clock = new ManualClock(START);
  timers = new ManualTimers();
  private elapsed_ms = 0;

  constructor(
    private readonly place: Place,
    private readonly lag_ms: number,
    readonly seed: number,
  ) {}

  async open(): Promise<Community> {
    const { data, database_url } = this.place;
    const settings = { database_url, derived_lag_ms: this.lag_ms, exploration_percent: 20 };
    this.timers = new ManualTimers();
    const opening = { timers: this.timers, monotonicMs: () => this.elapsed_ms };
    return new Community(await openTestServer({ data, clock: this.clock, settings, opening }));
  }

  /** Rankings may lag behind a change, but not behind the third one before. */
  pass(): void {
    this.clock.advance(60);
    this.elapsed_ms += LAG_MS / 3;
  }
}

/** A series of pages of one viewer, and what the feed could show them all the time. */
class Series {
  readonly shown: string[] = [];
  /** Items that were eligible at every moment so far. */
  always: ReadonlySet<string>;
  private cursor: string | undefined;
  private next_item = ITEMS;

  private constructor(
    private community: Community,
    private readonly around: Surroundings,
    private readonly feed_type: FeedType,
    private readonly feed_id: string,
    eligible: ReadonlySet<string>,
  ) {
    this.always = eligible;
  }

  static async begin(around: Surroundings, feed_type: FeedType, config: Fields): Promise<Series> {
    const community = await around.open();
    await community.add('items', ...Array.from({ length: ITEMS }, (_, at) => itemAt(at, START - 3600 * at)));
    const feed = { name: 'a', endpoint: `feeds/${feed_type}`, config };
    const { body } = await community.server.post('/api/feed/config', feed);
    const { config_id } = body.data;
    const eligible = await eligibleOn(community, feed_type, config_id);
    return new Series(community, around, feed_type, config_id, eligible);
  }

  /** @returns whether this was the last page */
  async readPage(top_k: number, impression_count: number): Promise<boolean> {
    const before = await this.eligible();
    const { cursor, feed_id } = this;
    const { seed } = this.around;
    const request = { user_id: VIEWER, feed_id, top_k, impression_count, cursor, seed };
    const { status, body } = await this.community.ask(this.feed_type, request);
    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    const ids: string[] = body.body.map(({ item_id }: Fields) => item_id);
    expect(ids.filter((id) => !before.has(id))).toEqual([]);
    this.shown.push(...ids);
    this.cursor = body.cursor;
    // Items that this page has recorded as seen are no longer eligible, but they were until they were shown.
    return this.cursor === undefined;
  }

  async happen(step: Exclude<Step, { kind: 'page' }>): Promise<void> {
    this.around.pass();
    if (step.kind === 'restart') {
      await this.community.server.close();
      this.community = await this.around.open();
    } else if (step.kind === 'rest') await this.around.timers.pass(60);
    else await this.change(step.kind, step.at);
    const eligible = await this.eligible();
    this.always = new Set([...this.always].filter((id) => eligible.has(id) || this.shown.includes(id)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.community.server.close();
  }

  private async change(
    kind: Exclude<Step, { kind: 'page' | 'restart' | 'rest' }>['kind'],
    at: number,
  ): Promise<void> {
    const { community } = this;
    const item_id = `item-${at % this.next_item}`;
    const author_id = `author-${at % AUTHORS}`;
    if (kind === 'item') await community.add('items', itemAt(this.next_item++, community.now));
    else if (kind === 'like') await community.act(`user-${at % 5}`, 'like', item_id);
    else if (kind === 'own_like') await community.act(VIEWER, 'like', item_id);
    else if (kind === 'hide') await community.act(VIEWER, 'hide', item_id);
    else if (kind === 'moderate') await community.add('items', { item_id, ...ITEM, hidden: at % 2 === 0 });
    else if (kind === 'follow') await community.follow(VIEWER, author_id);
    else if (kind === 'block')
      await community.block(VIEWER, author_id, { action: at % 2 === 0 ? 'block' : 'unblock' });
    else if (kind === 'feed') {
      const patch = { config_id: this.feed_id, config: CONFIGS[at % CONFIGS.length] };
      const { status } = await community.server.call('PATCH', '/api/feed/config', patch, {
        authorization: 'Bearer test-key',
      });
      expect(status).toBe(200);
    } else if ((await community.stored('items', item_id)) !== undefined)
      await community.remove('items', item_id);
  }

  private eligible(): Promise<ReadonlySet<string>> {
    return eligibleOn(this.community, this.feed_type, this.feed_id);
  }
}

const ITEM = { author_id: 'author-0', created_at: START };

function itemAt(at: number, created_at: number): Fields {
  return {
    item_id: `item-${at}`,
    author_id: `author-${at % AUTHORS}`,
    created_at,
    channel: at % 2 === 0 ? 'even' : 'odd',
    likes_count: (at * 7) % 13,
  };
}

/** The items that the feed may show now: those of one page that is long enough for all. */
async function eligibleOn(
  community: Community,
  feed_type: FeedType,
  feed_id: string,
): Promise<ReadonlySet<string>> {
  const request = { user_id: VIEWER, feed_id, top_k: 500, feed_diversity_config: 'none' };
  return new Set(await community.ids(feed_type, request));
}

async function readSeries(
  around: Surroundings,
  feed_type: FeedType,
  config: Fields,
  all: Step[],
): Promise<void> {
  await using series = await Series.begin(around, feed_type, config);
  let ended = false;
  for (const step of all) {
    if (step.kind !== 'page') await series.happen(step);
    else ended = await series.readPage(step.top_k, step.impression_count);
    if (ended) break;
  }
  while (!ended) ended = await series.readPage(9, 0);
  expect(series.shown.length).toBe(new Set(series.shown).size);
  expect([...series.always].filter((id) => !series.shown.includes(id))).toEqual([]);
}

for (const engine of ENGINES) {
  describe.each(FEED_TYPES)(`cursors of a %s feed on ${engine.name}`, (feed_type) => {
    test('show once what stays eligible while items, acts and feeds change and the service restarts', async () => {
      await checkAsync(
        engine.name === 'sqlite' ? 4 : 2,
        [fc.constantFrom(...CONFIGS), steps, fc.constantFrom(0, LAG_MS), fc.nat()],
        (config, all, lag_ms, seed) =>
          withPlace(engine, (place) =>
            readSeries(new Surroundings(place, lag_ms, seed), feed_type, config, all),
          ),
      );
    });
  });
}
