import { describe, expect, test } from 'bun:test';
import { FeedloomError, type RecordOf } from 'feedloom-client';
import { failureOf, openService, problem, Script, type Sent } from './support.ts';

const BODY_BYTES_MAX = 16 * 1024 * 1024;

function follows(count: number): RecordOf<'follows'>[] {
  return Array.from({ length: count }, (_, index) => ({
    user_id: `user-${index}`,
    target_user_id: 'target',
  }));
}

function accepted(count: number, more: object = {}): Response {
  return Response.json({ status: 'success', accepted: count, rejected_count: 0, rejected: [], ...more });
}

/** A refusal of every record of a batch. */
function refused(detail: string): Response {
  const body = {
    code: 'invalid_value',
    detail,
    accepted: 0,
    rejected_count: 1,
    rejected: [{ index: 0, detail }],
  };
  return Response.json(body, { status: 400 });
}

function counts(sent: readonly Sent[]): number[] {
  return sent.map(({ body }) => body.length);
}

describe('records are sent in batches', () => {
  test('of 10,000, in order, from a list or from a generator that is read as it is needed', async () => {
    const records = follows(25_000);
    let read = 0;
    async function* generated() {
      for (const record of records) {
        read++;
        yield record;
      }
    }
    for (const given of [records, new Set(records), generated()]) {
      const script = new Script([accepted(10_000), accepted(10_000), accepted(5_000)]);
      const answer = await script.client.ingest('follows', given);
      expect(answer).toEqual({ status: 'success', accepted: 25_000, rejected_count: 0, rejected: [] });
      expect(counts(script.sent)).toEqual([10_000, 10_000, 5_000]);
      expect(script.sent.flatMap(({ body }) => body)).toEqual(records);
    }
    const script = new Script([problem(403, 'forbidden')]);
    read = 0;
    await failureOf(script.client.ingest('follows', generated()));
    expect(read).toBe(10_001);
  });

  test('as large as the service takes them, to the byte', async () => {
    const record = (bytes: number) => {
      const smallest = { item_id: 'ä', author_id: 'a', created_at: 1, text: '' };
      const length = Buffer.byteLength(JSON.stringify(smallest));
      return { ...smallest, text: 'x'.repeat(bytes - length) };
    };
    // Two records, their brackets and a comma fill a body.
    const half = BODY_BYTES_MAX / 2 - 2;
    for (const [last, expected] of [
      [half + 1, [2]],
      [half + 2, [1, 1]],
    ] as const) {
      const script = new Script([accepted(1), accepted(1)]);
      await script.client.ingest('items', [record(half), record(last)]);
      expect(counts(script.sent)).toEqual([...expected]);
    }
  });

  test('that are none for an empty list', async () => {
    const script = new Script([]);
    const answer = await script.client.ingest('blocks', []);
    expect(answer).toEqual({ status: 'success', accepted: 0, rejected_count: 0, rejected: [] });
  });

  test('whose rejections and warnings name records by their place among all', async () => {
    const warnings = ['unknown field (first in record 3)'];
    const rejected = [{ index: 7, detail: 'user_id: is required' }];
    const script = new Script([
      accepted(10_000, { warnings }),
      accepted(9_999, { rejected_count: 1, rejected, warnings }),
      refused('timestamp: is too late'),
    ]);
    expect(await script.client.ingest('follows', follows(20_001))).toEqual({
      status: 'success',
      accepted: 19_999,
      rejected_count: 2,
      rejected: [
        { index: 10_007, detail: 'user_id: is required' },
        { index: 20_000, detail: 'timestamp: is too late' },
      ],
      warnings: [warnings[0], `in the batch from record 10000: ${warnings[0]}`],
    });
  });

  test('fails if all records were refused', async () => {
    const script = new Script([refused('first'), refused('second')]);
    const error = await failureOf(script.client.ingest('follows', follows(10_001)));
    expect(error).toBeInstanceOf(FeedloomError);
    expect(error).toMatchObject({ status: 400, rejected: [{ index: 0, detail: 'first' }] });
    expect(script.sent.length).toBe(2);
  });
});

test('a service takes more records than fit one body, and says which it rejected', async () => {
  await using service = await openService();
  const client = service.client();
  const now = Math.floor(Date.now() / 1000);
  function* items() {
    for (let index = 0; index < 10_500; index++)
      yield {
        item_id: `item-${index}`,
        author_id: 'author',
        created_at: index === 10_200 ? -1 : now - index,
      };
  }
  const answer = await client.ingest('items', items());
  expect([answer.accepted, answer.rejected_count]).toEqual([10_499, 1]);
  expect(answer.rejected[0].index).toBe(10_200);
  expect((await client.item('item-10499')).created_at).toBe(now - 10_499);
  const error = await failureOf(client.ingest('items', { item_id: 'x', author_id: 'a', created_at: 'soon' }));
  expect(error).toMatchObject({ status: 400, code: 'invalid_value' });
  expect(error).toHaveProperty('rejected', [{ index: 0, detail: expect.stringContaining('created_at') }]);
});
