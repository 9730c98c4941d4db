import { describe, expect } from 'bun:test';
import { CurrentTotals } from '../../src/experiments/current-totals.ts';
import { readResults } from '../../src/experiments/results.ts';
import { viewersCsv } from '../../src/experiments/viewers-csv.ts';
import { encodeHead, NO_HEAD } from '../../src/seen/head.ts';
import { firstNumber, type SeenWrite } from '../../src/seen/seen-store.ts';
import { testsWith } from '../support/fixture.ts';
import { type Lab, openLab } from './support.ts';

const it = testsWith(openCrowded);

const VIEWERS = 5_000;

/** A running experiment with so many viewers that reading them pauses. */
async function openCrowded(): Promise<{ lab: Lab; id: string } & AsyncDisposable> {
  const lab = await openLab();
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right);
  await addViewers(lab, left, 0, VIEWERS);
  return { lab, id, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

/** Records a page for each of some new viewers. */
async function addViewers(lab: Lab, feed_id: string, from: number, until: number): Promise<void> {
  const users = Array.from({ length: until - from }, (_, at) => ({ user_id: `viewer-${from + at}` }));
  await lab.add('users', ...users);
  const { experiments, store, seen } = lab.server.service;
  const content = encodeHead(NO_HEAD);
  const writes = users.map(({ user_id }): SeenWrite => {
    const { variant, point = 0 } = experiments.served.variantOf(feed_id, user_id) ?? {};
    const about = { is_short: false, teams: new Uint8Array(), point };
    const counted = { arm: variant?.arm ?? 0, timestamp: lab.now, items: Uint32Array.of(1), ...about };
    const row = { built_from: 0, number: firstNumber(lab.now), updated_at: lab.now, content, parts: [] };
    return { viewer: seen.viewerOf(user_id), ...row, counted };
  });
  await store.seen.write(writes.toSorted((one, other) => (one.viewer < other.viewer ? -1 : 1)));
}

/** Totals of a running period as they are read for requests. */
function currentTotals({ server: { service } }: Lab, now_ms: () => number): CurrentTotals {
  const { state, store, seen, clock } = service;
  const viewerOf = (user_id: string) => seen.viewerOf(user_id);
  return new CurrentTotals({ state, rows: store.experiment_rows, viewerOf, now: () => clock.now() }, now_ms);
}

it('results are those of the ended period if the period ends while viewers are counted', async (crowded) => {
  const { lab, id } = crowded;
  const { experiments, state } = lab.server.service;
  const { number, content } = experiments.read(id, 'default');
  const { period, period_started_at: started_at } = content;
  const ended = [{ period, started_at, ended_at: lab.now, ...(await experiments.totals(content)) }];
  const reading = readResults(experiments, id, 'default');
  const stamp = { kind: 'experiment', seq: 0, applied_at: lab.now } as const;
  state.experiments.set({ ...stamp, experiment: number, content: { ...content, status: 'stopped', ended } });
  const { experiment, results } = await reading;
  expect([experiment.content.status, results.ended_at]).toEqual(['stopped', lab.now]);
  expect(results.variants.reduce((sum, { viewers }) => sum + viewers, 0)).toBe(VIEWERS);
});

it('viewers.csv is not completed if the period ends while it is sent', async (crowded) => {
  const { lab, id } = crowded;
  const { experiments } = lab.server.service;
  const chunks = viewersCsv(experiments, experiments.read(id, 'default').content);
  await chunks.next();
  await chunks.next();
  await lab.change(id, { status: 'stopped' });
  const rest = async () => {
    for await (const _ of chunks);
  };
  const error = await rest().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'not_found', detail: 'the period ended while its viewers were read' });
});

describe('totals of a running period', () => {
  const viewersIn = (totals: Awaited<ReturnType<CurrentTotals['of']>>) =>
    totals.variants.reduce((sum, variant) => sum + variant.totals.viewers, 0);

  it('requests that wait at the same time share one calculation, and a later one sees later viewers', async (crowded) => {
    const { lab, id } = crowded;
    const { content } = lab.server.service.experiments.read(id, 'default');
    const current = currentTotals(lab, () => 0);
    const [one, other] = await Promise.all([current.of(content), current.of(content)]);
    expect(other).toBe(one);
    expect(viewersIn(one)).toBe(VIEWERS);
    await addViewers(lab, content.feed_id, VIEWERS, VIEWERS + 1);
    expect(viewersIn(await current.of(content))).toBe(VIEWERS + 1);
  });

  it('totals of 10,000 pages are reused for a minute', async (crowded) => {
    const { lab, id } = crowded;
    const { content } = lab.server.service.experiments.read(id, 'default');
    await addViewers(lab, content.feed_id, VIEWERS, 10_000);
    let now_ms = 0;
    const current = currentTotals(lab, () => now_ms);
    expect(viewersIn(await current.of(content))).toBe(10_000);
    await addViewers(lab, content.feed_id, 10_000, 10_001);
    now_ms = 59_999;
    expect(viewersIn(await current.of(content))).toBe(10_000);
    now_ms = 60_000;
    expect(viewersIn(await current.of(content))).toBe(10_001);
  });
});
