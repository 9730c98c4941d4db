import { describe, expect, test } from 'bun:test';
import { StartupError } from '../../src/errors.ts';
import { type Plugin, type PluginHost, type RequestContext, Type } from '../../src/plugin/index.ts';
import { KINDS, type Kind } from '../../src/registry/kinds.ts';
import { Registry } from '../../src/registry/registry.ts';
import { builtIn } from '../support/scene.ts';

const base = { summary: 'For tests.', options: Type.Object({}) };
const extension = { ...base, compile: () => () => () => 1 };
const filter = { ...extension, kind: 'inclusion' };
const signal = { ...extension, depends_on: 'item' };
const SIGNATURE = { header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex' };
const webhook = (signature: unknown) =>
  plugin({ integrations: { 'acme/w_v1.0.0': { ...base, receive: () => () => [], signature } } });
const connector = { ...base, connect: () => async () => {} };
const provider = { ...base, describe: () => async () => [] };
const meta = { name: 'acme', version: '1.0.0', api: 2 };

/** A valid export of a plugin file with the changes of a test. */
function plugin(parts: Record<string, unknown> = { scoring_functions: { 'acme/plain_v1.0.0': extension } }) {
  return { meta, ...parts };
}

function refusal(candidate: unknown, registry = builtIn()): StartupError {
  const before = KINDS.map((kind) => registry.ids(kind));
  let thrown: unknown;
  try {
    registry.add(candidate, '/plugins/acme.ts');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(StartupError);
  // A rejected plugin must not be registered, not even in part.
  expect(KINDS.map((kind) => registry.ids(kind))).toEqual(before);
  return thrown as StartupError;
}

const scoring = (changes: Record<string, unknown>, id = 'acme/plain_v1.0.0') =>
  plugin({ scoring_functions: { 'acme/sound_v1.0.0': extension, [id]: { ...extension, ...changes } } });

const signalWith = (changes: Record<string, unknown>) =>
  plugin({ signals: { 'acme/s': { ...signal, ...changes } } });
/** The members by which a signal of the viewer differs from `signal`. */
const REACHING = { depends_on: 'viewer', compile: undefined, reaches: () => () => new Map() };

const UNFIT = Type.Object({ n: Type.Integer({ maximum: 3, default: 4 }) });

const REFUSED: { code: string; cases: Record<string, unknown> }[] = [
  {
    code: 'plugin_malformed',
    cases: {
      'no default export': undefined,
      null: null,
      'a function': () => plugin(),
      'a list': [plugin()],
      'no meta': { scoring_functions: { 'acme/plain_v1.0.0': extension } },
      'a meta without a name': { ...plugin(), meta: { version: '1', api: 2 } },
      'a meta without a version': { ...plugin(), meta: { name: 'acme', api: 2 } },
      'no extensions': plugin({}),
      'a kind that is empty': plugin({ filters: {} }),
      'a kind of another spelling': plugin({ scorings: { 'acme/plain_v1.0.0': extension } }),
      'a kind that is a list': plugin({ filters: [filter] }),
      'a kind that is null': plugin({ filters: null }),
      'an extension that is a function': plugin({ filters: { 'acme/f': () => filter } }),
      'no summary': scoring({ summary: undefined }),
      'no compile': scoring({ compile: undefined }),
      'a compile that is not a function': scoring({ compile: 'return 1' }),
      'feeds that are not a list': scoring({ feeds: 'for-you' }),
      'feeds of another name': scoring({ feeds: ['for-you', 'foryou'] }),
      'a filter without a kind': plugin({ filters: { 'acme/f': extension } }),
      'a filter of another kind': plugin({ filters: { 'acme/f': { ...extension, kind: 'include' } } }),
      'postings that are not a function': plugin({ filters: { 'acme/f': { ...filter, postings: {} } } }),
      'a rule with a list of what it allows': plugin({
        visibility_rules: { 'acme/r_v1.0.0': { ...extension, allows: [] } },
      }),
      'score parts that are not a function': scoring({ parts: {} }),
      'a member of another spelling': { ...plugin(), setUp: () => undefined },
      'a member of an extension of another spelling': scoring({ feed: ['trending'] }),
      'a member of another kind': plugin({ filters: { 'acme/f': { ...filter, ceiling: () => 1 } } }),
      'a getter that throws': {
        meta,
        get filters() {
          throw new Error('out of order');
        },
      },
      'a setup that is not a function': { ...plugin(), setup: {} },
      'a disposal that is not a function': { ...plugin(), dispose: 'later' },
      'reads that are not a list': scoring({ reads: 'text' }),
      'reads of an unknown field': scoring({ reads: ['item.text', 'texts'] }),
      'reads of no text': scoring({ reads: [5] }),
      'reads of a field of another spelling': scoring({ reads: ['item.chanel'] }),
      'reads of a text of nothing': scoring({ reads: ['text'] }),
      'reads beneath a field that has no keys': scoring({ reads: ['item.channel.x'] }),
      'reads of an empty key': scoring({ reads: ['item.metadata..x'] }),
      'reads of a user field of items': scoring({ reads: ['item.username'] }),
      'reads of half a name': scoring({ reads: ['user.'] }),
      'reads where nothing is read': plugin({
        promotion_strategies: { 'acme/p_v1.0.0': { ...extension, reads: ['item.text'] } },
      }),
      'a strategy within the page that is neither true nor false': plugin({
        promotion_strategies: { 'acme/p_v1.0.0': { ...extension, within_page: 'yes' } },
      }),
      'reads of a metadata provider': plugin({
        integrations: { 'acme/m_v1.0.0': { ...provider, reads: ['item.text'] } },
      }),
      'a ranking that is not a name': scoring({ ranked_by: ['popular'] }),
      'signals that are not a function': scoring({ signals: ['popular'] }),
      'an unknown dependence of a filter': plugin({
        filters: { 'acme/f': { ...filter, depends_on: 'weather' } },
      }),
      'an unknown dependence of a signal': signalWith({ depends_on: 'weather' }),
      'a dependence of a signal that follows from options': signalWith({ depends_on: () => 'item' }),
      'a signal without a function': signalWith({ compile: undefined }),
      'a signal with two functions': signalWith({ reaches: () => () => new Map() }),
      'a signal for all viewers that reaches items': signalWith({
        ...REACHING,
        depends_on: 'item',
      }),
      'a proposal of a signal of the viewer without reaches': signalWith({
        depends_on: 'viewer',
        proposes: { per_item: 1 },
      }),
      'a proposal that is not an object': signalWith({ ...REACHING, proposes: 4 }),
      'a proposal of nothing': signalWith({ ...REACHING, proposes: { per_item: 0 } }),
      'a proposal of too much': signalWith({ ...REACHING, proposes: { per_item: 101 } }),
      'a proposal with an unknown member': signalWith({
        ...REACHING,
        proposes: { per_item: 1, never: true },
      }),
      'a proposal that always is a text': signalWith({
        ...REACHING,
        proposes: { per_item: 1, always: 'yes' },
      }),
      'a proposal with an empty name': signalWith({ ...REACHING, proposes: { per_item: 1, name: '' } }),
      'a drift that is not a number': plugin({ signals: { 'acme/s': { ...signal, drift_seconds: '5' } } }),
      'a reason that no answer gives': plugin({ signals: { 'acme/s': { ...signal, reason: 'loved' } } }),
      'a drift of 0': plugin({ signals: { 'acme/s': { ...signal, drift_seconds: 0 } } }),
      'an integration that does nothing': plugin({ integrations: { 'acme/n_v1.0.0': base } }),
      'a pause of an integration that reads nothing': plugin({
        integrations: { 'acme/m_v1.0.0': { ...provider, silence_seconds: 5 } },
      }),
      'a signature of an integration that receives nothing': plugin({
        integrations: { 'acme/n_v1.0.0': { ...connector, signature: SIGNATURE } },
      }),
      'a webhook without a signature': webhook(undefined),
      'a signature without a header': webhook({ ...SIGNATURE, header: '' }),
      'a signature in a header of two words': webhook({ ...SIGNATURE, header: 'X Acme' }),
      'a signature of an unknown algorithm': webhook({ ...SIGNATURE, algorithm: 'md5' }),
      'a signature of an unknown encoding': webhook({ ...SIGNATURE, encoding: 'latin1' }),
      'a signature with a prefix that is no text': webhook({ ...SIGNATURE, prefix: 1 }),
      'a signature with an unknown member': webhook({ ...SIGNATURE, secret: 'abc' }),
      'a signal that reaches no function': plugin({ signals: { 'acme/s': { ...signal, reaches: 1 } } }),
    },
  },
  {
    code: 'plugin_api_mismatch',
    cases: {
      'an older contract': { ...plugin(), meta: { ...meta, api: 1 } },
      'a newer contract': { ...plugin(), meta: { ...meta, api: 3 } },
      'no contract': { ...plugin(), meta: { name: 'acme', version: '1' } },
      'a contract as text': { ...plugin(), meta: { ...meta, api: '2' } },
    },
  },
  {
    code: 'plugin_bad_id',
    cases: {
      'a namespace with a slash': { ...plugin(), meta: { ...meta, name: 'acme/x' } },
      'an empty namespace': { ...plugin(), meta: { ...meta, name: '' } },
      'a bare id': scoring({}, 'plain_v1.0.0'),
      "another's namespace": scoring({}, 'other/plain_v1.0.0'),
      'no version': scoring({}, 'acme/plain'),
      'a short version': scoring({}, 'acme/plain_v1.0'),
      'two slashes': scoring({}, 'acme/plain/x_v1.0.0'),
      'an empty name': plugin({ filters: { 'acme/': filter } }),
      'spaces in a name': plugin({ filters: { 'acme/my filter': filter } }),
      'a signal with a bare id': plugin({ signals: { popular: signal } }),
      'a metadata provider without a version': plugin({ integrations: { 'acme/m': provider } }),
    },
  },
  {
    code: 'plugin_options_invalid',
    cases: {
      'no options': scoring({ options: undefined }),
      'options that are not a schema': scoring({ options: { limit: 10 } }),
      'plain JSON schema': scoring({ options: { type: 'object', properties: {} } }),
      'a schema that cannot be written as JSON': scoring({
        options: Type.Object({ n: Type.BigInt({ minimum: 0n }) }),
      }),
      'an option that switches a filter off': plugin({
        filters: {
          'acme/f': { ...filter, options: Type.Union([Type.Literal('some'), Type.Literal('none')]) },
        },
      }),
      'a JSON schema that Type.Unsafe was given': scoring({ options: Type.Unsafe({ type: 'string' }) }),
      'a schema that refers to nothing': scoring({ options: Type.Ref('Nowhere') }),
      'a default that its own schema refuses': scoring({
        options: Type.Object({
          n: Type.Object({ m: Type.Integer({ maximum: 3, default: 4 }) }),
          o: Type.String(),
        }),
      }),
      'such a default in the entries of a list': scoring({ options: Type.Object({ l: Type.Array(UNFIT) }) }),
      'such a default in a tuple': scoring({ options: Type.Object({ l: Type.Tuple([UNFIT]) }) }),
      'such a default in one of several forms': scoring({
        options: Type.Object({ l: Type.Union([Type.Null(), UNFIT]) }),
      }),
      'such a default in a record': scoring({
        options: Type.Object({ l: Type.Record(Type.String(), UNFIT) }),
      }),
      'such a default in what else an object may have': scoring({
        options: Type.Object({}, { additionalProperties: UNFIT }),
      }),
      'such a default in parts that are put together': scoring({
        options: Type.Intersect([Type.Object({ l: UNFIT }), Type.Object({})]),
      }),
      'a metadata provider with an option without default': plugin({
        integrations: {
          'acme/m_v1.0.0': { ...provider, options: Type.Object({ n: Type.Integer() }) },
        },
      }),
      'a signal with an option without default': plugin({
        signals: { 'acme/s': { ...signal, options: Type.Object({ n: Type.Integer() }) } },
      }),
      'a signal with a default that does not fit': signalWith({
        options: Type.Object({ n: Type.Integer({ maximum: 3, default: 4 }) }),
      }),
    },
  },
];

describe.each(REFUSED)('a plugin is rejected with $code for', ({ code, cases }) => {
  test.each(Object.entries(cases))('%s', (_, candidate) => {
    const error = refusal(candidate);
    expect(error.code).toBe(code);
    expect(error.message).toContain('/plugins/acme.ts');
    expect(error.remedy).not.toBe('');
    expect(error.remedy).toBeString();
  });
});

test('a plugin of contract 1 is refused with what to change in it', () => {
  const old = { meta: { ...meta, api: 1 }, candidate_sources: {}, filters: {} };
  const { code, remedy } = refusal(old);
  expect(code).toBe('plugin_api_mismatch');
  expect(remedy).toContain("each of candidate_sources is a signal with 'reaches' and 'proposes");
  expect(remedy).toContain('request.item.author(item)');
});

test.each(['connectors', 'webhooks', 'metadata_providers', 'candidate_sources'])(
  'a plugin with %s was written for contract 1, whatever number it states',
  (member) => {
    for (const api of [1, 2, undefined]) {
      const { code, remedy } = refusal({ meta: { ...meta, api }, [member]: {} });
      expect([code, remedy]).toEqual([
        'plugin_api_mismatch',
        expect.stringContaining(`each of ${member} is`),
      ]);
    }
  },
);

describe('a registry', () => {
  test('rejects an id that another file has registered, and names that file', () => {
    const registry = builtIn();
    registry.add(plugin(), '/plugins/first.ts');
    const both = plugin({
      scoring_functions: { 'acme/new_v1.0.0': extension, 'acme/plain_v1.0.0': extension },
    });
    const error = refusal(both, registry);
    expect(error.code).toBe('plugin_duplicate_id');
    expect(error.message).toContain('acme/plain_v1.0.0 is already registered by /plugins/first.ts');
  });

  test('registers all kinds of extensions of a plugin with their source', () => {
    const registry = new Registry();
    const parts: Record<Kind, Record<string, unknown>> = {
      filters: { 'acme/f': filter },
      scoring_functions: { 'acme/s_v1.0.0': extension, 'acme/s_v1.0.1': extension },
      visibility_rules: { 'acme/v_v0.0.1': extension },
      signals: { 'acme/fresh': signal },
      promotion_strategies: { 'acme/p_v1.0.0': extension },
      integrations: {
        'acme/m_v1.0.0': provider,
        'acme/n_v1.0.0': connector,
        'acme/w_v1.0.0': { ...base, receive: () => () => [], signature: SIGNATURE },
      },
    };
    const added: Plugin = registry.add(plugin(parts), 'acme.ts');
    expect(added.meta.name).toBe('acme');
    for (const kind of KINDS) {
      expect(registry.ids(kind)).toEqual(Object.keys(parts[kind]));
      expect(registry.all(kind).map(({ source }) => source)).toEqual(registry.ids(kind).map(() => 'acme.ts'));
    }
    expect(registry.get('filters', 'acme/f')?.id).toBe('acme/f');
    expect(registry.get('filters', 'acme/g')).toBeUndefined();
    expect(registry.get('filters', 'toString')).toBeUndefined();
  });

  test('keeps the methods of extensions and plugins that are instances of classes', () => {
    class Few {
      #limit = 3;
      summary = 'For tests.';
      options = Type.Object({});
      kind = 'inclusion';
      compile() {
        return () => (item: number) => item < this.#limit;
      }
    }
    class Acme {
      #ready = false;
      meta = meta;
      filters = { 'acme/few': new Few() };
      setup() {
        this.#ready = true;
      }
      dispose() {
        if (!this.#ready) throw new Error('not set up');
      }
    }
    const registry = builtIn();
    const added = registry.add(new Acme(), '/plugins/acme.ts');
    const keep = registry.get('filters', 'acme/few')?.extension.compile({});
    expect([2, 3].map((item) => keep?.({} as RequestContext)(item))).toEqual([true, false]);
    added.setup?.({} as PluginHost);
    added.dispose?.();
    expect([added.setup, added.dispose]).toEqual([expect.any(Function), expect.any(Function)]);
  });

  test('lists each field that extensions read once, and removes all extensions of a file', () => {
    const registry = builtIn();
    const of_built_in = [...registry.reads()];
    const reading = (...reads: string[]) => ({ ...filter, reads });
    registry.add(plugin({ filters: { 'acme/a': reading('item.text', 'item.metadata.a.b') } }), 'first.ts');
    const parts = { signals: { 'acme/s': { ...signal, reads: ['user.username'] } } };
    registry.add(
      plugin({ filters: { 'acme/b': reading('item.text', 'item.metadata') }, ...parts }),
      'second.ts',
    );
    expect([...registry.reads()]).toEqual([
      ...of_built_in,
      'item.text',
      'item.metadata.a.b',
      'item.metadata',
      'user.username',
    ]);
    expect([...registry.plugins().keys()]).toEqual(['first.ts', 'second.ts']);
    registry.remove('second.ts');
    expect([...registry.reads()]).toEqual([...of_built_in, 'item.text', 'item.metadata.a.b']);
    expect(registry.get('signals', 'acme/s')).toBeUndefined();
    expect(registry.get('filters', 'acme/a')).toBeDefined();
    expect([...registry.plugins().keys()]).toEqual(['first.ts']);
  });

  test('accepts valid defaults at any depth, also in recursive schemas', () => {
    const tree = Type.Recursive((self) =>
      Type.Object({
        n: Type.Integer({ default: 4 }),
        below: Type.Array(self, { default: [{ n: 1, below: [] }] }),
      }),
    );
    const registry = new Registry();
    registry.add(plugin({ filters: { 'acme/tree': { ...filter, options: tree } } }), 'acme.ts');
    expect(registry.ids('filters')).toEqual(['acme/tree']);
  });

  test('accepts options without default for configurable kinds', () => {
    const required = { ...filter, options: Type.Object({ words: Type.Array(Type.String()) }) };
    const registry = new Registry();
    registry.add(plugin({ filters: { 'acme/keywords': required } }), 'acme.ts');
    expect(registry.ids('filters')).toEqual(['acme/keywords']);
  });
});
