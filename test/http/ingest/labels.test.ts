import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/limits.ts';
import { checkAsync } from '../../support/long.ts';
import { START } from '../../support/service.ts';
import { type Community, type Fields, ingestPath, openCommunity } from '../support.ts';

const LABELER = 'did:plc:labeler';

/** A community with posts `a1` and `a2` by ann, and `b1` by bob. */
async function withPosts(): Promise<Community> {
  const community = await openCommunity();
  for (const [item_id, author_id] of [
    ['a1', 'ann'],
    ['a2', 'ann'],
    ['b1', 'bob'],
  ])
    await community.addItem(item_id, { author_id });
  return community;
}

const label = (fields: Fields): Fields => ({ labeler_id: LABELER, value: 'spam', ...fields });

async function shown(community: Community, filters: Fields = {}): Promise<string[]> {
  return (await community.ids('popular', { filters })).sort();
}

describe('filters on labels of others', () => {
  test('labeled keeps and remove_labeled drops items with a label, and all items of authors with it', async () => {
    await using community = await withPosts();
    await community.add('labels', label({ item_id: 'a1' }), label({ user_id: 'bob', value: 'porn' }));
    expect(await shown(community, { labeled: [`${LABELER}/spam`] })).toEqual(['a1']);
    expect(await shown(community, { labeled: ['*/porn'] })).toEqual(['b1']);
    expect(await shown(community, { labeled: ['*/porn', '*/spam'] })).toEqual(['a1', 'b1']);
    expect(await shown(community, { remove_labeled: ['*/spam', `${LABELER}/porn`] })).toEqual(['a2']);
    expect(await shown(community, { labeled: ['other/spam'] })).toEqual([]);
    expect(await shown(community, { remove_labeled: ['other/spam'] })).toEqual(['a1', 'a2', 'b1']);
    await community.addItem('b2', { author_id: 'bob' });
    expect(await shown(community, { remove_labeled: ['*/porn'] })).toEqual(['a1', 'a2']);
  });

  test('a label ends at its time by the clock of the page, without any change in between', async () => {
    await using community = await withPosts();
    await community.add('labels', label({ item_id: 'a1', expires_at: START + 100 }));
    const filters = { labeled: ['*/spam'] };
    expect(await shown(community, filters)).toEqual(['a1']);
    community.server.clock.advance(99);
    expect(await shown(community, filters)).toEqual(['a1']);
    community.server.clock.advance(1);
    expect(await shown(community, filters)).toEqual([]);
  });

  test('an entry without a labeler or a value is refused', async () => {
    await using community = await openCommunity();
    for (const entry of ['spam', '/spam', 'x/', 7]) {
      const { status, body } = await community.ask('popular', { filters: { labeled: [entry] } });
      expect([status, body.detail]).toEqual([400, expect.stringContaining('"<labeler>/<value>"')]);
    }
  });

  test('a labeler whose id has a slash is meant by everything before the last one', async () => {
    await using community = await withPosts();
    await community.add('labels', label({ labeler_id: 'https://mod.example/x', item_id: 'a2' }));
    expect(await shown(community, { labeled: ['https://mod.example/x/spam'] })).toEqual(['a2']);
  });
});

describe('labels that hide', () => {
  test('hide an item from everybody, also if it comes later, until they are taken back', async () => {
    await using community = await withPosts();
    await community.add(
      'labels',
      label({ item_id: 'a1', hides: true }),
      label({ item_id: 'a3', hides: true }),
    );
    await community.addItem('a3', { author_id: 'ann' });
    expect(await shown(community)).toEqual(['a2', 'b1']);
    await community.addItem('a1', { author_id: 'ann', text: 'edited' });
    expect(await shown(community)).toEqual(['a2', 'b1']);
    await community.add('labels', label({ item_id: 'a1', action: 'remove' }));
    expect(await shown(community)).toEqual(['a1', 'a2', 'b1']);
  });

  test('hide a user with all items, beside what a moderator decided', async () => {
    await using community = await withPosts();
    await community.add('labels', label({ user_id: 'ann', hides: true }));
    expect(await shown(community)).toEqual(['b1']);
    await community.add('users', { user_id: 'ann', hidden: true });
    await community.add('labels', label({ user_id: 'ann', action: 'remove' }));
    expect(await shown(community)).toEqual(['b1']);
    await community.add('users', { user_id: 'ann', hidden: false });
    expect(await shown(community)).toEqual(['a1', 'a2', 'b1']);
  });

  test('hide no longer than a minute and a change after they expired', async () => {
    await using community = await withPosts();
    await community.add('labels', label({ item_id: 'a1', hides: true, expires_at: START + 100 }));
    community.server.clock.advance(90);
    await community.add('users', { user_id: 'other' });
    expect(await shown(community)).toEqual(['a2', 'b1']);
    community.server.clock.advance(70);
    await community.add('users', { user_id: 'another' });
    expect(await shown(community)).toEqual(['a1', 'a2', 'b1']);
  });

  test('end when their labeler is erased, and labels of an erased user or a deleted item are gone', async () => {
    await using community = await withPosts();
    await community.add('labels', label({ item_id: 'a1', hides: true }), label({ user_id: 'bob' }));
    await community.remove('users', 'bob');
    await community.add('labels', label({ item_id: 'a2' }));
    await community.remove('items', 'a2');
    await community.addItem('a2', { author_id: 'ann', revive: true });
    await community.addItem('b2', { author_id: 'bob', created_at: START + 1 });
    expect(await shown(community, { labeled: ['*/spam'] })).toEqual([]);
    await community.remove('users', LABELER);
    expect(await shown(community)).toEqual(['a1', 'a2', 'b2']);
    expect(community.server.service.state.labels.size).toBe(0);
  });
});

describe('POST …/labels', () => {
  test.each([
    [{ item_id: 'a' }, 'value: is required'],
    [{ value: 'spam' }, 'item_id: expected one of item_id and user_id'],
    [{ value: 'spam', item_id: 'a', user_id: 'b' }, 'user_id: expected one of item_id and user_id'],
    [{ value: 'a/b', item_id: 'a' }, 'value: expected a text without a slash'],
    [{ value: 'x'.repeat(129), item_id: 'a' }, 'value: expected'],
    [{ value: '', item_id: 'a' }, 'value: expected'],
    [{ value: 'spam', item_id: 'a', expires_at: 'soon' }, 'expires_at: expected'],
    [{ value: 'spam', item_id: 'a', action: 'negate' }, 'action: expected one of add, remove'],
  ])('refuses %j and names the field', async (fields, fault) => {
    await using community = await openCommunity();
    const { status, body } = await community.server.post(ingestPath('labels'), [
      { labeler_id: LABELER, ...fields },
    ]);
    expect([status, body.rejected[0].detail]).toEqual([400, expect.stringContaining(fault)]);
    expect(community.server.service.state.users.size).toBe(0);
  });

  test('refuses more values of a labeler than allowed, and others may still label', async () => {
    await using community = await openCommunity();
    const most = LIMITS.label_values_per_labeler_max;
    const values = Array.from({ length: most }, (_, at) => label({ item_id: 'a1', value: `v${at}` }));
    await community.add('labels', ...values);
    const { body } = await community.server.post(ingestPath('labels'), [
      label({ item_id: 'a1', value: 'one more' }),
      label({ item_id: 'a1', value: 'v1', action: 'remove' }),
      label({ item_id: 'a1', labeler_id: 'other', value: 'one more' }),
    ]);
    expect(body).toMatchObject({ accepted: 2, rejected: [{ index: 0 }] });
    expect(body.rejected[0].detail).toContain(`the labeler has ${most} different values, the most allowed`);
  });
});

const message = fc.record({
  labeler_id: fc.constantFrom('l1', 'l2'),
  subject: fc.constantFrom('p1', 'p2', 'ann'),
  value: fc.constantFrom('spam', '!hide'),
  action: fc.constantFrom('add', 'add', 'remove'),
  timestamp: fc.nat(5).map((seconds) => START - 10 + seconds),
  expires_at: fc.option(fc.constantFrom(START - 5, START + 50), { nil: undefined }),
  hides: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
});
type Message = typeof message extends fc.Arbitrary<infer M> ? M : never;

/** A message about a label, or the creation of a post of ann. */
const step: fc.Arbitrary<Message | string> = fc.oneof(
  { weight: 5, arbitrary: message },
  { weight: 1, arbitrary: fc.constantFrom('p1', 'p2') },
);

/** The naive model: of the messages about each label the latest in time, and then in arrival. */
function standing(steps: readonly (Message | string)[], now: number): Message[] {
  const latest = new Map<string, Message>();
  for (const each of steps) {
    if (typeof each === 'string') continue;
    const name = [each.labeler_id, each.subject, each.value].join();
    const known = latest.get(name);
    if (known === undefined || each.timestamp >= known.timestamp) latest.set(name, each);
  }
  return [...latest.values()].filter(
    ({ action, expires_at }) => action === 'add' && (expires_at === undefined || now < expires_at),
  );
}

test('any order of labels, negations, repetitions and posts gives what the latest messages say', async () => {
  await checkAsync(25, [fc.array(step, { maxLength: 25 }), fc.nat(8)], async (steps, repeated) => {
    await using community = await openCommunity();
    const all = [...steps, ...steps.slice(0, repeated)];
    for (const each of all) {
      if (typeof each === 'string') await community.addItem(each, { author_id: 'ann' });
      else {
        const { subject, ...fields } = each;
        await community.add('labels', {
          ...fields,
          [subject === 'ann' ? 'user_id' : 'item_id']: subject,
        });
      }
    }
    const posts = ['p1', 'p2'].filter((post) => all.includes(post));
    const check = async (now: number) => {
      const labels = standing(all, now);
      const ofPost = (post: string) => labels.filter(({ subject }) => subject === post || subject === 'ann');
      const visible = posts.filter((post) => !ofPost(post).some(({ hides }) => hides));
      expect(await shown(community)).toEqual(visible);
      for (const [entry, labeler, value] of [
        ['*/spam', undefined, 'spam'],
        ['l1/!hide', 'l1', '!hide'],
      ]) {
        const has = (post: string) =>
          ofPost(post).some(
            (each) => each.value === value && (labeler === undefined || each.labeler_id === labeler),
          );
        expect(await shown(community, { labeled: [entry] })).toEqual(visible.filter(has));
        expect(await shown(community, { remove_labeled: [entry] })).toEqual(
          visible.filter((post) => !has(post)),
        );
      }
    };
    await check(START);
    community.server.clock.advance(200);
    await community.add('users', { user_id: 'a change' });
    await check(START + 200);
  });
});
