import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import type { FollowedActs } from '../../src/feed/followed-acts.ts';
import { FollowedActsReader } from '../../src/feed/social-proof.ts';
import { LIMITS } from '../../src/limits.ts';
import { NONE } from '../../src/plugin/index.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import { itemOf, NOW, Scene } from '../support/scene.ts';

/** Their order of arrival is not that of their names. */
const FRIENDS = ['b', '10', 'ä', 'a', '9'];
const STRANGERS = ['s3', 's2', 's1'];
const EVERYBODY = [...FRIENDS, ...STRANGERS, 'viewer'];
const ITEMS = ['i0', 'i1', 'i2', 'i3', 'i4', 'i5'];
const OTHERS = ['o0', 'o1', 'o2', 'o3'];
/** Nobody does anything with these. */
const IDLE = ['nothing', 'nothing else'];
const COUNTED = ['like', 'comment', 'share'];

interface Act {
  user: string;
  type: string;
  item: string;
  time: number;
  add: boolean;
}

/** A community, and all that was said of it, in plain lists. */
class Community {
  readonly scene = new Scene();
  private readonly follows: [user: string, target: string][] = [];
  private readonly blocks: [user: string, target: string][] = [];
  /** The last that is known of each act, by arrival. */
  private readonly acts = new Map<string, Act>();
  private readonly reader = new FollowedActsReader(this.scene.state);
  private readonly scratch = new Scratch(this.scene.state);

  constructor() {
    for (const item of [...IDLE, ...OTHERS, ...ITEMS]) this.scene.item(item);
    for (const user of EVERYBODY) this.scene.user(user);
  }

  follow(user: string, target: string): this {
    this.scene.follow(user, target);
    this.follows.push([user, target]);
    return this;
  }

  block(user: string, target: string): this {
    this.scene.block(user, target);
    this.blocks.push([user, target]);
    return this;
  }

  act(act: Act): this {
    const { user, type, item, time, add } = act;
    if (add) this.scene.act(user, type, item, time);
    else this.scene.unact(user, type, item, time);
    // Comments are told apart by their time; of others one stands.
    const name = [user, type, item, ...(type === 'comment' ? [time] : [])].join(' ');
    const known = this.acts.get(name);
    const is_news = known === undefined || time > known.time || (time === known.time && add !== known.add);
    if (!is_news) return this;
    this.acts.delete(name);
    this.acts.set(name, act);
    return this;
  }

  /** What the reader says. */
  read(viewer: string | undefined, page: readonly string[]): FollowedActs[] {
    const ordinal = viewer === undefined ? NONE : this.scene.state.users.names.find(viewer);
    const items = page.map((item) => itemOf(this.scene, item));
    const said = this.reader.of(ordinal, items, this.scratch);
    this.scratch.takeBack();
    return said;
  }

  /** The same by looking at everything. */
  expected(viewer: string | undefined, page: readonly string[]): FollowedActs[] {
    const between = (one: string, other: string | undefined) => (pair: readonly string[]) =>
      pair.includes(one) && pair[1 - pair.indexOf(one)] === other;
    const followed = new Set(this.follows.filter(([user]) => user === viewer).map(([, target]) => target));
    const shown = [...followed].filter((user) => !this.blocks.some(between(user, viewer)));
    return page.map((item) => this.expectedOf(item, shown));
  }

  private expectedOf(item: string, users: readonly string[]): FollowedActs {
    const of_item = [...this.acts.values()].filter(
      (act) => act.add && act.item === item && COUNTED.includes(act.type),
    );
    const latest = users.flatMap((user) => {
      const own = of_item.filter((act) => act.user === user).sort((one, other) => one.time - other.time);
      return own.slice(-1);
    });
    latest.sort((one, other) => other.time - one.time || (one.user < other.user ? -1 : 1));
    const count = (type: string) =>
      users.filter((user) => of_item.some((act) => act.user === user && act.type === type)).length;
    return {
      social_proof: latest.slice(0, LIMITS.social_proof_max).map(({ user, time, type }) => ({
        user_id: user,
        timestamp: Math.floor(time),
        interaction: type,
      })),
      following_engagement: { like: count('like'), comment: count('comment'), share: count('share') },
    };
  }
}

const anybody = fc.constantFrom(...EVERYBODY);
const anything = fc.constantFrom(...ITEMS, ...OTHERS);
const pair = fc.tuple(anybody, anybody).filter(([one, other]) => one !== other);
/** Often the same second, and the same moment; some long before the others. */
const time = fc
  .constantFrom(0, 0, -0.25, -0.5, -1, -1.25, -7, -3600, -1e6, -1e6 - 0.5)
  .map((ago) => NOW + ago);

function acts(user: fc.Arbitrary<string>, item: fc.Arbitrary<string>, most: number): fc.Arbitrary<Act[]> {
  const type = fc.constantFrom(...COUNTED, 'comment', 'bookmark', 'view', 'hide');
  const add = fc.nat(4).map((drawn) => drawn > 0);
  return fc.array(fc.record({ user, type, item, time, add }), { maxLength: most, size: 'max' });
}

/** What happens between some pages: mostly where it is shorter to read the logs of items, or those of users. */
const happenings = fc
  .oneof(
    acts(fc.constantFrom(...FRIENDS, ...EVERYBODY), anything, 60),
    fc.tuple(acts(fc.constantFrom('b', '10'), fc.constantFrom(...OTHERS), 120), acts(anybody, anything, 12)),
    fc.tuple(
      acts(fc.constantFrom(...STRANGERS), fc.constantFrom(...ITEMS), 120),
      acts(anybody, anything, 12),
    ),
  )
  .map((drawn) => drawn.flat())
  .chain((drawn) => fc.shuffledSubarray(drawn, { minLength: drawn.length }));

const page = fc.record({
  viewer: fc.oneof(
    { weight: 6, arbitrary: fc.constant('viewer') },
    { weight: 2, arbitrary: anybody },
    { weight: 1, arbitrary: fc.constantFrom(undefined, 'unknown') },
  ),
  items: fc.oneof(
    { weight: 4, arbitrary: fc.shuffledSubarray([...ITEMS, ...IDLE]) },
    { weight: 4, arbitrary: fc.shuffledSubarray([...ITEMS, ...OTHERS, ...IDLE]) },
    { weight: 1, arbitrary: fc.shuffledSubarray(IDLE) },
  ),
});

describe('what followed users did with the items of a page', () => {
  test('is what looking at everything finds, page after page', () => {
    const follows = fc.tuple(
      fc.shuffledSubarray(FRIENDS, { minLength: 2 }),
      fc.array(pair, { maxLength: 8 }),
    );
    const blocks = fc.array(pair, { maxLength: 2 });
    const rounds = fc.array(fc.tuple(happenings, fc.array(page, { minLength: 1, maxLength: 4 })), {
      maxLength: 3,
      size: 'max',
    });
    fc.assert(
      fc.property(follows, blocks, rounds, ([friends, more], blocked, drawn) => {
        const community = new Community();
        for (const friend of friends) community.follow('viewer', friend);
        for (const [user, target] of more) community.follow(user, target);
        for (const [user, target] of blocked) community.block(user, target);
        for (const [happened, pages] of drawn) {
          for (const act of happened) community.act(act);
          for (const { viewer, items } of pages)
            expect(community.read(viewer, items)).toEqual(community.expected(viewer, items));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('is the same for more items and more followed users than there is room for at first', () => {
    const friends = Array.from({ length: 80 }, (_, number) => `f${number}`);
    const items = Array.from({ length: 90 }, (_, number) => `n${number}`);
    const pages = [[items[0]], items.slice(1), items.slice(80), IDLE, items.toReversed(), items];
    for (const order of [pages, pages.toReversed()]) {
      const community = new Community();
      const random = seededRandom(5);
      const some = (count: number) => Math.floor(random() * count);
      for (const friend of friends) community.follow('viewer', friend);
      const act = (user: string, item: string) =>
        community.act({ user, type: COUNTED[some(3)], item, time: NOW - some(5), add: true });
      for (let count = 0; count < 400; count++) act(friends[some(80)], items[some(90)]);
      // By many on one, again and again, and by one on many.
      for (let count = 0; count < 240; count++) act(friends[count % 80], items[0]);
      for (let count = 0; count < 270; count++) act(friends[79], items[count % 90]);
      for (let count = 0; count < 800; count++) act(`stranger ${count}`, items[1 + some(89)]);
      for (const page of order)
        expect(community.read('viewer', page)).toEqual(community.expected('viewer', page));
    }
  });

  test('is not what they did with an item that is 1,024 items away', () => {
    const community = new Community().follow('viewer', 'a');
    const { scene } = community;
    const first = itemOf(scene, 'i0');
    for (let item = scene.state.items.size; item <= first + 2048; item++) scene.item(`#${item}`);
    const far = [`#${first + 1024}`, `#${first + 2048}`];
    expect(far.map((item) => itemOf(scene, item) - first)).toEqual([1024, 2048]);
    for (const item of ['i0', ...far]) {
      for (const stranger of STRANGERS)
        community.act({ user: stranger, type: 'view', item, time: NOW - 9, add: true });
      community.act({ user: 'a', type: 'like', item: far[0], time: NOW - 1, add: true });
    }
    for (const page of [['i0'], [far[1], 'i0'], far, ['i0', ...far]])
      expect(community.read('viewer', page)).toEqual(community.expected('viewer', page));
    expect(
      community.read('viewer', ['i0', far[0]]).map(({ following_engagement }) => following_engagement.like),
    ).toEqual([0, 1]);
  });

  test('is read to the first act on the page, whatever came before it', () => {
    const community = new Community().follow('viewer', 'a').follow('viewer', 'b');
    const act = (user: string, type: string, item: string, ago: number) =>
      community.act({ user, type, item, time: NOW - ago, add: true });
    for (let ago = 100; ago > 0; ago--) act('a', 'comment', 'o0', ago);
    // The first second of the page, and the moments around it.
    for (const ago of [50, 50.5, 51, 51.5]) act('a', 'comment', 'i0', ago);
    act('b', 'like', 'i0', 51.75);
    for (const stranger of STRANGERS) for (let ago = 1; ago < 40; ago++) act(stranger, 'comment', 'i1', ago);
    const [said] = community.read('viewer', ['i0', 'i1']);
    expect(said).toEqual({
      social_proof: [
        { user_id: 'a', timestamp: NOW - 50, interaction: 'comment' },
        { user_id: 'b', timestamp: NOW - 52, interaction: 'like' },
      ],
      following_engagement: { like: 1, comment: 1, share: 0 },
    });
    for (const page of [['i0'], ['i1'], ['i0', 'i1', 'o0'], ['o1', 'i0']])
      expect(community.read('viewer', page)).toEqual(community.expected('viewer', page));
  });
});
