import { describe, expect, test } from 'bun:test';
import { openProvider } from '../../src/alpha/provider.ts';
import { Type } from '../../src/plugin/index.ts';
import { Registry } from '../../src/registry/registry.ts';

/** Providers whose options are an intersection, a text and none, and the options that they are compiled with. */
function registryOf(told: unknown[]): Registry {
  const registry = new Registry();
  const describeWith = (options: unknown) => {
    told.push(options);
    return async (ids: readonly string[]) => ids.map(() => ({}));
  };
  const of_parts = Type.Intersect([
    Type.Object({ url: Type.String({ default: '' }) }),
    Type.Object({ key: Type.Optional(Type.String()), size: Type.Integer({ default: 8 }) }),
  ]);
  const summary = 'For tests.';
  registry.addBuiltIn({
    integrations: {
      of_parts: { summary, options: of_parts, describe: describeWith },
      of_text: { summary, options: Type.String({ default: 'whole' }), describe: describeWith },
      of_nothing: {
        summary,
        options: Type.Object({}, { additionalProperties: false }),
        describe: describeWith,
      },
    },
  });
  return registry;
}

const UNSET = { metadata_url: undefined, metadata_key_header: undefined, metadata_key: undefined };
const GIVEN = {
  metadata_url: 'https://names.example/{item_id}',
  metadata_key_header: 'x-key',
  metadata_key: 'k',
};

test("a provider's options are filled from the settings with any kind of schema", () => {
  const told: unknown[] = [];
  const registry = registryOf(told);
  const { metadata_url, metadata_key } = GIVEN;
  openProvider(registry, { ...UNSET, metadata_url, metadata_key, metadata_provider: 'of_parts' });
  for (const metadata_provider of ['of_text', 'of_nothing'])
    openProvider(registry, { ...UNSET, metadata_provider });
  expect(told).toEqual([{ url: metadata_url, key: 'k', size: 8 }, 'whole', {}]);
});

describe('a setting without an option of the provider is rejected by name:', () => {
  for (const [metadata_provider, settings, variable, flag] of [
    ['of_nothing', ['metadata_url'], 'FEEDLOOM_METADATA_URL', '--metadata-url'],
    ['of_nothing', ['metadata_key'], 'FEEDLOOM_METADATA_KEY', '--metadata-key'],
    ['of_text', ['metadata_url'], 'FEEDLOOM_METADATA_URL', '--metadata-url'],
    [
      'of_parts',
      ['metadata_url', 'metadata_key_header', 'metadata_key'],
      'FEEDLOOM_METADATA_KEY_HEADER',
      '--metadata-key-header',
    ],
  ] as const) {
    test(`${variable} to ${metadata_provider}`, () => {
      const given = Object.fromEntries(settings.map((name) => [name, GIVEN[name]]));
      const refused = () => openProvider(registryOf([]), { ...UNSET, ...given, metadata_provider });
      expect(refused).toThrow(`'${metadata_provider}' has no option`);
      expect(refused).toThrow(`${variable} and ${flag} set`);
    });
  }
});
