import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { audit, STOPPED } from './support/audit.ts';
import { type Answer, Client, type ErrorBody, type FeedBody, type IngestBody } from './support/client.ts';
import { killAll, startService } from './support/service-process.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('drain');
});
afterEach(killAll);
afterAll(killAll);

const ITEMS = 400;
const VIEWERS = 24;
/** Requests of one viewer, which are queued. */
const TURNS = 6;
const SHOWN = 10;
const BODIES = 8;
const RECORDS = 600;
const EVENTS = 40;

const viewer = (at: number): string => `viewer-${at}`;
const wallet = (at: number): string => `0x${(at + 1).toString(16).padStart(40, '0')}`;
const token = (at: number): string => `base.0x${(at + 1_000).toString(16).padStart(40, '0')}.7`;

function items(prefix: string, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    item_id: `${prefix}-${at}`,
    author_id: `author-${at % 9}`,
    created_at: 1_700_000_000 + at,
    likes_count: at % 13,
    text: `text ${at}`,
  }));
}

function mint(client: Client, at: number): Promise<Answer<ErrorBody>> {
  const event = { wallet_address: wallet(at), item_id: token(at), event_type: 'mint' };
  return client.call('POST', '/base/events', event);
}

/** Concurrent pages with impressions, ingest bodies and wallet events. */
function load(client: Client) {
  const pages = Array.from({ length: VIEWERS * TURNS }, (_, at) =>
    client.feed('for-you', { user_id: viewer(at % VIEWERS), top_k: SHOWN, impression_count: SHOWN }),
  );
  const bodies = Array.from({ length: BODIES }, (_, at) =>
    client.post<IngestBody & ErrorBody>('items', items(`body-${at}`, RECORDS)),
  );
  // The first event has created the community of wallets.
  const events = Array.from({ length: EVENTS }, (_, at) => mint(client, at + 1));
  return { pages, bodies, events };
}

/** Whether a request was answered, or refused like during a shutdown. */
function expectCleanEnd({ status, headers, body }: Answer<unknown>): boolean {
  if (status === 200) return true;
  expect([status, (body as ErrorBody).code]).toEqual([503, 'shutting_down']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  return false;
}

const idsOf = ({ body }: Answer<FeedBody>): string[] => body.body.map(({ item_id }) => item_id);

test('SIGTERM under load answers requests under way, keeps acknowledged writes, and exits with 0', async () => {
  const service = await startService(data);
  const client = new Client(service.address);
  for (const body of [items('item', ITEMS)]) expect((await client.post('items', body)).status).toBe(200);
  expect((await mint(client, 0)).status).toBe(200);
  // Connections are opened first, so that all requests have reached the service when the first is answered.
  const count = VIEWERS * TURNS + BODIES + EVENTS;
  await Promise.all(Array.from({ length: count }, () => client.call('GET', '/healthz')));
  const { pages, bodies, events } = load(client);
  await Promise.race([...pages, ...bodies, ...events]);
  const stopped = service.stop();
  const [shown, taken, minted] = await Promise.all([
    Promise.all(pages),
    Promise.all(bodies),
    Promise.all(events),
  ]);
  expect(await stopped).toBe(0);
  expect(await service.stderr).toBe('');
  expect(service.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  expect(audit(data, STOPPED)).toEqual([]);

  const again = new Client((await startService(data)).address);
  for (let at = 0; at < VIEWERS; at++) {
    const ends = shown.filter((_, index) => index % VIEWERS === at);
    const seen = ends.filter(expectCleanEnd).flatMap((answer) => idsOf(answer as Answer<FeedBody>));
    expect(new Set(seen).size).toBe(seen.length);
    const left = await again.page('for-you', { user_id: viewer(at), top_k: 500 });
    expect(left.filter((item_id) => seen.includes(item_id))).toEqual([]);
  }
  for (const [at, answer] of taken.entries()) {
    const status = expectCleanEnd(answer) ? 200 : 404;
    expect((await again.get('items', `body-${at}-${RECORDS - 1}`)).status).toBe(status);
  }
  const { body: popular } = await again.call<{ items: { itemId: string }[] }>(
    'GET',
    '/base/feed/popular?top_k=100',
  );
  const known = popular.items.map(({ itemId }) => itemId).sort();
  const expected = minted.flatMap((answer, at) => (expectCleanEnd(answer) ? [token(at + 1)] : []));
  expect(known).toEqual([token(0), ...expected].sort());
  expect(shown.some(({ status }) => status === 200)).toBe(true);
});

test('during the shutdown new connections are refused, and idle ones do not delay it', async () => {
  const service = await startService(data);
  const client = new Client(service.address);
  await Promise.all(Array.from({ length: 20 }, () => client.call('GET', '/healthz')));
  const start_ms = performance.now();
  expect(await service.stop()).toBe(0);
  // Connections that are waited for are closed after ten seconds.
  expect(performance.now() - start_ms).toBeLessThan(10_000);
  await expect(client.call('GET', '/healthz')).rejects.toThrow('GET /healthz');
});
