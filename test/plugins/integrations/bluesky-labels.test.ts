import { expect, test } from 'bun:test';
import { TEST_NOW, testConnector } from 'feedloom/plugin/testing';
import bluesky_labels from '../../../plugins/integrations/bluesky-labels.ts';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import {
  errorFrame,
  framesOf,
  infoFrame,
  LABELER,
  labelOf,
  labelsFrame,
  otherFrame,
  type SentFrame,
  SUBJECT,
  TestLabeler,
} from '../../support/labeler.ts';
import { NO_MAPS } from '../../support/no-maps.ts';
import { builtIn } from '../built-in.ts';

const NOON = TEST_NOW - 12 * 3600;
const label = (fields: Record<string, unknown> = {}): ConnectorRecord => ({
  kind: 'label',
  record: {
    labeler_id: LABELER,
    item_id: SUBJECT,
    ...{ value: 'spam', action: 'add', timestamp: NOON, hides: false, ...fields },
  },
});
const ofUser = (fields: Record<string, unknown>): ConnectorRecord => {
  const { item_id: _, ...record } = label().record;
  return { kind: 'label', record: { ...record, ...fields } };
};

function source(frames: readonly SentFrame[], options: Record<string, unknown> = {}, cuts?: number[]) {
  return () => {
    const server = new TestLabeler(frames, { cuts });
    return { options: { ...server.options, ...options }, close: () => server[Symbol.asyncDispose]() };
  };
}

const KINDS = framesOf(
  [labelOf(), labelOf({ val: 'porn', ver: undefined })],
  [labelOf({ uri: 'did:plc:ann', exp: '2026-02-01T00:00:00Z' })],
  [labelOf({ neg: true, cts: '2025-12-31T12:00:01Z', cid: 'bafy', sig: new Uint8Array(64) })],
  [labelOf({ uri: 'at://did:plc:ann/app.bsky.feed.generator/1' }), labelOf({ val: '!hide' })],
);
const EMITS = [
  label(),
  label({ value: 'porn' }),
  ofUser({ user_id: 'did:plc:ann', expires_at: Date.UTC(2026, 1, 1) / 1000 }),
  label({ action: 'remove', timestamp: NOON + 1 }),
  label({ value: '!hide' }),
];

testConnector(builtIn, 'bluesky-labels', {
  cases: [
    { name: 'maps labels of posts and accounts, negations and ends', open: source(KINDS), expect: EMITS },
    {
      name: 'lets only labels that say so hide, and only of labelers that are trusted',
      open: source(framesOf([labelOf({ val: '!hide' }), labelOf({ val: '!warn' })]), { trusted: [LABELER] }),
      expect: [label({ value: '!hide', hides: true }), label({ value: '!warn' })],
    },
    { name: 'reads on after the labeler cut the connection', open: source(KINDS, {}, [1, 1]), expect: EMITS },
    {
      name: 'finds a labeler by its handle',
      open: source(KINDS, { labelers: ['mod.example'] }),
      expect: EMITS,
    },
    {
      name: 'reads more labels in one frame than are stored at once',
      open: source(framesOf(Array.from({ length: 600 }, (_, at) => labelOf({ val: `v${at}` })))),
      expect: Array.from({ length: 600 }, (_, at) => label({ value: `v${at}` })),
    },
  ],
  refuses: [
    { labelers: [] },
    { labelers: ['a b'] },
    { labelers: [LABELER], trusted: ['did:plc:other'] },
    { labelers: [LABELER], plc_url: 'ftp://x' },
  ],
});

/** Runs the connector until it has emitted so often, or what it has emitted is enough. Labels with "lie" are refused. */
async function runOn(
  options: Record<string, unknown>,
  until: number | ((records: readonly ConnectorRecord[]) => boolean),
  cursor?: string,
) {
  const stopping = new AbortController();
  const records: ConnectorRecord[] = [];
  const cursors: string[] = [];
  const warnings = new Map<string, string | undefined>();
  const given = { labelers: [LABELER], trusted: [], history: true, plc_url: '', handles_url: '', ...options };
  const run = bluesky_labels.connect!(given, NO_MAPS);
  const error = await run({
    ...{ cursor, signal: stopping.signal, clock: { now: () => TEST_NOW } },
    log: { info() {}, warn() {}, error() {} },
    async emit(emitted, behind) {
      records.push(...emitted);
      cursors.push(behind);
      const is_enough = typeof until === 'number' ? cursors.length === until : until(records);
      if (is_enough) stopping.abort(new Error('enough'));
      const rejected = emitted.flatMap(({ record: { value } }, index) =>
        String(value).includes('lie') ? [{ index, detail: `/value: not '${value}'` }] : [],
      );
      return {
        accepted: emitted.length - rejected.length,
        rejected_count: rejected.length,
        rejected,
      };
    },
    warning: (topic, text) => void warnings.set(topic, text),
    async *current() {},
  }).catch((reason: unknown) => String(reason));
  return { records, cursors, error: String(error), warnings: [...warnings.values()].join('\n') };
}

test('foreign, broken and unknown labels and frames are counted and named, and the others are stored', async () => {
  const lies = [
    labelOf({ src: 'did:plc:other' }),
    labelOf({ ver: 2 }),
    labelOf({ cts: 'yesterday' }),
    labelOf({ exp: 'never' }),
    labelOf({ uri: 7 }),
    'no label',
  ];
  const nested = Buffer.concat([Buffer.alloc(300_000, 0x81), Buffer.from([0])]);
  const frames = [
    { bytes: Buffer.from('junk') },
    { bytes: nested },
    { bytes: otherFrame() },
    { bytes: infoFrame('OutdatedCursor') },
    ...framesOf([...lies, labelOf()]),
  ];
  await using server = new TestLabeler(frames);
  const { records, warnings } = await runOn(server.options, 1);
  expect(records).toEqual([label()]);
  expect(warnings).toContain(`${LABELER}: the labeler sent the notice 'OutdatedCursor'`);
  for (const named of ['2 broken frames', '1 unknown frames', '1 labels of other labelers'])
    expect(warnings).toContain(named);
  expect(warnings).toContain('1 labels of an unknown version, 4 broken labels');
});

test('a labeler that floods with notices and refused labels gets two warnings, whose texts stay short', async () => {
  const notices = Array.from({ length: 300 }, (_, at) => ({ bytes: infoFrame(`notice ${at}`) }));
  const lies = Array.from({ length: 1_200 }, (_, at) => [labelOf({ val: `lie ${at}` })]);
  await using server = new TestLabeler([...notices, ...framesOf(...lies)]);
  const { warnings } = await runOn(server.options, (all) => all.length === lies.length);
  expect(warnings.split('\n').filter((text) => text !== '').length).toBe(2);
  expect(warnings).toContain('notice 299');
  expect(warnings).toMatch(/dropped .*: \d+ refused labels \(such as: \/value: not 'lie 0'\)/);
  expect(warnings.length).toBeLessThan(300);
});

test('reading goes on behind the stored cursor, and from the beginning if trust in the labeler changed', async () => {
  await using server = new TestLabeler(KINDS);
  const first = await runOn(server.options, 1);
  const cursor = first.cursors[0];
  expect(cursor).toBe(`${LABELER} ${LABELER} 4`);
  await using again = new TestLabeler([...KINDS, { seq: 5, bytes: labelsFrame(5, labelOf({ val: 'new' })) }]);
  const second = await runOn(again.options, 1, cursor);
  expect([again.cursors, second.records]).toEqual([['4'], [label({ value: 'new' })]]);
  await using trusted = new TestLabeler(KINDS);
  const third = await runOn({ ...trusted.options, trusted: [LABELER] }, 1, cursor);
  expect(trusted.cursors).toEqual(['0']);
  expect(third.records.at(-1)).toEqual(label({ value: '!hide', hides: true }));
});

test('a first start without history asks for new labels alone', async () => {
  await using server = new TestLabeler(framesOf([labelOf()]));
  await runOn({ ...server.options, history: false }, 1);
  expect(server.cursors).toEqual([null]);
});

test('a cursor that the labeler does not know is given up, and the reason why it ended the stream is named', async () => {
  await using server = new TestLabeler([{ bytes: errorFrame('FutureCursor') }]);
  const { cursors, error } = await runOn(server.options, 9, `${LABELER} ${LABELER} 77`);
  expect(cursors).toEqual([`${LABELER} ${LABELER} 0`]);
  expect(error).toContain('the labeler ended the stream: FutureCursor because');
});

test('a labeler that is unreachable or floods does not keep others from being read', async () => {
  const flood = Array.from({ length: 3_000 }, (_, at) => [labelOf({ val: `v${at}`, src: 'did:plc:flood' })]);
  await using server = new TestLabeler(framesOf([labelOf()]));
  await using flooding = new TestLabeler(framesOf(...flood), { did: 'did:plc:flood' });
  const directory = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/did:plc:none') return new Response('', { status: 404 });
      return fetch(`${pathname === `/${LABELER}` ? server.url : flooding.url}${pathname}`);
    },
  });
  const labelers = ['did:plc:none', 'did:plc:flood', LABELER];
  const found = await runOn({ labelers, plc_url: `http://127.0.0.1:${directory.port}` }, (all) =>
    all.some(({ record }) => record.labeler_id === LABELER),
  );
  await directory.stop(true);
  expect(found.records).toContainEqual(label());
  expect(found.warnings).toContain('did:plc:none: 127.0.0.1');
  expect(found.cursors.at(-1)).toContain(`${LABELER} ${LABELER} 1`);
});
