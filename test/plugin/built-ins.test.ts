import { describe, test } from 'bun:test';
import { BUILT_IN } from '../../plugins/index.ts';
import { PLUGIN_API, type Plugin } from '../../src/plugin/index.ts';
import { Kit } from '../../src/plugin/testing/kit.ts';
import { KINDS } from '../../src/registry/registry.ts';

/** The built-in extensions keep what the testing kit asks of third parties'. */

const plugin: Plugin = { meta: { name: 'built-in', version: '1.0.0', api: PLUGIN_API }, ...BUILT_IN };
const kit = new Kit(plugin, () => undefined);

describe.each([...KINDS])('%s', (kind) => {
  for (const id of Object.keys(BUILT_IN[kind])) {
    test(id, async () => {
      for (const { run } of kit.invariants(kind, id)) await run();
    });
  }
});
