import { expect, test } from 'bun:test';
import { type Running, run } from '../../workloads/programs/reader-run.ts';
import { START } from '../support/service.ts';

/** No weight may be moved by more, by one viewer and by a thousand; see docs/ranking/learning.md. */
const BOUND = { one: 0.1, many: 0.3 };
const COMMUNITY = {
  ...{ seed: 5, readers: 200, first_items: 500, items_per_day: 100, start: START, days: 2, former_acts: 8 },
  ...{ pages: 1_000, page_items: 10, scoring: 'learned_v0.0.1' },
};
const PAGES_AT_ONCE = 25;

interface Weight {
  signal: string;
  used: number;
}

/** A feed that a thousand pages of honest readers taught, and that is attacked after them. */
function afterHonestPages(attack: (running: Running) => Promise<void>): Promise<unknown> {
  return run({
    ...COMMUNITY,
    onRound: (page, running) => (page === 980 ? attack(running) : undefined),
  });
}

async function weights({ server, feed_id }: Running): Promise<Weight[]> {
  server.clock.advance(100);
  await server.post('/v2/community/users', { user_id: 'passer-by' });
  const { status, body } = await server.get(`/api/learning?feed_id=${feed_id}`);
  expect(status).toBe(200);
  return body.data.weights;
}

/** Viewers get a page each of some authors, and like what they want to. @returns the number of likes */
async function act(
  { server, feed_id }: Running,
  viewers: readonly string[],
  likes: (item_id: string) => boolean,
  author_ids?: readonly string[],
): Promise<number> {
  let count = 0;
  for (let at = 0; at < viewers.length; at += PAGES_AT_ONCE) {
    const acts = viewers.slice(at, at + PAGES_AT_ONCE).map(async (user_id) => {
      const request = { feed_id, user_id, top_k: 10, impression_count: 10, filters: { author_ids } };
      const { body } = await server.post('/v2/community/feeds/for-you', request);
      const liked = body.body.filter(({ item_id }: { item_id: string }) => likes(item_id));
      return liked.map(({ item_id }: { item_id: string }) => ({ user_id, item_id, event_type: 'like' }));
    });
    const records = (await Promise.all(acts)).flat();
    if (records.length > 0) await server.post('/v2/community/interactions', records);
    count += records.length;
    server.clock.advance(5);
  }
  return count;
}

function moves(before: readonly Weight[], after: readonly Weight[]): number[] {
  const known = new Map(before.map(({ signal, used }) => [signal, used]));
  return after.map(({ signal, used }) => Math.abs(used - (known.get(signal) ?? 0)));
}

test('a viewer who likes everything moves no weight by more than the bound', async () => {
  await afterHonestPages(async (running) => {
    const before = await weights(running);
    expect(before.some(({ used }) => Math.abs(used) > BOUND.many)).toBe(true);
    for (let page = 0; page < 30; page++)
      expect(await act(running, ['attacker'], () => true)).toBeGreaterThan(0);
    expect(Math.max(...moves(before, await weights(running)))).toBeLessThan(BOUND.one);
  });
});

test('a thousand viewers who like one author move no weight by more than the bound', async () => {
  await afterHonestPages(async (running) => {
    const before = await weights(running);
    const { readers } = running;
    const attackers = Array.from({ length: 1_000 }, (_, at) => `attacker-${at}`);
    const authors = ['author-7', 'author-8', 'author-9', 'author-10'];
    const likes = await act(running, attackers, (item_id) => readers.item(item_id).author === 7, authors);
    expect(likes).toBeGreaterThan(500);
    expect(Math.max(...moves(before, await weights(running)))).toBeLessThan(BOUND.many);
  });
});
