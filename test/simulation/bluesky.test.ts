import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed, type Random, seededRandom } from '../../src/clock.ts';
import { run } from '../cli/run.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Events, type Frame, Jetstream, type Plan } from '../support/jetstream.ts';
import { longTest, times } from '../support/long.ts';
import { START } from '../support/service.ts';
import { API_KEY, killAll, type ServiceProcess, startService } from './support/service-process.ts';

/** `FEEDLOOM_SIMULATION_SEED=123 bun test --timeout 600000 test/simulation/bluesky.test.ts` repeats a run. */
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const VERSIONS = ['v1', 'v2'] as const;
type Version = (typeof VERSIONS)[number];

const POST = 'app.bsky.feed.post';
const EVENTS = times(160, 400);
const FILES = ['items.jsonl', 'users.jsonl', 'follows.csv', 'blocks.csv', 'interactions.csv'];

afterAll(killAll);
const folder = temporaryFolder('bluesky');

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];

/** A community that posts, replies, likes, follows, blocks, deletes, and loses accounts. */
function history(random: Random): Events {
  const events = new Events(START - 1000);
  const dids = Array.from({ length: 12 }, (_, at) => `did:plc:user${at}`);
  const posts: string[] = [];
  const records: { did: string; collection: string; rkey: string }[] = [];
  for (let at = 0; at < EVENTS; at++) {
    const [did, other, rkey] = [pick(random, dids), pick(random, dids), `k${at}`];
    const kind = random();
    const create = (collection: string, record: Record<string, unknown>): void => {
      events.create(did, collection, rkey, record);
      records.push({ did, collection, rkey });
    };
    if (random() < 0.02) events.pause(20);
    if (kind < 0.3 || posts.length === 0) {
      create(POST, { text: `post number ${at}`, langs: ['en'] });
      posts.push(`at://${did}/${POST}/${rkey}`);
    } else if (kind < 0.4) {
      const parent = { uri: pick(random, posts), cid: 'c' };
      create(POST, { text: `reply number ${at}`, langs: ['en'], reply: { root: parent, parent } });
    } else if (kind < 0.65) create('app.bsky.feed.like', { subject: { uri: pick(random, posts), cid: 'c' } });
    else if (kind < 0.8) {
      const relation = kind < 0.75 ? 'follow' : 'block';
      create(`app.bsky.graph.${relation}`, { subject: other === did ? 'did:plc:else' : other });
    } else if (kind < 0.95 && records.length > 0) {
      // A record is deleted once.
      const [gone] = records.splice(Math.floor(random() * records.length), 1);
      events.delete(gone.did, gone.collection, gone.rkey);
    } else if (kind < 0.97) events.identity(did, `${rkey}.example.com`);
    else events.account(did, random() < 0.5, 'deactivated');
  }
  const block = 'app.bsky.graph.block';
  events
    .create(dids[2], block, 'kept', { subject: dids[4] })
    .create(dids[2], block, 'undone', { subject: dids[5] });
  events.delete(dids[2], block, 'undone');
  return events.account(dids[0], false, 'deleted').account(dids[1], true);
}

const authorIn = ({ data }: Frame): string | undefined =>
  typeof data === 'string' && data.includes('"kind":"commit"')
    ? /"did":"([^"]+)"/.exec(data)?.[1]
    : undefined;

/**
 * The same history as a bad server sends it: with repeats and broken messages, and in version 1 in another order.
 *
 * The order of one account's events stays: https://github.com/bluesky-social/jetstream guarantees it.
 */
function disturbed(frames: readonly Frame[], random: Random, version: Version): Frame[] {
  const sent: Frame[] = [];
  const broken = (frame: Frame, data: string): Frame => ({ ...frame, data, data_v2: data });
  for (let at = 0; at < frames.length; at++) {
    const [frame, next] = [frames[at], frames[at + 1]];
    const [author, other] = [authorIn(frame), next === undefined ? undefined : authorIn(next)];
    if (random() < 0.1) sent.push(broken(frame, '{"did":"did:plc:user1","time_us":'));
    if (random() < 0.02) sent.push(broken(frame, `{"text":"${'x'.repeat(1_200_000)}"}`));
    const swaps = random() < 0.3 && author !== undefined && other !== undefined && author !== other;
    if (swaps && version === 'v1') {
      sent.push(next, frame);
      at++;
    } else sent.push(frame);
    if (author !== undefined && random() < 0.2) sent.push(frame);
  }
  return sent;
}

/** Cuts and refusals of the first connections. */
function faults(random: Random): Plan {
  const cuts = [3, EVENTS / 4, EVENTS / 2].map((most) => Math.floor(random() * most));
  return { cuts: [cuts[0], undefined, cuts[1], cuts[2]], refusals: [undefined, 429] };
}

function startOn(name: string, url: string): Promise<ServiceProcess> {
  const connect = `bluesky?url=${url}&back_hours=1`;
  return startService(join(folder, name), {
    env: { FEEDLOOM_CONNECT: connect, FEEDLOOM_NOW: String(START) },
  });
}

/** The time of the last stored event in microseconds. */
async function readUntil({ address }: ServiceProcess): Promise<number> {
  const answer = await fetch(`${address}/api/connectors`, { headers: { 'x-api-key': API_KEY } });
  const { data } = (await answer.json()) as { data: { cursor: string | null }[] };
  return Number(data[0].cursor?.split(' ')[0] ?? 0);
}

/** Reads everything, and exports it. Lines are sorted, because the order of records is not part of their meaning. */
async function exported(
  name: string,
  service: ServiceProcess,
  last_us: number,
): Promise<Record<string, string[]>> {
  while ((await readUntil(service)) !== last_us);
  expect(await service.stop()).toBe(0);
  const into = join(folder, `${name}-export`);
  expect(await run('export', into, '--data', join(folder, name))).toMatchObject({ code: 0 });
  // An act that was taken back has no effect. Its line is only kept if the act came before its removal.
  const kept = (file: string): string[] =>
    existsSync(join(into, file))
      ? readFileSync(join(into, file), 'utf8')
          .split('\n')
          .filter((line) => !/,(remove|unfollow|unblock)\b/.test(line))
          .sort()
      : [];
  return Object.fromEntries(FILES.map((file) => [file, kept(file)]));
}

async function readAll(name: string, frames: readonly Frame[], version: Version, plan?: Plan) {
  await using server = new Jetstream(frames, plan);
  const service = await startOn(name, version === 'v1' ? server.url : server.url_v2);
  return await exported(name, service, frames[frames.length - 1].time_us);
}

/** As `readAll`, while the service is killed each time that so many frames have been sent, and started again. */
async function readKilled(
  name: string,
  frames: readonly Frame[],
  version: Version,
  kills: readonly number[],
) {
  let reached = Promise.withResolvers<void>();
  let restarted = Promise.withResolvers<void>();
  const onSent = async (count: number): Promise<void> => {
    if (!kills.includes(count)) return;
    reached.resolve();
    await restarted.promise;
  };
  await using server = new Jetstream(frames, { onSent });
  const url = version === 'v1' ? server.url : server.url_v2;
  let service = await startOn(name, url);
  for (const _ of kills) {
    await reached.promise;
    reached = Promise.withResolvers<void>();
    await service.crash();
    const { resolve } = restarted;
    restarted = Promise.withResolvers<void>();
    resolve();
    service = await startOn(name, url);
  }
  return await exported(name, service, frames[frames.length - 1].time_us);
}

/** Numbers of sent frames at which the service is killed, well before the last. */
function killsOf(random: Random): number[] {
  const shares = [0.05, 0.3, 0.6].slice(-times(1, 3));
  return shares.map((least) => Math.floor((least + random() / 5) * EVENTS));
}

for (let at = 0; at < times(1); at++) {
  const seed = SEED + at;
  describe(`a history of Bluesky (seed ${seed})`, () => {
    const { frames } = history(seededRandom(seed));
    let clean: Record<string, string[]>;

    test('is read from a good server', async () => {
      clean = await readAll(`clean-${seed}`, frames, 'v1');
      expect(clean['items.jsonl'].length).toBeGreaterThan(10);
      expect(clean['interactions.csv'].length).toBeGreaterThan(10);
      expect(clean['follows.csv'].length).toBeGreaterThan(3);
      const blocks = clean['blocks.csv'].join('\n');
      expect(blocks).toContain('app.bsky.graph.block/kept');
      expect(blocks).not.toContain('app.bsky.graph.block/undone');
    });

    for (const version of VERSIONS) {
      const [ofBadServer, ofKills] = version === 'v1' ? [test, longTest] : [longTest, test];
      ofBadServer(
        `is the same when a bad server sends it in ${version}`,
        async () => {
          const random = seededRandom(seed);
          const bad = disturbed(frames, random, version);
          expect(await readAll(`bad-${version}-${seed}`, bad, version, faults(random))).toEqual(clean);
        },
        60_000,
      );

      ofKills(
        `is the same when the service is killed at random instants while it reads ${version}`,
        async () => {
          const random = seededRandom(seed + 1);
          const bad = disturbed(frames, random, version);
          expect(await readKilled(`killed-${version}-${seed}`, bad, version, killsOf(random))).toEqual(clean);
        },
        60_000,
      );
    }
  });
}
