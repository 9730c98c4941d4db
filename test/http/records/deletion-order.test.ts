import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { checkAsync } from '../../support/long.ts';
import { forFile, START } from '../../support/service.ts';
import { type Fields, openCommunity } from '../support.ts';

const USERS = ['ann', 'ben', 'cyd'];
let emitted_count = 0;
const community = await forFile(openCommunity());

interface Step {
  user_id: string;
  kind: 'like' | 'unlike' | 'share' | 'unshare' | 'comment' | 'plain comment' | 'deletion';
}
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  user_id: fc.constantFrom(...USERS),
  kind: fc.constantFrom('like', 'unlike', 'share', 'unshare', 'comment', 'plain comment', 'deletion'),
});

/** The records of a history in their order. Step n happens at second n. */
function recordsOf(item_id: string, steps: readonly Step[]): ConnectorRecord[] {
  return [...versions(item_id).slice(0, 1), ...steps.map((_, at) => recordOf(item_id, steps, at))];
}

function recordOf(item_id: string, steps: readonly Step[], at: number): ConnectorRecord {
  const { user_id, kind } = steps[at];
  const timestamp = START - 500 + at;
  const event_id = `${item_id} ${at}`;
  const act = { user_id, item_id, timestamp };
  const interaction = (record: Fields): ConnectorRecord => ({ kind: 'interaction', record });
  switch (kind) {
    case 'deletion':
      return { kind: 'item_deletion', record: { item_id, timestamp } };
    case 'like': {
      const known = likeOf(steps.slice(0, at), user_id);
      return known === undefined
        ? interaction({ ...act, event_type: 'like', event_id })
        : recordOf(item_id, steps, known);
    }
    case 'unlike': {
      const isOwnLike = (step: Step, of: number) =>
        of < at && step.kind === 'like' && step.user_id === user_id;
      const liked = steps.findLastIndex(isOwnLike);
      return interaction({ user_id, event_id: `${item_id} ${liked}`, action: 'remove' });
    }
    case 'share':
      return interaction({ ...act, event_type: 'share' });
    case 'unshare':
      return interaction({ ...act, event_type: 'share', action: 'remove' });
    case 'comment':
      return interaction({ ...act, event_type: 'comment', event_id });
    case 'plain comment':
      return interaction({ ...act, event_type: 'comment' });
  }
}

/**
 * The step of a user's like that was neither undone nor deleted. The same like is then sent again, because a second one
 * would take its place, and the order would decide which of them an undoing meets.
 */
function likeOf(steps: readonly Step[], user_id: string): number | undefined {
  let known: number | undefined;
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'deletion' || (step.kind === 'unlike' && step.user_id === user_id)) known = undefined;
    if (step.kind === 'like' && step.user_id === user_id) known ??= at;
  }
  return known;
}

/** The item as it is at first, and as it is posted again after everything else. */
function versions(item_id: string): ConnectorRecord[] {
  return [START - 1000, START - 1].map((created_at) => ({
    kind: 'item',
    record: { item_id, author_id: 'author', created_at, text: 'text' },
  }));
}

async function emit(records: readonly ConnectorRecord[]): Promise<void> {
  const cursor = { connector: 'test', cursor: String(++emitted_count) };
  const { rejected } = await community.server.service.ingest.ordered(records, cursor);
  expect(rejected).toEqual([]);
}

/** The counts of an item, and the users' acts on it. */
async function actsOn(item_id: string) {
  const { likes_count, comments_count, shares_count } = (await community.stored('items', item_id)) ?? {};
  const acts = USERS.map(async (user_id) => {
    const interactions = ((await community.stored('users', user_id))?.interactions ?? []) as Fields[];
    return interactions
      .filter((act) => act.item_id === item_id)
      .map((act) => ({ ...act, item_id: undefined }));
  });
  return { likes_count, comments_count, shares_count, acts: await Promise.all(acts) };
}

test('acts on an item and dated deletions have the same effect in every order, also when they are repeated', async () => {
  let run = 0;
  await checkAsync(
    100,
    [
      fc.array(stepArbitrary, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 }),
      fc.integer({ min: 1, max: 12 }),
    ],
    async (steps, moves, batch_size) => {
      const [ordered, disturbed] = [`ordered-${++run}`, `disturbed-${run}`];
      await emit(recordsOf(ordered, steps));
      const records = recordsOf(disturbed, steps);
      for (const [from, to] of moves) {
        const moved = records[from % records.length];
        // Either a repeated record or another order.
        if (to % 3 > 0) records.splice(from % records.length, 1);
        records.splice(to % (records.length + 1), 0, moved);
      }
      for (let at = 0; at < records.length; at += batch_size) await emit(records.slice(at, at + batch_size));
      for (const item_id of [ordered, disturbed]) await emit(versions(item_id).slice(1));
      expect(await actsOn(disturbed)).toEqual(await actsOn(ordered));
    },
  );
});

test('a deletion in the same batch as acts from before and after it removes only the earlier ones', async () => {
  const acts = ['comment', 'like', 'share'].flatMap((event_type) =>
    [-20, -5].map((seconds): ConnectorRecord => {
      const event_id = event_type === 'share' ? undefined : `batch ${event_type} ${seconds}`;
      const act = { user_id: `dan ${seconds}`, item_id: 'batch', timestamp: START + seconds };
      return { kind: 'interaction', record: { ...act, event_type, event_id } };
    }),
  );
  const deletion: ConnectorRecord = {
    kind: 'item_deletion',
    record: { item_id: 'batch', timestamp: START - 10 },
  };
  const [first, second] = versions('batch');
  await emit([first, ...acts, deletion, ...acts, second]);
  const counts = { likes_count: 1, comments_count: 1, shares_count: 1 };
  expect(await community.stored('items', 'batch')).toMatchObject(counts);
});
