import fc from 'fast-check';
import { type FollowedActs, FollowedActsReader } from '../../src/answer/followed-acts.ts';
import { LIMITS } from '../../src/limits.ts';
import { NONE } from '../../src/plugin/index.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import { itemOf, NOW, Scene } from '../support/scene.ts';

/** Users whose order of arrival differs from the order of their names. */
export const FRIENDS = ['b', '10', 'ä', 'a', '9'];
export const STRANGERS = ['s3', 's2', 's1'];
export const EVERYBODY = [...FRIENDS, ...STRANGERS, 'viewer'];
export const ITEMS = ['i0', 'i1', 'i2', 'i3', 'i4', 'i5'];
export const OTHERS = ['o0', 'o1', 'o2', 'o3'];
/** Items without any acts. */
export const IDLE = ['nothing', 'nothing else'];
/** The item whose author is erased with it; the other items have no known author. */
const HERS = 'o3';
const AUTHOR = 's1';
export const COUNTED = ['like', 'comment', 'share'];

export interface Act {
  user: string;
  type: string;
  item: string;
  time: number;
  add: boolean;
}

/** A community, and a plain copy of all its records. */
export class Community {
  readonly scene = new Scene();
  private follows: [user: string, target: string][] = [];
  private blocks: [user: string, target: string][] = [];
  /** The latest version of each act, in order of arrival. */
  private readonly acts = new Map<string, Act>();
  private readonly reader = new FollowedActsReader(this.scene.state);
  private readonly scratch = new Scratch(this.scene.state);
  /** Authors of posted items, including deleted ones. */
  private readonly posted = new Map<string, string | undefined>();

  constructor() {
    for (const item of [...IDLE, ...OTHERS, ...ITEMS]) this.post(item);
    for (const user of EVERYBODY) this.scene.user(user);
  }

  /** Posts an item, possibly again. */
  post(item: string): this {
    const author = item === HERS ? AUTHOR : undefined;
    this.scene.item(item, { author });
    this.posted.set(item, author);
    return this;
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
    // Comments are distinguished by their time; of other types one act exists.
    const name = [user, type, item, ...(type === 'comment' ? [time] : [])].join(' ');
    const known = this.acts.get(name);
    const is_news = known === undefined || time > known.time || (time === known.time && add !== known.add);
    if (!is_news) return this;
    this.acts.delete(name);
    this.acts.set(name, act);
    return this;
  }

  /** Removes all acts on an item. */
  delete(item: string): this {
    this.scene.delete(item);
    this.forget((act) => act.item === item);
    return this;
  }

  /** Removes items for good; an item of the same name is a new one. */
  retire(items: readonly string[]): this {
    this.scene.retire(...items);
    this.forgetItems(items);
    return this;
  }

  /** Erases a user and their items. */
  erase(user: string): this {
    this.scene.erase(user);
    this.forget((act) => act.user === user);
    this.follows = this.follows.filter((pair) => !pair.includes(user));
    this.blocks = this.blocks.filter((pair) => !pair.includes(user));
    this.forgetItems([...this.posted].filter(([, author]) => author === user).map(([item]) => item));
    return this;
  }

  /** Whether the item exists now. */
  knows(item: string): boolean {
    return itemOf(this.scene, item) !== NONE;
  }

  /** The result of the reader. */
  read(viewer: string | undefined, page: readonly string[]): FollowedActs[] {
    const ordinal = viewer === undefined ? NONE : this.scene.state.users.names.find(viewer);
    const items = page.map((item) => itemOf(this.scene, item));
    const said = this.reader.read(ordinal, items, this.scratch, NOW);
    this.scratch.takeBack();
    return said.map(({ social_proof, following_engagement }) => ({ social_proof, following_engagement }));
  }

  /** The result of a full scan. */
  expected(viewer: string | undefined, page: readonly string[]): FollowedActs[] {
    const between = (one: string, other: string | undefined) => (pair: readonly string[]) =>
      pair.includes(one) && pair[1 - pair.indexOf(one)] === other;
    const followed = new Set(this.follows.filter(([user]) => user === viewer).map(([, target]) => target));
    const shown = [...followed].filter((user) => !this.blocks.some(between(user, viewer)));
    return page.map((item) => this.expectedOf(item, shown));
  }

  private forgetItems(items: readonly string[]): void {
    this.forget(({ item }) => items.includes(item));
    for (const item of items) this.posted.delete(item);
  }

  private forget(gone: (act: Act) => boolean): void {
    for (const [name, act] of this.acts) if (gone(act)) this.acts.delete(name);
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

export const anybody = fc.constantFrom(...EVERYBODY);
export const anything = fc.constantFrom(...ITEMS, ...OTHERS);
export const pair = fc.tuple(anybody, anybody).filter(([one, other]) => one !== other);
/** Often in the same second or at the same moment; some long before the others. */
const time = fc
  .constantFrom(0, 0, -0.25, -0.5, -1, -1.25, -7, -3600, -1e6, -1e6 - 0.5)
  .map((ago) => NOW + ago);

export function acts(
  user: fc.Arbitrary<string>,
  item: fc.Arbitrary<string>,
  most: number,
): fc.Arbitrary<Act[]> {
  const type = fc.constantFrom(...COUNTED, 'comment', 'bookmark', 'view', 'hide');
  const add = fc.nat(4).map((drawn) => drawn > 0);
  return fc.array(fc.record({ user, type, item, time, add }), { maxLength: most, size: 'max' });
}

export const page = fc.record({
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
