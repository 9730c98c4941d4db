import { expect, test } from 'bun:test';
import { ingestPath, openCommunity } from '../support.ts';

const extras = (count: number) =>
  Array.from({ length: count }, (_, at): [string, number] => [`extra_${at}`, 1]);

test.each(['one record', 'many records'])('the first hundred unknown fields of %s are listed', async (of) => {
  await using community = await openCommunity();
  const warningsOf = async (count: number): Promise<string[]> => {
    const users =
      of === 'one record'
        ? [{ user_id: 'warned', ...Object.fromEntries(extras(count)) }]
        : extras(count).map(([name], at) => ({ user_id: `warned-${at}`, [name]: 1 }));
    return (await community.server.post(ingestPath('users'), users)).body.warnings;
  };
  const warnings = await warningsOf(150);
  expect(warnings).toHaveLength(101);
  expect(warnings[99]).toStartWith("unknown field 'extra_99' was ignored");
  expect(warnings[100]).toBe('further warnings are not listed');
  expect(await warningsOf(100)).toHaveLength(100);
});
