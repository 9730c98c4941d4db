import { expect, test } from 'bun:test';
import { openProvider } from '../../src/alpha/provider.ts';
import { Type } from '../../src/plugin/index.ts';
import { Registry } from '../../src/registry/registry.ts';

test("a provider's options are filled from the settings, whatever their schema is made of", () => {
  const registry = new Registry();
  const told: unknown[] = [];
  registry.addBuiltIn({
    metadata_providers: {
      of_parts: {
        summary: 'For tests.',
        options: Type.Intersect([
          Type.Object({ url: Type.String({ default: '' }) }),
          Type.Object({ key: Type.Optional(Type.String()), size: Type.Integer({ default: 8 }) }),
        ]),
        compile: (options) => {
          told.push(options);
          return async (ids) => ids.map(() => ({}));
        },
      },
      of_text: {
        summary: 'For tests.',
        options: Type.String({ default: 'whole' }),
        compile: (options) => {
          told.push(options);
          return async (ids) => ids.map(() => ({}));
        },
      },
    },
  });
  const settings = {
    metadata_url: 'https://names.example/{item_id}',
    metadata_key_header: 'x-key',
    metadata_key: 'k',
  };
  openProvider(registry, { ...settings, metadata_provider: 'of_parts' });
  openProvider(registry, { ...settings, metadata_provider: 'of_text' });
  expect(told).toEqual([{ url: settings.metadata_url, key: 'k', size: 8 }, 'whole']);
});
