import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { START } from '../../support/service.ts';
import { openCommunity } from '../support.ts';

const USERS = 8;
const user = fc.integer({ min: 0, max: USERS - 1 });
const pair = fc.tuple(user, user);
const WORLD = fc.record({
  follows: fc.array(pair, { maxLength: 30, size: 'max' }),
  blocks: fc.array(pair, { maxLength: 4 }),
  likes: fc.array(pair, { maxLength: 20, size: 'max' }),
  hidden: fc.uniqueArray(user, { maxLength: 2 }),
  active: fc.uniqueArray(user, { maxLength: USERS }),
});

/** `[0, 1]` → `['u0', 'u1']`, without pairs of one user. */
const named = (pairs: readonly (readonly [number, number])[]): (readonly [string, string])[] =>
  pairs.filter(([one, other]) => one !== other).map(([one, other]) => [`u${one}`, `u${other}`] as const);

test('whatever a community did, no page shows a user that its rules leave out, and all of the pages no user twice', async () => {
  await checkAsync(6, [WORLD], async ({ likes, hidden, active, ...pairs }) => {
    await using community = await openCommunity();
    const follows = named(pairs.follows);
    const blocks = named(pairs.blocks);
    const items = active.map((at) => ({ item_id: `i${at}`, author_id: `u${at}`, created_at: START }));
    const acts = likes.map(([one, item]) => ({
      user_id: `u${one}`,
      item_id: `i${item}`,
      event_type: 'like',
    }));
    const asTargets = ([user_id, target_user_id]: readonly [string, string]) => ({
      user_id,
      target_user_id,
    });
    if (items.length > 0) await community.add('items', ...items);
    if (follows.length > 0) await community.add('follows', ...follows.map(asTargets));
    if (blocks.length > 0) await community.add('blocks', ...blocks.map(asTargets));
    if (acts.length > 0) await community.add('interactions', ...acts);
    if (hidden.length > 0)
      await community.add('users', ...hidden.map((at) => ({ user_id: `u${at}`, hidden: true })));
    const is_active = new Set<string>([
      ...items.map(({ author_id }) => author_id),
      ...acts.map(({ user_id }) => user_id),
    ]);
    const is_hidden = new Set<string>(hidden.map((at) => `u${at}`));
    for (let at = 0; at < USERS; at++) {
      const viewer = `u${at}`;
      const followed = new Set(follows.filter(([one]) => one === viewer).map(([, other]) => other));
      const blocked = new Set(blocks.filter((two) => two.includes(viewer)).flat());
      const wrong = (user_id: string) =>
        user_id === viewer || blocked.has(user_id) || is_hidden.has(user_id) || followed.has(user_id);
      const shown: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await community.server.post('/v2/farcaster/users/recommended', {
          user_id: viewer,
          top_k: 2,
          cursor,
        });
        for (const { user_id, reasons } of body.body) {
          shown.push(user_id);
          for (const { user_ids = [] } of reasons)
            for (const by of user_ids)
              expect([by, is_hidden.has(by) || blocked.has(by)]).toEqual([by, false]);
        }
        ({ cursor } = body);
      } while (cursor !== undefined);
      expect(shown.filter(wrong)).toEqual([]);
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown.filter((user_id) => !is_active.has(user_id))).toEqual([]);
      // Every active user that the rules allow is shown on some page of such a small community.
      const authors = items.map(({ author_id }) => author_id);
      expect(authors.filter((author) => !wrong(author) && !shown.includes(author))).toEqual([]);
    }
  });
});
