import { describe, expect, test } from 'bun:test';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { importInto, withFolder } from '../../interchange/support.ts';
import { fillWithDemo } from '../../support/demo.ts';
import { forFile, type TestAnswer } from '../../support/service.ts';
import { BlueskyScene } from '../bluesky-support.ts';
import { defaultAccount } from '../config-support.ts';
import { addressOf, faultsOf, type Json, OPERATIONS, type Operation } from '../documented.ts';
import { type Fields, ingestPath, KEY, type Kind } from '../support.ts';
import { badTexts, valuesFor } from './bad-values.ts';

/** Bad values of every field and parameter of the OpenAPI document, at every door that takes them. */

const scene = await forFile(BlueskyScene.open());
const { server } = scene;
await fillWithDemo(server.service);
const account = defaultAccount(server);
// The feed and the experiment of the examples.
const stopped = await account.add({ name: 'Home', config: { bluesky: { rkey: 'home' } } });
const variants = ['control', 'other'].map((name) => ({ name, feed_id: stopped, percent: 10 }));
const experiment = { feed_id: stopped, name: 'Halves', variants };
expect((await server.post('/api/experiments', experiment)).body.data.experiment_id).toBe('exp_1');
await server.call('PATCH', '/api/experiments/exp_1', { status: 'stopped' }, KEY);

/** Other pages and explanations, whose parameters are those of the for-you feed. */
const OTHER_PAGES = /\/feeds?\/[\w-]+(?<!feeds\/for-you)(\/explain)?$/;

async function send({ method, path }: Operation, address: string, body?: unknown): Promise<TestAnswer> {
  const [, lxm] = path.split('/xrpc/');
  const headers = lxm === undefined ? KEY : { authorization: `Bearer ${await scene.token({ lxm })}` };
  return server.call(method, address, body, headers);
}

/** The places of the faults that an answer names. */
function pathsIn({ body }: TestAnswer): string[] {
  const errors: { path: string; message: string }[] = body?.errors ?? [];
  if (errors.some(({ message }) => message.length < 9)) throw new Error(JSON.stringify(errors));
  if (errors.length > 0) return errors.map(({ path }) => path);
  const detail = String(body?.rejected?.[0]?.detail ?? body?.message);
  return [detail.replace(/^\/?/, '/').split(/[: ]/)[0]];
}

/** The parameter of a place, within a saved feed that of its pages. */
const parameterOf = (path: string) => /^(\/config)?(\/[^/]+)?/.exec(path)![0];

/** Whether an answer refuses a parameter. What else it lacks within the value may be named first. */
function refuses(answer: TestAnswer, path: string): boolean {
  return answer.status === 400 && pathsIn(answer).map(parameterOf).includes(parameterOf(path));
}

/** Whether the answer names a parameter whose value it dropped or changed, and keeps the rest of the record. */
function warns({ status, body }: TestAnswer, path: string): boolean {
  const warnings: string[] = body?.warnings ?? [];
  return status === 200 && warnings.some((warning) => warning.startsWith(`${path.split('/')[1]}: `));
}

interface BadBody {
  path: string;
  /** Each of the examples, with the bad member. */
  bodies: Fields[];
}

function badBodies({ operation, path }: Operation): BadBody[] {
  const content = operation.requestBody?.content['application/json'];
  if (content === undefined) return [];
  const examples: Fields[] = Object.values<Json>(content.examples).flatMap(({ value }) => value);
  if (examples.length === 0) examples.push({});
  const [schema] = content.schema.anyOf?.flatMap((each: Json) => each.anyOf ?? each) ?? [content.schema];
  return valuesFor(schema, OTHER_PAGES.test(path) ? 2 : Infinity).flatMap(({ value, path }) => {
    const bodies = examples.map((example) => ({ ...example, ...(value as Fields) }));
    const is_bad = path !== '' && bodies.every((body) => faultsOf(content.schema, body).length > 0);
    return is_bad ? [{ path, bodies }] : [];
  });
}

const WITH_BODIES = OPERATIONS.map((operation) => ({ ...operation, bad: badBodies(operation) })).filter(
  ({ bad }) => bad.length > 0,
);

test.each(WITH_BODIES)('each bad value in the body of $name is refused, and named', async (operation) => {
  const { seq } = server.service.state;
  const feeds = JSON.stringify(await server.service.store.feeds.all());
  for (const { path, bodies } of operation.bad) {
    const answers: object[] = [];
    for (const sent of bodies) {
      // What is kept without the value is not to be stored.
      const answer = await send(operation, addressOf(operation, { dry_run: 'true' }), sent);
      if (refuses(answer, path) || (answer.body.dry_run && warns(answer, path))) break;
      answers.push({ path, sent, status: answer.status, told: answer.body });
    }
    // Of the examples of tokens only one has the fields of an NFT.
    if (answers.length === bodies.length) expect(answers).toEqual([]);
  }
  expect(JSON.stringify(await server.service.store.feeds.all())).toBe(feeds);
  if (!operation.path.startsWith('/base')) expect(server.service.state.seq).toBe(seq);
});

/** A refusal says what is allowed. */
function expectAllowed({ type, minimum, maximum, enum: words }: Json, told: string): void {
  if (/given once|is required/.test(told)) return;
  if (type === 'integer') expect(told).toContain(`${minimum} to ${maximum}`);
  if (type === 'boolean') expect(told).toContain('must be true or false');
  for (const word of words ?? []) expect(told).toContain(word);
}

const PARAMETERS = OPERATIONS.flatMap((of) =>
  ((of.operation.parameters ?? []) as Json[])
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place, schema }) => ({ of, name, place, schema, operation: of.name })),
);

test.each(PARAMETERS)(
  'each bad value of the parameter $name of $operation is refused, and named',
  async (one) => {
    const { of, name, place, schema } = one;
    const { seq } = server.service.state;
    const refusals: TestAnswer[] = [];
    for (const text of badTexts(schema)) {
      // A path without its last part is another one. The list of feeds has the same parameters in its body.
      if (text === '' && (place === 'path' || of.path === '/api/feed/configs')) continue;
      refusals.push(await send(of, addressOf(of, { [name]: text })));
    }
    if (place === 'query') {
      const address = addressOf(of);
      refusals.push(await send(of, `${address}${address.includes('?') ? '&' : '?'}${name}=1&${name}=1`));
    }
    // A record is named by its own parameter in the query, and by `id` in the path.
    for (const answer of refusals) {
      expect([answer.status, ...pathsIn(answer)]).toEqual([400, `/${name}`]);
      expectAllowed(schema, JSON.stringify(answer.body));
    }
    expect(server.service.state.seq).toBe(seq);
  },
);

const KINDS: [Kind, ConnectorRecord['kind'], string][] = [
  ['items', 'item', 'items.jsonl'],
  ['users', 'user', 'users.jsonl'],
  ['follows', 'follow', 'follows.csv'],
  ['blocks', 'block', 'blocks.csv'],
  ['interactions', 'interaction', 'interactions.csv'],
];

/** Records as a file; in CSV without those that have other values than texts in the cells of one. */
function fileOf(name: string, records: readonly Fields[]): string {
  if (name.endsWith('.jsonl')) return records.map((record) => JSON.stringify(record)).join('\n');
  const rows = [Object.keys(records[0]), ...records.map((record) => Object.values(record))];
  return rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
}

interface BadRecord {
  record: Fields;
  value: unknown;
  /** What is said of the value, if the record is kept without it. */
  warnings: string[];
}

/** The records with a bad value, by whether they are kept without it. */
async function badRecords(kinds: Kind): Promise<Record<'refused' | 'kept', BadRecord[]>> {
  const operation = OPERATIONS.find(({ name }) => name === `POST /v2/community/${kinds}`)!;
  const records: BadRecord[] = [];
  for (const { path, bodies } of badBodies(operation)) {
    const [record] = bodies;
    const { body } = await server.post(`${ingestPath(kinds)}?dry_run=true`, record);
    const told: string[] = body.warnings ?? [];
    const warnings = told.map((warning) => warning.replace(' (first in record 0)', ''));
    records.push({ record, value: record[path.slice(1)], warnings });
  }
  const { refused = [], kept = [] } = Object.groupBy(records, ({ warnings }) =>
    warnings.length > 0 ? 'kept' : 'refused',
  );
  return { refused, kept };
}

const BAD = new Map<Kind, Awaited<ReturnType<typeof badRecords>>>();
for (const [kinds] of KINDS) BAD.set(kinds, await badRecords(kinds));

describe.each(KINDS)('a bad record among %s', (kinds, kind, file) => {
  const { refused: bad, kept } = BAD.get(kinds)!;
  const pages = Array.from({ length: Math.ceil(bad.length / 100) }, (_, at) =>
    bad.slice(100 * at, 100 * (at + 1)).map(({ record }) => record),
  );
  const details = new Map<Fields, string>();

  test('is refused by its index in an array and in JSON lines', async () => {
    for (const records of pages) {
      const { body } = await server.post(ingestPath(kinds), records);
      const type = { ...KEY, 'content-type': 'application/x-ndjson' };
      const text = fileOf('.jsonl', records);
      const by_line = await server.call('POST', ingestPath(kinds), text, type);
      expect([body.accepted, by_line.body.rejected]).toEqual([0, body.rejected]);
      for (const [at, { index, detail }] of body.rejected.entries()) {
        expect(index).toBe(at);
        details.set(records[at], detail);
      }
    }
    expect(details.size).toBe(bad.length);
  });

  test('is skipped with the same words when a connector emits it', async () => {
    for (const [page, records] of pages.entries()) {
      const emitted = records.map((record) => ({ kind, record }) as ConnectorRecord);
      const cursor = { connector: 'test', cursor: `${kinds} ${page}` };
      const { accepted, rejected } = await server.service.ingest.ordered(emitted, cursor);
      expect(accepted).toBe(0);
      expect(rejected.map(({ detail }) => detail)).toEqual(records.map((record) => details.get(record)!));
    }
  });

  test('is skipped with the same words when it is a line of an imported file', async () => {
    const is_text = ({ value }: { value: unknown }) => typeof value === 'string';
    const records = (file.endsWith('.csv') ? bad.filter(is_text) : bad).map(({ record }) => record);
    const first_line = file.endsWith('.csv') ? 2 : 1;
    for (let at = 0; at < records.length; at += 20) {
      const some = records.slice(at, at + 20);
      const files = { [file]: fileOf(file, some) };
      const told = await withFolder(files, async (folder) => (await importInto(server, folder)).lines);
      const wanted = some.map((record, line) => `${file}:${first_line + line}: ${details.get(record)}`);
      // A file may have another unit of time, so its refusals name the option.
      const words = told.map((line) => line.replace(/; feedloom import --time-unit .*/, ''));
      expect(words.toSorted()).toEqual(wanted.toSorted());
    }
  });

  test('is kept without its value at every door, with the same words', async () => {
    expect(kept.length > 0).toBe(kinds === 'items' || kinds === 'users');
    for (const { record, warnings } of kept) {
      const emitted = [{ kind, record }] as ConnectorRecord[];
      const by_connector = await server.service.ingest.ordered(emitted);
      expect([by_connector.accepted, by_connector.warnings]).toEqual([
        1,
        warnings.map((warning) => `${warning} (first in record 0)`),
      ]);
      await withFolder({ [file]: fileOf(file, [record]) }, async (folder) => {
        const { lines } = await importInto(server, folder);
        expect(lines).toEqual(warnings.map((warning) => `${file}:1: ${warning}`));
      });
    }
  });
});
