import { PLUGIN_API, type Plugin, type RequestContext, Type } from '../../src/plugin/index.ts';
import { Kit } from '../../src/plugin/testing/kit.ts';
import type { KnownSignals } from '../../src/plugin/testing/known-signals.ts';
import type { Kind } from '../../src/plugin/testing/subject.ts';

/** Plugins with one extension each, for tests of the testing kit. */

export const base = { summary: 'For tests.', options: Type.Object({}) };
export const meta = { name: 'acme', version: '1.0.0', api: PLUGIN_API };
export function kitOf(kind: Kind, extension: object, known?: KnownSignals, more: object = {}): Kit {
  return new Kit({ meta, ...more, [kind]: { 'acme/x': { ...base, ...extension } } } as Plugin, known);
}

/** The invariants that fail, by name, with their error messages. */
export async function broken(kit: Kit, kind: Kind): Promise<Record<string, string>> {
  await kit.setUp();
  const faults: Record<string, string> = {};
  for (const { name, run } of kit.invariants(kind, 'acme/x')) {
    try {
      await run();
    } catch (error) {
      faults[name] = String(error);
    }
  }
  return faults;
}

export type Step = (request: RequestContext) => (item: number) => unknown;
export const perItem = (step: Step) => ({ compile: () => step });
