import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from './support/audit.ts';
import { Client, type ErrorBody, type IngestBody } from './support/client.ts';
import { killAll, startService } from './support/service-process.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'feedloom-stop-'));
});
afterEach(async () => {
  await killAll();
  rmSync(data, { recursive: true, force: true });
});
afterAll(killAll);

const BODIES = 16;
const RECORDS = 600;

function body(index: number): object[] {
  return Array.from({ length: RECORDS }, (_, at) => ({
    item_id: `item-${index}-${at}`,
    author_id: `author-${index}`,
    created_at: 1_700_000_000,
    text: `text ${at}`,
  }));
}

test('a stop answers what is under way, keeps what it acknowledged, and ends with 0', async () => {
  const service = await startService(data);
  const client = new Client(service.address);
  // Connections first, so that the requests themselves are with the service when the first is answered.
  await Promise.all(Array.from({ length: BODIES }, () => client.call('GET', '/healthz')));
  const answers = Array.from({ length: BODIES }, (_, index) =>
    client.post<IngestBody & ErrorBody>('items', body(index)),
  );
  await Promise.race(answers);
  const stopped = service.stop();
  const settled = await Promise.all(answers);
  expect(await stopped).toBe(0);
  expect(audit(data, true)).toEqual([]);

  const again = await startService(data);
  const after = new Client(again.address);
  for (const [index, answer] of settled.entries()) {
    const last = `item-${index}-${RECORDS - 1}`;
    if (answer.status === 200) expect(answer.body.accepted).toBe(RECORDS);
    else expect([answer.status, answer.body.code]).toEqual([503, 'shutting_down']);
    expect((await after.get('items', last)).status).toBe(answer.status === 200 ? 200 : 404);
  }
  expect(settled.some(({ status }) => status === 200)).toBe(true);
  expect(await again.stop()).toBe(0);
});

/** Everything that must be gone with the user, each text occurring nowhere else. */
const OF_ERASED = {
  user_id: 'user-to-be-erased-4711',
  display_name: 'Erasmus Vanishing',
  username: 'evanish',
  wallet: '0xe4a5ed00000000000000000000000000000000ff',
  item_id: 'item-of-the-erased-0815',
  deleted_item_id: 'deleted-item-of-the-erased-0816',
  text: 'a text that nobody shall read again',
  former_text: 'a text before it was edited',
  event_id: 'comment-of-the-erased-9',
};

/** Which of the texts are in the files of the folder. */
function found(texts: Record<string, string>): string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return Object.entries(texts)
    .filter(([, text]) => bytes.some((content) => content.includes(text)))
    .map(([name]) => name);
}

async function fillFor(client: Client): Promise<void> {
  const { user_id, item_id, deleted_item_id, text, former_text, event_id } = OF_ERASED;
  const { display_name, username, wallet } = OF_ERASED;
  const created_at = 1_700_000_000;
  const item = { author_id: user_id, created_at, language: 'en' };
  const posts: [string, object[]][] = [
    ['users', [{ user_id, display_name, username, wallet_addresses: [wallet] }, { user_id: 'friend' }]],
    ['items', [{ ...item, item_id, text: former_text }]],
    [
      'items',
      [
        { item_id, text },
        { ...item, item_id: deleted_item_id, text: `${text}!` },
      ],
    ],
    ['items', [{ item_id: 'kept', author_id: 'friend', created_at, text: 'a text that stays' }]],
    [
      'follows',
      [
        { user_id: 'friend', target_user_id: user_id },
        { user_id, target_user_id: 'friend' },
      ],
    ],
    ['interactions', [{ user_id, item_id: 'kept', event_type: 'comment', event_id }]],
    ['interactions', [{ user_id: 'friend', item_id, event_type: 'like' }]],
  ];
  for (const [kind, records] of posts) expect((await client.post(kind, records)).status).toBe(200);
  expect((await client.delete('items', deleted_item_id)).status).toBe(200);
  await client.page('popular', { user_id, impression_count: 5 });
  await client.page('popular', { user_id: 'friend', impression_count: 5 });
}

test('after an erasure and a clean stop no file holds what was erased, even with a crash between', async () => {
  const service = await startService(data);
  await fillFor(new Client(service.address));
  expect(found(OF_ERASED)).toEqual(Object.keys(OF_ERASED));
  expect((await new Client(service.address).delete('users', OF_ERASED.user_id)).status).toBe(200);
  await service.crash();

  const again = await startService(data);
  const client = new Client(again.address);
  expect((await client.get('users', OF_ERASED.user_id)).status).toBe(404);
  expect((await client.get('items', OF_ERASED.item_id)).status).toBe(404);
  expect(await again.stop()).toBe(0);
  expect(found(OF_ERASED)).toEqual([]);
  expect(found({ kept: 'a text that stays', friend: 'friend' })).toEqual(['kept', 'friend']);

  const last = await startService(data);
  const { body: friend } = await new Client(last.address).get<{ follows: string[] }>('users', 'friend');
  expect(friend).toMatchObject({ follows: [], interactions: [], counts: { followers: 0 } });
});
