import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed, type Random, seededRandom } from '../../src/clock.ts';
import { run } from '../cli/run.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { START } from '../support/service.ts';
import { Hub, type Message, type Plan, Snapchain } from '../support/snapchain.ts';
import { API_KEY, killAll, type ServiceProcess, startService } from './support/service-process.ts';

const MESSAGES = times(200, 500);
const SHARDS = [1, 2];
/** Blocks of a shard that are read before the gap, and the first one after it: far from the last. */
const READ_BLOCKS = Math.floor(MESSAGES / 8);
const OLDEST_BLOCK = Math.floor(MESSAGES / 5);
const FILES = ['items.jsonl', 'users.jsonl', 'follows.csv', 'blocks.csv', 'interactions.csv'];

afterAll(killAll);
const folder = temporaryFolder('farcaster');

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];

interface Cast {
  fid: number;
  hash: string;
}

/** A community that posts, replies, reacts, follows, takes back, and loses messages. Has the same messages each time. */
class Community {
  readonly hub = new Hub(START - 1000);
  private readonly fids = Array.from({ length: 14 }, (_, at) => at + 2);
  private readonly casts: Cast[] = [];
  private readonly acts: Message[] = [];

  /** @param spoil may add bad events to the hub, before each message */
  constructor(
    private readonly random: Random,
    private readonly spoil: (hub: Hub) => void = () => {},
  ) {
    for (let at = 0; at < MESSAGES; at++) this.live(at);
    // A run that starts now reads the newest block.
    for (const shard of SHARDS) this.hub.event(shard, 'MERGE_ON_CHAIN_EVENT', {});
  }

  private live(at: number): void {
    const { hub, random, casts, acts } = this;
    const [fid, other, kind] = [pick(random, this.fids), pick(random, this.fids), random()];
    this.spoil(hub);
    if (kind < 0.25 || casts.length === 0)
      casts.push({
        fid,
        hash: hub.cast(fid, { text: `cast number ${at}`, parentUrl: 'https://cats.example/' }),
      });
    else if (kind < 0.35)
      casts.push({
        fid,
        hash: hub.cast(fid, { text: `reply number ${at}`, parentCastId: pick(random, casts) }),
      });
    else if (kind < 0.6)
      acts.push(hub.react(fid, 'ADD', random() < 0.5 ? 'LIKE' : 'RECAST', { ...pick(random, casts) }));
    else if (kind < 0.75 && other !== fid) acts.push(hub.link(fid, 'ADD', other));
    else if (kind < 0.85 && acts.length > 0) this.takeBack(acts.splice(this.place(acts), 1)[0]);
    else if (kind < 0.9) {
      const [cast] = casts.splice(this.place(casts), 1);
      hub.uncast(cast.fid, cast.hash);
    } else if (kind < 0.93) hub.uncast(fid, this.castOfOther(fid));
    else if (kind < 0.96) this.compact(fid);
    else hub.userData(fid, pick(random, ['USER_DATA_TYPE_DISPLAY', 'USER_DATA_TYPE_USERNAME']), `name${at}`);
  }

  private place(list: readonly unknown[]): number {
    return Math.floor(this.random() * list.length);
  }

  /** A cast that this user cannot remove. */
  private castOfOther(fid: number): string {
    return this.casts.find((cast) => cast.fid !== fid)?.hash ?? `0x${'f'.repeat(40)}`;
  }

  private takeBack(act: Message): void {
    const { hub, random } = this;
    const { fid, reactionBody, linkBody } = act.data;
    const way = random();
    // Messages that were replaced or removed meanwhile are no longer there to be pruned.
    if (!hub.messages.has(act.hash)) return;
    // A whole list of follows still names a follow whose own message is withdrawn.
    if (way < 0.2 && reactionBody !== undefined) hub.prune(act);
    else if (way < 0.4 && reactionBody !== undefined) hub.revoke(act);
    else if (reactionBody !== undefined) {
      const { type, targetCastId } = reactionBody as { type: string; targetCastId: Record<string, unknown> };
      hub.react(fid, 'REMOVE', type === 'REACTION_TYPE_LIKE' ? 'LIKE' : 'RECAST', targetCastId);
    } else hub.link(fid, 'REMOVE', (linkBody as { targetFid: number }).targetFid);
  }

  /** Keeps half of the follows. */
  private compact(fid: number): void {
    const followed = [...this.hub.messages.values()].flatMap(({ data }) =>
      data.fid === fid && data.type === 'MESSAGE_TYPE_LINK_ADD'
        ? (data.linkBody as { targetFid: number }).targetFid
        : [],
    );
    this.hub.compact(
      fid,
      followed.filter((_, at) => at % 2 === 0),
    );
  }
}

function startOn(name: string, url: string, options = 'start_at=oldest'): Promise<ServiceProcess> {
  const connect = `farcaster?url=${url}&poll_seconds=0.01&${options}`;
  return startService(join(folder, name), {
    env: { FEEDLOOM_CONNECT: connect, FEEDLOOM_NOW: String(START) },
  });
}

interface Position {
  shards: Record<string, number>;
  fill?: unknown;
}

async function positionOf({ address }: ServiceProcess): Promise<Position | undefined> {
  const answer = await fetch(`${address}/api/connectors`, { headers: { 'x-api-key': API_KEY } });
  const { data } = (await answer.json()) as { data: { cursor: string | null }[] };
  return data[0].cursor === null ? undefined : (JSON.parse(data[0].cursor) as Position);
}

/** Whether everything was read. */
async function isAtEnd(service: ServiceProcess, hub: Hub): Promise<boolean> {
  const position = await positionOf(service);
  if (position === undefined || position.fill !== undefined) return false;
  return SHARDS.every((shard) => position.shards[shard] >= hub.lastOf(shard));
}

/**
 * Whether a line has an effect. Acts that were taken back, and acts on items that do not exist, have none; they are only
 * kept if they came before their removal, or after the deletion of the item.
 */
function hasEffect(file: string, line: string, item_ids: ReadonlySet<string>): boolean {
  if (line === '' || line.includes('"author_id":null') || /,(remove|unfollow)\b/.test(line)) return false;
  return file !== 'interactions.csv' || item_ids.has(line.split(',')[1]);
}

/** A line of JSON with its fields by name. */
function inOrder(line: string): string {
  const fields = Object.entries(JSON.parse(line) as object).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(fields));
}

type Exported = Record<string, string[]>;

/** Reads everything, stops, and exports it. Lines are sorted, as the order of records is not part of their meaning. */
async function exported(name: string, service: ServiceProcess, hub: Hub): Promise<Exported> {
  while (!(await isAtEnd(service, hub)));
  expect(await service.stop()).toBe(0);
  const into = join(folder, `${name}-export`);
  expect(await run('export', into, '--data', join(folder, name))).toMatchObject({ code: 0 });
  const lines = (file: string): string[] => {
    const path = join(into, file);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  };
  const items = lines('items.jsonl').filter((line) => line !== '' && !line.includes('"author_id":null'));
  const item_ids = new Set(items.map((line) => (JSON.parse(line) as { item_id: string }).item_id));
  const kept = (file: string): string[] =>
    lines(file)
      .filter((line) => hasEffect(file, line, item_ids))
      .map((line) => (file.endsWith('.jsonl') ? inOrder(line) : line))
      .sort();
  return Object.fromEntries(FILES.map((file) => [file, kept(file)]));
}

async function readAll(name: string, hub: Hub, plan?: Plan, options?: string): Promise<Exported> {
  const server = new Snapchain(hub, plan);
  const files = await exported(name, await startOn(name, server.url, options), hub);
  await server.close();
  return files;
}

/** Answers some requests with faults, shows the blocks of the shards little by little, and repeats events. */
function badPlan(hub: Hub, random: Random): Plan {
  const plan: Plan = { page_size: 40, repeats: 3, heights: { 1: 0, 2: 0 } };
  let failures = 5;
  plan.answer = (url) => {
    const shard = pick(random, SHARDS);
    const height = (plan.heights?.[shard] ?? 0) + Math.floor(random() * 40);
    plan.heights = { ...plan.heights, [shard]: Math.min(height, hub.heightOf(shard)) };
    const kind = random();
    if (kind < 0.1) return new Response('', { status: 429, headers: { 'retry-after': '0' } });
    if (kind > 0.3 || failures === 0 || url.pathname !== '/v1/events') return undefined;
    failures--;
    if (kind < 0.15) return new Response('{"events":[{"type":"HUB_EVENT_TYPE_MERGE', { status: 200 });
    if (kind < 0.2) return Response.json({ error: 'Shard not found' }, { status: 400 });
    if (kind < 0.25) return new Response('x'.repeat(70_000_000));
    return new Response('bad gateway', { status: 502 });
  };
  return plan;
}

/** `FEEDLOOM_SIMULATION_SEED=123 bun test --timeout 600000 test/simulation/farcaster.test.ts` repeats a run. */
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());

describe(`Farcaster (seed ${SEED})`, () => {
  const history = () => new Community(seededRandom(SEED)).hub;
  let clean: Exported = {};

  test('a clean run reads items, acts and follows', async () => {
    clean = await readAll('clean', history());
    expect(clean['items.jsonl'].length).toBeGreaterThan(20);
    expect(clean['interactions.csv'].length).toBeGreaterThan(20);
    expect(clean['follows.csv'].length).toBeGreaterThan(5);
  }, 120_000);

  test('what is read from a bad node equals a clean run', async () => {
    const random = seededRandom(SEED + 1);
    const spoil = (hub: Hub): void => {
      if (random() > 0.1) return;
      const message = pick(random, [
        'text',
        { hash: '0x1' },
        { data: { fid: 1 }, hash: `0x${'1'.repeat(40)}` },
      ]);
      hub.event(pick(random, SHARDS), 'MERGE_MESSAGE', { mergeMessageBody: { message } });
    };
    const { hub } = new Community(seededRandom(SEED), spoil);
    expect(await readAll('bad', hub, badPlan(hub, random))).toEqual(clean);
  }, 120_000);

  test('what is read over a SIGKILL equals a clean run', async () => {
    const hub = history();
    const held = Promise.withResolvers<void>();
    const killed_at = 2 + Math.floor(seededRandom(SEED + 2)() * 15);
    const server = new Snapchain(hub, {
      page_size: 50,
      answer: async (_, number) => {
        if (number === killed_at) await held.promise;
        return undefined;
      },
    });
    const first = await startOn('killed', server.url);
    while (server.requests.length <= killed_at) await positionOf(first);
    await first.crash();
    held.resolve();
    const second = await startOn('killed', server.url);
    expect(await exported('killed', second, hub)).toEqual(clean);
    await server.close();
  }, 120_000);

  test('what is filled in equals what is read from events, and events are not lost meanwhile', async () => {
    const hub = history();
    expect(await readAll('filled', hub, {}, 'start_at=now&backfill=all')).toEqual(clean);
    expect(await readAll('twice', hub, { page_size: 30 }, 'start_at=oldest&backfill=all')).toEqual(clean);
  }, 120_000);

  test('after a gap users are filled in again, and follows that ended meanwhile are ended', async () => {
    const hub = history();
    const server = new Snapchain(hub, { heights: { 1: READ_BLOCKS, 2: READ_BLOCKS } });
    const options = 'start_at=oldest&backfill=all';
    const first = await startOn('gap', server.url, options);
    for (let position = await positionOf(first); ; position = await positionOf(first)) {
      if (
        position?.fill === undefined &&
        SHARDS.every((shard) => (position?.shards[shard] ?? 0) > READ_BLOCKS * 2 ** 14)
      )
        break;
    }
    expect(await first.stop()).toBe(0);
    server.plan = { oldest: { 1: OLDEST_BLOCK * 2 ** 14, 2: OLDEST_BLOCK * 2 ** 14 } };
    const files = await exported('gap', await startOn('gap', server.url, options), hub);
    await server.close();
    expect(files['follows.csv']).toEqual(clean['follows.csv']);
    expect(clean['items.jsonl'].filter((line) => !files['items.jsonl'].includes(line))).toEqual([]);
    const acts = files['interactions.csv'];
    expect(clean['interactions.csv'].filter((line) => !acts.includes(line))).toEqual([]);
  }, 120_000);
});
