import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { audit, STOPPED } from './support/audit.ts';
import { Client, type ErrorBody, type IngestBody } from './support/client.ts';
import { killAll, launch, startService } from './support/service-process.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('stop');
});
afterEach(killAll);
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

test('a stop answers requests under way, keeps acknowledged writes, and exits with 0', async () => {
  const service = await startService(data);
  const client = new Client(service.address);
  // Connections are opened first, so that all requests have reached the service when the first is answered.
  await Promise.all(Array.from({ length: BODIES }, () => client.call('GET', '/healthz')));
  const answers = Array.from({ length: BODIES }, (_, index) =>
    client.post<IngestBody & ErrorBody>('items', body(index)),
  );
  await Promise.race(answers);
  const stopped = service.stop();
  const settled = await Promise.all(answers);
  expect(await stopped).toBe(0);
  expect(audit(data, STOPPED)).toEqual([]);

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

/** Texts that must be gone with the user. Each occurs nowhere else. */
const OF_ERASED = {
  user_id: 'user-to-be-erased-4711',
  display_name: 'Erasmus Vanishing',
  username: 'evanish',
  wallet: '0xe4a5ed00000000000000000000000000000000ff',
  item_id: 'item-of-the-erased-0815',
  deleted_item_id: 'deleted-item-of-the-erased-0816',
  text: 'a text that must be erased',
  former_text: 'a text before it was edited',
  event_id: 'comment-of-the-erased-9',
};

/** The texts that are still in files of the folder. */
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

for (const [when, env] of [
  ['without checkpoints', { FEEDLOOM_CHECKPOINT_CHANGES: '0' }],
  [
    'with a checkpoint after every change',
    { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' },
  ],
] as const) {
  test(`after an erasure and a clean stop no file contains erased data, even with a crash in between, ${when}`, async () => {
    const service = await startService(data, { env });
    await fillFor(new Client(service.address));
    if (env.FEEDLOOM_CHECKPOINT_CHANGES === '1') await service.logged('checkpoint written');
    expect(found(OF_ERASED)).toEqual(Object.keys(OF_ERASED));
    expect((await new Client(service.address).delete('users', OF_ERASED.user_id)).status).toBe(200);
    await service.crash();

    const again = await startService(data, { env });
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
}

/** Writes two million interactions directly, so that loading takes a while. */
function fillTables(): void {
  const database = new Database(join(data, 'feedloom.sqlite'));
  database.run("insert into names values (1, 1, 0, 0, 'user'), (2, 1, 1, 0, 'item')");
  database.run(`with recursive numbers(seq) as (select 3 union all select seq + 1 from numbers where seq < 2000000)
    insert into interactions select seq, 1, 0, 0, 1, seq % 2, seq, '' from numbers`);
  database.run("update meta set value = '2000000' where name = 'highest_seq'");
  database.close();
}

for (const [signal, ofRun] of [
  ['SIGTERM', test],
  ['SIGINT', longTest],
] as const) {
  ofRun(`${signal} while the state is loading ends the service cleanly and releases the data`, async () => {
    await (await startService(data)).stop();
    fillTables();
    const holder = join(data, 'feedloom.lock.json');
    const loading = launch(data);
    while (!existsSync(holder)) await Bun.sleep(1);
    loading.child.kill(signal);
    expect(await loading.exited).toBe(0);
    const told = loading.lines.all.join('\n');
    expect(told).toContain('stopped before the state was loaded');
    expect(told).not.toContain('listening on');
    expect(await loading.stderr).toBe('');
    expect(existsSync(holder)).toBe(false);
  });
}

test('erased data that a crash left is purged soon after the next start', async () => {
  const service = await startService(data);
  await fillFor(new Client(service.address));
  expect((await new Client(service.address).delete('users', OF_ERASED.user_id)).status).toBe(200);
  await service.crash();
  expect(found(OF_ERASED)).toEqual(Object.keys(OF_ERASED));
  const again = await startService(data);
  while (found(OF_ERASED).length > 0) await Bun.sleep(20);
  expect((await new Client(again.address).get('users', 'friend')).status).toBe(200);
  expect(await again.stop()).toBe(0);
});

for (const changes of ['0', '1']) {
  test(`after the erasure of a wallet and a clean stop no file contains it, a checkpoint after ${changes} changes`, async () => {
    const env = { FEEDLOOM_CHECKPOINT_CHANGES: changes, FEEDLOOM_CHECKPOINT_SECONDS: '0' };
    const wallet_address = `0x${'e7a5ed'.padEnd(40, '5')}`;
    const item_id = `base.0x${'c'.repeat(40)}`;
    const event = (of_wallet: string) => ({ wallet_address: of_wallet, item_id, event_type: 'mint' });
    const service = await startService(data, { env });
    const client = new Client(service.address);
    for (const of_wallet of [wallet_address, `0x${'a'.repeat(40)}`])
      expect((await client.call('POST', '/base/events', event(of_wallet))).status).toBe(200);
    expect(found({ wallet_address })).toEqual(['wallet_address']);
    expect((await client.call('DELETE', `/base/wallets/${wallet_address}`)).status).toBe(200);
    await service.crash();

    const again = await startService(data, { env });
    const erased = await new Client(again.address).call('DELETE', `/base/wallets/${wallet_address}`);
    expect(erased.status).toBe(404);
    expect(await again.stop()).toBe(0);
    expect(found({ wallet_address, item_id })).toEqual(['item_id']);
  });
}
