import { describe, expect, test } from 'bun:test';
import type { TObject } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import * as records from '../../../src/model/records/index.ts';
import { INTERACTION } from '../../../src/model/records/interaction.ts';
import { ITEM } from '../../../src/model/records/item.ts';
import { BLOCK, FOLLOW } from '../../../src/model/records/relation.ts';
import { USER } from '../../../src/model/records/user.ts';
import type { Parsed } from '../../../src/model/values/record.ts';

interface Kind {
  schema: TObject;
  parse(value: unknown): Parsed<unknown>;
}

const KINDS: Record<string, Kind> = {
  item: { schema: ITEM.schema, parse: records.parseItem },
  user: { schema: USER.schema, parse: records.parseUser },
  follow: { schema: FOLLOW.schema, parse: records.parseFollow },
  block: { schema: BLOCK.schema, parse: records.parseBlock },
  interaction: { schema: INTERACTION.schema, parse: records.parseInteraction },
};

/** Values that some fields accept. Each is tried in every field of every kind. */
const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1.5,
  12,
  1764861160,
  1764861160000,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e300,
  '',
  'a',
  'en',
  'pt-BR',
  'e',
  'like',
  'add',
  'follow',
  'block',
  'music',
  '1,2',
  ' 1.5 , -2 ',
  '91x,2',
  '1764861160',
  '2025-12-04',
  '2025-12-04T15:12:40.5+02:00',
  '2025-13-04',
  '2025-12-04T25:00',
  'a\0b',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(256),
  'x'.repeat(257),
  'x'.repeat(2048),
  'x'.repeat(2049),
  'x'.repeat(100_001),
  [],
  ['a'],
  [''],
  [7],
  [null],
  ['a', 1.5],
  [[]],
  [{}],
  ['a.example'],
  Array.from({ length: 16 }, () => 0.5),
  Array.from({ length: 1025 }, () => 0.5),
  ['x'.repeat(257)],
  ['x'.repeat(2049)],
  Array.from({ length: 1001 }, (_, index) => `e${index}`),
  [{ label: 'a', score: 0.5 }],
  [{ label: 'a', score: 2 }],
  [{ label: 'a' }],
  {},
  { a: 0.5 },
  { a: 2 },
  { a: -0.1 },
  { a: 'x' },
  { a: ['b'] },
  { a: [7] },
  { a: null },
  { a: { b: 1 } },
];

/** Whether only the parser can check a value, so that the schema may be more tolerant. */
function beyondSchema(field: string, value: unknown): boolean {
  return field === 'metadata' || (field === 'ai_labels' && Array.isArray(value));
}

for (const [name, { schema, parse }] of Object.entries(KINDS)) {
  const compiled = TypeCompiler.Compile(schema);
  const example: Record<string, unknown> = schema.example;

  describe(`the schema of the ${name} record`, () => {
    test('has an example that schema and parser accept, without a warning', () => {
      expect([...compiled.Errors(example)]).toEqual([]);
      expect(parse(example)).toMatchObject({ ok: true, warnings: [] });
    });

    test('tolerates unknown fields, as the parser does', () => {
      const value = { ...example, something_else: 1 };
      expect(compiled.Check(value)).toBe(true);
      expect(parse(value)).toMatchObject({
        ok: true,
        warnings: ["unknown field 'something_else' was ignored"],
      });
    });

    test.each(Object.keys(schema.properties))('agrees with the parser about %s', (field) => {
      // An alias must equal its field, which no schema can express.
      const { channel: _, root_parent_url: __, ...others } = example;
      for (const value of VALUES) {
        const given = { ...others, [field]: value };
        const allowed = compiled.Check(given);
        const parsed = parse(given);
        // The schema shows what is kept as it is.
        const is_kept = parsed.ok && (allowed || parsed.warnings.length === 0);
        if (allowed === is_kept || (allowed && beyondSchema(field, value))) continue;
        throw new Error(`${JSON.stringify(value).slice(0, 60)}: schema ${allowed}, parser ${is_kept}`);
      }
      const { [field]: ___, ...without } = others;
      expect(compiled.Check(without)).toBe(parse(without).ok);
    });
  });
}
