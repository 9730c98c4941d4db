import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnswerItem } from '../../../src/answer/item-fields.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { checkAsync } from '../../support/long.ts';
import { forFile, START } from '../../support/service.ts';
import { type Fields, KEY, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());
const USERS = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'];
const ITEMS = Array.from({ length: 10 }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: USERS[at % USERS.length],
  created_at: START - 100 * at,
}));
const PUBLIC = ['like', 'comment', 'share'];

type Pair = [user: string, target: string];

interface Town {
  follows: Pair[];
  blocks: Pair[];
  acts: { user_id: string; item_id: string; event_type: string }[];
  hidden: string[];
  erased: string[];
  /** Preferences of `ann`. */
  more: string[];
  muted: string[];
  personalised: boolean;
}

const user = fc.constantFrom(...USERS);
const pair = fc.tuple(user, user).filter(([one, other]) => one !== other);
const town: fc.Arbitrary<Town> = fc.record({
  follows: fc.uniqueArray(pair, { minLength: 4, maxLength: 16, selector: String }),
  blocks: fc.uniqueArray(pair, { maxLength: 4, selector: String }),
  acts: fc.array(
    fc.record({
      user_id: user,
      item_id: fc.constantFrom(...ITEMS.map(({ item_id }) => item_id)),
      event_type: fc.constantFrom(...PUBLIC, ...PUBLIC, 'bookmark', 'view'),
    }),
    { minLength: 6, maxLength: 40 },
  ),
  hidden: fc.subarray(USERS, { maxLength: 1 }),
  erased: fc.subarray(USERS, { maxLength: 1 }),
  more: fc.subarray(USERS, { maxLength: 2 }),
  muted: fc.subarray(USERS.slice(1), { maxLength: 2 }),
  personalised: fc.boolean(),
});

const REQUESTS: [FeedType, Fields][] = [
  ['for-you', {}],
  ['for-you', { scoring: 'user_affinity_all_following_v0.0.1' }],
  ['for-you', { scoring: 'user_interest_all_v0.0.1' }],
  ['for-you', { scoring: 'newest_v0.0.1', filters: { author_ids: 'following' } }],
  ['trending', {}],
  ['popular', { return_only_posts_with_social_proof: true }],
  ['popular', { scoring: { name: 'weighted_v0.0.1', options: {} } }],
];

/** The users and items of each town have names of their own, so that towns know nothing of each other. */
async function populate(
  { follows, blocks, acts, hidden, erased, ...town }: Town,
  own: (id: string) => string,
) {
  const pairs = (all: Pair[]) =>
    all.map(([one, other]) => ({ user_id: own(one), target_user_id: own(other) }));
  const items = ITEMS.map(({ item_id, author_id, ...item }) => ({
    ...item,
    item_id: own(item_id),
    author_id: own(author_id),
    channel: own('town'),
  }));
  await community.add('items', ...items);
  await community.add('follows', ...pairs(follows));
  await community.add('blocks', ...pairs(blocks));
  const acted = acts.map(({ user_id, item_id, ...act }) => ({
    ...act,
    user_id: own(user_id),
    item_id: own(item_id),
  }));
  await community.add('interactions', ...acted);
  await community.add('users', ...hidden.map((user_id) => ({ user_id: own(user_id), hidden: true })));
  const more = town.more.map((author) => ({ kind: 'author', value: own(author) }));
  const muted = { authors: town.muted.map(own) };
  const preferences = { more, muted, personalised: town.personalised };
  const path = `/v2/community/users/${encodeURIComponent(own('ann'))}/preferences`;
  expect((await community.server.call('PUT', path, preferences, KEY)).status).toBe(200);
  for (const user_id of erased) await community.remove('users', own(user_id));
}

const authorOf = (item_id: string): string =>
  ITEMS.find((known) => known.item_id === item_id)?.author_id ?? '';

/** Who may be named to whom, and what is true, by a look at all records. */
class Reference {
  constructor(private readonly town: Town) {}

  maySee(viewer: string, other: string): boolean {
    const { blocks, hidden, erased } = this.town;
    const between = ([one, two]: Pair) => [one, two].includes(viewer) && [one, two].includes(other);
    const muted = viewer === 'ann' ? this.town.muted : [];
    return ![...hidden, ...erased, ...muted].includes(other) && !blocks.some(between);
  }

  follows(viewer: string, other: string): boolean {
    return this.town.follows.some(([one, two]) => one === viewer && two === other);
  }

  /** Whether a user, or any user, liked, commented or shared an item. */
  acted(item_id: string, user_id?: string): boolean {
    return this.town.acts.some(
      (act) =>
        PUBLIC.includes(act.event_type) &&
        act.item_id === item_id &&
        (user_id === undefined ? !this.town.erased.includes(act.user_id) : act.user_id === user_id),
    );
  }

  wantsMore(viewer: string, item_id: string): boolean {
    return viewer === 'ann' && this.town.more.includes(authorOf(item_id));
  }

  /** Whether a viewer has a taste that pages may use. */
  hasTaste(viewer: string): boolean {
    if (viewer === 'ann' && !this.town.personalised) return false;
    return this.town.acts.some(({ user_id }) => user_id === viewer);
  }
}

const SIGNALS: Readonly<Record<string, string[]>> = {
  similar_taste: ['interest_all', 'profile', 'semantic_interest'],
  trending: ['momentum', 'trending'],
};

function expectTrue(reference: Reference, viewer: string, item: AnswerItem): void {
  const { item_id, reasons = [], explain } = item;
  expect(reasons.length).toBeGreaterThan(0);
  expect(new Set(reasons.map(({ type }) => type)).size).toBe(reasons.length);
  for (const reason of reasons) {
    const named = 'user_ids' in reason ? reason.user_ids : [];
    expect(named.length).toBeLessThanOrEqual(3);
    for (const other of named) {
      expect([other, reference.maySee(viewer, other)]).toEqual([other, true]);
      expect([other, reference.follows(viewer, other)]).toEqual([other, true]);
    }
    switch (reason.type) {
      case 'followed_author':
        expect(named).toEqual([authorOf(item_id)]);
        break;
      case 'followed_liked':
        expect(named.length).toBeGreaterThan(0);
        for (const other of named) expect(reference.acted(item_id, other)).toBe(true);
        break;
      case 'similar_taste':
        expect(reference.hasTaste(viewer)).toBe(true);
        break;
      case 'trending':
      case 'popular':
        expect(reference.acted(item_id)).toBe(true);
        break;
      case 'more_of':
        expect(reference.wantsMore(viewer, item_id)).toBe(true);
        break;
      default:
        expect(reason.type).toBe('new_here');
    }
    const signals = SIGNALS[reason.type];
    if (signals !== undefined)
      expect(signals.map((name) => explain?.signals[name] ?? 0).some((value) => value > 0)).toBe(true);
  }
}

let towns = 0;

test('reasons are true, and name nobody whom the viewer may not see', async () => {
  await checkAsync(12, [town], async (drawn) => {
    const prefix = `${++towns} `;
    const own = (id: string) => prefix + id;
    // Everybody is known, so that an erasure finds a user.
    await community.add('users', ...USERS.map((user_id) => ({ user_id: own(user_id) })));
    await populate(drawn, own);
    const reference = new Reference(drawn);
    for (const viewer of ['ann', 'bob', 'unknown']) {
      for (const [feed_type, { filters, ...request }] of REQUESTS) {
        const page = await community.page(feed_type, {
          ...{ user_id: own(viewer), show_interacted_items: true, explain: true, reasons: true },
          ...request,
          filters: { ...(filters as Fields), channels: [own('town')] },
        });
        const plain: AnswerItem[] = JSON.parse(JSON.stringify(page).replaceAll(prefix, ''));
        for (const item of plain) expectTrue(reference, viewer, item);
      }
    }
  });
});
