import { expect, test } from 'bun:test';
import type { WebhookCase } from '../../src/kit/index.ts';
import { Kit } from '../../src/kit/kit.ts';
import { type ConnectorRecord, defineIntegration, definePlugin, Type } from '../../src/plugin/index.ts';
import { outcomeOf } from './support.ts';

const LIKE = { user_id: 'ann', item_id: 'a', event_type: 'like', timestamp: 7 };
const act = (record: Record<string, unknown>): ConnectorRecord => ({ kind: 'interaction', record });

/** How a test case of a webhook ends: `holds`, or the message of its error. */
async function outcome(
  map: (delivery: unknown) => ConnectorRecord[],
  given: Partial<WebhookCase>,
): Promise<string> {
  const webhook = defineIntegration({
    summary: 'For tests.',
    options: Type.Object({}),
    signature: { header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex' },
    receive: () => map,
  });
  const meta = { name: 'acme', version: '1.0.0', api: 2 };
  const kit = new Kit(definePlugin({ meta, integrations: { 'acme/x_v1.0.0': webhook } }));
  const cases = [{ delivery: { time: 7 }, expect: [], ...given }];
  const [check] = kit.cases('integrations', 'acme/x_v1.0.0', { cases });
  return outcomeOf(check);
}

test('a case of a webhook holds for the expected records', async () => {
  expect(await outcome(() => [act(LIKE)], { expect: [act(LIKE)] })).toBe('holds');
  expect(await outcome(() => [], {})).toBe('holds');
});

test('a case of a webhook fails for other records, also when the delivery is repeated', async () => {
  expect(await outcome(() => [act(LIKE)], {})).toStartWith('expected [], got [');
  let count = 0;
  const counting = () => [act({ ...LIKE, timestamp: 7 + count++ })];
  expect(await outcome(counting, { expect: [act(LIKE)] })).toContain('"timestamp":8');
});

test('a case of a webhook fails for an act that would count twice, or that the service would reject', async () => {
  const undated = act({ ...LIKE, timestamp: undefined });
  expect(await outcome(() => [undated], { expect: [undated] })).toContain('a repeated act would count twice');
});

test('a case of a webhook fails if the delivery is changed', async () => {
  const changing = (delivery: unknown) => {
    Object.assign(delivery as object, { time: 8 });
    return [];
  };
  expect(await outcome(changing, {})).not.toBe('holds');
});

test('a case of a webhook compares the message of an expected error', async () => {
  const failing = () => {
    throw new Error('it has no user');
  };
  expect(await outcome(failing, { expect: { error: 'no user' } })).toBe('holds');
  expect(await outcome(failing, { expect: { error: 'no post' } })).toContain("got 'it has no user'");
  expect(await outcome(() => [], { expect: { error: 'no user' } })).toBe(
    'expected {"error":"no user"}, got []',
  );
});
