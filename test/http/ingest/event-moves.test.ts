import { expect, test } from 'bun:test';
import { START } from '../../support/service.ts';
import { type Community, type Fields, ingestPath, openCommunity } from '../support.ts';

const EVENT = { user_id: 'viewer', event_id: 'e1' };

async function send({ server }: Community, ...records: Fields[]): Promise<void> {
  const { status, body } = await server.post(ingestPath('interactions'), records);
  expect([status, body.accepted]).toEqual([200, records.length]);
}

/** Likes by one event, at one second after another. */
function likes(count: number, timed: boolean): Fields[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ ...EVENT, event_type: 'like', item_id: `item-${at}` },
    ...(timed ? { timestamp: START - count + at } : {}),
  }));
}

async function liked(community: Community): Promise<string[]> {
  const stored = await community.stored('users', 'viewer');
  return ((stored?.interactions ?? []) as { item_id: string }[]).map(({ item_id }) => item_id);
}

test('an event that has moved thousands of times stands for its last subject, and can be taken back', async () => {
  await using community = await openCommunity();
  await send(community, ...likes(4_000, true));
  expect(await liked(community)).toEqual(['item-3999']);
  await send(community, { ...EVENT, action: 'remove' });
  expect(await liked(community)).toEqual([]);
});

test('an event that did several things gives them all up when it moves', async () => {
  await using community = await openCommunity();
  await send(community, ...likes(3, false));
  expect(await liked(community)).toHaveLength(3);
  community.server.clock.advance(2);
  await send(community, { ...EVENT, event_type: 'like', item_id: 'last', timestamp: START + 1 });
  expect(await liked(community)).toEqual(['last']);
});

test('of two subjects of an event at one time the later arrival counts, also when both are sent again', async () => {
  await using community = await openCommunity();
  const [one, other] = likes(2, true).map((like) => ({ ...like, timestamp: START - 10 }));
  for (const sent of [[one, other], [one], [other, one]]) {
    await send(community, ...sent);
    expect(await liked(community)).toEqual(['item-1']);
  }
});
