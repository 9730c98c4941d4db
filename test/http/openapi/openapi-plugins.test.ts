import { beforeAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020.js';
import pino from 'pino';
import { routesOf } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { Host } from '../../../src/http/transport/host.ts';
import {
  defineFilter,
  definePlugin,
  defineScoringFunction,
  defineVisibilityRule,
  type Plugin,
  type TSchema,
  Type,
} from '../../../src/plugin/index.ts';
import { openRegistry } from '../../../src/service.ts';
import { readSettings } from '../../../src/settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of every shape
type Json = any;

const ROUTES = routesOf(new Host(pino({ level: 'silent' })), readSettings({}));

/** The document of a service with these plugins, as it is sent. */
async function documentWith(...plugins: Plugin[]): Promise<Json> {
  const { registry } = await openRegistry(readSettings({}));
  for (const plugin of plugins) registry.add(plugin, `${plugin.meta.name}.ts`);
  return JSON.parse(JSON.stringify(await openApiDocument(ROUTES, registry)));
}

/** A plugin with a filter `<name>/f` for each of the options. */
function filtering(name: string, options: Record<string, TSchema>): Plugin {
  const filters = Object.entries(options).map(([id, schema]) => [
    `${name}/${id}`,
    defineFilter({ summary: 'Some.', kind: 'inclusion', options: schema, compile: () => () => () => true }),
  ]);
  return definePlugin({
    meta: { name, version: '1.0.0', api: 2 },
    filters: Object.fromEntries(filters),
  });
}

/** Checks that the document is valid, has no broken references, and that every schema is valid. */
async function expectSound(document: Json): Promise<void> {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(() => validator.resolveRefs()).not.toThrow();
  const ajv = schemasOf(document);
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.getSchema(`doc#/components/schemas/${name}`)).toBeFunction();
}

function schemasOf({ components }: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const text = JSON.stringify({ $id: 'doc', components });
  return ajv.addSchema(JSON.parse(text.replaceAll('"#/components', '"doc#/components')));
}

/** Whether a document allows filters. */
function allowedBy(document: Json): (filters: Json) => boolean {
  const allows = schemasOf(document).getSchema('doc#/components/schemas/Filters')!;
  return (filters) => allows(filters) as boolean;
}

test('third-party plugins are in the document with their options', async () => {
  const options = Type.Object({ at_least: Type.Integer({ minimum: 3, description: 'likes' }) });
  const plugin = definePlugin({
    meta: { name: 'acme', version: '1.0.0', api: 2 },
    filters: {
      'acme/liked': defineFilter({
        summary: 'Liked.',
        kind: 'inclusion',
        options,
        compile: () => () => () => true,
      }),
    },
    scoring_functions: {
      'acme/odd_v1.0.0': defineScoringFunction({
        summary: 'Odd.',
        feeds: ['trending'],
        options,
        compile: () => () => () => 1,
      }),
    },
    visibility_rules: {
      'acme/mute_v1.0.0': defineVisibilityRule({
        summary: 'Mute.',
        options,
        compile: () => () => () => true,
      }),
    },
  });
  const document = await documentWith(plugin);
  const { schemas } = document.components;
  const at_least = { type: 'integer', minimum: 3, description: 'likes' };
  expect(schemas.Filters.properties['acme/liked']).toMatchObject({
    description: 'Liked.',
    properties: { at_least },
  });
  expect(schemas.VisibilityRules.properties['acme/mute_v1.0.0']).toMatchObject({ properties: { at_least } });
  expect(schemas.TrendingScoring.anyOf[0].enum).toContain('acme/odd_v1.0.0');
  expect(JSON.stringify(schemas.TrendingScoring.anyOf)).toContain('"minimum":3');
  expect(schemas.ForYouScoring.anyOf[0].enum).not.toContain('acme/odd_v1.0.0');
  await expectSound(document);
});

describe('whatever options are made of', () => {
  const tree = () =>
    Type.Recursive((self) =>
      Type.Object(
        { any: Type.Optional(Type.Array(self)), word: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    );
  const lists = Type.Module({
    entry: Type.Object({ word: Type.Ref('word'), more: Type.Optional(Type.Ref('list')) }),
    list: Type.Array(Type.Ref('entry')),
    word: Type.String({ minLength: 1 }),
  });
  const other = Type.Module({ list: Type.Array(Type.Ref('entry')), entry: Type.Integer() });
  const near = Type.Object({ km: Type.Number({ minimum: 0 }) }, { $id: 'Near' });
  const named = (least: number) => Type.Integer({ minimum: least, $id: 'ForYouRequest' });
  let document: Json;
  let allows: (filters: Json) => boolean;
  beforeAll(async () => {
    const options = {
      words: tree(),
      both: Type.Object({ a: lists.Import('list'), b: other.Import('list'), c: lists.Import('word') }),
      way: Type.Object({ from: near, to: Type.Ref('Near') }),
      pair: Type.Tuple([Type.String(), Type.Integer()]),
      when: Type.Union([Type.Integer(), Type.Date(), Type.Undefined()]),
      f: named(1),
      g: Type.Array(named(2), { $id: 'filters.acme.f' }),
    };
    document = await documentWith(filtering('acme', options), filtering('beta', { f: named(3) }));
    allows = allowedBy(document);
  });

  test('the document is sound', () => expectSound(document));

  const a = [{ word: 'x', more: [{ word: 'y' }] }];
  test.each<[string, Json[], Json[]]>([
    [
      'schemas that refer to themselves',
      [{ 'acme/words': { any: [{ word: 'a' }, { any: [{ word: 'b' }] }] } }],
      [{ 'acme/words': { any: [{ any: [{ wort: 'a' }] }] } }],
    ],
    [
      'modules, several of which have the same names',
      [{ 'acme/both': { a, b: [1], c: 'x' } }],
      [{ 'acme/both': { a, b: a, c: 'x' } }, { 'acme/both': { a: [{ word: '' }], b: [1], c: 'x' } }],
    ],
    [
      'parts that other parts refer to',
      [{ 'acme/way': { from: { km: 1 }, to: { km: 2 } } }],
      [{ 'acme/way': { from: { km: 1 }, to: { km: -2 } } }],
    ],
    [
      'lists with bounds, and values that JSON does not have',
      [{ 'acme/pair': ['a', 1], 'acme/when': 1 }],
      [{ 'acme/pair': [1, 'a'] }, { 'acme/when': 'today' }],
    ],
    [
      "names of the service's own schemas, and of other plugins",
      [{ 'acme/f': 1, 'acme/g': [2], 'beta/f': 3 }],
      [{ 'acme/f': 0 }, { 'acme/g': [1] }, { 'beta/f': 2 }],
    ],
  ])('the document allows what the options allow: %s', (_, allowed, refused) => {
    for (const filters of allowed) expect([filters, allows(filters)]).toEqual([filters, true]);
    for (const filters of refused) expect([filters, allows(filters)]).toEqual([filters, false]);
  });

  test("the service's own schemas stay as they are", async () => {
    const { ForYouRequest } = (await documentWith()).components.schemas;
    expect(document.components.schemas.ForYouRequest).toEqual(ForYouRequest);
    expect(document.components.schemas).toHaveProperty(['filters.acme.words']);
  });

  test('component names that do not depend on other loaded plugins', async () => {
    const first = Object.keys((await documentWith(filtering('acme', { words: tree() }))).components.schemas);
    const later = Type.Recursive((self) => Type.Array(self));
    const other = filtering('beta', { later });
    const both = await documentWith(other, filtering('acme', { words: tree() }));
    expect(Object.keys(both.components.schemas)).toEqual(expect.arrayContaining(first));
  });
});

test('options with a default are optional, as the service fills them in', async () => {
  const options = Type.Object(
    { least: Type.Integer({ default: 1 }), most: Type.Integer() },
    { additionalProperties: false },
  );
  const document = await documentWith(filtering('acme', { span: options }));
  expect(document.components.schemas.Filters.properties['acme/span'].required).toEqual(['most']);
});

test('a text with a regular expression is a string, and the description of a reference is kept', async () => {
  const document = await documentWith(
    filtering('acme', {
      words: Type.Object({
        lower: Type.RegExp(/^a+$/, { maxLength: 9 }),
        any: Type.Optional(Type.RegExp(/^a+$/i)),
      }),
      places: Type.Object({
        near: Type.Object({ km: Type.Number() }, { $id: 'Place' }),
        far: Type.Ref('Place', { description: 'how far', default: { km: 7 } }),
      }),
      odd: Type.Object({ a: Type.Optional(Type.Number()) }, { required: ['unknown'] }),
    }),
  );
  await expectSound(document);
  const cases: [Json, boolean][] = [
    [{ 'acme/words': { lower: 'aaa', any: 'AA' } }, true],
    [{ 'acme/words': { lower: 'AAA' } }, false],
    [{ 'acme/words': { any: 'AA' } }, false],
    [{ 'acme/words': { lower: 'a'.repeat(10) } }, false],
    [{ 'acme/places': { near: { km: 1 } } }, true],
    [{ 'acme/places': { near: { km: 1 }, far: { km: 'far' } } }, false],
  ];
  const allows = allowedBy(document);
  for (const [filters, allowed] of cases) expect([filters, allows(filters)]).toEqual([filters, allowed]);
  const { places, words } = Object.fromEntries(
    Object.entries<Json>(document.components.schemas.Filters.properties).map(([id, schema]) => [
      id.slice(5),
      schema,
    ]),
  );
  expect(places.properties.far).toMatchObject({ description: 'how far', default: { km: 7 } });
  expect(words.properties.any).toEqual({ type: 'string', description: '/^a+$/i' });
});
