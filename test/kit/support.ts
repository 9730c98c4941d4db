import { Kit } from '../../src/kit/kit.ts';
import type { OtherSignals } from '../../src/kit/other-signals.ts';
import { type Plugin, type RequestContext, Type } from '../../src/plugin/index.ts';
import type { Kind } from '../../src/registry/kinds.ts';

/** Plugins with one extension each, for tests of the testing kit. */

export const base = { summary: 'For tests.', options: Type.Object({}) };
export const meta = { name: 'acme', version: '1.0.0', api: 2 };

/** The id of the extension. */
export const idOf = (kind: Kind): string =>
  kind === 'filters' || kind === 'signals' ? 'acme/x' : 'acme/x_v1.0.0';

export function kitOf(kind: Kind, extension: object, others?: OtherSignals, more: object = {}): Kit {
  const whole = kind === 'filters' ? { kind: 'inclusion', ...extension } : extension;
  return new Kit({ meta, ...more, [kind]: { [idOf(kind)]: { ...base, ...whole } } } as Plugin, others);
}

/** The invariants that fail, by name, with their error messages. */
export async function broken(kit: Kit, kind: Kind): Promise<Record<string, string>> {
  await kit.setUp();
  const faults: Record<string, string> = {};
  for (const { name, run } of kit.invariants(kind, idOf(kind))) {
    try {
      await run();
    } catch (error) {
      faults[name] = String(error);
    }
  }
  return faults;
}

/** How a test ends: `holds`, or the message of its error. */
export async function outcomeOf({ run }: { run(): void | Promise<void> }): Promise<string> {
  try {
    await run();
    return 'holds';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export type Step = (request: RequestContext) => (item: number) => unknown;
export const perItem = (step: Step) => ({ compile: () => step });
